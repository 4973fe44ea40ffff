import { calls } from '../call';

export const noticeCalls = /* #__PURE__ */ calls({
  notices: 'GET /api/acc/notices',
  readNotices: 'POST /api/acc/notices/read',
});
