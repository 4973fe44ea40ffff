import { calls } from '../call';

export const resourceCalls = /* #__PURE__ */ calls({
  resources: 'GET /api/site/:siteId/resource/items',
  resource: 'GET /api/site/:siteId/resource/items/:id',
  changeResource: 'PATCH /api/site/:siteId/resource/items/:id',
  signResource: 'POST /api/site/:siteId/resource/items/:id/address',
  resourceSvg: 'GET /api/site/:siteId/resource/items/:id/svg',
  resourceSprite: 'POST /api/site/:siteId/resource/sprite',
  moveResources: 'POST /api/site/:siteId/resource/move',
  tagResources: 'POST /api/site/:siteId/resource/tag',
  removeResources: 'POST /api/site/:siteId/resource/remove',
  restoreResources: 'POST /api/site/:siteId/resource/restore',
  purgeResources: 'POST /api/site/:siteId/resource/purge',
  resourceFolders: 'GET /api/site/:siteId/resource/folders',
  addResourceFolder: 'POST /api/site/:siteId/resource/folders',
  changeResourceFolder: 'PATCH /api/site/:siteId/resource/folders/:id',
  removeResourceFolder: 'DELETE /api/site/:siteId/resource/folders/:id',
  resourceScan: 'GET /api/site/:siteId/resource/items/:id/scan',
  resourceStorage: 'GET /api/site/:siteId/resource/storage',
  changeResourceStorage: 'PUT /api/site/:siteId/resource/storage',
  resourceTags: 'GET /api/site/:siteId/resource/tags',
  addKnownResource: 'POST /api/site/:siteId/resource/known',
  createResourceUpload: 'POST /api/site/:siteId/resource/uploads',
  resourceUpload: 'GET /api/site/:siteId/resource/uploads/:upload',
  resourceUploadData: 'PATCH /api/site/:siteId/resource/uploads/:upload',
  finishResourceUpload: 'POST /api/site/:siteId/resource/uploads/:upload/finish',
  removeResourceUpload: 'DELETE /api/site/:siteId/resource/uploads/:upload',
});

export const resourceLibraryCalls = /* #__PURE__ */ calls({
  resourceUses: 'POST /api/site/:siteId/resource/uses',
  replaceResources: 'POST /api/site/:siteId/resource/replace',
  resourceDuplicates: 'GET /api/site/:siteId/resource/duplicates',
  resourceVersions: 'GET /api/site/:siteId/resource/items/:id/versions',
  activateResourceVersion: 'POST /api/site/:siteId/resource/items/:id/versions/:version/activate',
  addResourceFrom: 'POST /api/site/:siteId/resource/from-address',
});
