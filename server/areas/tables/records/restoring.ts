import { inArray } from 'drizzle-orm';
import { fail } from '../../../http/failure';
import { grantOf } from '../core/access';
import { columnName, historyTable, recordsTable } from '../core/ids';
import type { TableModel } from '../core/model';
import { contentBatches } from '../core/schema';
import type { Writing } from '../core/write/apply';
import { storeBatch, publishRecords, writeBatch } from '../core/write/engine';
import { queueWebhookDeliveries } from '../core/write/outbox';
import { permitted } from '../core/write/lookups';
import { isoSql, run } from '../core/write/rows';
import type { TableContext } from '../core/tableContext';
import type { BatchResult, Change, WriteOptions, WriteTx } from '../core/write/types';
import { undoTable } from '../core/write/undo';
import type { HistoryRow } from '../core/write/undoLines';
import { choicesBack } from '../core/write/choices';
import { mostConsequences, pointersTo } from './consequences';

type BatchRow = typeof contentBatches.$inferSelect;
/** What stays as it is, because it was changed since or because the caller may not change it. `field` null: the whole record. */
export type Left = { readonly tableId: string; readonly recordId: string; readonly field: string | null };
export type Restored = BatchResult & { readonly skipped: readonly Left[] };
/** A history entry that moved a record into the bin, or cleared a relation to one, with its batch. */
type Removal = HistoryRow & { readonly batch: string };

const publication = ['$published', '$publishAt', '$unpublishAt'] as const;

/**
 * Restores records from the bin, together with what was lost when they were deleted: cleared relations, records deleted with them, and published states.
 * Later changes are kept and listed, as with undo. The caller's permissions apply to each of these; what the caller may not see is not listed either.
 * Throws `invalid_fields` for a named record that cannot be restored.
 */
export async function restoreRecords(
  w: WriteTx,
  context: TableContext,
  ids: readonly string[],
  options: Pick<WriteOptions, 'origin' | 'path'>,
): Promise<Restored> {
  const { model, table, reader } = context;
  const removals = await removalsOf(w, model.siteId, table, ids);
  const restored = await writeBatch(
    w,
    context,
    ids.map((id): Change => ({ kind: 'restore', id })),
    options,
  );
  if (restored.batchId === null) return { ...restored, skipped: [] };
  const writing: Writing = { siteId: model.siteId, batchId: restored.batchId, origin: options.origin, actor: reader.userId };
  const found = await consequencesBack(w, context, removals);
  const batches = new Map(
    (
      await w.tx
        .select()
        .from(contentBatches)
        .where(inArray(contentBatches.id, [...new Set([...removals, ...found].map(({ batch }) => batch))]))
    ).map((batch) => [batch.id, batch]),
  );
  const skipped: Left[] = [];
  const counts = { created: 0, updated: 0, removed: 0, restored: 0 };
  let visibleCount = 0;
  const along = found.filter(({ kind }) => kind === 'trash');
  // Records before the relations that lead to them; published once they are complete.
  const parts = [
    ...partsOf(along.map((line) => without(line, publication))),
    ...partsOf(found.filter(({ kind }) => kind !== 'trash')),
    ...partsOf([...removals, ...along].map((line) => publicationOf(line, w.now))),
  ];
  for (const { tableId, batchId, lines } of parts) {
    const there = model.tables.find((one) => one.id === tableId);
    const batch = batches.get(batchId);
    if (!there || !batch) continue;
    const back = await giveBack(w, { ...context, table: there }, writing, batch, lines);
    skipped.push(...back.skipped);
    // Named records count once, whatever else happens to them.
    if (there.id !== table.id || lines.some((line) => !ids.includes(line.record_id))) {
      counts.updated += back.records.size;
      visibleCount += back.visibleCount;
    }
    counts.restored += back.restored;
  }
  await storeBatch(w, context, writing, counts, { batchId: restored.batchId });
  return { ...restored, updated: restored.updated + visibleCount, skipped };
}

