import { and, asc, count, desc, eq, gt, ilike, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { openRunStates } from '../../../../contract/crawler/terms';
import type { CrawlerKind, RunState } from '../../../../contract/crawler/terms';
import { containing } from '../../../stores/postgres/like';
import { crawlFamilies, crawlPages, crawlRows, crawlRuns, crawlUrls, crawlers } from '../schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type CrawlerRecord = typeof crawlers.$inferSelect;
export type RunRecord = typeof crawlRuns.$inferSelect;

export const findCrawler = async (db: Db, id: string): Promise<CrawlerRecord | null> =>
  (await db.select().from(crawlers).where(eq(crawlers.id, id)))[0] ?? null;
/** The crawler, locked until the transaction ends. */
export const lockCrawler = async (db: Db, id: string): Promise<CrawlerRecord | null> =>
  (await db.select().from(crawlers).where(eq(crawlers.id, id)).for('update'))[0] ?? null;
export const findRun = async (db: Db, id: string): Promise<RunRecord | null> => (await db.select().from(crawlRuns).where(eq(crawlRuns.id, id)))[0] ?? null;
export const countCrawlers = async (db: Db, siteId: string): Promise<number> =>
  (await db.select({ n: count() }).from(crawlers).where(eq(crawlers.siteId, siteId)))[0]?.n ?? 0;

export const firstCrawler = async (db: Db, siteId: string): Promise<CrawlerRecord | null> =>
  (await db.select().from(crawlers).where(eq(crawlers.siteId, siteId)).orderBy(asc(crawlers.createdAt)).limit(1))[0] ?? null;
export const insertCrawler = async (db: Db, row: typeof crawlers.$inferInsert): Promise<CrawlerRecord> => {
  const [created] = await db.insert(crawlers).values(row).returning();
  if (!created) throw new Error('a crawler was not inserted');
  return created;
};
/** Null if the crawler has another revision by now. */
export const changeCrawler = async (db: Db, id: string, revision: number, row: Partial<CrawlerRecord>): Promise<CrawlerRecord | null> =>
  (
    await db
      .update(crawlers)
      .set({ ...row, revision: revision + 1 })
      .where(and(eq(crawlers.id, id), eq(crawlers.revision, revision)))
      .returning()
  )[0] ?? null;
export const deleteCrawler = (db: Db, id: string) => db.delete(crawlers).where(eq(crawlers.id, id));

export type CrawlerFilter = {
  readonly siteIds: readonly string[];
  readonly q?: string | undefined;
  readonly kind?: CrawlerKind | undefined;
  readonly state?: 'never' | 'open' | 'completed' | 'limited' | 'stopped' | 'failed' | undefined;
};

/** The state of the last run of a row of `crawlers`; null: none. */
const lastState = sql`(select r.state from crawl_runs r where r.crawler_id = ${crawlers.id} order by r.number desc limit 1)`;
function lastStateIs(requested: NonNullable<CrawlerFilter['state']>): SQL {
  if (requested === 'never') return sql`${lastState} is null`;
  return requested === 'open' ? inArray(lastState, [...openRunStates]) : sql`${lastState} = ${requested}`;
}

/** Crawlers by name, with the total number. */
export async function crawlersOf(
  db: Db,
  { siteIds, q, kind, state }: CrawlerFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: CrawlerRecord[]; total: number }> {
  if (siteIds.length === 0) return { rows: [], total: 0 };
  const where = and(
    inArray(crawlers.siteId, [...siteIds]),
    kind && eq(crawlers.kind, kind),
    q ? or(ilike(crawlers.name, containing(q)), sql`${crawlers.config}->'seeds'->>0 ilike ${containing(q)}`) : undefined,
    state && lastStateIs(state),
  );
  const [rows, [total]] = await Promise.all([
    db
      .select()
      .from(crawlers)
      .where(where)
      .orderBy(asc(crawlers.name), asc(crawlers.id))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ n: count() }).from(crawlers).where(where),
  ]);
  return { rows, total: total?.n ?? 0 };
}

const anyOf = (ids: readonly string[]): SQL => sql`any(${sql.param([...ids])}::uuid[])`;

/** The latest run of each crawler. A crawler may have tens of thousands of runs, so only that one is read. */
export const lastRuns = (db: Db, crawlerIds: readonly string[]): Promise<RunRecord[]> =>
  db
    .select()
    .from(crawlRuns)
    .where(
      sql`${crawlRuns.id} in (
        select (select r.id from crawl_runs r where r.crawler_id = c.id order by r.number desc limit 1) from crawlers c where c.id = ${anyOf(crawlerIds)})`,
    );

