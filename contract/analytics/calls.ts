import { calls } from '../call';

export const analyticsCalls = /* #__PURE__ */ calls({
  report: 'GET /api/site/:siteId/als/report',
  reports: 'GET /api/site/:siteId/als/reports',
  exportReport: 'GET /api/site/:siteId/als/export',
  latest: 'GET /api/site/:siteId/als/latest',
  online: 'GET /api/site/:siteId/als/online',
  pageEvents: 'GET /api/site/:siteId/als/events/:pageId',
  values: 'GET /api/site/:siteId/als/values',
  tree: 'GET /api/site/:siteId/als/tree',
  flow: 'GET /api/site/:siteId/als/flow',
  distribution: 'GET /api/site/:siteId/als/distribution',
  coverage: 'GET /api/site/:siteId/als/coverage',
  movers: 'GET /api/site/:siteId/als/movers',
  outlook: 'GET /api/site/:siteId/als/outlook',
  install: 'GET /api/site/:siteId/als/install',
  installCheck: 'POST /api/site/:siteId/als/install/check',
  exportTree: 'GET /api/site/:siteId/als/tree/export',
  exportFlow: 'GET /api/site/:siteId/als/flow/export',
  exportDistribution: 'GET /api/site/:siteId/als/distribution/export',
  exportMovers: 'GET /api/site/:siteId/als/movers/export',
  exportLatest: 'GET /api/site/:siteId/als/latest/export',
});
