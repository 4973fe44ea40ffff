import { tableTransferCalls } from '@contract/tables/calls';
import type { TableImport, tableTransferEndpoints } from '@contract/tables/transfers';
import { api } from '@/store/api';
import { addressOf, mutation, query, requestOf, typed } from '@/store/endpoints';
import type { ArgumentsOf, ResultOf } from '@/store/endpoints';
import type { UploadTarget } from '@/store/useUploads';

type Rows = (typeof tableTransferEndpoints)['tableImportRows'];
export type ImportRow = ResultOf<Rows>['rows'][number];
export type Outcome = ImportRow['outcome'];

export const transferCalls = typed<typeof tableTransferEndpoints>(tableTransferCalls);
export const transferTarget = (siteId: string): UploadTarget<TableImport> => ({
  address: ({ id }) => addressOf(transferCalls.tableImportData, { siteId, id }),
  stored: ({ file }) => [file.stored],
});
const listed = { invalidatesTags: (_result: unknown, failure: unknown) => (failure ? [] : ['TableImports' as const]) };

/** Calls for the import and export of records. Loaded with the wizard. */
export const transferApi = api.enhanceEndpoints({ addTagTypes: ['TableImports'] }).injectEndpoints({
  endpoints: (b) => ({
    tableImports: query(b, transferCalls.tableImports, { providesTags: ['TableImports'] }),
    tableImport: query(b, transferCalls.tableImport),
    createTableImport: mutation(b, transferCalls.createTableImport, listed),
    lookTableImport: query(b, transferCalls.lookTableImport),
    startTableImport: mutation(b, transferCalls.startTableImport, listed),
    cancelTableImport: mutation(b, transferCalls.cancelTableImport, listed),
    undoTableImport: mutation(b, transferCalls.undoTableImport, listed),
    removeTableImport: mutation(b, transferCalls.removeTableImport, listed),
    /** `turn`: identifies the dry run or import of the rows, so that those of another one are fetched anew. */
    tableImportRows: b.query<ResultOf<Rows>, ArgumentsOf<Rows> & { readonly turn: string }>({
      query: ({ turn: _turn, ...params }) => requestOf(transferCalls.tableImportRows, params),
      keepUnusedDataFor: 30,
    }),
  }),
});

export const {
  useTableImportsQuery,
  useTableImportQuery,
  useCreateTableImportMutation,
  useLookTableImportQuery,
  useStartTableImportMutation,
  useCancelTableImportMutation,
  useUndoTableImportMutation,
  useRemoveTableImportMutation,
  useTableImportRowsQuery,
} = transferApi;
