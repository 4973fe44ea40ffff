import { calls } from '../call';

export const seoCalls = /* #__PURE__ */ calls({
  seoOverview: 'GET /api/site/:siteId/seo/overview',
  seoPages: 'GET /api/site/:siteId/seo/pages',
  changeSeoPages: 'PATCH /api/site/:siteId/seo/pages',
  fillSeoPages: 'POST /api/site/:siteId/seo/pages/fill',
  livePages: 'GET /api/site/:siteId/seo/live-pages',
  sitemaps: 'GET /api/site/:siteId/seo/sitemaps',
});
