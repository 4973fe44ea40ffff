import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { PageFilter } from '../../../../contract/crawler/inventorySchemas';
import type { PageNumber, PageSort } from '../../../../contract/crawler/inventoryTerms';
import { containing } from '../../../stores/postgres/like';
import type { Run } from './runs';

/** SQL over `crawl_pages p` and `crawl_urls u`. Missing values sort as the smallest, so that every row has a place in the order. */
const numbers: Readonly<Record<PageNumber, SQL>> = {
  status: sql`p.status`,
  depth: sql`p.depth`,
  links_in: sql`p.links_in`,
  links_internal: sql`p.links_internal`,
  links_external: sql`p.links_external`,
  page_rank: sql`coalesce(p.page_rank, 0)::float8`,
  units: sql`p.units`,
  bytes: sql`p.bytes`,
  first_byte_ms: sql`p.first_byte_ms`,
  total_ms: sql`p.total_ms`,
};
type SortColumn = { readonly sql: SQL; readonly isText: boolean };
const texts = {
  url: sql`u.url collate "C"`,
  title: sql`left(coalesce(p.title, ''), 200) collate "C"`,
  fetched_at: sql`to_char(p.fetched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') collate "C"`,
} as const;
const isNumber = (sort: PageSort): sort is PageNumber => sort in numbers;
export const sortColumn = (sort: PageSort): SortColumn => (isNumber(sort) ? { sql: numbers[sort], isText: false } : { sql: texts[sort], isText: true });

export const pageKindSql = sql`case when not p.internal then 'external' when p.html then 'page' else 'file' end`;
/** Pages that no page links to; what a crawl begins with needs no link. */
export const orphanSql = sql`(p.internal and p.html and p.links_in = 0 and not exists (
  select from crawl_frontier f where f.run_id = p.run_id and f.url_id = p.url_id and f.source = 'seed'))`;

function statusSql(status: string): SQL {
  if (status === 'none') return sql`p.status = 0`;
  const first = Number(status[0]) * 100;
  return status.endsWith('xx') ? sql`p.status between ${first} and ${first + 99}` : sql`p.status = ${Number(status)}`;
}

function rangeSql(range: string): SQL[] {
  const [name, from, to] = range.split(':') as [PageNumber, string, string];
  return [...(from === '' ? [] : [sql`${numbers[name]} >= ${Number(from)}::float8`]), ...(to === '' ? [] : [sql`${numbers[name]} <= ${Number(to)}::float8`])];
}

function indexingSql(indexing: NonNullable<PageFilter['indexing']>): SQL {
  if (indexing === 'indexable') return sql`p.indexable`;
  return indexing === 'not_indexable' ? sql`not p.indexable` : sql`p.index_reason = ${indexing}`;
}

/** The condition of a filter on the pages of a run. */
export function pageCondition(run: Pick<Run, 'id' | 'crawlerId'>, filter: Partial<PageFilter>): SQL {
  const { q = '', kind, status, indexing, template, family, language, rule, sitemap, orphan, range = [] } = filter;
  const conditions = [
    sql`p.run_id = ${run.id}`,
    ...(q === '' ? [] : [sql`(u.url ilike ${containing(q)} or p.title ilike ${containing(q)})`]),
    ...(kind === undefined ? [] : [sql`${pageKindSql} = ${kind}`]),
    ...(status === undefined ? [] : [statusSql(status)]),
    ...(indexing === undefined ? [] : [indexingSql(indexing)]),
    ...(template === undefined ? [] : [sql`p.template = ${template}`]),
    ...(family === undefined ? [] : [sql`u.family = ${family}`]),
    ...(language === undefined ? [] : [language === 'none' ? sql`p.language is null` : sql`p.language = ${language}`]),
    ...(rule === undefined
      ? []
      : [
          sql`p.url_id in (select i.url_id from crawl_findings f join crawl_issues i on i.id = f.issue_id
            where f.run_id = ${run.id} and i.crawler_id = ${run.crawlerId} and i.rule = ${rule})`,
        ]),
    ...(sitemap === undefined ? [] : [sitemap === '1' ? sql`p.in_sitemap` : sql`not p.in_sitemap`]),
    ...(orphan === undefined ? [] : [orphan === '1' ? orphanSql : sql`not ${orphanSql}`]),
    ...range.flatMap(rangeSql),
  ];
  return sql.join(conditions, sql` and `);
}
