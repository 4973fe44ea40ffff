export { auditSite } from './audit';
export { rolledOf } from './read';
export type { RolledSeries, RollupOptions } from './read';
export { recomputeSite, sweepSite } from './recompute';
export { auditRollups, recomputeRollups, settleMonths } from './schedule';
