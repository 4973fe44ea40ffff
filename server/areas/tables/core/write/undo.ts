import { and, eq } from 'drizzle-orm';
import type { RecordAction } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { grantOf } from '../access';
import { historyTable, newRecordId } from '../ids';
import { pastOf } from './conversions';
import { choicesBack, removedChoices } from './choices';
import type { SiteModel, TableModel } from '../model';
import { contentBatches } from '../schema';
import { applyOps } from './apply';
import type { Applied, HistoryKind, Op, Writing } from './apply';
import { storeBatch, publishRecords } from './engine';
import { queueWebhookDeliveries } from './outbox';
import { permitted } from './lookups';
import { knownChoices } from './knownChoices';
import { changesSince } from './merge';
import { isStored, isoSql, lockRows, run } from './rows';
import type { Row } from './rows';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { presentLine, unfit } from './undoValues';
import { takenSnapshots } from './publishedValues';
import { dropDuplicates, kindOf, undoCreate, undoLine } from './undoLines';
import type { HistoryRow, Skipped } from './undoLines';

export type BatchRow = typeof contentBatches.$inferSelect;
type Outcome = { readonly undone: number; readonly skipped: readonly Skipped[] };
/** `shown`: the outcome limited to records and fields that the reader may see. */
export type Undone = Outcome & { readonly batchId: string | null; readonly visibleOutcome: Outcome };
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

export async function findBatch(db: Context['postgres']['db'], siteId: string, id: string): Promise<BatchRow | null> {
  const [batch] = await db
    .select()
    .from(contentBatches)
    .where(and(eq(contentBatches.siteId, siteId), eq(contentBatches.id, id)));
  return batch ?? null;
}
/** Locks a batch of a site, so that it is not undone twice concurrently. */
export const lockBatch = async (w: WriteTx, siteId: string, id: string): Promise<BatchRow> =>
  (
    await w.tx
      .select()
      .from(contentBatches)
      .where(and(eq(contentBatches.siteId, siteId), eq(contentBatches.id, id)))
      .for('update')
  )[0] ?? fail('not_found');

/**
 * Undoes a batch: every field gets its previous value if it still has the one that the batch set; records that it created go into the bin if nothing in
 * them has changed since, and records that it deleted are restored, published as they were. Later changes are kept and listed. The undo is itself a
 * batch, so undoing it redoes the first one. The author of the batch may undo it while still allowed to make such changes; others need permission for
 * the changes that the undo makes. Throws `bad_transition` if the batch is already undone.
 */
export async function undoBatch(w: WriteTx, who: Who, batch: BatchRow): Promise<Undone> {
  if (batch.undoneBy !== null) return fail('bad_transition');
  const { siteId } = who.model;
  const lines = await run<HistoryRow>(w.tx, `${historyRowsSql(siteId)} WHERE batch = $1::uuid ORDER BY table_id, record_id, rev DESC`, [batch.id]);
  const root = batch.of ?? batch.id;
  const origin = batch.origin === 'undo' ? 'redo' : 'undo';
  const writing: Writing = { siteId, batchId: newRecordId(w.now.getTime()), origin, actor: who.reader.userId };
  const { main, counts, skipped, visibleOutcome } = await undoLines(w, who, batch, writing, lines);
  const undone = counts.updated + counts.removed;
  if (undone === 0 || !main) return { batchId: null, undone, skipped, visibleOutcome };
  await storeBatch(w, { ...who, table: main }, writing, counts, { of: root });
  await w.tx.update(contentBatches).set({ undoneBy: writing.batchId }).where(eq(contentBatches.id, batch.id));
  // The first batch of the chain records whether it is in effect.
  if (root !== batch.id)
    await w.tx
      .update(contentBatches)
      .set({ undoneBy: origin === 'undo' ? writing.batchId : null })
      .where(eq(contentBatches.id, root));
  return { batchId: writing.batchId, undone, skipped, visibleOutcome };
}

