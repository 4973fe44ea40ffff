import { calls } from '../call';

export const languageCalls = /* #__PURE__ */ calls({
  siteLanguages: 'GET /api/site/:siteId/intl/languages',
  changeSiteLanguages: 'PUT /api/site/:siteId/intl/languages',
  planSiteLanguages: 'POST /api/site/:siteId/intl/languages/plan',
});
