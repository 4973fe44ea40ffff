import { calls } from '../call';

export const sessionCalls = /* #__PURE__ */ calls({
  session: 'GET /api/acc/token/session',
  signOut: 'POST /api/acc/token/sign-out',
  signOutEverywhere: 'POST /api/acc/token/sign-out-everywhere',
  sessions: 'GET /api/acc/token/sessions',
  endSession: 'DELETE /api/acc/token/sessions/:id',
});
