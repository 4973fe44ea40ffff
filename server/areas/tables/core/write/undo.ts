import { and, eq } from 'drizzle-orm';
import type { RecordAction } from '../../../../../contract/tables/terms';
import { fail } from '../../../../http/failure';
import { grantOf } from '../access';
import { historyTable, newRecordId } from '../ids';
import { pastOf } from './conversions';
import { choicesBack, removedChoices } from './choices';
import type { SiteModel, TableModel } from '../model';
import { contentBatches } from '../schema';
import { applyOps } from './apply';
import type { Applied, HistoryKind, Op, Writing } from './apply';
import { keepBatch, tell } from './engine';
import { queueHooks } from './outbox';
import { permitted } from './lookups';
import { knownChoices } from './knownChoices';
import { changesSince } from './merge';
import { isStored, isoSql, lockRows, run } from './rows';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { presentLine, unfit } from './undoValues';
import { takenSnapshots } from './publishedValues';
import { dropTaken, kindOf, undoCreate, undoLine } from './undoLines';
import type { Line, Skipped } from './undoLines';

type BatchRow = typeof contentBatches.$inferSelect;
type Outcome = { readonly undone: number; readonly skipped: readonly Skipped[] };
/** `shown`: the outcome as the reader may see it, who need not see every record and field of a batch. */
export type Undone = Outcome & { readonly batchId: string | null; readonly shown: Outcome };
type Who = Pick<TableContext, 'model' | 'reader' | 'timeZone'>;

const actionOf: Readonly<Record<HistoryKind, RecordAction>> = {
  create: 'create',
  update: 'update',
  trash: 'delete',
  restore: 'delete',
  publish: 'publish',
  unpublish: 'publish',
  schedule: 'publish',
  move: 'update',
};

/** A batch of a site, under a lock: two do not undo it at once. */
export const lockBatch = async (w: WriteTx, siteId: string, id: string): Promise<BatchRow> =>
  (
    await w.tx
      .select()
      .from(contentBatches)
      .where(and(eq(contentBatches.siteId, siteId), eq(contentBatches.id, id)))
      .for('update')
  )[0] ?? fail('not_found');

/**
 * Takes a batch back: every field gets the value from before where it still has the one that the batch gave it; records that it made go into the bin where
 * nothing in them has changed since, records that it threw away come back, published as they were. What others did since stays and is listed. The
 * undoing is a batch itself, so that undoing it does the first one again. Who made the batch may undo it as long as they may do such things at all; others need the
 * right to do what undoing does. Throws `bad_transition` for a batch that is undone already.
 */
export async function undoBatch(w: WriteTx, who: Who, batch: BatchRow): Promise<Undone> {
  if (batch.undoneBy !== null) return fail('bad_transition');
  const { siteId } = who.model;
  const lines = await run<Line>(w.tx, `${linesOf(siteId)} WHERE batch = $1::uuid ORDER BY table_id, record_id, rev DESC`, [batch.id]);
  const root = batch.of ?? batch.id;
  const door = batch.door === 'undo' ? 'redo' : 'undo';
  const writing: Writing = { siteId, batchId: newRecordId(w.now.getTime()), door, actor: who.reader.userId };
  const { main, counts, skipped, shown } = await undoLines(w, who, batch, writing, lines);
  const undone = counts.updated + counts.removed;
  if (undone === 0 || !main) return { batchId: null, undone, skipped, shown };
  await keepBatch(w, { ...who, table: main }, writing, counts, { of: root });
  await w.tx.update(contentBatches).set({ undoneBy: writing.batchId }).where(eq(contentBatches.id, batch.id));
  // Of the first batch it is known whether it holds now.
  if (root !== batch.id)
    await w.tx
      .update(contentBatches)
      .set({ undoneBy: door === 'undo' ? writing.batchId : null })
      .where(eq(contentBatches.id, root));
  return { batchId: writing.batchId, undone, skipped, shown };
}

/**
 * The same of some records of a large batch, `undoId` being the batch of the whole undoing: called again and again, each time with other records, until all
 * have been named. What a piece does is kept or lost with it.
 */
export async function undoPiece(
  w: WriteTx,
  who: Who,
  batch: BatchRow,
  undoId: string,
  records: readonly { tableId: string; recordId: string }[],
): Promise<Undone> {
  if (batch.undoneBy !== null && batch.undoneBy !== undoId) return fail('bad_transition');
  const { siteId } = who.model;
  const lines = await run<Line>(
    w.tx,
    `${linesOf(siteId)} JOIN unnest($2::text[], $3::uuid[]) AS x(t, r) ON table_id = x.t AND record_id = x.r WHERE batch = $1::uuid ORDER BY table_id, record_id, rev DESC`,
    [batch.id, records.map((one) => one.tableId), records.map((one) => one.recordId)],
  );
  const writing: Writing = { siteId, batchId: undoId, door: 'undo', actor: who.reader.userId };
  const { main, counts, skipped, shown } = await undoLines(w, who, batch, writing, lines);
  const undone = counts.updated + counts.removed;
  if (undone === 0 || !main) return { batchId: null, undone, skipped, shown };
  await keepBatch(w, { ...who, table: main }, writing, counts, { of: batch.of ?? batch.id, batchId: undoId });
  await w.tx.update(contentBatches).set({ undoneBy: undoId }).where(eq(contentBatches.id, batch.id));
  return { batchId: undoId, undone, skipped, shown };
}

