import { calls } from '../call';

export const measuringCalls = /* #__PURE__ */ calls({
  measuring: 'GET /api/site/:siteId/als/settings',
  changeMeasuring: 'PUT /api/site/:siteId/als/settings',
  previewBotRules: 'POST /api/site/:siteId/als/settings/preview',
  completeness: 'GET /api/site/:siteId/als/loss',
  previewErase: 'POST /api/site/:siteId/als/erase/preview',
  eraseMeasured: 'POST /api/site/:siteId/als/erase',
  serverHits: 'POST /api/site/:siteId/als/hits',
});
