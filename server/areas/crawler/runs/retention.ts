import { eq } from 'drizzle-orm';
import type { Context } from '../../../context';
import { eraseLinks } from '../engine';
import { crawlFamilies, crawlFindings, crawlFrontier, crawlLeases, crawlPages, crawlRobots, crawlRows, crawlRuns } from '../schema';
import * as queries from './queries';

const mostAtOnce = 50;

/** Deletes what runs found beyond those that their crawlers store; their numbers stay for the history. Bodies without a page are removed by the engine. */
export async function purgeRuns(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  for (const { id, siteId } of await queries.surplusRuns(db, mostAtOnce)) {
    await db.transaction(async (tx) => {
      for (const table of [crawlPages, crawlFrontier, crawlFindings, crawlFamilies, crawlRows, crawlRobots, crawlLeases])
        await tx.delete(table).where(eq(table.runId, id));
      await tx.update(crawlRuns).set({ purged: true }).where(eq(crawlRuns.id, id));
    });
    await eraseLinks(ctx, siteId, id);
  }
}
