import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context';
import { MINUTE } from '../../../zone';
import type { Area } from '../../area';
import { crawlRuns, crawlers } from '../schema';
import { announceEnded } from './announce';
import { registerCrawlers } from './crawlers';
import { registerExports } from './exports';
import * as queries from './queries';
import { purgeRuns } from './retention';
import { registerRows } from './rows';
import { registerRunning } from './running';
import { startDueRuns } from './schedule';
import { registerTrying } from './trying';

export { installCrawler } from './install';
export { issuesBySite } from './queries';
export { rowsJob } from './rows';

export function registerRuns(app: FastifyInstance, ctx: Context): void {
  registerCrawlers(app, ctx);
  registerTrying(app, ctx);
  registerRunning(app, ctx);
  registerRows(app, ctx);
  registerExports(app, ctx);
}

export const runSchedules = [
  { name: 'crawler.due', every: 15_000, run: startDueRuns },
  { name: 'crawler.ended', every: 5000, run: announceEnded },
  { name: 'crawler.purge', every: 60 * MINUTE, run: purgeRuns },
] as const;

export const siteOf: NonNullable<Area['siteOf']> = {
  crawler: async (ctx, id) => (await queries.findCrawler(ctx.postgres.db, id))?.siteId ?? null,
  crawlRun: async (ctx, id) => (await queries.findRun(ctx.postgres.db, id))?.siteId ?? null,
};

/** Crawlers stay with their site; only who created and started them is erased. */
export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  await tx.update(crawlers).set({ createdBy: null }).where(eq(crawlers.createdBy, userId));
  await tx.update(crawlRuns).set({ createdBy: null }).where(eq(crawlRuns.createdBy, userId));
};

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => ({
  crawlers: await db
    .select({ id: crawlers.id, siteId: crawlers.siteId, name: crawlers.name, kind: crawlers.kind, createdAt: crawlers.createdAt })
    .from(crawlers)
    .where(eq(crawlers.createdBy, userId)),
  crawlRuns: await db
    .select({ id: crawlRuns.id, siteId: crawlRuns.siteId, number: crawlRuns.number, trigger: crawlRuns.trigger, createdAt: crawlRuns.createdAt })
    .from(crawlRuns)
    .where(eq(crawlRuns.createdBy, userId)),
});
