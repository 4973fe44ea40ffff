export { flushCosts } from './costs';
export { compileFilter, compileRule } from './filter';
export { labelAt } from './label';
export { linkedRows, linkEnds, mayRead } from './links';
export { listRecords, matchingIds, readAll, recordNames, recordsByIds } from './list';
export type { ListAnswer, ListQuery, Which } from './list';
export { inContext, onTable } from './run';
