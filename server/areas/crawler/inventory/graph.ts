import { setImmediate as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { CrawlGraph, PageRef } from '../../../../contract/crawler/inventorySchemas';
import { inventoryLimits } from '../../../../contract/crawler/inventoryTerms';
import type { Context } from '../../../context';
import { countPages } from './pageQueries';
import { pageEdges } from './linkQueries';
import type { Db, Run } from './runs';

type NodeRow = { template: string; pages: number; depth: number; pageRank: number; urlId: number; url: string; status: number; title: string | null };

/** The largest templates of a run, the others as one with an empty name. */
async function nodesOf(db: Db, run: Run): Promise<CrawlGraph['nodes']> {
  const { rows } = await db.execute<NodeRow>(sql`
    with sized as (
      select coalesce(p.template, '') as template, row_number() over (order by (p.template is null), count(*) desc, p.template) as place
      from crawl_pages p where p.run_id = ${run.id} and p.internal and p.html group by p.template),
    page as (
      select case when s.place <= ${inventoryLimits.graphTemplates} then s.template else '' end as node, p.*
      from crawl_pages p join sized s on s.template = coalesce(p.template, '') where p.run_id = ${run.id} and p.internal and p.html),
    node as (
      select node, count(*)::int as pages, avg(depth)::float8 as depth, coalesce(sum(page_rank), 0)::float8 as rank,
        (array_agg(url_id order by page_rank desc nulls last, url_id))[1] as example
      from page group by node)
    select n.node as template, n.pages, n.depth, n.rank as "pageRank", u.id::float8 as "urlId", u.url, p.status, p.title
    from node n join crawl_urls u on u.site_id = ${run.siteId} and u.id = n.example join crawl_pages p on p.run_id = ${run.id} and p.url_id = n.example
    order by (n.node = ''), n.pages desc, n.node`);
  return rows.map(({ template, pages, depth, pageRank, ...example }) => ({ template, pages, depth, pageRank, example }));
}

/** The node of every page of the site. */
async function nodeByPage(db: Db, run: Run, nodes: CrawlGraph['nodes']): Promise<Map<number, number>> {
  const place = new Map(nodes.map(({ template }, at) => [template, at]));
  const { rows } = await db.execute<{ id: number; template: string | null }>(
    sql`select url_id::float8 as id, template from crawl_pages where run_id = ${run.id} and internal and html`,
  );
  const others = place.get('') ?? -1;
  return new Map(rows.map(({ id, template }) => [id, place.get(template ?? '') ?? others]));
}

/** Rows of `pageEdges` that are read without a pause. */
const rowsAtOnce = 100_000;
const rowBytes = 20;

/** Links between nodes, counted from the links between pages. */
async function countEdges(edges: Uint8Array<ArrayBuffer>, nodeOf: ReadonlyMap<number, number>, size: number): Promise<Float64Array> {
  const counts = new Float64Array(size * size);
  const view = new DataView(edges.buffer, edges.byteOffset, edges.byteLength);
  const idAt = (at: number): number => view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
  for (let at = 0, row = 1; at + rowBytes <= view.byteLength; at += rowBytes, row++) {
    const from = nodeOf.get(idAt(at)) ?? -1;
    const to = nodeOf.get(idAt(at + 8)) ?? -1;
    if (from >= 0 && to >= 0) counts[from * size + to] = (counts[from * size + to] ?? 0) + view.getUint32(at + 16, true);
    if (row % rowsAtOnce === 0) await pause();
  }
  return counts;
}

type Ranked = PageRef & { readonly pageRank: number; readonly linksIn: number };

const rankedPages = async (db: Db, run: Run, direction: 'top' | 'bottom'): Promise<Ranked[]> => {
  const order = direction === 'top' ? sql`p.page_rank desc, p.url_id` : sql`p.page_rank, p.url_id`;
  const { rows } = await db.execute<Ranked>(sql`
    select p.url_id::float8 as "urlId", u.url, p.status, p.title, p.page_rank::float8 as "pageRank", p.links_in as "linksIn"
    from crawl_pages p join crawl_urls u on u.site_id = ${run.siteId} and u.id = p.url_id
    where p.run_id = ${run.id} and p.internal and p.html and p.indexable and p.page_rank is not null order by ${order} limit 10`);
  return rows;
};

/** How the pages of a run are linked. */
export async function graphOf(ctx: Context, run: Run): Promise<CrawlGraph> {
  const { db } = ctx.postgres;
  const [nodes, top, bottom, depths, orphans, redirects, failed, missing] = await Promise.all([
    nodesOf(db, run),
    rankedPages(db, run, 'top'),
    rankedPages(db, run, 'bottom'),
    db.execute<{ depth: number; pages: number }>(
      sql`select depth, count(*)::int as pages from crawl_pages where run_id = ${run.id} and internal and html group by depth order by depth`,
    ),
    countPages(db, run, { orphan: '1' }),
    countPages(db, run, { status: '3xx' }),
    countPages(db, run, { range: ['status:400:'] }),
    countPages(db, run, { status: 'none' }),
  ]);
  const { edges, weight } = await pageEdges(ctx, run);
  const counts = await countEdges(edges, await nodeByPage(db, run, nodes), nodes.length);
  const nameOf = (at: number): string => nodes[at]?.template ?? '';
  return {
    nodes,
    edges: Array.from(counts, (links, at) => ({ from: nameOf(Math.floor(at / nodes.length)), to: nameOf(at % nodes.length), links: links * weight })).filter(
      ({ links }) => links > 0,
    ),
    sampled: weight > 1,
    depths: depths.rows,
    top,
    bottom,
    orphans,
    redirects,
    broken: failed + missing,
  };
}
