import type { CrawlerConfig } from '../../../../contract/crawler/config';
import type { Context } from '../../../context';
import { enqueueRun } from '../engine';
import * as queries from './queries';

type NewCrawler = { readonly siteId: string; readonly timeZone: string; readonly name: string; readonly config: CrawlerConfig; readonly userId: string };

/** Gives a site without crawlers one, and starts its first run; nothing if it has run before. */
export async function installCrawler(ctx: Context, { siteId, timeZone, name, config, userId }: NewCrawler): Promise<void> {
  const { db } = ctx.postgres;
  const now = new Date(ctx.now());
  const row = { siteId, name, kind: 'audit' as const, config, timeZone, createdBy: userId, createdAt: now, updatedAt: now };
  const crawler = (await queries.firstCrawler(db, siteId)) ?? (await queries.insertCrawler(db, row));
  if ((await queries.runIdsOf(db, crawler.id)).length === 0) await enqueueRun(ctx, crawler.id, { trigger: 'manual', who: { userId } });
}
