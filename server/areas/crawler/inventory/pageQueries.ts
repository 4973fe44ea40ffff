import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { CrawledPage, PageFacets, PageFilter, PageRef } from '../../../../contract/crawler/inventorySchemas';
import type { PageSort } from '../../../../contract/crawler/inventoryTerms';
import { orphanSql, pageCondition, pageKindSql, sortColumn } from './pageFilter';
import { partOf, positionOf } from './cursor';
import type { Db, Run } from './runs';

export type PageOrder = { readonly sort: PageSort; readonly dir: 'asc' | 'desc' };

export const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Rows of pages as the contract has them, except issues. bigint arrives as text, so ids are numbers of double precision, which they fit. */
const columns = sql`
  p.url_id::float8 as "urlId", u.url, ${pageKindSql} as kind, p.status, p.error, p.indexable, p.index_reason as "indexReason", p.title, p.description, p.h1,
  p.language, p.template, p.mime, p.depth, p.units, p.bytes, p.first_byte_ms as "firstByteMs", p.total_ms as "totalMs", p.links_in as "linksIn",
  p.links_internal as "linksInternal", p.links_external as "linksExternal", p.page_rank as "pageRank", p.in_sitemap as "inSitemap",
  ${iso(sql`p.fetched_at`)} as "fetchedAt"`;
/** Pages `p` with their addresses `u`. */
export const fromPages = (run: Pick<Run, 'siteId'>): SQL => sql`crawl_pages p join crawl_urls u on u.site_id = ${run.siteId} and u.id = p.url_id`;

type BareRow = Omit<CrawledPage, 'issues'>;

/** Issues of pages that a run found, ignored ones included. */
export async function issuesOf(db: Db, run: Pick<Run, 'id' | 'crawlerId'>, urlIds: readonly number[]): Promise<Map<number, number>> {
  if (urlIds.length === 0) return new Map();
  const { rows } = await db.execute<{ id: number; issues: number }>(sql`
    select i.url_id::float8 as id, count(*)::int as issues
    from crawl_issues i join crawl_findings f on f.run_id = ${run.id} and f.issue_id = i.id
    where i.crawler_id = ${run.crawlerId} and i.url_id = any(${sql.param(urlIds.map(String))}::bigint[]) group by 1`);
  return new Map(rows.map(({ id, issues }) => [id, issues]));
}

/** One part of the pages of a run. */
export async function listPages(
  db: Db,
  run: Run,
  filter: PageFilter,
  { sort, dir }: PageOrder,
  { before, size }: { readonly before?: string | undefined; readonly size: number },
): Promise<{ rows: CrawledPage[]; next: string | null }> {
  const { sql: column, isText } = sortColumn(sort);
  const after = isText ? positionOf(before, ['', 0]) : positionOf(before, [0, 0]);
  const direction = dir === 'asc' ? sql`asc` : sql`desc`;
  const beyond = dir === 'asc' ? sql`>` : sql`<`;
  const type = isText ? sql`text` : sql`float8`;
  const place = after === null ? sql`` : sql`and (${column}, p.url_id) ${beyond} (${after[0]}::${type}, ${String(after[1])}::bigint)`;
  const { rows } = await db.execute<BareRow & { place: string | number }>(sql`
    select ${columns}, ${isText ? column : sql`(${column})::float8`} as place from ${fromPages(run)}
    where ${pageCondition(run, filter)} ${place}
    order by ${column} ${direction}, p.url_id ${direction} limit ${size + 1}`);
  const { rows: part, next } = partOf(rows, size, ({ place: value, urlId }) => [value, urlId]);
  const counts = await issuesOf(
    db,
    run,
    part.map(({ urlId }) => urlId),
  );
  return {
    rows: part.map(({ place: _place, ...row }) => ({ ...row, issues: counts.get(row.urlId) ?? 0 })),
    next,
  };
}

