import type { ApiFailure } from '@/lib/failure';
import type { UnreleasedTable } from './types';

/** Records that the next release leaves out, by table. */
export type LeftOut = Readonly<Record<string, readonly string[]>>;
type Table = UnreleasedTable;

export const isChosen = (leftOut: LeftOut, table: string, id: string): boolean => leftOut[table]?.includes(id) !== true;

export function chosenOf(leftOut: LeftOut, { table, records }: Pick<Table, 'table' | 'records'>): string[] {
  const out = new Set(leftOut[table]);
  return records.filter((id) => !out.has(id));
}

export const toggleRecord = (leftOut: LeftOut, table: string, id: string): LeftOut => {
  const before = leftOut[table] ?? [];
  return { ...leftOut, [table]: before.includes(id) ? before.filter((one) => one !== id) : [...before, id] };
};

/** Takes all records of a table into the release, or none if all of them are in it. */
export const toggleTable = (leftOut: LeftOut, table: Pick<Table, 'table' | 'records'>): LeftOut => ({
  ...leftOut,
  [table.table]: chosenOf(leftOut, table).length === table.records.length ? table.records : [],
});

/** What `createRelease` takes. */
export const releasedRecords = (leftOut: LeftOut, tables: readonly Table[]): { table: string; ids: string[] }[] =>
  tables.map((one) => ({ table: one.table, ids: chosenOf(leftOut, one) })).filter(({ ids }) => ids.length > 0);

type Refused = { readonly table: string; readonly ids: readonly string[] };

/** Records that the server has refused to publish (`records.3.title`: the fourth of all that were sent), by table. */
export function refusedRecords(
  { fields = {} }: Pick<ApiFailure, 'fields'>,
  sent: readonly { readonly table: string; readonly ids: readonly string[] }[],
): Refused[] {
  const places = new Set(Object.keys(fields).flatMap((path) => /^records\.(\d+)\./.exec(path)?.[1] ?? []));
  let first = 0;
  return sent.flatMap(({ table, ids }) => {
    const refused = ids.filter((_id, at) => places.has(String(first + at)));
    first += ids.length;
    return refused.length === 0 ? [] : [{ table, ids: refused }];
  });
}
