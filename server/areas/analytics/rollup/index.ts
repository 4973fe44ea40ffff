export { auditSite } from './audit';
export { touchDays } from './definition';
export { rolledOf } from './read';
export type { Rolled, RollupOptions } from './read';
export { recomputeSite, sweepSite } from './recompute';
export { rollupMigrations } from './schema';
