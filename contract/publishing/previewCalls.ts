import { calls } from '../call';

export const previewCalls = /* #__PURE__ */ calls({
  previewSite: 'POST /api/site/:siteId/setting/preview',
  endPreviews: 'DELETE /api/site/:siteId/setting/preview',
  deliveredDays: 'GET /api/site/:siteId/setting/requests',
  themeFailures: 'GET /api/site/:siteId/setting/theme/failures',
});
