import { siteImportCalls } from '@contract/siteImport/calls';
import type { SiteImport, siteImportEndpoints } from '@contract/siteImport/schemas';
import { api } from '@/store/api';
import { addressOf, mutation, query, typed } from '@/store/endpoints';
import type { UploadTarget } from '@/store/useUploads';

export const importCalls = typed<typeof siteImportEndpoints>(siteImportCalls);
export const importTarget: UploadTarget<SiteImport> = {
  address: ({ id }) => addressOf(importCalls.siteImportData, { id }),
  stored: ({ stored }) => [stored],
};
const listed = { invalidatesTags: (_result: unknown, failure: unknown) => (failure ? [] : ['SiteImports' as const]) };
const exported = { invalidatesTags: (_result: unknown, failure: unknown) => (failure ? [] : ['SiteExports' as const]) };

/** Calls for imports and exports of websites. Loaded with their screens. */
const siteImportApi = api.enhanceEndpoints({ addTagTypes: ['SiteImports', 'SiteExports'] }).injectEndpoints({
  endpoints: (b) => ({
    siteImports: query(b, importCalls.siteImports, { providesTags: ['SiteImports'] }),
    siteImport: query(b, importCalls.siteImport, { providesTags: ['SiteImports'] }),
    siteImportItems: query(b, importCalls.siteImportItems, { providesTags: ['SiteImports'], keepUnusedDataFor: 10 }),
    createSiteImport: mutation(b, importCalls.createSiteImport, listed),
    detectSiteImport: mutation(b, importCalls.detectSiteImport, listed),
    mapSiteImport: mutation(b, importCalls.mapSiteImport, listed),
    runSiteImport: mutation(b, importCalls.runSiteImport, listed),
    stopSiteImport: mutation(b, importCalls.stopSiteImport, listed),
    undoSiteImport: mutation(b, importCalls.undoSiteImport, listed),
    checkSiteImport: mutation(b, importCalls.checkSiteImport, listed),
    removeSiteImport: mutation(b, importCalls.removeSiteImport, listed),
    siteExports: query(b, importCalls.siteExports, { providesTags: ['SiteExports'] }),
    createSiteExport: mutation(b, importCalls.createSiteExport, exported),
    removeSiteExport: mutation(b, importCalls.removeSiteExport, exported),
  }),
});

export const {
  useSiteImportsQuery,
  useSiteImportQuery,
  useSiteImportItemsQuery,
  useCreateSiteImportMutation,
  useDetectSiteImportMutation,
  useMapSiteImportMutation,
  useRunSiteImportMutation,
  useStopSiteImportMutation,
  useUndoSiteImportMutation,
  useCheckSiteImportMutation,
  useRemoveSiteImportMutation,
  useSiteExportsQuery,
  useCreateSiteExportMutation,
  useRemoveSiteExportMutation,
} = siteImportApi;
