import { tableCareCalls } from '@contract/tables/calls';
import type { tableCareEndpoints } from '@contract/tables/maintenance';
import { mutation, query, typed } from '@/store/endpoints';
import { designApi } from '../parts/designApi';

export const careCalls = typed<typeof tableCareEndpoints>(tableCareCalls);
const settled = (_answer: unknown, failure: unknown) => (failure ? [] : ['Care' as const]);
const listed = (_answer: unknown, failure: unknown) => (failure ? [] : ['Restores' as const]);

/** Size, growth and health of tables, tidying up, and tables as files. */
export const careApi = designApi.enhanceEndpoints({ addTagTypes: ['Care', 'Restores'] }).injectEndpoints({
  endpoints: (b) => ({
    tableFacts: query(b, careCalls.tableFacts, {
      providesTags: (_answer, _failure, { siteId }) => ['Care', { type: 'Design', id: siteId }],
      keepUnusedDataFor: 5,
    }),
    checkTables: mutation(b, careCalls.checkTables, { invalidatesTags: settled }),
    compactTable: mutation(b, careCalls.compactTable, { invalidatesTags: settled }),
    reindexSearch: mutation(b, careCalls.reindexSearch, { invalidatesTags: settled }),
    emptyBin: mutation(b, careCalls.emptyBin),
    tableRestores: query(b, careCalls.tableRestores, { providesTags: ['Restores'] }),
    createTableRestore: mutation(b, careCalls.createTableRestore, { invalidatesTags: listed }),
    startTableRestore: mutation(b, careCalls.startTableRestore, { invalidatesTags: listed }),
    cancelTableRestore: mutation(b, careCalls.cancelTableRestore, { invalidatesTags: listed }),
    removeTableRestore: mutation(b, careCalls.removeTableRestore, { invalidatesTags: listed }),
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
