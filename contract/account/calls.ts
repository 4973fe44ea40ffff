import { calls } from '../call';

export const accountCalls = /* #__PURE__ */ calls({
  user: 'GET /api/acc/user/:id',
  changeUser: 'PATCH /api/acc/user/:id',
  rename: 'POST /api/acc/sign/rename',
  changePassword: 'POST /api/acc/sign/password',
  email: 'POST /api/acc/email',
  removeEmail: 'DELETE /api/acc/email',
  avatar: 'GET /api/acc/user/:id/avatar',
  changeAvatar: 'PUT /api/acc/avatar',
  removeAvatar: 'DELETE /api/acc/avatar',
  exportAccount: 'GET /api/acc/export',
  closeAccount: 'POST /api/acc/close',
});
