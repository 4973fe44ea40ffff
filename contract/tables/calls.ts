import { calls } from '../call';

export const formulaCalls = /* #__PURE__ */ calls({
  tryFormula: 'POST /api/site/:siteId/table/tables/:table/formula',
});

export const publicationCalls = /* #__PURE__ */ calls({
  publicationFailures: 'GET /api/site/:siteId/table/publication-failures',
  retryPublication: 'POST /api/site/:siteId/table/publication-failures/:failure/retry',
  discardPublication: 'DELETE /api/site/:siteId/table/publication-failures/:failure',
});

export const recordCalls = /* #__PURE__ */ calls({
  records: 'GET /api/site/:siteId/table/tables/:table/records',
  record: 'GET /api/site/:siteId/table/tables/:table/records/:id',
  recordPosition: 'GET /api/site/:siteId/table/tables/:table/records/:id/position',
  aggregate: 'GET /api/site/:siteId/table/tables/:table/aggregate',
  recordLinks: 'GET /api/site/:siteId/table/tables/:table/records/:id/links',
  addRecords: 'POST /api/site/:siteId/table/tables/:table/records',
  changeRecords: 'PATCH /api/site/:siteId/table/tables/:table/records',
  changeRecord: 'PATCH /api/site/:siteId/table/tables/:table/records/:id',
  bulkChange: 'POST /api/site/:siteId/table/tables/:table/records/bulk',
  trashRecords: 'POST /api/site/:siteId/table/tables/:table/records/trash',
  restoreRecords: 'POST /api/site/:siteId/table/tables/:table/records/restore',
  purgeRecords: 'POST /api/site/:siteId/table/tables/:table/records/purge',
  publishRecords: 'POST /api/site/:siteId/table/tables/:table/records/publish',
  unpublishRecords: 'POST /api/site/:siteId/table/tables/:table/records/unpublish',
  moveRecords: 'POST /api/site/:siteId/table/tables/:table/records/move',
  duplicateRecords: 'POST /api/site/:siteId/table/tables/:table/records/duplicate',
  pasteRecords: 'POST /api/site/:siteId/table/tables/:table/records/paste',
  recordHistory: 'GET /api/site/:siteId/table/tables/:table/records/:id/history',
  revertRecord: 'POST /api/site/:siteId/table/tables/:table/records/:id/revert',
  batches: 'GET /api/site/:siteId/table/batches',
  undoBatch: 'POST /api/site/:siteId/table/batches/:batch/undo',
  redoBatch: 'POST /api/site/:siteId/table/batches/:batch/redo',
  tablePeople: 'GET /api/site/:siteId/table/people',
  present: 'POST /api/site/:siteId/table/tables/:table/presence',
});

export const recordCommentCalls = /* #__PURE__ */ calls({
  recordReaders: 'GET /api/site/:siteId/table/tables/:table/records/:id/readers',
  comments: 'GET /api/site/:siteId/table/tables/:table/records/:id/comments',
  addComment: 'POST /api/site/:siteId/table/tables/:table/records/:id/comments',
  changeComment: 'PATCH /api/site/:siteId/table/tables/:table/records/:id/comments/:comment',
  removeComment: 'DELETE /api/site/:siteId/table/tables/:table/records/:id/comments/:comment',
  restoreComment: 'POST /api/site/:siteId/table/tables/:table/records/:id/comments/:comment/restore',
});

export const viewCalls = /* #__PURE__ */ calls({
  views: 'GET /api/site/:siteId/table/tables/:table/views',
  addView: 'POST /api/site/:siteId/table/tables/:table/views',
  changeView: 'PATCH /api/site/:siteId/table/tables/:table/views/:view',
  removeView: 'DELETE /api/site/:siteId/table/tables/:table/views/:view',
  restoreView: 'POST /api/site/:siteId/table/tables/:table/views/:view/restore',
});

