import type { TableFacts, TableRestore } from '@contract/tables/maintenance';
import { designApi } from '../parts/designApi';
import { tablePath } from '../tablesApi';
import type { OfTable } from '../tablesApi';

type Started = { readonly jobId: string };
type OfRestore = { readonly siteId: string; readonly id: string };
const site = (siteId: string, rest: string): string => `/api/site/${siteId}/table${rest}`;
const of = ({ siteId, table }: OfTable, rest: string): string => tablePath(siteId, `/${table}${rest}`);
const settled = (_answer: unknown, failure: unknown) => (failure ? [] : ['Care' as const]);
const listed = (_answer: unknown, failure: unknown) => (failure ? [] : ['Restores' as const]);

/** The file of a table, and where a piece of one belongs. */
export const backupAddress = (args: OfTable, trash: boolean): string => of(args, `/backup?trash=${String(trash)}`);
export const restoreDataAddress = ({ siteId, id }: OfRestore, offset: number): string => site(siteId, `/restores/${id}/data?offset=${String(offset)}`);

/** Size, growth and health of tables, tidying up, and tables as files. */
export const careApi = designApi.enhanceEndpoints({ addTagTypes: ['Care', 'Restores'] }).injectEndpoints({
  endpoints: (b) => ({
    tableFacts: b.query<TableFacts[], string>({
      query: (siteId) => ({ url: site(siteId, '/facts') }),
      providesTags: (_answer, _failure, siteId) => ['Care', { type: 'Design', id: siteId }],
      keepUnusedDataFor: 5,
    }),
    checkTables: b.mutation<Started, { siteId: string; table: string | null }>({
      query: ({ siteId, table }) => ({ url: site(siteId, '/checks'), method: 'POST', body: { table } }),
      invalidatesTags: settled,
    }),
    compactTable: b.mutation<Started, OfTable>({ query: (args) => ({ url: of(args, '/compact'), method: 'POST' }), invalidatesTags: settled }),
    reindexSearch: b.mutation<Started, OfTable>({ query: (args) => ({ url: of(args, '/search-index'), method: 'POST' }), invalidatesTags: settled }),
    emptyBin: b.mutation<Started, OfTable>({ query: (args) => ({ url: of(args, '/empty-bin'), method: 'POST' }) }),
    tableRestores: b.query<TableRestore[], string>({ query: (siteId) => ({ url: site(siteId, '/restores') }), providesTags: ['Restores'] }),
    createTableRestore: b.mutation<TableRestore, { siteId: string; body: { name: string; size: number } }>({
      query: ({ siteId, body }) => ({ url: site(siteId, '/restores'), method: 'POST', body }),
      invalidatesTags: listed,
    }),
    startTableRestore: b.mutation<TableRestore, OfRestore & { body: { dryRun: boolean; title?: string; trash?: boolean } }>({
      query: ({ siteId, id, body }) => ({ url: site(siteId, `/restores/${id}/start`), method: 'POST', body }),
      invalidatesTags: listed,
    }),
    cancelTableRestore: b.mutation<TableRestore, OfRestore>({
      query: ({ siteId, id }) => ({ url: site(siteId, `/restores/${id}/cancel`), method: 'POST' }),
      invalidatesTags: listed,
    }),
    removeTableRestore: b.mutation<null, OfRestore>({
      query: ({ siteId, id }) => ({ url: site(siteId, `/restores/${id}`), method: 'DELETE' }),
      invalidatesTags: listed,
    }),
  }),
});

export const {
  useTableFactsQuery,
  useCheckTablesMutation,
  useCompactTableMutation,
  useReindexSearchMutation,
  useEmptyBinMutation,
  useTableRestoresQuery,
  useCreateTableRestoreMutation,
  useStartTableRestoreMutation,
  useCancelTableRestoreMutation,
  useRemoveTableRestoreMutation,
} = careApi;