/**
 * Undoes part of a large batch; `undoId` is the batch of the whole undo. Called repeatedly with further records until all are covered. Each chunk is
 * committed or rolled back as a whole.
 */
export async function undoChunk(
  w: WriteTx,
  who: Who,
  batch: BatchRow,
  undoId: string,
  records: readonly { tableId: string; recordId: string }[],
): Promise<Undone> {
  if (batch.undoneBy !== null && batch.undoneBy !== undoId) return fail('bad_transition');
  const { siteId } = who.model;
  const lines = await run<HistoryRow>(
    w.tx,
    `${historyRowsSql(siteId)} JOIN unnest($2::text[], $3::uuid[]) AS x(t, r) ON table_id = x.t AND record_id = x.r WHERE batch = $1::uuid ORDER BY table_id, record_id, rev DESC`,
    [batch.id, records.map((one) => one.tableId), records.map((one) => one.recordId)],
  );
  const writing: Writing = { siteId, batchId: undoId, origin: 'undo', actor: who.reader.userId };
  const { main, counts, skipped, visibleOutcome } = await undoLines(w, who, batch, writing, lines);
  const undone = counts.updated + counts.removed;
  if (undone === 0 || !main) return { batchId: null, undone, skipped, visibleOutcome };
  await storeBatch(w, { ...who, table: main }, writing, counts, { of: batch.of ?? batch.id, batchId: undoId });
  await w.tx.update(contentBatches).set({ undoneBy: undoId }).where(eq(contentBatches.id, batch.id));
  return { batchId: undoId, undone, skipped, visibleOutcome };
}

export const historyRowsSql = (siteId: string): string =>
  `SELECT table_id, record_id, rev, ${isoSql('at')} AS at, kind, patch, inverse FROM ${historyTable(siteId)}`;

type TablesUndone = {
  readonly main: TableModel | undefined;
  readonly counts: { created: number; updated: number; removed: number; restored: number };
  readonly skipped: Skipped[];
  readonly visibleOutcome: Outcome;
};
async function undoLines(w: WriteTx, who: Who, batch: BatchRow, writing: Writing, lines: readonly HistoryRow[]): Promise<TablesUndone> {
  const { siteId } = who.model;
  const byTable = new Map<string, HistoryRow[]>();
  for (const line of lines) {
    const list = byTable.get(line.table_id);
    if (list) list.push(line);
    else byTable.set(line.table_id, [line]);
  }
  const all: Skipped[] = [];
  const visibleSkips: Skipped[] = [];
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
      // Permissions on the records of a deleted table cannot be checked, so only administrators see them.
      if (who.reader.role === 'admin') visibleSkips.push(...gone);
      continue;
    }
    // Side effects of a removal were decided by whoever configured the relation, and are reverted with it.
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
    const visibility = await seenBy(w, { ...who, table }, [...changed.map(({ id }) => id), ...skipped.map(({ recordId }) => recordId)]);
    undone += changed.filter(({ id }) => visibility.record(id)).length;
    all.push(...skipped);
    visibleSkips.push(...skipped.filter(({ recordId, field }) => visibility.record(recordId) && visibility.field(field)));
    await queueWebhookDeliveries(w, { siteId, tableId, batchId: writing.batchId, applied: changed.filter((one) => !binned.has(one.id)) });
    if (changed.length > 0)
      publishRecords(
        w,
        siteId,
        tableId,
        changed.map((one) => one.id),
        who.reader.userId,
      );
  }
  return { main, counts, skipped: all, visibleOutcome: { undone, skipped: visibleSkips } };
}

/** Records of a table, in the bin or not, and its fields (by key) that the reader may see. */
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
  const visibleIds = new Set([...(await permitted(w, context, table, ids, { grants })), ...(await permitted(w, context, table, ids, { grants, inBin: true }))]);
  return { record: (id) => visibleIds.has(id), field: isShown };
}

