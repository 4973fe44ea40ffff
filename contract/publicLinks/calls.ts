import { calls } from '../call';

export const publicLinkCalls = /* #__PURE__ */ calls({
  publicLinks: 'GET /api/site/:siteId/als/shares',
  addPublicLink: 'POST /api/site/:siteId/als/shares',
  changePublicLink: 'PATCH /api/site/:siteId/als/shares/:id',
  removePublicLink: 'DELETE /api/site/:siteId/als/shares/:id',
  restorePublicLink: 'POST /api/site/:siteId/als/shares/:id/restore',
  takeOverPublicLink: 'POST /api/site/:siteId/als/shares/:id/take-over',
  openReports: 'GET /api/share',
  unlockReports: 'POST /api/share/unlock',
});
