import { tableMaintenanceCalls } from '@contract/tables/calls';
import type { tableMaintenanceEndpoints } from '@contract/tables/maintenance';
import { mutation, query, typed } from '@/store/endpoints';
import { designApi } from '@/features/tables/parts/designApi';

export const maintenanceCalls = typed<typeof tableMaintenanceEndpoints>(tableMaintenanceCalls);
const maintenanceTags = (_result: unknown, failure: unknown) => (failure ? [] : ['Maintenance' as const]);
const listed = (_result: unknown, failure: unknown) => (failure ? [] : ['Restores' as const]);

/** Size, growth and health of tables, their upkeep, and their backups. */
export const maintenanceApi = designApi.enhanceEndpoints({ addTagTypes: ['Maintenance', 'Restores'] }).injectEndpoints({
  endpoints: (b) => ({
    tableFacts: query(b, maintenanceCalls.tableFacts, {
      providesTags: (_result, _failure, { siteId }) => ['Maintenance', { type: 'Design', id: siteId }],
      keepUnusedDataFor: 5,
    }),
    checkTables: mutation(b, maintenanceCalls.checkTables, { invalidatesTags: maintenanceTags }),
    compactTable: mutation(b, maintenanceCalls.compactTable, { invalidatesTags: maintenanceTags }),
    reindexSearch: mutation(b, maintenanceCalls.reindexSearch, { invalidatesTags: maintenanceTags }),
    emptyBin: mutation(b, maintenanceCalls.emptyBin),
    tableRestores: query(b, maintenanceCalls.tableRestores, { providesTags: ['Restores'] }),
    createTableRestore: mutation(b, maintenanceCalls.createTableRestore, { invalidatesTags: listed }),
    startTableRestore: mutation(b, maintenanceCalls.startTableRestore, { invalidatesTags: listed }),
    cancelTableRestore: mutation(b, maintenanceCalls.cancelTableRestore, { invalidatesTags: listed }),
    removeTableRestore: mutation(b, maintenanceCalls.removeTableRestore, { invalidatesTags: listed }),
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
} = maintenanceApi;