export const linesOf = (siteId: string): string => `SELECT table_id, record_id, rev, ${isoSql('at')} AS at, kind, patch, inverse FROM ${historyTable(siteId)}`;

type Taken = {
  readonly main: TableModel | undefined;
  readonly counts: { created: number; updated: number; removed: number; restored: number };
  readonly skipped: Skipped[];
  readonly shown: Outcome;
};
async function undoLines(w: WriteTx, who: Who, batch: BatchRow, writing: Writing, lines: readonly Line[]): Promise<Taken> {
  const { siteId } = who.model;
  const byTable = new Map<string, Line[]>();
  for (const line of lines) {
    const list = byTable.get(line.table_id);
    if (list) list.push(line);
    else byTable.set(line.table_id, [line]);
  }
  const all: Skipped[] = [];
  const shown: Skipped[] = [];
  let undone = 0;
  const counts = { created: 0, updated: 0, removed: 0, restored: 0 };
  let main: TableModel | undefined;
  const own = batch.actor !== null && batch.actor === who.reader.userId;
  const removal = (byTable.get(batch.tableId) ?? []).every(({ kind }) => kind === 'trash' || kind === 'restore');
  for (const [tableId, some] of byTable) {
    const table = who.model.tables.find((one) => one.id === tableId);
    if (!table) {
      const gone = [...new Set(some.map((line) => line.record_id))].map((recordId) => ({ recordId, field: null }));
      all.push(...gone);
      // Of a table that is gone nobody knows who might see its records.
      if (who.reader.role === 'admin') shown.push(...gone);
      continue;
    }
    // What a removal brought about elsewhere was decided by whoever set the relation up, and comes back with it.
    const follows = own && removal && tableId !== batch.tableId;
    if (!follows && tableId !== batch.tableId && !grantOf(table, who.reader, 'read').allowed) continue;
    if (tableId === batch.tableId || !main) main = table;
    const skipped: Skipped[] = [];
    const { applied, binned } = await undoTable(w, { ...who, table }, writing, some, {
      own,
      follows,
      skipped,
      back: choicesBack(who, batch),
      inBin: removedChoices(batch),
    });
    const changed = applied.filter((one) => one.changed);
    for (const one of changed) {
      counts[one.kind === 'trash' ? 'removed' : 'updated']++;
      if (one.kind === 'restore') counts.restored++;
    }
    const seen = await seenBy(w, { ...who, table }, [...changed.map(({ id }) => id), ...skipped.map(({ recordId }) => recordId)]);
    undone += changed.filter(({ id }) => seen.record(id)).length;
    all.push(...skipped);
    shown.push(...skipped.filter(({ recordId, field }) => seen.record(recordId) && seen.field(field)));
    await queueHooks(w, { siteId, tableId, batchId: writing.batchId, applied: changed.filter((one) => !binned.has(one.id)) });
    if (changed.length > 0)
      tell(
        w,
        siteId,
        tableId,
        changed.map((one) => one.id),
        who.reader.userId,
      );
  }
  return { main, counts, skipped: all, shown: { undone, skipped: shown } };
}

/** Which records of a table, in the bin or not, and which of its fields (by key) the reader may see. */
async function seenBy(
  w: WriteTx,
  context: TableContext,
  ids: readonly string[],
): Promise<{ record: (id: string) => boolean; field: (key: string | null) => boolean }> {
  const { table, reader } = context;
  const read = grantOf(table, reader, 'read');
  const isShown = (key: string | null): boolean => {
    const field = key === null || key.startsWith('$') ? null : table.byName.get(key.split('@')[0] ?? '');
    return field === null || reader.role === 'admin' || (field !== undefined && read.covers(field));
  };
  if (!read.allowed) return { record: () => false, field: isShown };
  if (read.filter === null) return { record: () => true, field: isShown };
  const grants = [read];
  const seen = new Set([...(await permitted(w, context, table, ids, { grants })), ...(await permitted(w, context, table, ids, { grants, trash: true }))]);
  return { record: (id) => seen.has(id), field: isShown };
}

type How = {
  readonly own: boolean;
  /** Comes back with what was removed; rights were not asked then either. */ readonly follows?: boolean;
  readonly skipped: Skipped[];
  readonly back: ReturnType<typeof choicesBack>;
  /** Records change in the bin, too. */ readonly inBin: boolean;
};

