import { columnOf } from '../../../../../contract/tables/terms';
import type { BatchOrigin } from '../../../../../contract/tables/terms';
import type { RecordChange } from '../../../../../contract/tables/records';
import { historyTable } from '../ids';
import {
  deleteFailuresOf,
  noteDue,
  insertRows,
  keepDue,
  letGo,
  publishRows,
  restorePublished,
  settlePublished,
  unpublishRows,
  updateRows,
  writeLinks,
} from './statements';
import type { FieldModel, TableModel } from '../model';
import { searchVector } from '../search';
import { isEmpty, sameValue } from '../values/check';
import { noteFiles, usesResources } from './fileReferences';
import { watchSlugs } from './formerSlugs';
import { isStored, run } from './rows';
import type { Row, Snapshot } from './rows';
import type { NewRow } from './statements';
import type { WriteTx } from './types';

export type HistoryKind = RecordChange['kind'];
/**
 * Values that one change sets, by key: a field's id, `<id>@<locale>` of a translation, `$deletedAt`, `$publishAt`, `$unpublishAt`, `$ord`, and
 * `$published`: `now` (the record's current state), null, or an earlier published state.
 */
export type Op = { readonly id: string; readonly kind: HistoryKind; readonly set: ReadonlyMap<string, unknown> };
export type Applied = { readonly id: string; readonly n: number; readonly revision: number; readonly kind: HistoryKind; readonly changed: boolean };
/** The batch that a write belongs to, and where its history is stored. */
export type Writing = { readonly siteId: string; readonly batchId: string; readonly origin: BatchOrigin; readonly actor: string | null };

type HistoryRow = { readonly record_id: string; readonly rev: number; readonly kind: HistoryKind; readonly patch: object; readonly inverse: object };

const newRow = (id: string): Row => ({
  id,
  n: 0,
  ord: '0',
  rev: 0,
  deletedAt: null,
  publishedRev: null,
  publishedAt: null,
  publishAt: null,
  unpublishAt: null,
  values: new Map(),
  tr: {},
  published: null,
});

/** Value of a key in a row. */
export function readKey(row: Row, key: string): unknown {
  switch (key) {
    case '$deletedAt':
      return row.deletedAt;
    case '$publishAt':
      return row.publishAt;
    case '$unpublishAt':
      return row.unpublishAt;
    case '$ord':
      return row.ord;
    case '$published':
      return row.published;
    default: {
      const [field = '', locale] = key.split('@');
      return (locale === undefined ? row.values.get(field) : row.tr[locale]?.[field]) ?? null;
    }
  }
}

function writeKey(row: Row, key: string, value: unknown): void {
  switch (key) {
    case '$deletedAt':
      row.deletedAt = value as string | null;
      return;
    case '$publishAt':
      row.publishAt = value as string | null;
      return;
    case '$unpublishAt':
      row.unpublishAt = value as string | null;
      return;
    case '$ord':
      row.ord = value as string;
      return;
    default: {
      const [field = '', locale] = key.split('@');
      if (locale === undefined) {
        row.values.set(field, value);
        return;
      }
      const { [field]: _old, ...rest } = row.tr[locale] ?? {};
      const { [locale]: _all, ...others } = row.tr;
      const translations = isEmpty(value) ? rest : { ...rest, [field]: value };
      row.tr = Object.keys(translations).length === 0 ? others : { ...others, [locale]: translations };
    }
  }
}

const isField = (key: string): boolean => !key.startsWith('$');
const jsonable = (value: unknown): unknown => value ?? null;

/**
 * Writes changes to records of one table, each locked by this transaction or new (`create`). `rows` holds their current state, with every field that is
 * set and, where the search index depends on it, every searchable one. Uses one statement per kind, and returns the rows after the change.
 */
