import { sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { grantOf, readerOf } from '../core/access';
import type { Caller, Reader } from '../core/access';
import { recordsTable } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import type { TableModel } from '../core/model';
import { writeBatch } from '../core/write/engine';
import { findBatch, lockBatch, undoBatch } from '../core/write/undo';
import type { Change, WriteTx } from '../core/write/types';

/** Records of a release by table (id, key or alias). */
export type ReleasedRecords = readonly { readonly table: string; readonly ids: readonly string[] }[];
/** Who releases, and the site's time zone. */
export type Releasing = { readonly siteId: string; readonly reader: Reader; readonly timeZone: string };

export const releasingOf = (call: Caller): Releasing => ({ siteId: call.site.id, reader: readerOf(call), timeZone: call.site.row.timeZone });

/**
 * Publishes the current state of records of several tables as one batch, in the transaction of a release. Throws as `writeBatch`: `not_found`, `forbidden`, and
 * `invalid_fields` if one of them is incomplete.
 */
export async function publishForRelease(
  w: WriteTx,
  { siteId, reader, timeZone }: Releasing,
  records: ReleasedRecords,
): Promise<{ batchId: string | null; published: number }> {
  const model = await siteModel(w.ctx, siteId);
  const changes = records.flatMap(({ table: name, ids }): Change[] => {
    const table = tableOf(model, name);
    if (!table.drafts) return [];
    return ids.map((id): Change => ({ kind: 'publish', id, table }));
  });
  const [first] = changes;
  if (!first?.table) return { batchId: null, published: 0 };
  const { batchId, updated } = await writeBatch(w, { model, table: first.table, reader, timeZone }, changes, { origin: 'release' });
  return { batchId, published: updated };
}

/** Undoes the publications of a release, in the transaction that rolls it back. Returns how many records others have changed since and therefore stay; null if the batch is already undone. */
export async function undoForRelease(w: WriteTx, { siteId, reader, timeZone }: Releasing, batchId: string): Promise<number | null> {
  const known = await findBatch(w.ctx.postgres.db, siteId, batchId);
  if (known?.undoneBy !== null) return null;
  const model = await siteModel(w.ctx, siteId);
  const batch = await lockBatch(w, siteId, batchId);
  // Somebody may have undone it while this transaction waited for the lock.
  if (batch.undoneBy !== null) return null;
  return (await undoBatch(w, { model, reader, timeZone }, batch)).skipped.length;
}

export type Unreleased = { readonly table: TableModel; readonly records: string[]; readonly more: boolean };

/** Records with a state that is not published, by table, that the reader may publish; at most `most` of each table, the latest first. */
export async function unreleasedRecords(ctx: Context, { siteId, reader }: Releasing, most: number): Promise<Unreleased[]> {
  const model = await siteModel(ctx, siteId);
  const tables = model.tables.filter((table) => table.drafts && grantOf(table, reader, 'publish').allowed && grantOf(table, reader, 'read').allowed);
  const found: Unreleased[] = [];
  for (const table of tables) {
    // Rules that limit which records may be published are applied by the release itself, which names the records that it refuses.
    const { rows } = await ctx.postgres.db.execute<{ id: string }>(sql`
      SELECT id FROM ${sql.raw(recordsTable(siteId, table.id))}
      WHERE deleted_at IS NULL AND published_rev IS DISTINCT FROM rev ORDER BY updated_at DESC, id LIMIT ${most + 1}`);
    if (rows.length > 0) found.push({ table, records: rows.slice(0, most).map(({ id }) => id), more: rows.length > most });
  }
  return found;
}
