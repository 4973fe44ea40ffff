export { auditSite } from './audit';
export { rolledOf } from './read';
export type { RollupOptions } from './read';
export type { RolledSeries } from './series';
export { recomputeSite, sweepSite } from './recompute';
export { auditRollups, recomputeRollups, settleMonths } from './schedule';
