import { calls } from '../call';

export const importCalls = /* #__PURE__ */ calls({
  imports: 'GET /api/site/:siteId/als/imports',
  createImport: 'POST /api/site/:siteId/als/imports',
  import: 'GET /api/site/:siteId/als/imports/:id',
  importUpload: 'GET /api/site/:siteId/als/imports/:id/files/:file',
  importData: 'PATCH /api/site/:siteId/als/imports/:id/files/:file',
  importPreview: 'POST /api/site/:siteId/als/imports/:id/preview',
  startImport: 'POST /api/site/:siteId/als/imports/:id/start',
  cancelImport: 'POST /api/site/:siteId/als/imports/:id/cancel',
  removeImport: 'DELETE /api/site/:siteId/als/imports/:id',
  importRefused: 'GET /api/site/:siteId/als/imports/:id/refused',
  importedHistory: 'GET /api/site/:siteId/als/imported',
  reconciliation: 'GET /api/site/:siteId/als/reconciliation',
});

export const keywordCalls = /* #__PURE__ */ calls({
  keywords: 'GET /api/site/:siteId/als/keywords',
  exportKeywords: 'GET /api/site/:siteId/als/keywords/export',
});
