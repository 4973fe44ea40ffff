import { calls } from '../call';

export const redirectCalls = /* #__PURE__ */ calls({
  redirects: 'GET /api/site/:siteId/seo/redirects',
  changeRedirects: 'PUT /api/site/:siteId/seo/redirects',
  checkRedirects: 'POST /api/site/:siteId/seo/redirects/check',
  readRedirects: 'POST /api/site/:siteId/seo/redirects/import',
  testRedirect: 'POST /api/site/:siteId/seo/redirects/test',
  notFoundPaths: 'GET /api/site/:siteId/seo/not-found',
  changeNotFound: 'PATCH /api/site/:siteId/seo/not-found',
  suggestTargets: 'GET /api/site/:siteId/seo/not-found/suggestions',
});
