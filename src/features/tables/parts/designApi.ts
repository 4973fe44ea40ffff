import type { z } from 'zod';
import type { FormulaTrial } from '@contract/tables/formulaEndpoints';
import type {
  ContentTable,
  FieldChange,
  FieldInput,
  SchemaChange,
  SchemaDifference,
  SchemaFile,
  TableChange,
  TableField,
  Usage,
} from '@contract/tables/schemas';
import { tablePath, tablesApi } from '../tablesApi';
import type { OfTable } from '../tablesApi';

type Revised = OfTable & { readonly revision: number };
type OfField = OfTable & { readonly field: string };
type Source = { readonly file?: z.infer<typeof SchemaFile>; readonly siteId?: string };
const of = ({ siteId, table }: OfTable, rest = ''): string => tablePath(siteId, `/${table}${rest}`);
const ofSite = (siteId: string, rest: string): string => `/api/site/${siteId}/table${rest}`;
/** A change of one table may change others too: the mirror of a relation stands in the other table. */
const touched = (_answer: unknown, failure: unknown, { siteId }: { readonly siteId: string }) =>
  failure
    ? []
    : [
        { type: 'Table' as const, id: siteId },
        { type: 'Design' as const, id: siteId },
      ];

/** Definitions of content tables: what the screens of design ask besides the list of tables. */
export const designApi = tablesApi.enhanceEndpoints({ addTagTypes: ['Design'] }).injectEndpoints({
  endpoints: (b) => {
    /** What the server answers is the table as it is now: the next change is made with its revision. */
    const changed = {
      invalidatesTags: touched,
      async onQueryStarted(
        { siteId }: { readonly siteId: string },
        { dispatch, queryFulfilled }: { dispatch: (action: never) => unknown; queryFulfilled: Promise<{ data: ContentTable }> },
      ) {
        const answer = await queryFulfilled.catch(() => null);
        if (!answer) return;
        const { data } = answer;
        dispatch(
          tablesApi.util.updateQueryData('tables', siteId, (list) => {
            const at = list.findIndex(({ id }) => id === data.id);
            if (at >= 0) list[at] = data;
          }) as never,
        );
      },
    };
    const design = (siteId: string) => [{ type: 'Design' as const, id: siteId }];
    return {
      deletedTables: b.query<ContentTable[], string>({
        query: (siteId) => ({ url: tablePath(siteId), params: { deleted: true } }),
        providesTags: (_answer, _failure, siteId) => design(siteId),
      }),
      changeTable: b.mutation<ContentTable, Revised & { body: z.input<typeof TableChange> }>({
        query: ({ revision, body, ...args }) => ({ url: of(args), method: 'PATCH', body, ifMatch: revision }),
        ...changed,
      }),
      removeTable: b.mutation<null, OfTable>({ query: (args) => ({ url: of(args), method: 'DELETE' }), invalidatesTags: touched }),
      restoreTable: b.mutation<ContentTable, OfTable>({ query: (args) => ({ url: of(args, '/restore'), method: 'POST' }), invalidatesTags: touched }),
      duplicateTable: b.mutation<ContentTable, OfTable & { body: { title: string; records: boolean } }>({
        query: ({ body, ...args }) => ({ url: of(args, '/duplicate'), method: 'POST', body }),
        invalidatesTags: touched,
      }),
      addField: b.mutation<ContentTable, OfTable & { body: z.input<typeof FieldInput> }>({
        query: ({ body, ...args }) => ({ url: of(args, '/fields'), method: 'POST', body }),
        ...changed,
      }),
      changeField: b.mutation<ContentTable, Revised & { field: string; body: z.input<typeof FieldChange> }>({
        query: ({ revision, field, body, ...args }) => ({ url: of(args, `/fields/${field}`), method: 'PATCH', body, ifMatch: revision }),
        ...changed,
      }),
      removeField: b.mutation<ContentTable, OfField>({ query: ({ field, ...args }) => ({ url: of(args, `/fields/${field}`), method: 'DELETE' }), ...changed }),
      restoreField: b.mutation<ContentTable, OfField>({
        query: ({ field, ...args }) => ({ url: of(args, `/fields/${field}/restore`), method: 'POST' }),
        ...changed,
      }),
      deletedFields: b.query<TableField[], OfTable>({
        query: (args) => ({ url: of(args, '/deleted-fields') }),
        providesTags: (_answer, _failure, { siteId }) => design(siteId),
      }),
      orderFields: b.mutation<ContentTable, Revised & { fields: readonly string[] }>({
        query: ({ revision, fields, ...args }) => ({ url: of(args, '/order'), method: 'PUT', body: { fields }, ifMatch: revision }),
        ...changed,
      }),
      fieldUsage: b.query<z.infer<typeof Usage>[], OfField>({
        query: ({ field, ...args }) => ({ url: of(args, `/fields/${field}/usage`) }),
        keepUnusedDataFor: 0,
      }),
      choiceUses: b.query<{ id: string; records: number }[], OfField>({
        query: ({ field, ...args }) => ({ url: of(args, `/fields/${field}/choices`) }),
        keepUnusedDataFor: 0,
      }),
      removeChoice: b.mutation<
        { batchId: string | null; moved: number; jobId: string | null; table: ContentTable },
        OfField & { choice: string; to: string | null }
      >({
        query: ({ field, choice, to, ...args }) => ({
          url: of(args, `/fields/${field}/choices/${encodeURIComponent(choice)}/remove`),
          method: 'POST',
          body: { to },
        }),
        invalidatesTags: touched,
      }),
      tryFormula: b.query<FormulaTrial, OfTable & { formula: string; field?: string; decimals?: number }>({
        query: ({ siteId, table, ...body }) => ({ url: of({ siteId, table }, '/formula'), method: 'POST', body }),
        keepUnusedDataFor: 10,
      }),
      schemaHistory: b.query<SchemaChange[], OfTable>({
        query: (args) => ({ url: of(args, '/history') }),
        providesTags: (_answer, _failure, { siteId }) => design(siteId),
      }),
      revertSchema: b.mutation<ContentTable, OfTable & { change: string }>({
        query: ({ change, ...args }) => ({ url: of(args, `/history/${change}/revert`), method: 'POST' }),
        ...changed,
      }),
      exportSchema: b.query<z.infer<typeof SchemaFile>, string>({ query: (siteId) => ({ url: ofSite(siteId, '/schema') }), keepUnusedDataFor: 0 }),
      compareSchema: b.mutation<SchemaDifference[], { siteId: string; body: Source }>({
        query: ({ siteId, body }) => ({ url: ofSite(siteId, '/schema/compare'), method: 'POST', body }),
      }),
      applySchema: b.mutation<SchemaDifference[], { siteId: string; body: Source & { only: string[] } }>({
        query: ({ siteId, body }) => ({ url: ofSite(siteId, '/schema/apply'), method: 'POST', body }),
        invalidatesTags: touched,
      }),
    };
  },
});

export const {
  useDeletedTablesQuery,
  useChangeTableMutation,
  useRemoveTableMutation,
  useRestoreTableMutation,
  useDuplicateTableMutation,
  useAddFieldMutation,
  useChangeFieldMutation,
  useRemoveFieldMutation,
  useRestoreFieldMutation,
  useDeletedFieldsQuery,
  useOrderFieldsMutation,
  useFieldUsageQuery,
  useLazyChoiceUsesQuery,
  useRemoveChoiceMutation,
  useTryFormulaQuery,
  useSchemaHistoryQuery,
  useRevertSchemaMutation,
  useLazyExportSchemaQuery,
  useCompareSchemaMutation,
  useApplySchemaMutation,
} = designApi;
