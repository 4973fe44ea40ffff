import { calls } from '../call';

export const digestCalls = /* #__PURE__ */ calls({
  digests: 'GET /api/site/:siteId/als/digests',
  changeDigests: 'PUT /api/site/:siteId/als/digests',
  previewDigest: 'GET /api/site/:siteId/als/digests/preview',
  sendDigest: 'POST /api/site/:siteId/als/digests/send',
});
