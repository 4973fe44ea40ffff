import { calls } from '../call';

export const factorCalls = /* #__PURE__ */ calls({
  security: 'GET /api/acc/security',
  beginTotp: 'POST /api/acc/totp/begin',
  confirmTotp: 'POST /api/acc/totp/confirm',
  removeTotp: 'DELETE /api/acc/totp',
  passkeyOptions: 'POST /api/acc/passkeys/options',
  addPasskey: 'POST /api/acc/passkeys',
  renamePasskey: 'PATCH /api/acc/passkeys/:id',
  removePasskey: 'DELETE /api/acc/passkeys/:id',
  newRecoveryCodes: 'POST /api/acc/recovery-codes',
  signIns: 'GET /api/acc/sign-ins',
  policy: 'GET /api/acc/policy',
  changePolicy: 'PUT /api/acc/policy',
});
