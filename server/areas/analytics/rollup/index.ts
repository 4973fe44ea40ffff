export { auditSite } from './audit';
export { rolledOf } from './read';
export type { Rolled, RolledSeries, RollupOptions } from './read';
export { recomputeSite, sweepSite } from './recompute';
export { auditRollups, recomputeRollups, settleMonths } from './schedule';
export { rollupMigrations } from './schema';
