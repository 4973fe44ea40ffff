import { calls } from '../call';

export const sessionCalls = /* #__PURE__ */ calls({
  session: 'GET /api/acc/token/session',
  signOut: 'POST /api/acc/token/sign-out',
  signOutEverywhere: 'POST /api/acc/token/sign-out-everywhere',
  sessions: 'GET /api/acc/token/sessions',
  endSession: 'DELETE /api/acc/token/sessions/:id',
  signIn: 'POST /api/acc/sign/in',
  signInSecond: 'POST /api/acc/sign/second',
  passkeySignInOptions: 'POST /api/acc/sign/passkey/options',
  passkeySignIn: 'POST /api/acc/sign/passkey/verify',
  forgot: 'POST /api/acc/sign/forgot',
  resetState: 'POST /api/acc/sign/reset-state',
  reset: 'POST /api/acc/sign/reset',
  inviteState: 'POST /api/acc/sign/invite-state',
  acceptInvite: 'POST /api/acc/sign/invite',
  verifyEmail: 'POST /api/acc/sign/email',
  reauthPasskeyOptions: 'POST /api/acc/sign/reauth/passkey/options',
  reauthPasskey: 'POST /api/acc/sign/reauth/passkey/verify',
  setUpState: 'POST /api/acc/sign/setup-state',
  setUp: 'POST /api/acc/sign/setup',
  reauth: 'POST /api/acc/sign/reauth',
});