export async function applyOps(w: WriteTx, writing: Writing, table: TableModel, rows: Map<string, Row>, ops: readonly Op[]): Promise<Applied[]> {
  const creations = ops.filter((op) => op.kind === 'create');
  for (const op of creations) rows.set(op.id, newRow(op.id));
  const lines: HistoryRow[] = [];
  const touched = new Set<string>();
  const publishing = new Map<string, 'now' | Snapshot | null>();
  const edited = new Set<string>();
  const changed = new Set<string>();
  let translated = false;
  const unique = table.fields.filter((field) => field.isUnique);
  const held = unique.length === 0 ? null : new Map(ops.map(({ id }) => [id, holds(unique, rows.get(id))]));
  for (const op of ops) {
    const row = rows.get(op.id);
    if (!row) continue;
    const patch: Record<string, unknown> = {};
    const inverse: Record<string, unknown> = {};
    for (const [key, value] of op.set) {
      // A new record has no previous values, and its history entry is empty.
      if (op.kind === 'create' && isField(key) && !key.includes('@')) {
        if (sameValue(null, value)) continue;
        row.values.set(key, value);
        touched.add(key);
        edited.add(op.id);
        continue;
      }
      const before = readKey(row, key);
      if (key === '$published') {
        if (value === null && row.published === null) continue;
        publishing.set(op.id, value as 'now' | Snapshot | null);
        inverse[key] = before;
        patch[key] = value === 'now' ? { rev: row.rev + 1, at: w.now.toISOString() } : value && { rev: (value as Snapshot).rev, at: (value as Snapshot).at };
        continue;
      }
      if (sameValue(before, value)) continue;
      writeKey(row, key, jsonable(value));
      patch[key] = jsonable(value);
      inverse[key] = jsonable(before);
      if (!isField(key)) continue;
      touched.add(key.split('@')[0] ?? '');
      translated ||= key.includes('@');
      edited.add(op.id);
    }
    if (op.kind !== 'create' && Object.keys(patch).length === 0) continue;
    row.rev++;
    changed.add(op.id);
    const state = publishing.get(op.id);
    if (state !== undefined) {
      row.publishedRev = state === null ? null : state === 'now' ? row.rev : Math.min(state.rev, row.rev - 1);
      row.publishedAt = state === null ? null : state === 'now' ? w.now.toISOString() : state.at;
    }
    // The statement for new records writes their history.
    if (op.kind !== 'create') lines.push({ record_id: op.id, rev: row.rev, kind: op.kind, patch, inverse });
  }
  const handed = held ? handedOn(unique, rows, held) : [];
  for (const { field } of handed) touched.add(field);
  const fields = table.fields.filter((field) => touched.has(field.id));
  const createdIds = new Set(creations.map((op) => op.id));
  const mayMove = table.drafts ? [...publishing.keys()] : fields.some(({ type }) => type === 'slug') ? [...changed].filter((id) => !createdIds.has(id)) : [];
  const rememberSlugs = await watchSlugs(w, writing.siteId, table, mayMove);
  if (handed.length > 0) await letGo(w.tx, writing.siteId, table.id, handed);
  await store(w, writing, table, { rows, createdIds, changed, edited, fields, translated });
  await publish(w, writing.siteId, table, rows, changed, publishing);
  await rememberSlugs();
  await keepHistory(w, writing, table.id, lines);
  if (fields.some(usesResources) || publishing.size > 0) await noteFiles(w.tx, { siteId: writing.siteId, table }, [...changed]);
  // Publishing or rescheduling a record clears its failed publication.
  const resolvedIds = ops.flatMap(({ id, set }) =>
    changed.has(id) && ((publishing.get(id) ?? null) !== null || (set.get('$publishAt') ?? null) !== null) ? [id] : [],
  );
  if (table.drafts && resolvedIds.length > 0) await deleteFailuresOf(w.tx, table.id, resolvedIds);
  if (lines.some(({ patch }) => '$publishAt' in patch || '$unpublishAt' in patch)) await keepDue(w.tx, writing.siteId, table.id);
  await noteDue(
    w.tx,
    table.id,
    ops.flatMap((op) => [op.set.get('$publishAt'), op.set.get('$unpublishAt')]),
  );
  return ops.flatMap((op) => {
    const row = rows.get(op.id);
    return row ? [{ id: row.id, n: row.n, revision: row.rev, kind: op.kind, changed: changed.has(op.id) }] : [];
  });
}

/** Unique values that a record holds, by field; records in the bin hold none. */
const holds = (unique: readonly FieldModel[], row: Row | undefined): Map<string, string> =>
  new Map(
    unique.flatMap((field) => {
      const value = row?.deletedAt === null ? row.values.get(field.id) : null;
      return isEmpty(value) ? [] : [[field.id, String(value)] as const];
    }),
  );
/** Fields whose unique value moves to another record in the same write. */
function handedOn(
  unique: readonly FieldModel[],
  rows: ReadonlyMap<string, Row>,
  before: ReadonlyMap<string, ReadonlyMap<string, string>>,
): { field: string; id: string }[] {
  const claimed = new Set<string>();
  const released: { field: string; id: string; value: string }[] = [];
  for (const [id, had] of before) {
    const has = holds(unique, rows.get(id));
    for (const [field, value] of has) if (had.get(field) !== value) claimed.add(`${field} ${value}`);
    for (const [field, value] of had) if (has.get(field) !== value) released.push({ field, id, value });
  }
  return released.filter(({ field, value }) => claimed.has(`${field} ${value}`));
}

type Stored = {
  readonly rows: ReadonlyMap<string, Row>;
  readonly createdIds: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
  readonly edited: ReadonlySet<string>;
  readonly fields: readonly FieldModel[];
  readonly translated: boolean;
};

