import { calls } from '../call';

export const insightReportCalls = /* #__PURE__ */ calls({
  funnelResult: 'GET /api/site/:siteId/als/funnels/:id/result',
  eventsReport: 'GET /api/site/:siteId/als/event',
  eventDetail: 'GET /api/site/:siteId/als/event/detail',
  searches: 'GET /api/site/:siteId/als/searches',
  scroll: 'GET /api/site/:siteId/als/scroll',
  retention: 'GET /api/site/:siteId/als/retention',
  journey: 'GET /api/site/:siteId/als/journey',
});

export const insightCalls = /* #__PURE__ */ calls({
  goals: 'GET /api/site/:siteId/als/goals',
  addGoal: 'POST /api/site/:siteId/als/goals',
  changeGoal: 'PUT /api/site/:siteId/als/goals/:id',
  removeGoal: 'DELETE /api/site/:siteId/als/goals/:id',
  restoreGoal: 'POST /api/site/:siteId/als/goals/:id/restore',
  funnels: 'GET /api/site/:siteId/als/funnels',
  addFunnel: 'POST /api/site/:siteId/als/funnels',
  changeFunnel: 'PUT /api/site/:siteId/als/funnels/:id',
  removeFunnel: 'DELETE /api/site/:siteId/als/funnels/:id',
  restoreFunnel: 'POST /api/site/:siteId/als/funnels/:id/restore',
  segments: 'GET /api/site/:siteId/als/segments',
  addSegment: 'POST /api/site/:siteId/als/segments',
  changeSegment: 'PUT /api/site/:siteId/als/segments/:id',
  removeSegment: 'DELETE /api/site/:siteId/als/segments/:id',
  restoreSegment: 'POST /api/site/:siteId/als/segments/:id/restore',
  annotations: 'GET /api/site/:siteId/als/annotations',
  addAnnotation: 'POST /api/site/:siteId/als/annotations',
  changeAnnotation: 'PUT /api/site/:siteId/als/annotations/:id',
  removeAnnotation: 'DELETE /api/site/:siteId/als/annotations/:id',
  restoreAnnotation: 'POST /api/site/:siteId/als/annotations/:id/restore',
});
