import { calls } from '../call';

export const publishingCalls = /* #__PURE__ */ calls({
  siteParts: 'GET /api/site/:siteId/setting/parts',
  changeSitePart: 'PUT /api/site/:siteId/setting/parts/:part',
  releases: 'GET /api/site/:siteId/setting/releases',
  unreleased: 'GET /api/site/:siteId/setting/releases/preview',
  createRelease: 'POST /api/site/:siteId/setting/releases',
  cancelRelease: 'POST /api/site/:siteId/setting/releases/:id/cancel',
  rollBack: 'POST /api/site/:siteId/setting/releases/:id/roll-back',
});
