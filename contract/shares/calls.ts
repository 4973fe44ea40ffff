import { calls } from '../call';

export const shareCalls = /* #__PURE__ */ calls({
  shares: 'GET /api/site/:siteId/als/shares',
  addShare: 'POST /api/site/:siteId/als/shares',
  changeShare: 'PATCH /api/site/:siteId/als/shares/:id',
  removeShare: 'DELETE /api/site/:siteId/als/shares/:id',
  takeOverShare: 'POST /api/site/:siteId/als/shares/:id/take-over',
  sharedView: 'GET /api/share',
  unlockShare: 'POST /api/share/unlock',
});
