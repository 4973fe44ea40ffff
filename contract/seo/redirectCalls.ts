import { calls } from '../call';

export const redirectCalls = /* #__PURE__ */ calls({
  redirectUse: 'GET /api/site/:siteId/seo/redirects',
  notFoundPaths: 'GET /api/site/:siteId/seo/not-found',
  changeNotFound: 'PATCH /api/site/:siteId/seo/not-found',
  redirectNotFound: 'POST /api/site/:siteId/seo/not-found/redirect',
  suggestTargets: 'GET /api/site/:siteId/seo/not-found/suggestions',
});
