import { calls } from '../call';

export const verificationCalls = /* #__PURE__ */ calls({
  verifications: 'GET /api/site/:siteId/seo/verifications',
  addVerification: 'POST /api/site/:siteId/seo/verifications',
  removeVerification: 'DELETE /api/site/:siteId/seo/verifications/:id',
  checkVerification: 'POST /api/site/:siteId/seo/verifications/:id/check',
});
