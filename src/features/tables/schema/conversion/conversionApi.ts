import { tableConvertCalls, tableIndexCalls } from '@contract/tables/calls';
import type { Conversion, tableConvertEndpoints } from '@contract/tables/conversion';
import type { tableIndexEndpoints } from '@contract/tables/indexes';
import { mutation, query, typed } from '@/store/endpoints';
import { designApi } from '@/features/tables/parts/designApi';
import type { OfTable } from '@/features/tables/tablesApi';

/** Polling interval of a running conversion, ms. */
export const conversionPollMs = 1000;

type OfField = OfTable & { readonly field: string };
const calls = typed<typeof tableConvertEndpoints>(tableConvertCalls);
const { duplicates } = typed<typeof tableIndexEndpoints>(tableIndexCalls);
const design = (_result: unknown, _failure: unknown, { siteId }: OfField) => [{ type: 'Design' as const, id: siteId }];
/** The conversion changes the table, so everything derived from it is refetched. A started conversion is shown at once. */
const begun = {
  invalidatesTags: (result: unknown, failure: unknown, of: OfField) =>
    failure ? [] : [{ type: 'Table' as const, id: of.siteId }, ...design(result, failure, of)],
  async onQueryStarted(
    { siteId, table, field }: OfField,
    { dispatch, queryFulfilled }: { dispatch: (action: never) => unknown; queryFulfilled: Promise<{ data: Conversion }> },
  ) {
    const result = await queryFulfilled.catch(() => null);
    if (result) dispatch(conversionApi.util.upsertQueryData('fieldConversion', { siteId, table, field }, { conversion: result.data, undoable: null }) as never);
  },
};

/** Calls that convert fields. */
export const conversionApi = designApi.injectEndpoints({
  endpoints: (b) => ({
    fieldConversion: query(b, calls.fieldConversion, { providesTags: design, keepUnusedDataFor: 5 }),
    planConversion: mutation(b, calls.planConversion),
    startConversion: mutation(b, calls.startConversion, begun),
    undoConversion: mutation(b, calls.undoConversion, begun),
    duplicates: query(b, duplicates, { keepUnusedDataFor: 0 }),
  }),
});

export const { useFieldConversionQuery, usePlanConversionMutation, useStartConversionMutation, useUndoConversionMutation, useDuplicatesQuery } = conversionApi;
