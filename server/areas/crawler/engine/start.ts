import { and, asc, between, desc, eq, gt, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import { DAY } from '../../../zone';
import { crawlFamilies, crawlPages, crawlRobots, crawlRuns, crawlers } from '../schema';
import { deliveredOrigins } from './ownership';
import { findChromium } from './render/findChromium';
import { freshRun } from './protocol';
import type { BasePage, CrawlStart } from './protocol';
import type { RobotsCopy } from './robotsFiles';
import type { RunRow } from './runs';
import { createScope } from './scope';

const perMessage = 2000;
const mostBasePages = 200_000;
/** How long robots.txt of an earlier run may be used while it cannot be read (RFC 9309, 2.3.1.4 gives 30 days as an example). */
const oldestRobots = 30 * DAY;
const mostEarlierRobots = 100;

/** Headers with secrets of a crawler. */
export type OpenHeaders = (ctx: Context, sealed: Buffer | null) => Readonly<Record<string, string>>;

/** What a process that reads pages of a run is told, whether it leads the run or helps with it. */
export async function startOf(ctx: Context, row: RunRow, openHeaders: OpenHeaders): Promise<CrawlStart> {
  const [crawler] = await ctx.postgres.db.select({ secrets: crawlers.secrets }).from(crawlers).where(eq(crawlers.id, row.crawlerId));
  return {
    siteId: row.siteId,
    runId: row.id,
    config: row.config,
    verified: row.verified,
    allowNear: ctx.config.privateSites,
    ownOrigins: await deliveredOrigins(ctx, row.siteId),
    folder: ctx.files.location.kind === 'folder' ? ctx.files.location.folder : null,
    chromium: findChromium(ctx.config.chromiumPath),
    headers: { ...row.config.fetch.headers, ...openHeaders(ctx, crawler?.secrets ?? null) },
    ...freshRun,
  };
}

/** What earlier processes of the run found out, for one that leads it. */
export async function stateOf(ctx: Context, row: RunRow): Promise<Pick<CrawlStart, 'counters' | 'activeMs' | 'robots' | 'earlierRobots' | 'families'>> {
  const { db } = ctx.postgres;
  const [robots, earlierRobots, families] = await Promise.all([
    db.select().from(crawlRobots).where(eq(crawlRobots.runId, row.id)),
    readEarlierRobots(ctx, row),
    db.select().from(crawlFamilies).where(eq(crawlFamilies.runId, row.id)),
  ]);
  return {
    // Why pages were not rendered holds for the process that found it: there may be a browser by now.
    counters: { ...row.counters, renderStop: null },
    activeMs: row.activeMs,
    robots: robots.map(({ origin, status, body, failures }) => ({ origin, status, body, failures })),
    earlierRobots,
    families: families.map(({ host, family, pages, waiting, state, reason }) => ({ host, family, pages, waiting, state, reason })),
  };
}

/** The last robots.txt of each origin that earlier runs of the site read, those of the site first; that there is none counts as read. */
async function readEarlierRobots(ctx: Context, { id, siteId, config }: RunRow): Promise<RobotsCopy[]> {
  const { db } = ctx.postgres;
  const { origin, status, body, fetchedAt, runId } = crawlRobots;
  const found = await db
    .selectDistinctOn([origin], { origin, runId })
    .from(crawlRobots)
    .innerJoin(crawlRuns, eq(crawlRuns.id, runId))
    .where(and(eq(crawlRuns.siteId, siteId), ne(runId, id), between(status, 200, 499), ne(status, 429), gt(fetchedAt, new Date(ctx.now() - oldestRobots))))
    .orderBy(origin, desc(fetchedAt));
  const { isInternal } = createScope(config);
  const isOwn = (copy: { readonly origin: string }): boolean => isInternal(`${copy.origin}/`);
  const chosen = found.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a))).slice(0, mostEarlierRobots);
  if (chosen.length === 0) return [];
  const isChosen = or(...chosen.map((copy) => and(eq(runId, copy.runId), eq(origin, copy.origin))));
  return db.select({ origin, status, body }).from(crawlRobots).where(isChosen);
}

/** Pages of a run that can be asked whether they changed, and whose bodies are stored. */
export async function* basePages(ctx: Context, runId: string): AsyncIterable<BasePage[]> {
  const p = crawlPages;
  const stated = sql<string | null>`${p.facts} #>> '{headers,content-type}'`;
  let last = -1;
  for (let read = 0; read < mostBasePages; read += perMessage) {
    const rows = await ctx.postgres.db
      .select({ id: p.urlId, etag: p.etag, lastModified: p.lastModified, sha: p.sha, mime: p.mime, stated })
      .from(p)
      .where(and(eq(p.runId, runId), gt(p.urlId, last), isNotNull(p.sha), or(isNotNull(p.etag), isNotNull(p.lastModified))))
      .orderBy(asc(p.urlId))
      .limit(perMessage);
    yield rows.map(({ id, etag, lastModified, sha, mime, stated: contentType }) => ({
      id,
      etag,
      lastModified,
      sha: sha?.toString('hex') ?? '',
      contentType: contentType ?? mime,
    }));
    if (rows.length < perMessage) return;
    last = rows.at(-1)?.id ?? last;
  }
}
