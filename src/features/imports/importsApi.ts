import type { Import, ImportedDimension, ImportedHistory, ImportMode, ImportOptions, ImportPreview, Reconciliation } from '@contract/imports/schemas';
import type { KeywordQuery, KeywordReport } from '@contract/imports/keywords';
import { queryString } from '@/lib/queryString';
import { api } from '@/store/api';

type One = { readonly siteId: string; readonly id: string };
const base = (siteId: string): string => `/api/site/${siteId}/als/imports`;

/** What a site has imported: for its own page, and for the days on report screens that only an import knows. */
export const importsApi = api.enhanceEndpoints({ addTagTypes: ['Import', 'Imported'] }).injectEndpoints({
  endpoints: (b) => ({
    imports: b.query<Import[], string>({ query: (siteId) => base(siteId), providesTags: ['Import'] }),
    createImport: b.mutation<Import, { siteId: string; files: { name: string; size: number }[] }>({
      query: ({ siteId, ...body }) => ({ url: base(siteId), method: 'POST', body }),
      invalidatesTags: ['Import'],
    }),
    importPreview: b.query<ImportPreview, One & { options: ImportOptions }>({
      query: ({ siteId, id, options }) => ({ url: `${base(siteId)}/${id}/preview`, method: 'POST', body: options }),
      keepUnusedDataFor: 0,
    }),
    startImport: b.mutation<Import, One & ImportOptions & { mode: ImportMode }>({
      query: ({ siteId, id, ...body }) => ({ url: `${base(siteId)}/${id}/start`, method: 'POST', body }),
      invalidatesTags: ['Import'],
    }),
    cancelImport: b.mutation<Import, One>({
      query: ({ siteId, id }) => ({ url: `${base(siteId)}/${id}/cancel`, method: 'POST' }),
      invalidatesTags: ['Import'],
    }),
    removeImport: b.mutation<Import | null, One>({
      query: ({ siteId, id }) => ({ url: `${base(siteId)}/${id}`, method: 'DELETE' }),
      invalidatesTags: ['Import', 'Imported'],
    }),
    importedHistory: b.query<ImportedHistory, { siteId: string; id?: string; by?: ImportedDimension; from?: string; to?: string }>({
      query: ({ siteId, ...params }) => ({ url: `/api/site/${siteId}/als/imported`, params }),
      providesTags: ['Imported'],
    }),
    keywords: b.query<KeywordReport, { siteId: string } & KeywordQuery>({
      query: ({ siteId, ...params }) => ({ url: `/api/site/${siteId}/als/keywords`, params }),
      providesTags: ['Imported'],
    }),
    reconciliation: b.query<Reconciliation, { siteId: string; from: string; to: string }>({
      query: ({ siteId, ...params }) => ({ url: `/api/site/${siteId}/als/reconciliation`, params }),
      providesTags: ['Imported'],
    }),
  }),
});

/** The address of the file with exactly what the query shows, on one page. */
export const keywordExportAddress = (siteId: string, query: KeywordQuery, format: 'csv' | 'json'): string =>
  `/api/site/${siteId}/als/keywords/export?${queryString({ ...query, format })}`;

export const {
  useImportsQuery,
  useCreateImportMutation,
  useImportPreviewQuery,
  useStartImportMutation,
  useCancelImportMutation,
  useRemoveImportMutation,
  useImportedHistoryQuery,
  useKeywordsQuery,
  useReconciliationQuery,
} = importsApi;