export async function countPages(db: Db, run: Run, filter: Partial<PageFilter>): Promise<number> {
  const needsAddress = (filter.q ?? '') !== '' || filter.family !== undefined;
  const source = needsAddress ? fromPages(run) : sql`crawl_pages p`;
  const { rows } = await db.execute<{ total: number }>(sql`select count(*)::int as total from ${source} where ${pageCondition(run, filter)}`);
  return rows[0]?.total ?? 0;
}

const mostValues = 50;

/** How many pages of a run have each value of the filters. */
export async function facetsOf(db: Db, run: Run): Promise<PageFacets> {
  const [{ rows }, rules] = await Promise.all([
    db.execute<{ facet: number; value: string | null; pages: number }>(sql`
      with page as materialized (
        select case when p.status = 0 then 'none' else p.status::text end as status, p.index_reason, ${pageKindSql} as kind, p.language, p.template,
          p.depth::text as depth, ${orphanSql}::text as orphan, p.in_sitemap::text as sitemap, p.html
        from crawl_pages p where p.run_id = ${run.id})
      select grouping(status, index_reason, kind, language, template, depth, orphan, sitemap) as facet,
        coalesce(status, index_reason, kind, language, template, depth, orphan, sitemap) as value, count(*)::int as pages
      from page group by grouping sets ((status), (index_reason), (kind), (language), (template), (depth), (orphan), (sitemap), ())`),
    db.execute<{ value: string; pages: number }>(sql`
      select i.rule as value, count(distinct i.url_id)::int as pages from crawl_findings f join crawl_issues i on i.id = f.issue_id
      where f.run_id = ${run.id} and i.url_id is not null group by 1 order by 2 desc, 1`),
  ]);
  /** Bits of `grouping`: 0 is the set's own column, the first column being the highest bit. */
  const set = (at: number) => {
    const facet = 255 - 2 ** (7 - at);
    return rows
      .filter((row) => row.facet === facet && row.value !== null)
      .map(({ value, pages: count }) => ({ value: value ?? '', pages: count }))
      .toSorted((a, b) => b.pages - a.pages || (a.value < b.value ? -1 : 1));
  };
  const of = (at: number, value: string): number => set(at).find((one) => one.value === value)?.pages ?? 0;
  return {
    total: rows.find(({ facet }) => facet === 255)?.pages ?? 0,
    statuses: set(0).slice(0, mostValues),
    indexing: set(1),
    kinds: set(2),
    languages: set(3).slice(0, mostValues),
    templates: set(4).slice(0, mostValues),
    depths: set(5).toSorted((a, b) => Number(a.value) - Number(b.value)),
    rules: rules.rows,
    orphans: of(6, 'true'),
    inSitemap: of(7, 'true'),
  };
}

export type StoredPage = BareRow & {
  readonly connectMs: number;
  readonly wireBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly reused: boolean;
  readonly redirectTo: number | null;
  readonly canonicalId: number | null;
  readonly sha: Buffer | null;
  readonly facts: unknown;
};

/** One page of a run; null: the run did not request it. */
export async function findPage(db: Db, run: Run, urlId: number): Promise<StoredPage | null> {
  const { rows } = await db.execute<StoredPage>(sql`
    select ${columns}, p.connect_ms as "connectMs", p.wire_bytes as "wireBytes", p.etag, p.last_modified as "lastModified", p.reused,
      p.redirect_to::float8 as "redirectTo", p.canonical_id::float8 as "canonicalId", p.sha, p.facts
    from ${fromPages(run)} where p.run_id = ${run.id} and p.url_id = ${String(urlId)}::bigint`);
  return rows[0] ?? null;
}

/** Addresses by id, with what a run knows of them. */
export async function refsOf(db: Db, run: Pick<Run, 'id' | 'siteId'>, ids: Iterable<number>): Promise<Map<number, PageRef>> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return new Map();
  const { rows } = await db.execute<PageRef>(sql`
    select u.id::float8 as "urlId", u.url, p.status, p.title from crawl_urls u left join crawl_pages p on p.run_id = ${run.id} and p.url_id = u.id
    where u.site_id = ${run.siteId} and u.id = any(${sql.param(unique.map(String))}::bigint[])`);
  return new Map(rows.map((row) => [row.urlId, row]));
}
