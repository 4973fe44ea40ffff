import type { z } from 'zod';
import type { ImportLook, ImportPlanInput, ReadOptions, TableImport, tableTransferEndpoints } from '@contract/tables/transfers';
import type { rowOutcomes } from '@contract/tables/records';
import { queryString } from '@/lib/queryString';
import { api } from '@/store/api';
import { tablePath } from '../tablesApi';

export type OfImport = { readonly siteId: string; readonly id: string };
export type Outcome = (typeof rowOutcomes)[number];
type Endpoints = typeof tableTransferEndpoints;
export type ImportRows = z.output<Endpoints['tableImportRows']['answer'] & z.ZodType>;
export type ImportRow = ImportRows['rows'][number];
type ExportQuery = z.input<Endpoints['exportRecords']['query'] & z.ZodType>;

const base = (siteId: string, rest = ''): string => `/api/site/${siteId}/table/imports${rest}`;
const act =
  (what: string) =>
  ({ siteId, id }: OfImport) => ({ url: base(siteId, `/${id}/${what}`), method: 'POST' as const });
const listed = (_answer: unknown, failure: unknown) => (failure ? [] : ['TableImports' as const]);

/** Where a piece of a file belongs; faulty rows as a file; records as a file. */
export const dataAddress = ({ siteId, id }: OfImport, offset: number): string => base(siteId, `/${id}/data?offset=${String(offset)}`);
export const faultsAddress = ({ siteId, id }: OfImport): string => base(siteId, `/${id}/faults`);
export const exportAddress = (siteId: string, table: string, query: ExportQuery): string => `${tablePath(siteId, `/${table}/export`)}?${queryString(query)}`;

/** Files of records, in and out. Comes with the wizard. */
export const transferApi = api.enhanceEndpoints({ addTagTypes: ['TableImports'] }).injectEndpoints({
  endpoints: (b) => ({
    tableImports: b.query<TableImport[], { siteId: string; table?: string }>({
      query: ({ siteId, ...params }) => ({ url: base(siteId), params }),
      providesTags: ['TableImports'],
    }),
    tableImport: b.query<TableImport, OfImport>({ query: ({ siteId, id }) => ({ url: base(siteId, `/${id}`) }) }),
    createTableImport: b.mutation<TableImport, { siteId: string; body: { table: string | null; name: string; size: number } }>({
      query: ({ siteId, body }) => ({ url: base(siteId), method: 'POST', body }),
      invalidatesTags: listed,
    }),
    lookTableImport: b.query<ImportLook, OfImport & { readonly read: ReadOptions }>({
      query: ({ siteId, id, read }) => ({ url: base(siteId, `/${id}/look`), method: 'POST', body: read }),
    }),
    startTableImport: b.mutation<TableImport, OfImport & { body: { plan: ImportPlanInput; title?: string; dryRun: boolean } }>({
      query: ({ siteId, id, body }) => ({ url: base(siteId, `/${id}/start`), method: 'POST', body }),
      invalidatesTags: listed,
    }),
    cancelTableImport: b.mutation<TableImport, OfImport>({ query: act('cancel'), invalidatesTags: listed }),
    undoTableImport: b.mutation<TableImport, OfImport>({ query: act('undo'), invalidatesTags: listed }),
    removeTableImport: b.mutation<null, OfImport>({
      query: ({ siteId, id }) => ({ url: base(siteId, `/${id}`), method: 'DELETE' }),
      invalidatesTags: listed,
    }),
    /** `turn`: of the dry run or import that they belong to, so that another one's are asked anew. */
    tableImportRows: b.query<ImportRows, OfImport & { outcome?: Outcome; from: number; turn: string }>({
      query: ({ siteId, id, turn: _turn, ...params }) => ({ url: base(siteId, `/${id}/rows`), params }),
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
