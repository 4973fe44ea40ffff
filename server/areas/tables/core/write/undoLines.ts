import { grantOf } from '../access';
import type { TableModel } from '../model';
import type { TableContext } from '../tableContext';
import { isEmpty, sameValue } from '../values/check';
import { readKey } from './apply';
import type { HistoryKind } from './apply';
import { recordsWith } from './lookups';
import type { Row, Snapshot } from './rows';
import type { WriteTx } from './types';
import { fits } from './undoValues';

export type HistoryRow = {
  readonly table_id: string;
  readonly record_id: string;
  readonly rev: number;
  readonly at: string;
  readonly kind: HistoryKind;
  readonly patch: Record<string, unknown>;
  readonly inverse: Record<string, unknown>;
};
export type Skipped = { readonly recordId: string; readonly field: string | null };

/** The record with the values set so far. */
const now = (row: Row, set: ReadonlyMap<string, unknown>, key: string): unknown => (set.has(key) ? set.get(key) : readKey(row, key));

type Published = Pick<Snapshot, 'rev' | 'at'> | null;
function isSame(key: string, current: unknown, known: unknown): boolean {
  if (key !== '$published') return sameValue(current, known);
  const [a, b] = [current as Published, known as Published];
  return a === null || b === null ? a === b : a.rev === b.rev && a.at === b.at;
}

/** Keys that cannot be undone (null: the whole record). */
export function undoCreate(
  w: WriteTx,
  table: TableModel,
  row: Row,
  set: Map<string, unknown>,
  later: ReadonlyMap<string, unknown> | undefined,
): (string | null)[] {
  if (now(row, set, '$deletedAt') !== null || table.kind === 'singleton') return [null];
  for (const [key, value] of later ?? []) if (!isSame(key, now(row, set, key), value)) return [null];
  // Everything set for this record so far goes into the bin with it.
  set.set('$deletedAt', w.now.toISOString()).set('$publishAt', null).set('$unpublishAt', null);
  if (table.drafts) set.set('$published', null);
  return [];
}

/** Returns the keys of a history entry that stay as they are (null: the whole record); previous values of the others are added to `set`. */
export function undoLine(
  { table, reader }: TableContext,
  row: Row,
  set: Map<string, unknown>,
  line: HistoryRow,
  { own, inBin }: { readonly own: boolean; readonly inBin: boolean },
): (string | null)[] {
  const gone = now(row, set, '$deletedAt');
  const bin = Object.hasOwn(line.patch, '$deletedAt');
  if (bin ? !sameValue(gone, line.patch.$deletedAt) : gone !== null && !inBin) return [null];
  const [read, update] = [grantOf(table, reader, 'read'), grantOf(table, reader, 'update')];
  const left: string[] = [];
  for (const [key, patched] of Object.entries(line.patch)) {
    const before = line.inverse[key] ?? null;
    const field = key.startsWith('$') ? null : (table.byName.get(key.split('@')[0] ?? '') ?? undefined);
    const writable = field === null || (field !== undefined && (own || (read.covers(field) && update.covers(field))) && fits(field, key, before));
    if (writable && isSame(key, now(row, set, key), patched)) set.set(key, before);
    else left.push(key);
  }
  return left;
}

/**
 * Values that another record has taken since are not restored: the field stays, and a record that would return with it stays in the bin. A record that
 * gives a value up in the same undo does not hold it; if it keeps the value after all, the record waiting for it does not get it.
 */
export async function dropDuplicates(
  w: WriteTx,
  context: TableContext,
  rows: ReadonlyMap<string, Row>,
  sets: Map<string, Map<string, unknown>>,
  skipped: Skipped[],
): Promise<void> {
  for (let before = -1; before !== skipped.length;) {
    before = skipped.length;
    await dropHeld(w, context, rows, sets, skipped);
  }
}

async function dropHeld(
  w: WriteTx,
  { table, model }: TableContext,
  rows: ReadonlyMap<string, Row>,
  sets: Map<string, Map<string, unknown>>,
  skipped: Skipped[],
): Promise<void> {
  for (const field of table.fields) {
    if (!field.isUnique) continue;
    const givesUp = (id: string, value: string): boolean => {
      const [row, set] = [rows.get(id), sets.get(id)];
      if (!row || !set) return false;
      // A record that goes into the bin needs its current value, to be restored later.
      return (
        (row.values.has(field.id) && now(row, set, '$deletedAt') !== null) ||
        (set.has(field.id) && (isEmpty(set.get(field.id)) || String(set.get(field.id)) !== value))
      );
    };
    const restoredValues = [...sets].flatMap(([id, set]) => {
      const row = rows.get(id);
      if (!row || now(row, set, '$deletedAt') !== null || !(set.has(field.id) || set.has('$deletedAt'))) return [];
      const value = now(row, set, field.id);
      return isEmpty(value) ? [] : [{ id, set, value: String(value) }];
    });
    if (restoredValues.length === 0) continue;
    const held = await recordsWith(w.tx, model.siteId, table.id, field, [...new Set(restoredValues.map(({ value }) => value))]);
    for (const { id, set, value } of restoredValues) {
      if (!held.get(value)?.some((holder) => holder !== id && !givesUp(holder, value))) continue;
      const back = set.has('$deletedAt');
      if (back) sets.delete(id);
      else set.delete(field.id);
      skipped.push({ recordId: id, field: back ? null : field.id });
    }
  }
}

/** The kind of change that setting these keys amounts to. */
export function kindOf(set: ReadonlyMap<string, unknown>): HistoryKind {
  if (set.has('$deletedAt')) return set.get('$deletedAt') === null ? 'restore' : 'trash';
  if ([...set.keys()].some((key) => !key.startsWith('$'))) return 'update';
  if (set.has('$published')) return set.get('$published') === null ? 'unpublish' : 'publish';
  return set.has('$ord') ? 'move' : 'schedule';
}
