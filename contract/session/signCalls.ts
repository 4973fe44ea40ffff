import { calls } from '../call';

/** Calls of the sign-in page, separate from those that the console's first load contains. */
export const signCalls = calls({
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
