export { flushCosts } from './costs';
export { compileFilter } from './filter';
export { linkEnds } from './links';
export { listRecords, matchingIds, readAll, recordNames, recordsByIds } from './list';
export { asking, inContext, onTable } from './run';
