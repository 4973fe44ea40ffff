import { calls } from '../call';

/** Calls of previews, posters and captions. */
export const resourceMediaCalls = /* #__PURE__ */ calls({
  resourcePreview: 'GET /api/site/:siteId/resource/items/:id/preview',
  setResourcePoster: 'PUT /api/site/:siteId/resource/items/:id/poster',
  removeResourcePoster: 'DELETE /api/site/:siteId/resource/items/:id/poster',
  resourceConversions: 'GET /api/site/:siteId/resource/items/:id/conversions',
  convertVideo: 'POST /api/site/:siteId/resource/items/:id/conversions',
  resourceCaptions: 'GET /api/site/:siteId/resource/items/:id/captions',
  saveResourceCaption: 'PUT /api/site/:siteId/resource/items/:id/captions/:language/:use',
  removeResourceCaption: 'DELETE /api/site/:siteId/resource/items/:id/captions/:language/:use',
});
