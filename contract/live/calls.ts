import { calls } from '../call';

export const liveCalls = /* #__PURE__ */ calls({
  stream: 'GET /api/core/stream',
});
