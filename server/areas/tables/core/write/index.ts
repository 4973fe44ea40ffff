export { contentChangesSince } from './batches';
export { inWrite, sweepCalls } from './call';
export { writeBatch } from './engine';
export type { Change } from './types';
