export { pageFindings } from './pages';
export { applyFindings, fingerprintOf } from './issues';
export { auditRun, pageRuleIds } from './run';
export type { AuditResult } from './run';
export { auditJob, enqueueAudit, reauditRun } from './reaudit';
export { recheckUrl } from './recheck';
export type { Recheck } from './recheck';
export { siteRuleIds } from './site';
export type { AuditedPage, Finding, FindingRun, PageFinding } from './finding';