export const tableAccessCalls = /* #__PURE__ */ calls({
  tableRules: 'GET /api/site/:siteId/table/tables/:table/rules',
  setTableRules: 'PUT /api/site/:siteId/table/tables/:table/rules',
  previewRules: 'GET /api/site/:siteId/table/tables/:table/rules/preview',
  contentList: 'GET /api/site/:siteId/content/:table',
  contentItem: 'GET /api/site/:siteId/content/:table/:id',
  tableAudit: 'GET /api/site/:siteId/table/audit',
  siteOpenApi: 'GET /api/site/:siteId/table/openapi.json',
});

export const tableCalls = /* #__PURE__ */ calls({
  tables: 'GET /api/site/:siteId/table/tables',
  table: 'GET /api/site/:siteId/table/tables/:table',
  addTable: 'POST /api/site/:siteId/table/tables',
  changeTable: 'PATCH /api/site/:siteId/table/tables/:table',
  removeTable: 'DELETE /api/site/:siteId/table/tables/:table',
  restoreTable: 'POST /api/site/:siteId/table/tables/:table/restore',
  duplicateTable: 'POST /api/site/:siteId/table/tables/:table/duplicate',
  addField: 'POST /api/site/:siteId/table/tables/:table/fields',
  changeField: 'PATCH /api/site/:siteId/table/tables/:table/fields/:field',
  removeField: 'DELETE /api/site/:siteId/table/tables/:table/fields/:field',
  restoreField: 'POST /api/site/:siteId/table/tables/:table/fields/:field/restore',
  deletedFields: 'GET /api/site/:siteId/table/tables/:table/deleted-fields',
  orderFields: 'PUT /api/site/:siteId/table/tables/:table/order',
  fieldUsage: 'GET /api/site/:siteId/table/tables/:table/fields/:field/usage',
  choiceUses: 'GET /api/site/:siteId/table/tables/:table/fields/:field/choices',
  removeChoice: 'POST /api/site/:siteId/table/tables/:table/fields/:field/choices/:choice/remove',
  schemaHistory: 'GET /api/site/:siteId/table/tables/:table/history',
  revertSchema: 'POST /api/site/:siteId/table/tables/:table/history/:change/revert',
  exportSchema: 'GET /api/site/:siteId/table/schema',
  compareSchema: 'POST /api/site/:siteId/table/schema/compare',
  applySchema: 'POST /api/site/:siteId/table/schema/apply',
});

export const tableMaintenanceCalls = /* #__PURE__ */ calls({
  tableFacts: 'GET /api/site/:siteId/table/facts',
  checkTables: 'POST /api/site/:siteId/table/checks',
  storeLinkedFiles: 'POST /api/site/:siteId/table/linked-files',
  compactTable: 'POST /api/site/:siteId/table/tables/:table/compact',
  reindexSearch: 'POST /api/site/:siteId/table/tables/:table/search-index',
  emptyBin: 'POST /api/site/:siteId/table/tables/:table/empty-bin',
  backupTable: 'GET /api/site/:siteId/table/tables/:table/backup',
  tableRestores: 'GET /api/site/:siteId/table/restores',
  createTableRestore: 'POST /api/site/:siteId/table/restores',
  tableRestore: 'GET /api/site/:siteId/table/restores/:id',
  tableRestoreUpload: 'GET /api/site/:siteId/table/restores/:id/file',
  tableRestoreData: 'PATCH /api/site/:siteId/table/restores/:id/file',
  startTableRestore: 'POST /api/site/:siteId/table/restores/:id/start',
  cancelTableRestore: 'POST /api/site/:siteId/table/restores/:id/cancel',
  removeTableRestore: 'DELETE /api/site/:siteId/table/restores/:id',
});

export const tableConvertCalls = /* #__PURE__ */ calls({
  fieldConversion: 'GET /api/site/:siteId/table/tables/:table/fields/:field/conversion',
  planConversion: 'POST /api/site/:siteId/table/tables/:table/fields/:field/conversion/plan',
  startConversion: 'POST /api/site/:siteId/table/tables/:table/fields/:field/conversion',
  undoConversion: 'POST /api/site/:siteId/table/tables/:table/fields/:field/conversion/undo',
});

