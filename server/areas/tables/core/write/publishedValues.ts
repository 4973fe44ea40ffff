import { columnOf } from '../../../../../contract/tables/terms';
import { columnName, publishedTable } from '../ids';
import type { FieldModel, TableModel } from '../model';
import { isEmpty } from '../values/check';
import { isSnapshot } from './knownChoices';
import { run } from './rows';
import type { Tx } from './types';

/** Published records with any of the given values in a field, by value. */
export async function publishedWith(tx: Tx, siteId: string, tableId: string, field: FieldModel, values: readonly string[]): Promise<Map<string, string[]>> {
  const by = new Map<string, string[]>();
  if (values.length === 0) return by;
  const column = columnName(field.id);
  const found = await run<{ id: string; at: string }>(
    tx,
    `SELECT p.id, x.at::text AS at FROM unnest($1::text[]) WITH ORDINALITY AS x(value, at)
     JOIN ${publishedTable(siteId, tableId)} p ON p.${column} = x.value::${columnOf[field.type]}`,
    [values],
  );
  for (const { id, at } of found) {
    const value = values[Number(at) - 1] ?? '';
    by.set(value, [...(by.get(value) ?? []), id]);
  }
  return by;
}

/** Serializes publishing in tables with unique fields: no index prevents two published states from having the same value. */
export const lockPublishing = (tx: Tx, tableId: string): Promise<unknown> =>
  run(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))', [`publish ${tableId}`]);

/** Upcoming published values, by record id and field; null for records being unpublished. */
export type Publishing = ReadonlyMap<string, ((field: FieldModel) => unknown) | null>;

/**
 * Unique values that another record holds in its published state. A draft may take a value that another draft has given up, but cannot be published
 * until the other change is published or that record is unpublished, before or in the same write. A record whose value is taken is not published and
 * keeps its published value, so records waiting for that value fail in turn.
 */
export async function takenByPublished(tx: Tx, siteId: string, table: TableModel, publishing: Publishing): Promise<Map<string, FieldModel>> {
  const conflicts = new Map<string, FieldModel>();
  const unique = table.fields.filter((field) => field.isUnique);
  if (!table.drafts || unique.length === 0 || [...publishing.values()].every((state) => state === null)) return conflicts;
  await lockPublishing(tx, table.id);
  const valueOf = (id: string, field: FieldModel): string | null => {
    const value = publishing.get(id)?.(field);
    return isEmpty(value) ? null : String(value);
  };
  const held = await Promise.all(
    unique.map(async (field) => {
      const newValues = [...new Set([...publishing.keys()].flatMap((id) => valueOf(id, field) ?? []))];
      return { field, by: await publishedWith(tx, siteId, table.id, field, newValues) };
    }),
  );
  const keeps = (holder: string, field: FieldModel, value: string): boolean =>
    !publishing.has(holder) || conflicts.has(holder) || valueOf(holder, field) === value;
  for (let before = -1; before !== conflicts.size;) {
    before = conflicts.size;
    for (const { field, by } of held)
      for (const id of publishing.keys()) {
        const value = valueOf(id, field);
        if (value === null || conflicts.has(id)) continue;
        if (by.get(value)?.some((holder) => holder !== id && keeps(holder, field, value))) conflicts.set(id, field);
      }
  }
  return conflicts;
}

/**
 * Records that undo would publish again in an earlier state, although another published record now holds one of their unique values. `sets`: new values
 * by record.
 */
export async function takenSnapshots(
  tx: Tx,
  siteId: string,
  table: TableModel,
  sets: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Promise<Iterable<string>> {
  const publishing = new Map(
    [...sets].flatMap(([id, set]) => {
      const state = set.get('$published');
      if (state === undefined) return [];
      return [[id, isSnapshot(state) ? (field: FieldModel): unknown => state.values[field.id] : null] as const];
    }),
  );
  return (await takenByPublished(tx, siteId, table, publishing)).keys();
}