/** By table and batch, in the order of their entries. */
function partsOf(lines: readonly Removal[]): { readonly tableId: string; readonly batchId: string; readonly lines: Removal[] }[] {
  const parts = new Map<string, { tableId: string; batchId: string; lines: Removal[] }>();
  for (const line of lines) {
    if (Object.keys(line.patch).length === 0) continue;
    const key = `${line.table_id} ${line.batch}`;
    const part = parts.get(key) ?? { tableId: line.table_id, batchId: line.batch, lines: [] };
    part.lines.push(line);
    parts.set(key, part);
  }
  return [...parts.values()];
}

const part = (line: Removal, holds: (key: string) => boolean): Removal => {
  const some = (all: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(all).filter(([key]) => holds(key)));
  return { ...line, patch: some(line.patch), inverse: some(line.inverse) };
};
const only = (line: Removal, keys: readonly string[]): Removal => part(line, (key) => keys.includes(key));
const without = (line: Removal, keys: readonly string[]): Removal => part(line, (key) => !keys.includes(key));

/** The publication that a deleted record lost. Times that have passed publish nothing. */
function publicationOf(line: Removal, now: Date): Removal {
  const lost = ([key, before]: readonly [string, unknown]): boolean =>
    publication.some((one) => one === key) && before !== null && (key === '$published' || (typeof before === 'string' && before > now.toISOString()));
  const keys = Object.entries(line.inverse)
    .filter(lost)
    .map(([key]) => key);
  return { ...only(line, keys), kind: 'publish' };
}

/** Undoes entries of one table and batch, as far as the caller may. */
async function giveBack(
  w: WriteTx,
  context: TableContext,
  writing: Writing,
  batch: BatchRow,
  lines: readonly Removal[],
): Promise<{
  readonly skipped: Left[];
  readonly records: ReadonlySet<string>;
  /** How many of them the caller may see. */ readonly visibleCount: number;
  readonly restored: number;
}> {
  const { table, reader, model } = context;
  const nothing = { skipped: [], records: new Set<string>(), visibleCount: 0, restored: 0 };
  const read = grantOf(table, reader, 'read');
  if (!read.allowed) return nothing;
  const action = { trash: 'delete', publish: 'publish', update: 'update' } as const;
  const allowed = (kind: HistoryRow['kind']): boolean => kind in action && grantOf(table, reader, action[kind as keyof typeof action]).allowed;
  const mine = lines.filter(({ kind }) => allowed(kind));
  const left: Left[] = lines
    .filter(({ kind }) => kind !== 'publish' && !allowed(kind))
    .map(({ record_id, kind, patch }) => ({ tableId: table.id, recordId: record_id, field: kind === 'trash' ? null : (Object.keys(patch)[0] ?? null) }));
  const skipped: { recordId: string; field: string | null }[] = [];
  // Whoever deleted records may restore them, but not publish records without that permission.
  const own = batch.actor !== null && batch.actor === reader.userId && !mine.some(({ kind }) => kind === 'publish');
  const { applied, binned } =
    mine.length === 0
      ? { applied: [], binned: new Set<string>() }
      : await undoTable(w, context, writing, mine, { own, skipped, back: choicesBack(context, batch), inBin: false });
  const changed = applied.filter((one) => one.changed);
  await queueWebhookDeliveries(w, { siteId: model.siteId, tableId: table.id, batchId: writing.batchId, applied: changed.filter(({ id }) => !binned.has(id)) });
  const ids = changed.map(({ id }) => id);
  if (ids.length > 0) publishRecords(w, model.siteId, table.id, ids, reader.userId);
  const all = [...left, ...skipped.map((one): Left => ({ tableId: table.id, ...one }))].filter(
    ({ field }) => field === null || !field.startsWith('$') || field === '$published',
  );
  const visibleCount = (await permitted(w, context, table, ids, { grants: [read] })).size;
  return { skipped: await visible(w, context, all), records: new Set(ids), visibleCount, restored: changed.filter(({ kind }) => kind === 'restore').length };
}