/** Scores of the last `most` runs that have one, oldest first, by crawler. */
export async function scoresOf(db: Db, crawlerIds: readonly string[], most: number): Promise<Map<string, number[]>> {
  const { rows } = await db.execute<{ crawlerId: string; score: number }>(sql`
    select c.id as "crawlerId", last.score from crawlers c cross join lateral (
      select r.number, r.score from crawl_runs r where r.crawler_id = c.id and r.score is not null order by r.number desc limit ${most}) last
    where c.id = ${anyOf(crawlerIds)} order by last.number`);
  const scores = new Map<string, number[]>();
  for (const { crawlerId, score } of rows) scores.set(crawlerId, [...(scores.get(crawlerId) ?? []), score]);
  return scores;
}

/** Errors and warnings that are open or regressed, of the sites that have crawlers with runs. */
export async function issuesBySite(db: Db, siteIds: readonly string[]): Promise<{ siteId: string; errors: number; warnings: number }[]> {
  const { rows } = await db.execute<{ siteId: string; errors: number; warnings: number }>(sql`
    select c.site_id as "siteId", sum((c.open_issues->>'error')::int)::int as errors, sum((c.open_issues->>'warning')::int)::int as warnings
    from crawlers c
    where c.site_id = any(${sql.param([...siteIds])}::text[]) and exists (select 1 from crawl_runs r where r.crawler_id = c.id)
    group by c.site_id`);
  return rows;
}

/** Latest first, with one more than `size` if there are more. */
export const runsOf = (db: Db, crawlerId: string, before: number | null, size: number): Promise<RunRecord[]> =>
  db
    .select()
    .from(crawlRuns)
    .where(and(eq(crawlRuns.crawlerId, crawlerId), before === null ? undefined : lt(crawlRuns.number, before)))
    .orderBy(desc(crawlRuns.number))
    .limit(size + 1);

export const openRun = async (db: Db, crawlerId: string): Promise<RunRecord | null> =>
  (
    await db
      .select()
      .from(crawlRuns)
      .where(and(eq(crawlRuns.crawlerId, crawlerId), inArray(crawlRuns.state, [...openRunStates])))
  )[0] ?? null;

export const recentPages = (db: Db, { id, siteId }: Pick<RunRecord, 'id' | 'siteId'>, most: number) =>
  db
    .select({
      url: crawlUrls.url,
      status: crawlPages.status,
      error: crawlPages.error,
      ms: crawlPages.totalMs,
      bytes: crawlPages.wireBytes,
      at: crawlPages.fetchedAt,
    })
    .from(crawlPages)
    .innerJoin(crawlUrls, and(eq(crawlUrls.id, crawlPages.urlId), eq(crawlUrls.siteId, siteId)))
    .where(eq(crawlPages.runId, id))
    .orderBy(desc(crawlPages.fetchedAt))
    .limit(most);

/** Bytes and times to the first byte of the pages since an instant. */
export async function speedSince(db: Db, runId: string, since: Date): Promise<{ bytes: number; median: number | null; p95: number | null }> {
  const [row] = await db
    .select({
      bytes: sql<number>`coalesce(sum(${crawlPages.wireBytes}), 0)::float8`,
      median: sql<number | null>`percentile_cont(0.5) within group (order by ${crawlPages.firstByteMs})`,
      p95: sql<number | null>`percentile_cont(0.95) within group (order by ${crawlPages.firstByteMs})`,
    })
    .from(crawlPages)
    .where(and(eq(crawlPages.runId, runId), gt(crawlPages.fetchedAt, since), gt(crawlPages.status, 0)));
  return row ?? { bytes: 0, median: null, p95: null };
}

export const familiesOf = (db: Db, runId: string) =>
  db
    .select()
    .from(crawlFamilies)
    .where(eq(crawlFamilies.runId, runId))
    .orderBy(desc(crawlFamilies.waiting), asc(crawlFamilies.host), asc(crawlFamilies.family))
    .limit(500);
export const pausedFamilies = async (db: Db, runId: string): Promise<number> =>
  (
    await db
      .select({ n: count() })
      .from(crawlFamilies)
      .where(and(eq(crawlFamilies.runId, runId), eq(crawlFamilies.state, 'paused')))
  )[0]?.n ?? 0;

