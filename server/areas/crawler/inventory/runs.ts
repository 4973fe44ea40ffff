import { and, desc, eq, sql } from 'drizzle-orm';
import type { CrawledRun } from '../../../../contract/crawler/inventorySchemas';
import { inventoryLimits } from '../../../../contract/crawler/inventoryTerms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { crawlers, crawlRuns } from '../schema';

export type Db = Context['postgres']['db'];

const columns = {
  id: crawlRuns.id,
  crawlerId: crawlRuns.crawlerId,
  siteId: crawlRuns.siteId,
  crawlerName: crawlers.name,
  kind: crawlers.kind,
  number: crawlRuns.number,
  state: crawlRuns.state,
  trigger: crawlRuns.trigger,
  score: crawlRuns.score,
  counters: crawlRuns.counters,
  createdAt: crawlRuns.createdAt,
  finishedAt: crawlRuns.finishedAt,
};

/** A run with the crawler that it is of. */
export type Run = Omit<CrawledRun, 'pages' | 'issues' | 'createdAt' | 'finishedAt'> & {
  readonly siteId: string;
  readonly counters: (typeof crawlRuns.$inferSelect)['counters'];
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

const runsOfCrawlers = (db: Db) => db.select(columns).from(crawlRuns).innerJoin(crawlers, eq(crawlers.id, crawlRuns.crawlerId));

/** A run of a site. Throws `not_found` for runs of others. */
export async function findRun(db: Db, siteId: string, id: string): Promise<Run> {
  const [run] = await runsOfCrawlers(db).where(and(eq(crawlRuns.id, id), eq(crawlRuns.siteId, siteId)));
  return run ?? fail('not_found');
}

/** Runs of a site that have pages, the newest first. */
export const runsWithPages = (db: Db, siteId: string): Promise<Run[]> =>
  runsOfCrawlers(db)
    .where(and(eq(crawlers.siteId, siteId), sql`exists (select from crawl_pages p where p.run_id = ${crawlRuns.id})`))
    .orderBy(desc(crawlRuns.createdAt), desc(crawlRuns.id))
    .limit(inventoryLimits.trend);

export const runResponse = ({ siteId: _siteId, counters, createdAt, finishedAt, ...run }: Run): CrawledRun => ({
  ...run,
  pages: counters.pages,
  issues: counters.issues,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});
