import { calls } from '../call';

export const auditCalls = /* #__PURE__ */ calls({
  audit: 'GET /api/acc/audit',
  auditExport: 'GET /api/acc/audit/export',
});
