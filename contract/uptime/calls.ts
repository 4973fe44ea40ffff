import { calls } from '../call';

export const uptimeCalls = /* #__PURE__ */ calls({
  uptimeStatuses: 'GET /api/core/sites/uptime',
  uptime: 'GET /api/core/sites/:siteId/uptime',
  uptimeIncidents: 'GET /api/core/sites/:siteId/uptime/incidents',
  uptimeSettings: 'GET /api/core/sites/:siteId/uptime/settings',
  changeUptime: 'PUT /api/core/sites/:siteId/uptime/settings',
});
