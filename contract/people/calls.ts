import { calls } from '../call';

export const peopleCalls = /* #__PURE__ */ calls({
  people: 'GET /api/acc/users',
  person: 'GET /api/acc/users/:id',
  changePerson: 'PATCH /api/acc/users/:id',
  signOutPerson: 'POST /api/acc/users/:id/sign-out',
  disablePerson: 'POST /api/acc/users/:id/disable',
  enablePerson: 'POST /api/acc/users/:id/enable',
  resetPersonFactor: 'POST /api/acc/users/:id/reset-second-factor',
  personLink: 'POST /api/acc/users/:id/link',
  removePerson: 'DELETE /api/acc/users/:id',
  grants: 'GET /api/acc/grants',
  changeGrants: 'PATCH /api/acc/grants',
  invites: 'GET /api/acc/invites',
  invite: 'POST /api/acc/invites',
  resendInvite: 'POST /api/acc/invites/:id/resend',
  revokeInvite: 'DELETE /api/acc/invites/:id',
});