export const tableFormCalls = /* #__PURE__ */ calls({
  openForm: 'GET /api/view/form',
  sendForm: 'POST /api/view/form',
  addFormFile: 'POST /api/view/form/files',
});

export const tableWebhookCalls = /* #__PURE__ */ calls({
  hooks: 'GET /api/site/:siteId/table/hooks',
  hook: 'GET /api/site/:siteId/table/hooks/:hook',
  addHook: 'POST /api/site/:siteId/table/hooks',
  changeHook: 'PATCH /api/site/:siteId/table/hooks/:hook',
  removeHook: 'DELETE /api/site/:siteId/table/hooks/:hook',
  restoreHook: 'POST /api/site/:siteId/table/hooks/:hook/restore',
  rotateHook: 'POST /api/site/:siteId/table/hooks/:hook/rotate',
  testHook: 'POST /api/site/:siteId/table/hooks/:hook/test',
  hookDeliveries: 'GET /api/site/:siteId/table/hooks/:hook/deliveries',
  hookDelivery: 'GET /api/site/:siteId/table/hooks/:hook/deliveries/:delivery',
  replayDelivery: 'POST /api/site/:siteId/table/hooks/:hook/deliveries/:delivery/replay',
  replayFailed: 'POST /api/site/:siteId/table/hooks/:hook/replay',
});

export const tableIndexCalls = /* #__PURE__ */ calls({
  setFieldIndexes: 'PUT /api/site/:siteId/table/tables/:table/fields/:field/indexes',
  duplicates: 'GET /api/site/:siteId/table/tables/:table/fields/:field/duplicates',
  tableAdvice: 'GET /api/site/:siteId/table/tables/:table/advice',
});

export const tablePublicLinkCalls = /* #__PURE__ */ calls({
  viewPublicLinks: 'GET /api/site/:siteId/table/shares',
  addViewPublicLink: 'POST /api/site/:siteId/table/tables/:table/views/:view/shares',
  changeViewPublicLink: 'PATCH /api/site/:siteId/table/shares/:id',
  removeViewPublicLink: 'DELETE /api/site/:siteId/table/shares/:id',
  restoreViewPublicLink: 'POST /api/site/:siteId/table/shares/:id/restore',
  takeOverViewPublicLink: 'POST /api/site/:siteId/table/shares/:id/take-over',
});

/** Calls of the pages that links open. */
export const openViewCalls = /* #__PURE__ */ calls({
  openView: 'GET /api/view',
  openViewRows: 'GET /api/view/rows',
  openViewFile: 'GET /api/view/file',
  unlockView: 'POST /api/view/unlock',
});

export const tableTransferCalls = /* #__PURE__ */ calls({
  tableImports: 'GET /api/site/:siteId/table/imports',
  createTableImport: 'POST /api/site/:siteId/table/imports',
  importResource: 'POST /api/site/:siteId/table/imports/resource',
  tableImport: 'GET /api/site/:siteId/table/imports/:id',
  tableImportUpload: 'GET /api/site/:siteId/table/imports/:id/file',
  tableImportData: 'PATCH /api/site/:siteId/table/imports/:id/file',
  lookTableImport: 'POST /api/site/:siteId/table/imports/:id/look',
  startTableImport: 'POST /api/site/:siteId/table/imports/:id/start',
  cancelTableImport: 'POST /api/site/:siteId/table/imports/:id/cancel',
  undoTableImport: 'POST /api/site/:siteId/table/imports/:id/undo',
  removeTableImport: 'DELETE /api/site/:siteId/table/imports/:id',
  tableImportRows: 'GET /api/site/:siteId/table/imports/:id/rows',
  tableImportErrors: 'GET /api/site/:siteId/table/imports/:id/errors',
  exportRecords: 'GET /api/site/:siteId/table/tables/:table/export',
});
