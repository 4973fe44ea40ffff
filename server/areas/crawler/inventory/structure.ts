import { sql } from 'drizzle-orm';
import type { CrawlRedirect, CrawlSitemaps, CrawlTemplate, PageRef } from '../../../../contract/crawler/inventorySchemas';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { SkipReason } from '../../../../contract/crawler/terms';
import { partOf, positionOf } from './cursor';
import { orphanSql } from './pageFilter';
import { countPages, refsOf } from './pageQueries';
import type { Db, Run } from './runs';

type TemplateRow = Omit<CrawlTemplate, 'example'> & { readonly example: number };

/** Templates of the pages of a run, the largest first. */
export async function templatesOf(db: Db, run: Run): Promise<CrawlTemplate[]> {
  const { rows } = await db.execute<TemplateRow>(sql`
    with issue as (
      select i.url_id, count(*) as issues, count(*) filter (where f.severity = 'error') as errors
      from crawl_findings f join crawl_issues i on i.id = f.issue_id where f.run_id = ${run.id} and i.url_id is not null group by i.url_id)
    select p.template, count(*)::int as pages, count(*) filter (where p.indexable)::int as indexable, coalesce(sum(issue.issues), 0)::int as issues,
      coalesce(sum(issue.errors), 0)::int as errors, (array_agg(p.url_id::float8 order by p.page_rank desc nulls last, p.url_id))[1] as example,
      (array_agg(distinct u.family))[1:5] as families, percentile_disc(0.5) within group (order by p.first_byte_ms)::int as "medianMs",
      percentile_disc(0.5) within group (order by p.units)::int as "medianUnits", coalesce(sum(p.page_rank), 0)::float8 as "pageRank"
    from crawl_pages p join crawl_urls u on u.site_id = ${run.siteId} and u.id = p.url_id left join issue on issue.url_id = p.url_id
    where p.run_id = ${run.id} and p.internal and p.html and p.template is not null
    group by p.template order by pages desc, p.template limit 200`);
  const refs = await refsOf(
    db,
    run,
    rows.map(({ example }) => example),
  );
  return rows.map((row) => ({ ...row, example: refs.get(row.example) ?? null }));
}

/** Redirects with every hop, in the order of their ids. */
export async function redirectsOf(
  db: Db,
  run: Run,
  { before, size }: { readonly before?: string | undefined; readonly size: number },
): Promise<{ rows: CrawlRedirect[]; next: string | null }> {
  const after = positionOf(before, [0, 0]);
  const place = after === null ? sql`` : sql`and (p.links_in, p.url_id) < (${after[0]}::int, ${String(after[1])}::bigint)`;
  const { rows } = await db.execute<{ id: number; linksIn: number; hops: number[] }>(sql`
    with recursive begin as (
      select p.url_id, p.links_in, p.redirect_to from crawl_pages p
      where p.run_id = ${run.id} and p.redirect_to is not null ${place} order by p.links_in desc, p.url_id desc limit ${size + 1}),
    way as (
      select url_id as start, redirect_to as at, array[redirect_to] as hops from begin
      union all
      select way.start, p.redirect_to, way.hops || p.redirect_to from way join crawl_pages p on p.run_id = ${run.id} and p.url_id = way.at
      where p.redirect_to is not null and way.at <> way.start and cardinality(way.hops) <= ${crawlLimits.redirects} and not p.redirect_to = any(way.hops))
    select begin.url_id::float8 as id, begin.links_in as "linksIn",
      (select array_agg(hop::float8 order by at) from unnest((select hops from way where way.start = begin.url_id order by cardinality(hops) desc limit 1))
        with ordinality as one(hop, at)) as hops
    from begin order by begin.links_in desc, begin.url_id desc`);
  const { rows: part, next } = partOf(rows, size, ({ linksIn, id }) => [linksIn, id]);
  const refs = await refsOf(
    db,
    run,
    part.flatMap(({ id, hops }) => [id, ...hops]),
  );
  const refOf = (id: number): PageRef => refs.get(id) ?? { urlId: id, url: '', status: null, title: null };
  return {
    rows: part.map(({ id, linksIn, hops }) => {
      const last = refs.get(hops.at(-1) ?? id);
      // A way that ends at a redirect goes round, or was too long to follow.
      return { from: refOf(id), hops: hops.map(refOf), loops: hops.includes(id) || ((last?.status ?? 0) >= 300 && (last?.status ?? 0) < 400), linksIn };
    }),
    next,
  };
}

/** What sitemaps list, compared with what a run found. */
export async function sitemapsOf(db: Db, run: Run): Promise<CrawlSitemaps> {
  const [listed, skipped, missing, orphans] = await Promise.all([
    db.execute<{ reason: CrawlSitemaps['notIndexable'][number]['reason']; pages: number }>(
      sql`select index_reason as reason, count(*)::int as pages from crawl_pages where run_id = ${run.id} and in_sitemap group by 1 order by 2 desc, 1`,
    ),
    db.execute<{ reason: SkipReason | null; pages: number; examples: string[] }>(sql`
      select f.skip_reason as reason, count(*)::int as pages, (array_agg(u.url order by u.url))[1:5] as examples
      from crawl_frontier f join crawl_urls u on u.site_id = ${run.siteId} and u.id = f.url_id
      where f.run_id = ${run.id} and f.source = 'sitemap' and not exists (select from crawl_pages p where p.run_id = f.run_id and p.url_id = f.url_id)
      group by 1 order by 2 desc`),
    countPages(db, run, { kind: 'page', indexing: 'indexable', sitemap: '0' }),
    db.execute<{ pages: number }>(sql`select count(*)::int as pages from crawl_pages p where p.run_id = ${run.id} and p.in_sitemap and ${orphanSql}`),
  ]);
  const indexable = listed.rows.find(({ reason }) => reason === 'ok')?.pages ?? 0;
  const skippedPages = skipped.rows.reduce((sum, { pages }) => sum + pages, 0);
  return {
    listed: listed.rows.reduce((sum, { pages }) => sum + pages, skippedPages),
    indexable,
    notIndexable: listed.rows.filter(({ reason }) => reason !== 'ok'),
    skipped: skipped.rows,
    missing,
    orphans: orphans.rows[0]?.pages ?? 0,
  };
}
