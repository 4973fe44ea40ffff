import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { SiteRole } from '../../../../contract/permissions';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { recordsTable } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import { contentBatches } from '../core/schema';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import type { Change, ChangeResult, WriteTx } from '../core/write/types';
import { lockBatch, undoBatch } from '../core/write/undo';

/** Records that the import of a website writes, and their undo. */

type WebsiteWriter = {
  readonly site: { readonly id: string; readonly timeZone: string };
  readonly userId: string;
  readonly role: SiteRole;
};

type WebsiteWrite = {
  readonly batchId: string;
  /** Ids of records that are published in the same batch, if they were written. */
  readonly publish: ReadonlySet<string>;
  readonly then: (tx: WriteTx['tx'], results: readonly ChangeResult[]) => Promise<void>;
};
/** Writes records as one batch, with what `then` writes in the same transaction. Changes with errors are skipped and reported in the results. */
export async function writeWebsite(
  ctx: Context,
  { site, userId, role }: WebsiteWriter,
  table: string,
  changes: readonly Change[],
  { batchId, publish, then }: WebsiteWrite,
): Promise<void> {
  const model = await siteModel(ctx, site.id);
  const context = { model, table: tableOf(model, table), reader: { role, userId }, timeZone: site.timeZone };
  await inWrite(ctx, null, async (w) => {
    const options = { origin: 'website', errors: 'collect', batchId, path: () => '' } as const;
    const { results } = await writeBatch(w, context, changes, options);
    const written = results.filter(({ id, outcome }) => outcome !== 'failed' && publish.has(id));
    if (context.table.drafts && written.length > 0)
      await writeBatch(
        w,
        context,
        written.map(({ id }): Change => ({ kind: 'publish', id })),
        options,
      );
    await then(w.tx, results);
  });
}

/** Ids of those of the records that are in the table, outside the bin. */
export async function presentRecords(ctx: Context, siteId: string, tableId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const model = await siteModel(ctx, siteId);
  if (ids.length === 0 || !model.tables.some(({ id }) => id === tableId)) return new Set();
  const { rows } = await ctx.postgres.db.execute<{ id: string }>(
    sql`SELECT id FROM ${sql.raw(recordsTable(siteId, tableId))} WHERE deleted_at IS NULL AND id = ANY(${sql.param([...ids])}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Undoes those of the batches that are in effect, each in a transaction; the number of places that others have changed since, which stay. */
export async function undoWebsite(ctx: Context, { site, userId, role }: WebsiteWriter, batches: readonly string[]): Promise<number> {
  const inEffect = await ctx.postgres.db
    .select({ id: contentBatches.id })
    .from(contentBatches)
    .where(
      and(eq(contentBatches.siteId, site.id), inArray(contentBatches.id, [...batches]), eq(contentBatches.origin, 'website'), isNull(contentBatches.undoneBy)),
    );
  let left = 0;
  for (const { id } of inEffect)
    left += await inWrite(ctx, null, async (w) => {
      const model = await siteModel(ctx, site.id);
      const batch = await lockBatch(w, site.id, id);
      if (batch.siteId !== site.id) fail('not_found');
      return (await undoBatch(w, { model, reader: { role, userId }, timeZone: site.timeZone }, batch)).skipped.length;
    });
  return left;
}
