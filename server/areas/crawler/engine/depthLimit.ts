import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../../context';
import type { RunningJob } from '../../../worker';
import { crawlRuns } from '../schema';
import { answerOf } from './crawlProcess';
import type { CrawlProcess } from './crawlProcess';
import { priorityOf } from './frontier';
import type { FrontierSource } from './frontier';
import { crawlLinkClasses, crawlMarks, unknownDepth } from './linkGraph';
import { sendLinks } from './ranking';
import type { RunRow } from './runs';
import { createScope } from './scope';
import type { Scope } from './scope';

const perRead = 20_000;
const perStatement = 10_000;
const { link, redirect, nofollow, other } = crawlLinkClasses;
/** As `visit.ts` puts links into the frontier; addresses of other kinds of links are not read. */
const isFollowed = `kind IN ('a', 'frame', 'next', 'previous', 'refresh', 'canonical', 'hreflang', 'redirect')`;
const linkClass = `multiIf(kind = 'redirect', ${redirect}, kind IN ('refresh', 'canonical', 'hreflang'), ${other}, nofollow = 1, ${nofollow}, ${link})`;
const isClosed = `EXISTS (SELECT 1 FROM crawl_pages p WHERE p.run_id = f.run_id AND p.url_id = f.url_id
  AND p.facts @? '$.robots[*] ? (@.agent == "*" && (@.directives[*] == "nofollow" || @.directives[*] == "none"))')`;

type Addresses = { readonly ids: Float64Array; readonly marks: Uint8Array; readonly skipped: Uint8Array };

const isTooDeep = `f.state = 2 AND f.skip_reason = 'depth'`;

/** Whether a run's limit of clicks excluded anything, which is quick to tell without reading all of its addresses. */
async function hasTooDeep(ctx: Context, run: RunRow): Promise<boolean> {
  const { rows } = await ctx.postgres.pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM crawl_frontier f WHERE f.run_id = $1 AND ${isTooDeep}) AS found`,
    [run.id],
  );
  return rows[0]?.found === true;
}

/** What a run read, and what its limit of clicks excluded, by id. */
async function addressesOf(ctx: Context, run: RunRow, scope: Scope): Promise<Addresses> {
  const ids: number[] = [];
  const marks: number[] = [];
  const skipped: number[] = [];
  const hasForeign = !run.verified || run.config.scope.mode === 'domain';
  for (let last = -1; ;) {
    const { rows } = await ctx.postgres.pool.query<{ id: string; skipped: boolean; start: boolean; host: string; closed: boolean }>(
      `SELECT f.url_id AS id, f.state = 2 AS skipped, f.state = 1 AND f.source IN ('seed', 'sitemap') AS start,
         u.host, ${hasForeign ? isClosed : 'false'} AS closed
       FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id
       WHERE f.run_id = $1 AND f.url_id > $3 AND (f.state = 1 AND f.source NOT IN ('external', 'resource') OR ${isTooDeep})
       ORDER BY f.url_id LIMIT ${perRead}`,
      [run.id, run.siteId, last],
    );
    for (const row of rows) {
      const isForeign = hasForeign && !(run.verified && scope.isSeedHost(row.host));
      ids.push(Number(row.id));
      marks.push((row.start ? crawlMarks.start : 0) | (isForeign ? crawlMarks.gentle : 0) | (isForeign && row.closed ? crawlMarks.closed : 0));
      skipped.push(Number(row.skipped));
    }
    if (rows.length < perRead) break;
    last = ids.at(-1) as number;
  }
  return { ids: Float64Array.from(ids), marks: Uint8Array.from(marks), skipped: Uint8Array.from(skipped) };
}

/** Addresses that were skipped as too deep, with their depths, unless something else excludes them. */
async function admissible(ctx: Context, run: RunRow, scope: Scope, near: ReadonlyMap<number, number>) {
  const found: { readonly url_id: number; readonly depth: number; readonly priority: number }[] = [];
  const ids = [...near.keys()];
  for (let at = 0; at < ids.length; at += perStatement) {
    const { rows } = await ctx.postgres.pool.query<{ id: string; url: string; source: FrontierSource }>(
      `SELECT u.id, u.url, f.source FROM crawl_frontier f JOIN crawl_urls u ON u.site_id = $2 AND u.id = f.url_id WHERE f.run_id = $1 AND f.url_id = ANY($3::bigint[])`,
      [run.id, run.siteId, ids.slice(at, at + perStatement)],
    );
    for (const { id, url, source } of rows) {
      const depth = near.get(Number(id)) as number;
      if (scope.skip(url, depth) === null) found.push({ url_id: Number(id), depth, priority: priorityOf({ source, depth, attempts: 0, late: 0 }) });
    }
  }
  return found;
}

/**
 * Queues addresses that the limit of clicks excluded only because a longer path to them was followed first: the shortest paths are known once all pages are read. Returns their
 * number; after they have been read, there may be more. All of this follows from journal and links, so nothing is lost if a process is killed.
 */
export async function admitNearer(ctx: Context, run: RunRow, job: Pick<RunningJob, 'id' | 'isHeld'>, child: CrawlProcess): Promise<number> {
  const { maxDepth } = run.config.scope;
  if (maxDepth === null || !(await hasTooDeep(ctx, run))) return 0;
  const scope = createScope(run.config);
  const { ids, marks, skipped } = await addressesOf(ctx, run, scope);
  child.send({ type: 'graph', ids, starts: marks });
  await sendLinks(ctx, run, child, { addresses: ids.length, kind: linkClass, by: `src, dst, ${linkClass}`, where: isFollowed });
  child.send({ type: 'depths' });
  const { depths } = await answerOf(child, 'depths');
  const near = new Map<number, number>();
  depths.forEach((depth, at) => {
    if (skipped[at] === 1 && depth !== unknownDepth && depth <= maxDepth) near.set(ids[at] as number, depth);
  });
  const rows = await admissible(ctx, run, scope, near);
  if (rows.length === 0) return 0;
  await ctx.postgres.db.transaction(async (tx) => {
    if (!(await job.isHeld(tx))) throw new Error('the job was lost to another worker');
    for (let at = 0; at < rows.length; at += perStatement)
      await tx.execute(sql`UPDATE crawl_frontier f SET state = 0, skip_reason = NULL, depth = x.depth, priority = x.priority
        FROM json_to_recordset(${JSON.stringify(rows.slice(at, at + perStatement))}::json) AS x(url_id bigint, depth smallint, priority real)
        WHERE f.run_id = ${run.id} AND f.url_id = x.url_id AND f.state = 2`);
    await tx
      .update(crawlRuns)
      .set({ counters: sql`jsonb_set(counters, '{skipped}', to_jsonb(greatest(0, (counters ->> 'skipped')::int - ${rows.length}::int)))` })
      .where(and(eq(crawlRuns.id, run.id), eq(crawlRuns.jobId, job.id)));
  });
  return rows.length;
}