export const extractionsOf = (db: Db, runId: string): Promise<{ extraction: string; rows: number }[]> =>
  db
    .select({ extraction: crawlRows.extraction, rows: count() })
    .from(crawlRows)
    .where(eq(crawlRows.runId, runId))
    .groupBy(crawlRows.extraction)
    .orderBy(asc(crawlRows.extraction));

export type ExtractedRow = { readonly urlId: number; readonly url: string; readonly row: number; readonly values: typeof crawlRows.$inferSelect.values };
/** Rows of an extraction by address, after a position, at most `size`. */
export const extractedRows = (
  db: Db,
  { id, siteId }: Pick<RunRecord, 'id' | 'siteId'>,
  extraction: string,
  after: { readonly urlId: number; readonly row: number } | null,
  size: number,
): Promise<ExtractedRow[]> =>
  db
    .select({ urlId: crawlRows.urlId, url: crawlUrls.url, row: crawlRows.row, values: crawlRows.values })
    .from(crawlRows)
    .innerJoin(crawlUrls, and(eq(crawlUrls.id, crawlRows.urlId), eq(crawlUrls.siteId, siteId)))
    .where(
      and(
        eq(crawlRows.runId, id),
        eq(crawlRows.extraction, extraction),
        after ? sql`(${crawlRows.urlId}, ${crawlRows.row}) > (${after.urlId}, ${after.row})` : undefined,
      ),
    )
    .orderBy(asc(crawlRows.urlId), asc(crawlRows.row))
    .limit(size);

/** Addresses that crawlers of a site have met. */
export const knownUrls = async (db: Db, siteId: string, hosts: readonly string[], most: number): Promise<string[]> =>
  hosts.length === 0
    ? []
    : (
        await db
          .select({ url: crawlUrls.url })
          .from(crawlUrls)
          .where(and(eq(crawlUrls.siteId, siteId), inArray(crawlUrls.host, [...hosts])))
          .orderBy(asc(crawlUrls.family), asc(crawlUrls.id))
          .limit(most)
      ).map(({ url }) => url);

/** Crawlers whose time has come, locked for the transaction. */
export const dueCrawlers = (db: Db, now: Date, most: number): Promise<CrawlerRecord[]> =>
  db
    .select()
    .from(crawlers)
    .where(and(crawlers.enabled, lte(crawlers.nextAt, now)))
    .orderBy(asc(crawlers.nextAt))
    .limit(most)
    .for('update', { skipLocked: true });
export const setNext = (db: Db, id: string, nextAt: Date | null) => db.update(crawlers).set({ nextAt }).where(eq(crawlers.id, id));

const ended: readonly RunState[] = ['stopped', 'completed', 'limited', 'failed'];
/** The longest ended run whose end was not announced, locked for the transaction. */
export const takeEnded = async (db: Db): Promise<RunRecord | null> =>
  (
    await db
      .select()
      .from(crawlRuns)
      .where(and(inArray(crawlRuns.state, [...ended]), isNull(crawlRuns.announcedAt)))
      .orderBy(asc(crawlRuns.finishedAt))
      .limit(1)
      .for('update', { skipLocked: true })
  )[0] ?? null;
export const setAnnounced = (db: Db, id: string, now: Date) => db.update(crawlRuns).set({ announcedAt: now }).where(eq(crawlRuns.id, id));

/** Ended runs beyond those whose pages are stored, oldest first. */
export async function surplusRuns(db: Db, most: number): Promise<{ id: string; siteId: string }[]> {
  const ranked = db
    .select({
      id: crawlRuns.id,
      siteId: crawlRuns.siteId,
      retained: crawlers.retainedRuns,
      place: sql<number>`row_number() over (partition by ${crawlRuns.crawlerId} order by ${crawlRuns.number} desc)`.as('place'),
    })
    .from(crawlRuns)
    .innerJoin(crawlers, eq(crawlers.id, crawlRuns.crawlerId))
    .where(and(inArray(crawlRuns.state, [...ended]), eq(crawlRuns.purged, false)))
    .as('ranked');
  return db.select({ id: ranked.id, siteId: ranked.siteId }).from(ranked).where(gt(ranked.place, ranked.retained)).limit(most);
}

/** Runs of a crawler whose pages are stored. */
export const runIdsOf = async (db: Db, crawlerId: string): Promise<string[]> =>
  (
    await db
      .select({ id: crawlRuns.id })
      .from(crawlRuns)
      .where(and(eq(crawlRuns.crawlerId, crawlerId), eq(crawlRuns.purged, false)))
  ).map(({ id }) => id);
