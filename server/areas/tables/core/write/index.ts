export { inWrite, sweepCalls } from './call';
export type { LinkCaller, WriteCaller } from './call';
export { writeBatch } from './engine';
export { Clashed } from './merge';
export type { BatchResult, Change, ChangeFaults, ChangeResult, Tx, WriteOptions, WriteTx } from './types';
