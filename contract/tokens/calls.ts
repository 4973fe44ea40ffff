import { calls } from '../call';

export const tokenCalls = /* #__PURE__ */ calls({
  tokens: 'GET /api/acc/tokens',
  addToken: 'POST /api/acc/tokens',
  renameToken: 'PATCH /api/acc/tokens/:id',
  removeToken: 'DELETE /api/acc/tokens/:id',
});
