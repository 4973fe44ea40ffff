import { calls } from '../call';

export const siteImportCalls = /* #__PURE__ */ calls({
  siteImports: 'GET /api/core/imports',
  createSiteImport: 'POST /api/core/imports',
  siteImport: 'GET /api/core/imports/:id',
  siteImportUpload: 'GET /api/core/imports/:id/file',
  siteImportData: 'PATCH /api/core/imports/:id/file',
  detectSiteImport: 'POST /api/core/imports/:id/detect',
  mapSiteImport: 'PUT /api/core/imports/:id/mapping',
  runSiteImport: 'POST /api/core/imports/:id/run',
  stopSiteImport: 'POST /api/core/imports/:id/stop',
  undoSiteImport: 'POST /api/core/imports/:id/undo',
  checkSiteImport: 'POST /api/core/imports/:id/check',
  siteImportItems: 'GET /api/core/imports/:id/items',
  siteImportReport: 'GET /api/core/imports/:id/report',
  removeSiteImport: 'DELETE /api/core/imports/:id',
  siteExports: 'GET /api/core/imports/exports/:siteId',
  createSiteExport: 'POST /api/core/imports/exports/:siteId',
  siteExportFile: 'GET /api/core/imports/exports/:siteId/:id/file',
  removeSiteExport: 'DELETE /api/core/imports/exports/:siteId/:id',
});
