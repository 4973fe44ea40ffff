import { calls } from '../call';

export const vitalCalls = /* #__PURE__ */ calls({
  vitalSites: 'GET /api/dev/webcv/sites',
  vitalSummary: 'GET /api/dev/webcv/sites/:siteId/summary',
  vitalSeries: 'GET /api/dev/webcv/sites/:siteId/series',
  vitalBreakdown: 'GET /api/dev/webcv/sites/:siteId/breakdown',
  vitalAttribution: 'GET /api/dev/webcv/sites/:siteId/attribution',
  vitalHistogram: 'GET /api/dev/webcv/sites/:siteId/histogram',
  vitalsOfView: 'GET /api/dev/webcv/sites/:siteId/views/:pageId',
  vitalBudgets: 'GET /api/dev/webcv/sites/:siteId/budgets',
  addVitalBudget: 'POST /api/dev/webcv/sites/:siteId/budgets',
  changeVitalBudget: 'PUT /api/dev/webcv/sites/:siteId/budgets/:id',
  removeVitalBudget: 'DELETE /api/dev/webcv/sites/:siteId/budgets/:id',
});
