import type { Context } from '../../../context';
import { answerOf } from './crawlProcess';
import type { CrawlProcess } from './crawlProcess';
import type { JournalRun } from './journal';
import { linkClasses, pageStarts, unknownDepth } from './linkGraph';

const perStatement = 10_000;
/** The largest `smallint`. */
const deepest = 2 ** 15 - 1;

/** The internal pages that a run read, by id. */
async function pagesOf(ctx: Context, run: JournalRun): Promise<{ readonly ids: Float64Array; readonly starts: Uint8Array }> {
  const { rows } = await ctx.postgres.pool.query<{ id: string; start: number }>(
    `SELECT p.url_id AS id, CASE WHEN f.source = 'seed' THEN ${pageStarts.seed} WHEN p.in_sitemap THEN ${pageStarts.sitemap} ELSE ${pageStarts.none} END AS start
     FROM crawl_pages p LEFT JOIN crawl_frontier f ON f.run_id = p.run_id AND f.url_id = p.url_id WHERE p.run_id = $1 AND p.internal ORDER BY p.url_id`,
    [run.id],
  );
  return { ids: Float64Array.from(rows, ({ id }) => Number(id)), starts: Uint8Array.from(rows, ({ start }) => start) };
}

const linkClass = `multiIf(kind = 'redirect', ${linkClasses.redirect}, kind IN ('a', 'frame') AND nofollow = 0, ${linkClasses.followed}, kind IN ('a', 'frame', 'refresh'), ${linkClasses.unranked}, ${linkClasses.other})`;

/** Passes on the links between internal addresses of a run, source by source, so that no result is larger than a part of them. Of links that have the columns `by` in common, the lowest class counts. */
export async function sendLinks(
  ctx: Context,
  run: Pick<JournalRun, 'id' | 'siteId'>,
  child: CrawlProcess,
  { addresses, kind, by, where = '1' }: { readonly addresses: number; readonly kind: string; readonly by: string; readonly where?: string },
): Promise<void> {
  const parts = Math.max(1, Math.ceil(addresses / 20_000));
  for (let part = 0; part < parts; part += 1) {
    const rows = await ctx.clickhouse.queryBytes(
      `SELECT src, dst, toUInt8(min(${kind})) FROM crawl_links
       WHERE site_id = {site:String} AND run_id = {run:String} AND internal = 1 AND ${where} AND src % {parts:UInt32} = {part:UInt32} GROUP BY ${by}`,
      { params: { site: run.siteId, run: run.id, parts, part } },
    );
    child.send({ type: 'edges', rows });
  }
}

/** Stores the number of links to each page, its PageRank and its depth. The process of the crawl computes them from all links of the run in ClickHouse, which also has those that other workers read. */
export async function rankPages(ctx: Context, run: JournalRun, child: CrawlProcess): Promise<void> {
  const { ids, starts } = await pagesOf(ctx, run);
  if (ids.length === 0) return;
  child.send({ type: 'graph', ids, starts });
  await sendLinks(ctx, run, child, { addresses: ids.length, kind: linkClass, by: 'src, dst' });
  child.send({ type: 'rank' });
  const ranked = await answerOf(child, 'ranked');
  for (let at = 0; at < ids.length; at += perStatement) {
    const end = at + perStatement;
    const depths = Array.from(ranked.depths.subarray(at, end), (depth) => (depth === unknownDepth ? null : Math.min(depth, deepest)));
    await ctx.postgres.pool.query(
      `UPDATE crawl_pages p SET links_in = x.links_in, page_rank = x.rank, depth = coalesce(x.depth, p.depth)
       FROM unnest($2::bigint[], $3::int[], $4::real[], $5::smallint[]) AS x(id, links_in, rank, depth) WHERE p.run_id = $1 AND p.url_id = x.id`,
      [run.id, Array.from(ids.subarray(at, end)), Array.from(ranked.linksIn.subarray(at, end)), Array.from(ranked.ranks.subarray(at, end)), depths],
    );
  }
}
