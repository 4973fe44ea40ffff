import { calls } from '../call';

export const siteCalls = /* #__PURE__ */ calls({
  load: 'GET /api/core/load/rpm',
  createSite: 'POST /api/core/sites',
  site: 'GET /api/core/sites/:siteId',
  changeSite: 'PATCH /api/core/sites/:siteId',
  setSiteState: 'POST /api/core/sites/:siteId/state',
  deleteSite: 'DELETE /api/core/sites/:siteId',
  pinSite: 'PUT /api/core/sites/:siteId/pin',
});
