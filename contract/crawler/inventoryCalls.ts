import { calls } from '../call';

/** What crawls found: of a site, of a run, and of one page. */
export const inventoryCalls = /* #__PURE__ */ calls({
  crawledSite: 'GET /api/dev/sites/:siteId/crawled',
  crawledPages: 'GET /api/dev/crawl-runs/:crawlRunId/pages',
  crawledPageFacets: 'GET /api/dev/crawl-runs/:crawlRunId/pages/facets',
  exportCrawledPages: 'GET /api/dev/crawl-runs/:crawlRunId/pages/export',
  crawledPage: 'GET /api/dev/crawl-runs/:crawlRunId/pages/:urlId',
  recheckCrawledPage: 'POST /api/dev/crawl-runs/:crawlRunId/pages/:urlId/recheck',
  reauditCrawl: 'POST /api/dev/crawl-runs/:crawlRunId/audit',
  crawledPageLinks: 'GET /api/dev/crawl-runs/:crawlRunId/pages/:urlId/links',
  crawledPageBody: 'GET /api/dev/crawl-runs/:crawlRunId/pages/:urlId/body',
  crawlIssueGroups: 'GET /api/dev/crawl-runs/:crawlRunId/issues/groups',
  crawlIssues: 'GET /api/dev/crawl-runs/:crawlRunId/issues',
  changeCrawlIssues: 'POST /api/dev/crawlers/:crawlerId/issues',
  crawlLinks: 'GET /api/dev/crawl-runs/:crawlRunId/links',
  crawlRedirects: 'GET /api/dev/crawl-runs/:crawlRunId/redirects',
  crawlGraph: 'GET /api/dev/crawl-runs/:crawlRunId/graph',
  crawlTemplates: 'GET /api/dev/crawl-runs/:crawlRunId/templates',
  crawlSitemaps: 'GET /api/dev/crawl-runs/:crawlRunId/sitemaps',
  compareCrawlRuns: 'GET /api/dev/crawl-runs/:crawlRunId/compare/:otherId',
  comparedCrawlPages: 'GET /api/dev/crawl-runs/:crawlRunId/compare/:otherId/pages',
});