/** Skipped places that the caller may see. */
async function visible(w: WriteTx, context: TableContext, left: readonly Left[]): Promise<Left[]> {
  const grants = [grantOf(context.table, context.reader, 'read')];
  const ids = left.map(({ recordId }) => recordId);
  const live = await permitted(w, context, context.table, ids, { grants });
  const binned = await permitted(w, context, context.table, ids, { grants, inBin: true });
  return left.filter(({ recordId, field }) => {
    const known = field === null || field.startsWith('$') ? null : context.table.byName.get(field.split('@')[0] ?? '');
    return (live.has(recordId) || binned.has(recordId)) && (known === null || (known !== undefined && grants.every((grant) => grant.covers(known))));
  });
}

/** The entries with which records went into the bin; none if that history, kept for a year, is gone. */
const removalsOf = (w: WriteTx, siteId: string, table: TableModel, ids: readonly string[]): Promise<Removal[]> =>
  run<Removal>(
    w.tx,
    `SELECT h.table_id, h.record_id, h.rev, ${isoSql('h.at')} AS at, h.kind, h.patch, h.inverse, h.batch FROM ${recordsTable(siteId, table.id)} t
     JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = t.id AND h.kind = 'trash' AND h.batch IS NOT NULL
       AND h.patch->>'$deletedAt' = ${isoSql('t.deleted_at')}
     WHERE t.id = ANY($2::uuid[]) AND t.deleted_at IS NOT NULL ORDER BY h.record_id, h.rev DESC`,
    [table.id, ids],
  );

/**
 * Changes of other records caused by these deletions: cleared relations, and records deleted along, recursively. A record deleted on its own in the same
 * batch, without a cascading relation to one of these, stays in the bin.
 */
async function consequencesBack(w: WriteTx, { model, table }: TableContext, removals: readonly Removal[]): Promise<Removal[]> {
  const { siteId } = model;
  const found: Removal[] = [];
  const known = new Set(removals.map((line) => `${line.table_id} ${line.record_id}`));
  const rounds: { readonly table: TableModel; readonly lines: readonly Removal[] }[] = [{ table, lines: removals }];
  for (let round = rounds.shift(); round; round = rounds.shift()) {
    const gone = round.lines.map(({ record_id }) => record_id);
    const batches = [...new Set(round.lines.map(({ batch }) => batch))];
    if (gone.length === 0) continue;
    for (const { table: there, field } of pointersTo(model, round.table.id)) {
      const cleared = await run<Removal>(
        w.tx,
        `SELECT h.table_id, h.record_id, h.rev, ${isoSql('h.at')} AS at, h.kind, h.patch, h.inverse, h.batch FROM ${historyTable(siteId)} h
         WHERE h.batch = ANY($1::uuid[]) AND h.table_id = $2::text AND h.kind = 'update' AND h.inverse->>$3::text = ANY($4::text[])
           AND h.patch->$3::text = 'null'::jsonb LIMIT ${mostConsequences + 1}`,
        [batches, there.id, field.id, gone],
      );
      found.push(...cleared.map((line) => only(line, [field.id])));
      const removedIn = new Map(round.lines.map((line) => [line.record_id, line.batch]));
      if (field.options.onDelete === 'cascade') {
        const along = await run<Removal & { readonly leads: string }>(
          w.tx,
          `SELECT h.table_id, h.record_id, h.rev, ${isoSql('h.at')} AS at, h.kind, h.patch, h.inverse, h.batch, t.${columnName(field.id)} AS leads
           FROM ${recordsTable(siteId, there.id)} t
           JOIN ${historyTable(siteId)} h ON h.table_id = $1::text AND h.record_id = t.id AND h.kind = 'trash' AND h.batch = ANY($2::uuid[])
             AND h.patch->>'$deletedAt' = ${isoSql('t.deleted_at')}
           WHERE t.${columnName(field.id)} = ANY($3::uuid[]) AND t.deleted_at IS NOT NULL ORDER BY h.record_id, h.rev DESC LIMIT ${mostConsequences + 1}`,
          [there.id, batches, gone],
        );
        const fresh = along.filter((line) => removedIn.get(line.leads) === line.batch && !known.has(`${line.table_id} ${line.record_id}`));
        for (const line of fresh) known.add(`${line.table_id} ${line.record_id}`);
        found.push(...fresh);
        if (fresh.length > 0) rounds.push({ table: there, lines: fresh });
      }
      if (found.length > mostConsequences) fail('too_large');
    }
  }
  return found;
}
