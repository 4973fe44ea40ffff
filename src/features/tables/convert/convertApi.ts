import type { z } from 'zod';
import type { Conversion, ConversionAnswer, ConversionInput, ConversionPlan, ConversionPlanInput } from '@contract/tables/conversion';
import type { Duplicates, IndexAnswer, IndexChange } from '@contract/tables/indexes';
import { tablePath } from '../tablesApi';
import type { OfTable } from '../tablesApi';
import { designApi } from '../parts/designApi';

type OfField = OfTable & { readonly field: string };
const of = ({ siteId, table, field }: OfField, rest: string): string => tablePath(siteId, `/${table}/fields/${field}${rest}`);
const design = (_answer: unknown, _failure: unknown, { siteId }: OfField) => [{ type: 'Design' as const, id: siteId }];
/** The table is another one afterwards: what was built on it is asked again. */
const touched = (_answer: unknown, failure: unknown, { siteId }: OfField) =>
  failure
    ? []
    : [
        { type: 'Table' as const, id: siteId },
        { type: 'Design' as const, id: siteId },
      ];

/** What was begun is shown at once. */
const begun = {
  async onQueryStarted(
    { siteId, table, field }: OfField,
    { dispatch, queryFulfilled }: { dispatch: (action: never) => unknown; queryFulfilled: Promise<{ data: Conversion }> },
  ) {
    const answer = await queryFulfilled.catch(() => null);
    if (answer) dispatch(convertApi.util.upsertQueryData('fieldConversion', { siteId, table, field }, { conversion: answer.data, undoable: null }) as never);
  },
};

/** Changing the type of a field, and its indexes. */
export const convertApi = designApi.injectEndpoints({
  endpoints: (b) => ({
    fieldConversion: b.query<ConversionAnswer, OfField>({ query: (args) => ({ url: of(args, '/conversion') }), providesTags: design, keepUnusedDataFor: 5 }),
    planConversion: b.mutation<ConversionPlan, OfField & { body: z.input<typeof ConversionPlanInput> }>({
      query: ({ body, ...args }) => ({ url: of(args, '/conversion/plan'), method: 'POST', body }),
    }),
    startConversion: b.mutation<Conversion, OfField & { revision: number; body: ConversionInput }>({
      query: ({ body, revision, ...args }) => ({ url: of(args, '/conversion'), method: 'POST', body, ifMatch: revision }),
      invalidatesTags: touched,
      ...begun,
    }),
    undoConversion: b.mutation<Conversion, OfField>({
      query: (args) => ({ url: of(args, '/conversion/undo'), method: 'POST' }),
      invalidatesTags: touched,
      ...begun,
    }),
    setFieldIndexes: b.mutation<z.infer<typeof IndexAnswer>, OfField & { body: z.input<typeof IndexChange> }>({
      query: ({ body, ...args }) => ({ url: of(args, '/indexes'), method: 'PUT', body }),
      invalidatesTags: touched,
    }),
    duplicates: b.query<Duplicates, OfField>({ query: (args) => ({ url: of(args, '/duplicates'), params: { limit: 50 } }), keepUnusedDataFor: 0 }),
  }),
});

export const {
  useFieldConversionQuery,
  usePlanConversionMutation,
  useStartConversionMutation,
  useUndoConversionMutation,
  useSetFieldIndexesMutation,
  useDuplicatesQuery,
} = convertApi;
