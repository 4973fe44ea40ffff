import { tableLimits } from '../../../../../contract/tables/terms';
import { fail } from '../../../../http/failure';
import type { FieldFault } from '../../../../http/failure';
import type { TableModel } from '../model';
import type { Applied } from './apply';
import type { ChangeFaults, WriteOptions } from './types';

/** What one part of a batch did to one change: `applied` null where it was refused or did nothing. */
export type Outcome = {
  readonly at: number;
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly applied: Applied | null;
  readonly faults: ChangeFaults | null;
};
/** Other records that a change has changed with it (the other side of links). */
export type PartResult = {
  readonly outcomes: readonly Outcome[];
  readonly others: readonly { readonly table: TableModel; readonly applied: readonly Applied[] }[];
};

/** Where the faults of one change stand in the caller's body. */
export function pathTo(options: Pick<WriteOptions, 'path'>, at: number, name: string): string {
  const base = options.path ? options.path(at) : `records.${at}`;
  if (name === '') return base === '' ? 'id' : `${base}.id`;
  return base === '' ? name : `${base}.${name}`;
}
const mostFaults = 200;
/** Throws `invalid_fields` for changes with faults; nothing where there are none. */
export function refuseFaults(options: WriteOptions, faulty: readonly { readonly at: number; readonly faults: ReadonlyMap<string, FieldFault> }[]): void {
  const all = faulty.flatMap(({ at, faults }) => Array.from(faults, ([name, fault]): [string, FieldFault] => [pathTo(options, at, name), fault]));
  if (all.length === 0) return;
  // One record alone that is not there is an address that leads nowhere.
  if (options.path?.(0) === '' && faulty.some(({ faults }) => faults.has(''))) fail('not_found');
  fail('invalid_fields', { fields: Object.fromEntries(all.slice(0, mostFaults)) });
}

/** Bytes of what one change writes. */
export const isTooLarge = (set: ReadonlyMap<string, unknown>): boolean => {
  let size = 0;
  for (const value of set.values()) {
    size += typeof value === 'string' ? Buffer.byteLength(value) : value !== null && typeof value === 'object' ? JSON.stringify(value).length : 8;
    if (size > tableLimits.recordBytes) return true;
  }
  return false;
};
