import { calls } from '../call';

export const jobCalls = /* #__PURE__ */ calls({
  jobs: 'GET /api/core/jobs',
  cancelJob: 'POST /api/core/jobs/:id/cancel',
});