/** `binned`: records that changed where they lie, in the bin, of which nobody outside is told. */
type OfTable = { readonly applied: readonly Applied[]; readonly binned: ReadonlySet<string> };
export async function undoTable(
  w: WriteTx,
  context: TableContext,
  writing: Writing,
  given: readonly Line[],
  { own, follows = false, skipped, back, inBin }: How,
): Promise<OfTable> {
  const { table, reader, model } = context;
  const past = await pastOf(w.tx, table.id);
  const present = past.length === 0 ? given : given.map((line) => presentLine(past, context, line));
  const known = knownChoices(table, back, unfit);
  const lines = present.map((line) => ({ ...line, inverse: known(line.inverse) }));
  if (!follows) {
    if (!grantOf(table, reader, 'read').allowed) return fail('not_found');
    for (const kind of new Set(lines.map((line) => line.kind)))
      if (!grantOf(table, reader, own ? actionOf[kind] : undoing(kind)).allowed) return fail('forbidden');
  }
  const ids = [...new Set(lines.map((line) => line.record_id))];
  const nothing = { fields: [], tr: false, published: false };
  await lockRows(w.tx, model.siteId, table, ids, nothing);
  const made = lines.filter((line) => line.kind === 'create').map((line) => ({ id: line.record_id, rev: line.rev }));
  const later = made.length > 0 ? await firstOf(w, model.siteId, table, made) : new Map<string, Map<string, unknown>>();
  const keys = [...lines.flatMap((line) => Object.keys(line.patch)), ...[...later.values()].flatMap((one) => [...one.keys()])];
  const rows = await readFor(w, model, table, ids, new Set(keys), lines);
  const open = own ? null : await openTo(w, context, lines);
  const sets = new Map<string, Map<string, unknown>>();
  for (const line of lines) {
    const row = rows.get(line.record_id);
    if (!row || (open && !open.has(line.record_id))) {
      if (!skipped.some((one) => one.recordId === line.record_id)) skipped.push({ recordId: line.record_id, field: null });
      continue;
    }
    const set = sets.get(line.record_id) ?? new Map<string, unknown>();
    sets.set(line.record_id, set);
    const left = line.kind === 'create' ? undoCreate(w, table, row, set, later.get(row.id)) : undoLine(context, row, set, line, { own, inBin });
    for (const field of left) skipped.push({ recordId: row.id, field });
  }
  await dropTaken(w, context, rows, sets, skipped);
  for (const id of await takenSnapshots(w.tx, model.siteId, table, sets)) {
    sets.get(id)?.delete('$published');
    skipped.push({ recordId: id, field: '$published' });
  }
  const ops = Array.from(sets, ([id, set]): Op => ({ id, kind: kindOf(set), set })).filter((op) => op.set.size > 0);
  const binned = new Set(ops.flatMap(({ id, kind }) => (kind === 'update' && rows.get(id)?.deletedAt !== null ? [id] : [])));
  return { applied: await applyOps(w, writing, table, rows, ops), binned };
}

/** Of records and revisions: by key, the value right after that revision, of everything that changed later. */
async function firstOf(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  made: readonly { readonly id: string; readonly rev: number }[],
): Promise<Map<string, Map<string, unknown>>> {
  const first = new Map<string, Map<string, unknown>>();
  for (const line of await changesSince(w.tx, siteId, table.id, made)) {
    const known = first.get(line.record_id) ?? new Map<string, unknown>();
    first.set(line.record_id, known);
    for (const [key, value] of Object.entries(line.inverse)) if (!known.has(key)) known.set(key, value);
  }
  return first;
}

async function readFor(
  w: WriteTx,
  model: SiteModel,
  table: TableModel,
  ids: readonly string[],
  keys: ReadonlySet<string>,
  lines: readonly Line[],
): Promise<Map<string, Row>> {
  const named = new Set([...keys].map((key) => key.split('@')[0] ?? ''));
  const touched = table.fields.filter((field) => named.has(field.id) && (isStored(field) || field.type === 'relations'));
  const sought = touched.some((field) => field.searchable);
  const back = lines.some((line) => line.kind === 'trash');
  const fields = new Set([...touched, ...table.fields.filter((field) => (sought && field.searchable) || (back && field.isUnique))]);
  const published = table.drafts && (lines.some((line) => line.kind === 'create') || keys.has('$published') || keys.has('$deletedAt'));
  return lockRows(w.tx, model.siteId, table, ids, { fields: [...fields], tr: sought || [...keys].some((key) => key.includes('@')), published });
}

/** What somebody must be allowed to do who undoes what others did. */
const undoing = (kind: HistoryKind): RecordAction => (kind === 'create' ? 'delete' : actionOf[kind]);

/** Somebody else's batch: only records with which one may do the same anyway, in the bin or not. */
async function openTo(w: WriteTx, context: TableContext, lines: readonly Line[]): Promise<Set<string> | null> {
  const ids = [...new Set(lines.map((line) => line.record_id))];
  const actions = new Set<RecordAction>(['read', ...lines.map((line) => undoing(line.kind))]);
  const grants = [...actions].map((action) => grantOf(context.table, context.reader, action));
  if (grants.every((grant) => grant.filter === null)) return null;
  const [live, trashed] = [
    await permitted(w, context, context.table, ids, { grants }),
    await permitted(w, context, context.table, ids, { grants, trash: true }),
  ];
  return new Set([...live, ...trashed]);
}
