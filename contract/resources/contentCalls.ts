import { calls } from '../call';

/** Files in the console, in a module of their own: records show pictures, and make no other call. */
export const resourceContentCalls = /* #__PURE__ */ calls({
  resourceContent: 'GET /api/site/:siteId/resource/items/:id/content',
  resourceVariant: 'GET /api/site/:siteId/resource/items/:id/variant',
});
