import { calls } from '../call';

export const guestbookCalls = /* #__PURE__ */ calls({
  guestbook: 'GET /api/guestbook/:siteId',
  addGuestbookEntry: 'POST /api/core/sites/:siteId/guestbook',
  clearGuestbook: 'POST /api/core/sites/:siteId/guestbook/clear',
});
