import { formulaCalls, tableCalls, tableIndexCalls } from '@contract/tables/calls';
import type { tableEndpoints } from '@contract/tables/endpoints';
import type { formulaEndpoints } from '@contract/tables/formulaEndpoints';
import type { tableIndexEndpoints } from '@contract/tables/indexes';
import type { ContentTable } from '@contract/tables/schemas';
import { mutation, query, requestOf, typed } from '@/store/endpoints';
import { tablesApi } from '../tablesApi';
import type { OfSite } from '@/store/endpoints';

const calls = typed<typeof tableEndpoints>(tableCalls);
const { tryFormula } = typed<typeof formulaEndpoints>(formulaCalls);
const { setFieldIndexes } = typed<typeof tableIndexEndpoints>(tableIndexCalls);
const design = (_result: unknown, _failure: unknown, { siteId }: OfSite) => [{ type: 'Design' as const, id: siteId }];
/** A change of one table may change others: the inverse field of a relation belongs to the other table. */
const touched = (result: unknown, failure: unknown, of: OfSite) => (failure ? [] : [{ type: 'Table' as const, id: of.siteId }, ...design(result, failure, of)]);
/** The response is the current table: the next change is sent with its revision. */
const changed = {
  invalidatesTags: touched,
  async onQueryStarted(
    { siteId }: OfSite,
    { dispatch, queryFulfilled }: { dispatch: (action: never) => unknown; queryFulfilled: Promise<{ data: ContentTable }> },
  ) {
    const result = await queryFulfilled.catch(() => null);
    if (!result) return;
    const { data } = result;
    dispatch(
      tablesApi.util.updateQueryData('tables', { siteId }, (list) => {
        const at = list.findIndex(({ id }) => id === data.id);
        if (at >= 0) list[at] = data;
      }) as never,
    );
  },
};

/** Calls that the design screens use besides the list of tables. */
export const designApi = tablesApi.enhanceEndpoints({ addTagTypes: ['Design', 'Advice'] }).injectEndpoints({
  endpoints: (b) => ({
    deletedTables: b.query<ContentTable[], OfSite>({ query: ({ siteId }) => requestOf(calls.tables, { siteId, deleted: 'true' }), providesTags: design }),
    changeTable: mutation(b, calls.changeTable, changed),
    removeTable: mutation(b, calls.removeTable, { invalidatesTags: touched }),
    restoreTable: mutation(b, calls.restoreTable, { invalidatesTags: touched }),
    duplicateTable: mutation(b, calls.duplicateTable, { invalidatesTags: touched }),
    addField: mutation(b, calls.addField, changed),
    changeField: mutation(b, calls.changeField, changed),
    removeField: mutation(b, calls.removeField, changed),
    restoreField: mutation(b, calls.restoreField, changed),
    deletedFields: query(b, calls.deletedFields, { providesTags: design }),
    orderFields: mutation(b, calls.orderFields, changed),
    setFieldIndexes: mutation(b, setFieldIndexes, {
      invalidatesTags: (result, failure, of) => [{ type: 'Advice', id: of.table }, ...touched(result, failure, of)],
    }),
    fieldUsage: query(b, calls.fieldUsage, { keepUnusedDataFor: 0 }),
    choiceUses: query(b, calls.choiceUses, { keepUnusedDataFor: 0 }),
    removeChoice: mutation(b, calls.removeChoice, { invalidatesTags: touched }),
    tryFormula: query(b, tryFormula, { keepUnusedDataFor: 10 }),
    schemaHistory: query(b, calls.schemaHistory, { providesTags: design }),
    revertSchema: mutation(b, calls.revertSchema, changed),
    exportSchema: query(b, calls.exportSchema, { keepUnusedDataFor: 0 }),
    compareSchema: mutation(b, calls.compareSchema),
    applySchema: mutation(b, calls.applySchema, { invalidatesTags: touched }),
  }),
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
  useSetFieldIndexesMutation,
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
