import { importCalls, keywordCalls } from '@contract/imports/calls';
import type { KeywordQuery, keywordEndpoints } from '@contract/imports/keywords';
import type { importEndpoints } from '@contract/imports/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';

const calls = typed<typeof importEndpoints>(importCalls);
const keywords = typed<typeof keywordEndpoints>(keywordCalls);

/** Imports of a site: for its own page, and for the days on report screens that are known from an import only. */
export const importsApi = api.enhanceEndpoints({ addTagTypes: ['Import', 'Imported'] }).injectEndpoints({
  endpoints: (b) => ({
    imports: query(b, calls.imports, { providesTags: ['Import'] }),
    createImport: mutation(b, calls.createImport, { invalidatesTags: ['Import'] }),
    importPreview: query(b, calls.importPreview, { keepUnusedDataFor: 0 }),
    startImport: mutation(b, calls.startImport, { invalidatesTags: ['Import'] }),
    cancelImport: mutation(b, calls.cancelImport, { invalidatesTags: ['Import'] }),
    removeImport: mutation(b, calls.removeImport, { invalidatesTags: ['Import', 'Imported'] }),
    importedHistory: query(b, calls.importedHistory, { providesTags: ['Imported'] }),
    keywords: query(b, keywords.keywords, { providesTags: ['Imported'] }),
    reconciliation: query(b, calls.reconciliation, { providesTags: ['Imported'] }),
  }),
});

/** The address of a file with exactly the result of the query, on one page. */
export const keywordExportAddress = (siteId: string, keywordQuery: KeywordQuery, format: 'csv' | 'json'): string =>
  addressOf(keywords.exportKeywords, { siteId, ...keywordQuery, format });

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
