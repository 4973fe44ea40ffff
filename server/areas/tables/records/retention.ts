import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import { tableLimits } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { siteModel } from '../core/model';
import { contentBatches, contentSites } from '../core/schema';
import { deleteHistoryOfBatches } from './queries';
import { purge } from './purge';

const day = 24 * 3_600_000;
const atOnce = 1000;

const sitesWithTables = async (ctx: Context): Promise<string[]> =>
  (await ctx.postgres.db.select({ id: contentSites.siteId }).from(contentSites).orderBy(asc(contentSites.siteId))).map(({ id }) => id);

/** Hourly: permanently deletes records that have been in the bin for longer than their table keeps them, a thousand at a time. */
export async function emptyBins(ctx: Context): Promise<void> {
  for (const siteId of await sitesWithTables(ctx)) {
    const model = await siteModel(ctx, siteId);
    for (const table of model.tables) {
      const before = new Date(ctx.now() - table.trashDays * day);
      try {
        for (;;) {
          const gone = await ctx.postgres.db.transaction((tx) => purge(tx, model, table, { before, most: atOnce }));
          if (gone.length > 0) ctx.live.publish({ type: 'records', siteId, tableId: table.id, ids: [], by: null });
          if (gone.length < atOnce) break;
        }
      } catch (error) {
        // A table that is being changed does not hold up the others; the next hour retries.
        ctx.log.warn('The bin of a table could not be emptied', { siteId, tableId: table.id, error });
      }
    }
  }
}

/** Daily: deletes record history and undo data older than a year; current values stay. */
export async function forgetHistory(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const before = new Date(ctx.now() - tableLimits.historyDays * day);
  for (const siteId of await sitesWithTables(ctx)) {
    for (;;) {
      const old = await db
        .select({ id: contentBatches.id })
        .from(contentBatches)
        .where(and(eq(contentBatches.siteId, siteId), lt(contentBatches.at, before)))
        .orderBy(asc(contentBatches.at))
        .limit(100);
      if (old.length === 0) break;
      const ids = old.map(({ id }) => id);
      await db.transaction(async (tx) => {
        await deleteHistoryOfBatches(tx, siteId, ids);
        await tx.delete(contentBatches).where(inArray(contentBatches.id, ids));
      });
    }
  }
}
