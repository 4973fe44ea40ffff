import type { Context } from '../../../context';
import type { CrawlProcess } from './crawlProcess';
import type { JournalRun } from './journal';

const perStatement = 10_000;

/** Ids of the internal pages that a run read, sorted. */
async function pagesOf(ctx: Context, run: JournalRun): Promise<Float64Array> {
  const { rows } = await ctx.postgres.pool.query<{ id: string }>('SELECT url_id AS id FROM crawl_pages WHERE run_id = $1 AND internal ORDER BY url_id', [
    run.id,
  ]);
  return Float64Array.from(rows, ({ id }) => Number(id));
}

/** Counts links to pages and computes PageRank, in the process of the crawl, from the links that ClickHouse has. */
export async function rankPages(ctx: Context, run: JournalRun, child: CrawlProcess): Promise<void> {
  const ids = await pagesOf(ctx, run);
  if (ids.length === 0) return;
  // Source by source, so that no result is larger than a part of the links.
  const parts = Math.max(1, Math.ceil(ids.length / 20_000));
  for (let part = 0; part < parts; part += 1) {
    const rows = await ctx.clickhouse.queryBytes(
      `SELECT DISTINCT src, dst FROM crawl_links
       WHERE site_id = {site:String} AND run_id = {run:String} AND internal = 1 AND nofollow = 0 AND kind IN ('a', 'redirect', 'frame') AND src % {parts:UInt32} = {part:UInt32}`,
      { params: { site: run.siteId, run: run.id, parts, part } },
    );
    child.send({ type: 'edges', rows });
  }
  child.send({ type: 'rank', ids });
  const ranked = await child.next();
  if (ranked.type !== 'ranked') throw new Error(`unexpected message ${ranked.type}`);
  for (let at = 0; at < ids.length; at += perStatement) {
    const end = at + perStatement;
    await ctx.postgres.pool.query(
      `UPDATE crawl_pages p SET links_in = x.links_in, page_rank = x.rank FROM unnest($2::bigint[], $3::int[], $4::real[]) AS x(id, links_in, rank)
       WHERE p.run_id = $1 AND p.url_id = x.id`,
      [run.id, Array.from(ids.subarray(at, end)), Array.from(ranked.linksIn.subarray(at, end)), Array.from(ranked.ranks.subarray(at, end))],
    );
  }
}
