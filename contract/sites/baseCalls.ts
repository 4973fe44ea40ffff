import { calls } from '../call';

/** Settings of a site that act at once, without a release. Apart from `siteCalls`, which the console loads first. */
export const baseCalls = /* #__PURE__ */ calls({
  siteBase: 'GET /api/site/:siteId/setting/base',
  changeSiteBase: 'PUT /api/site/:siteId/setting/base',
  renewBypass: 'POST /api/site/:siteId/setting/base/bypass',
  visitSite: 'GET /api/site/:siteId/visit',
});