async function store(w: WriteTx, writing: Writing, table: TableModel, { rows, createdIds, changed, edited, fields, translated }: Stored): Promise<void> {
  const { siteId, actor } = writing;
  const columns = fields.filter(isStored);
  const searched = table.fields.filter((field) => field.searchable);
  const sought = fields.some((field) => field.searchable);
  const searchTextOf = (row: Row): string | null => searchVector(searched, row.values, row.tr) || null;
  const lineOf = (row: Row): object => ({
    id: row.id,
    ord: row.ord,
    rev: row.rev,
    deleted_at: row.deletedAt,
    published_rev: row.publishedRev,
    published_at: row.publishedAt,
    publish_at: row.publishAt,
    unpublish_at: row.unpublishAt,
    edited: edited.has(row.id),
    ...(translated ? { tr: Object.keys(row.tr).length === 0 ? null : row.tr } : {}),
    ...(sought ? { q: searchTextOf(row) } : {}),
    ...Object.fromEntries(columns.map((field) => [field.id, row.values.get(field.id) ?? null])),
  });
  const listed = [...changed].flatMap((id) => rows.get(id) ?? []);
  const how = { columns: columns.map((field) => ({ name: field.id, kind: columnOf[field.type] })), tr: translated, q: sought };
  const [fresh, old] = [listed.filter((row) => createdIds.has(row.id)), listed.filter((row) => !createdIds.has(row.id))];
  const by = { at: w.now.toISOString(), actor };
  if (fresh.length > 0) {
    const counted = table.fields.filter((field) => field.type === 'autonumber').map((field) => field.id);
    const lines = fresh.map((row): NewRow => ({
      id: row.id,
      rev: row.rev,
      tr: Object.keys(row.tr).length === 0 ? null : row.tr,
      q: sought ? searchTextOf(row) : null,
      values: row.values,
    }));
    const numbers = await insertRows(w, writing, table, lines, { columns: how.columns, counted }, by);
    for (const row of fresh) {
      row.n = numbers.get(row.id) ?? 0;
      row.ord = String(row.n);
      for (const id of counted) row.values.set(id, row.n);
    }
  }
  // Columns set only on new records (their own slugs) were not read for the others and stay unchanged there.
  const updatedColumns = how.columns.filter(({ name }) => old.every((row) => row.values.has(name)));
  if (
    updatedColumns.length < how.columns.length &&
    fields.some((field) => isStored(field) && old.some((row) => row.values.has(field.id) && !updatedColumns.some(({ name }) => name === field.id)))
  )
    throw new Error('a column was read of some records only');
  if (old.length > 0) await updateRows(w.tx, siteId, table.id, old.map(lineOf), { ...how, columns: updatedColumns }, by);
  for (const field of fields) {
    if (field.type !== 'relations') continue;
    const lists = listed.filter((row) => row.values.has(field.id)).map((row) => ({ a: row.id, list: row.values.get(field.id) ?? [] }));
    await writeLinks(w.tx, siteId, field.id, lists, createdIds.size === listed.length);
  }
}

async function publish(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  rows: ReadonlyMap<string, Row>,
  changed: ReadonlySet<string>,
  publishing: ReadonlyMap<string, 'now' | Snapshot | null>,
): Promise<void> {
  if (!table.drafts) return;
  const ids = (matches: (state: 'now' | Snapshot | null) => boolean): string[] => [...publishing].filter(([, state]) => matches(state)).map(([id]) => id);
  const [now, gone] = [ids((state) => state === 'now'), ids((state) => state === null)];
  if (gone.length > 0) await unpublishRows(w.tx, siteId, table.id, gone);
  if (now.length > 0) await publishRows(w.tx, siteId, table, now);
  const restoredStates = [...publishing].flatMap(([id, state]) => (state !== null && state !== 'now' ? [{ id, state }] : []));
  if (restoredStates.length > 0) await restorePublished(w.tx, siteId, table, restoredStates);
  const others = [...changed].filter((id) => publishing.get(id) !== 'now' && (rows.get(id)?.publishedRev ?? null) !== null);
  if (others.length > 0) await settlePublished(w.tx, siteId, table, others);
}

async function keepHistory(w: WriteTx, { siteId, batchId, origin, actor }: Writing, tableId: string, lines: readonly HistoryRow[]): Promise<void> {
  if (lines.length === 0) return;
  await run(
    w.tx,
    `INSERT INTO ${historyTable(siteId)} (table_id, record_id, rev, at, actor, door, batch, kind, patch, inverse)
     SELECT $2::text, x.record_id, x.rev, $3::timestamptz, $4::uuid, $5::text, $6::uuid, x.kind, x.patch, x.inverse
     FROM json_to_recordset($1::json) AS x(record_id uuid, rev int, kind text, patch jsonb, inverse jsonb)`,
    [JSON.stringify(lines), tableId, w.now.toISOString(), actor, origin, batchId],
  );
}