type UndoOptions = {
  readonly own: boolean;
  /** Restored as a side effect of a removal, which needed no permission either. */ readonly follows?: boolean;
  readonly skipped: Skipped[];
  readonly back: ReturnType<typeof choicesBack>;
  /** Records in the bin may change too. */ readonly inBin: boolean;
};

/** `binned`: records that changed inside the bin, for which no notices are sent. */
type OfTable = { readonly applied: readonly Applied[]; readonly binned: ReadonlySet<string> };
export async function undoTable(
  w: WriteTx,
  context: TableContext,
  writing: Writing,
  historyRows: readonly HistoryRow[],
  { own, follows = false, skipped, back, inBin }: UndoOptions,
): Promise<OfTable> {
  const { table, reader, model } = context;
  const past = await pastOf(w.tx, table.id);
  const present = past.length === 0 ? historyRows : historyRows.map((line) => presentLine(past, context, line));
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
  const creations = lines.filter((line) => line.kind === 'create').map((line) => ({ id: line.record_id, rev: line.rev }));
  const later = creations.length > 0 ? await firstOf(w, model.siteId, table, creations) : new Map<string, Map<string, unknown>>();
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
  await dropDuplicates(w, context, rows, sets, skipped);
  for (const id of await takenSnapshots(w.tx, model.siteId, table, sets)) {
    sets.get(id)?.delete('$published');
    skipped.push({ recordId: id, field: '$published' });
  }
  const ops = Array.from(sets, ([id, set]): Op => ({ id, kind: kindOf(set), set })).filter((op) => op.set.size > 0);
  const binned = new Set(ops.flatMap(({ id, kind }) => (kind === 'update' && rows.get(id)?.deletedAt !== null ? [id] : [])));
  return { applied: await applyOps(w, writing, table, rows, ops), binned };
}

/** For records and revisions: by key, the value right after that revision, for everything that changed later. */
async function firstOf(
  w: WriteTx,
  siteId: string,
  table: TableModel,
  creations: readonly { readonly id: string; readonly rev: number }[],
): Promise<Map<string, Map<string, unknown>>> {
  const first = new Map<string, Map<string, unknown>>();
  for (const line of await changesSince(w.tx, siteId, table.id, creations)) {
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
  lines: readonly HistoryRow[],
): Promise<Map<string, Row>> {
  const named = new Set([...keys].map((key) => key.split('@')[0] ?? ''));
  const touched = table.fields.filter((field) => named.has(field.id) && (isStored(field) || field.type === 'relations'));
  const sought = touched.some((field) => field.searchable);
  const back = lines.some((line) => line.kind === 'trash');
  const fields = new Set([...touched, ...table.fields.filter((field) => (sought && field.searchable) || (back && field.isUnique))]);
  const published = table.drafts && (lines.some((line) => line.kind === 'create') || keys.has('$published') || keys.has('$deletedAt'));
  return lockRows(w.tx, model.siteId, table, ids, { fields: [...fields], tr: sought || [...keys].some((key) => key.includes('@')), published });
}

/** Action that a person needs permission for to undo other people's changes. */
const undoing = (kind: HistoryKind): RecordAction => (kind === 'create' ? 'delete' : actionOf[kind]);

/** For another person's batch: only records on which the reader may perform the same action, in the bin or not. */
async function openTo(w: WriteTx, context: TableContext, lines: readonly HistoryRow[]): Promise<Set<string> | null> {
  const ids = [...new Set(lines.map((line) => line.record_id))];
  const actions = new Set<RecordAction>(['read', ...lines.map((line) => undoing(line.kind))]);
  const grants = [...actions].map((action) => grantOf(context.table, context.reader, action));
  if (grants.every((grant) => grant.filter === null)) return null;
  const [live, binned] = [
    await permitted(w, context, context.table, ids, { grants }),
    await permitted(w, context, context.table, ids, { grants, inBin: true }),
  ];
  return new Set([...live, ...binned]);
}
