import { calls } from '../call';

export const pushCalls = /* #__PURE__ */ calls({
  pushSettings: 'GET /api/site/:siteId/seo/push',
  changePushSettings: 'PUT /api/site/:siteId/seo/push',
  pushLedger: 'GET /api/site/:siteId/seo/push/ledger',
  pushNow: 'POST /api/site/:siteId/seo/push/run',
  verifications: 'GET /api/site/:siteId/seo/verifications',
  addVerification: 'POST /api/site/:siteId/seo/verifications',
  removeVerification: 'DELETE /api/site/:siteId/seo/verifications/:id',
  seoKeywords: 'GET /api/site/:siteId/seo/keywords',
  importSeoKeywords: 'POST /api/site/:siteId/seo/keywords/import',
});
