export { lockIssueCounts, storeIssueCounts } from './counts';
export { applyFindings } from './issues';
export { auditRun } from './run';
export { auditJob, enqueueAudit, reauditRun } from './reaudit';
export { recheckUrl } from './recheck';
export { recheckJob, recheckRedirects } from './recheckJob';
export type { Finding } from './finding';
