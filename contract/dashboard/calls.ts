import { calls } from '../call';

export const dashboardCalls = /* #__PURE__ */ calls({
  dashboard: 'GET /api/site/:siteId/dashboard',
  dashboardChange: 'GET /api/site/:siteId/dashboard/change',
  dashboardCauses: 'GET /api/site/:siteId/dashboard/causes',
  snoozeAttention: 'PUT /api/site/:siteId/dashboard/snooze',
  hideSetup: 'PUT /api/site/:siteId/dashboard/setup',
});
