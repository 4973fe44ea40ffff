import { calls } from '../call';

export const crawlerCalls = /* #__PURE__ */ calls({
  crawlers: 'GET /api/dev/crawlers',
  addCrawler: 'POST /api/dev/sites/:siteId/crawlers',
  crawler: 'GET /api/dev/crawlers/:crawlerId',
  changeCrawler: 'PUT /api/dev/crawlers/:crawlerId',
  removeCrawler: 'POST /api/dev/crawlers/:crawlerId/remove',
  probeTarget: 'POST /api/dev/sites/:siteId/crawlers/probe',
  testScope: 'POST /api/dev/sites/:siteId/crawlers/test-scope',
  samplePage: 'POST /api/dev/sites/:siteId/crawlers/sample-page',
  testExtraction: 'POST /api/dev/sites/:siteId/crawlers/test-extraction',
  crawlRuns: 'GET /api/dev/crawlers/:crawlerId/runs',
  startCrawl: 'POST /api/dev/crawlers/:crawlerId/runs',
  crawlRun: 'GET /api/dev/crawl-runs/:crawlRunId',
  pauseCrawl: 'POST /api/dev/crawl-runs/:crawlRunId/pause',
  resumeCrawl: 'POST /api/dev/crawl-runs/:crawlRunId/resume',
  stopCrawl: 'POST /api/dev/crawl-runs/:crawlRunId/stop',
  crawlFamilies: 'GET /api/dev/crawl-runs/:crawlRunId/families',
  setCrawlFamily: 'PUT /api/dev/crawl-runs/:crawlRunId/families',
  crawlRows: 'GET /api/dev/crawl-runs/:crawlRunId/rows',
  storeCrawlRows: 'POST /api/dev/crawl-runs/:crawlRunId/rows/store',
  exportCrawl: 'GET /api/dev/crawl-runs/:crawlRunId/export',
});
