import { calls } from '../call';

export const robotsCalls = /* #__PURE__ */ calls({
  robots: 'GET /api/site/:siteId/seo/robots',
  changeRobots: 'PUT /api/site/:siteId/seo/robots',
  robotsVersions: 'GET /api/site/:siteId/seo/robots/versions',
  restoreRobots: 'POST /api/site/:siteId/seo/robots/versions/:version/restore',
  robotsWhatIf: 'POST /api/site/:siteId/seo/robots/what-if',
});
