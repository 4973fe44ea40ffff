export { applyFindings } from './issues';
export { auditRun } from './run';
export { auditJob, enqueueAudit, reauditRun } from './reaudit';
export { recheckUrl } from './recheck';
export type { Finding } from './finding';
