import { calls } from '../call';

export const pushCalls = /* #__PURE__ */ calls({
  pushSettings: 'GET /api/site/:siteId/seo/push',
  changePushSettings: 'PUT /api/site/:siteId/seo/push',
  testPush: 'POST /api/site/:siteId/seo/push/test',
  pushLedger: 'GET /api/site/:siteId/seo/push/ledger',
  pushNow: 'POST /api/site/:siteId/seo/push/run',
});
