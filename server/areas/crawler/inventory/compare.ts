import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { ComparedPage, RunComparison, inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { comparedFields } from '../../../../contract/crawler/inventoryTerms';
import type { ComparedField, PageChange } from '../../../../contract/crawler/inventoryTerms';
import type { Context } from '../../../context';
import type { CallOf, ResponseOf } from '../../../http/route';
import { partOf, positionOf } from './cursor';
import { issuesOnlyIn } from './issueQueries';
import { refsOf } from './pageQueries';
import { findRun, runResponse } from './runs';
import type { Db, Run } from './runs';

/** What is compared, in the columns of a page. Times and sizes differ in every run, so they are not. */
const columns: Readonly<Record<ComparedField, string>> = {
  status: 'status',
  redirect: 'redirect_to',
  indexing: 'index_reason',
  canonical: 'canonical_id',
  title: 'title',
  description: 'description',
  h1: 'h1',
  language: 'language',
  content: 'text_hash',
  sitemap: 'in_sitemap',
};
const column = (table: 'a' | 'b', field: ComparedField): SQL => sql`${sql.identifier(table)}.${sql.identifier(columns[field])}`;
const differs = (field: ComparedField): SQL => sql`${column('a', field)} is distinct from ${column('b', field)}`;

/** The fields in which page `a` differs from page `b`, as an array of text. */
export const changedFields: SQL = sql`array_remove(array[${sql.join(
  comparedFields.map((field) => sql`case when ${differs(field)} then ${sql.raw(`'${field}'`)} end`),
  sql`, `,
)}]::text[], null)`;

/** Pages `a` of a run beside those `b` of another one. */
const pairs = (run: Run, other: Run): SQL => sql`
  (select * from crawl_pages where run_id = ${run.id} and internal) a
  full join (select * from crawl_pages where run_id = ${other.id} and internal) b on b.url_id = a.url_id`;
const changeSql = sql`case when b.url_id is null then 'added' when a.url_id is null then 'removed' when cardinality(${changedFields}) > 0 then 'changed' end`;

async function countChanges(db: Db, run: Run, other: Run): Promise<Pick<RunComparison, 'added' | 'removed' | 'changed' | 'fields'>> {
  const { rows } = await db.execute<{ change: PageChange; field: ComparedField | null; pages: number }>(sql`
    with pair as materialized (select ${changeSql} as change, ${changedFields} as fields from ${pairs(run, other)})
    select change, null as field, count(*)::int as pages from pair where change is not null group by change
    union all select change, unnest(fields) as field, count(*)::int from pair where change = 'changed' group by 1, 2`);
  const count = (change: PageChange): number => rows.find((row) => row.change === change && row.field === null)?.pages ?? 0;
  return {
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    fields: comparedFields.flatMap((field) => {
      const pages = rows.find((row) => row.field === field)?.pages ?? 0;
      return pages === 0 ? [] : [{ field, pages }];
    }),
  };
}

/** What differs between a run and an earlier one. Throws `not_found` if the other is not of the same site. */
export async function compareRuns(
  ctx: Context,
  { site, params }: CallOf<typeof endpoints.compareCrawlRuns>,
): Promise<ResponseOf<typeof endpoints.compareCrawlRuns>> {
  const { db } = ctx.postgres;
  const [run, other] = await Promise.all([findRun(db, site.id, params.crawlRunId), findRun(db, site.id, params.otherId)]);
  const [counts, newIssues, fixedIssues] = await Promise.all([
    countChanges(db, run, other),
    issuesOnlyIn(db, run, other, ctx.now()),
    issuesOnlyIn(db, other, run, ctx.now()),
  ]);
  return { run: runResponse(run), other: runResponse(other), ...counts, newIssues, fixedIssues };
}

type Values = Readonly<Record<ComparedField, string | null>>;
type PairRow = {
  readonly urlId: number;
  readonly url: string;
  readonly change: PageChange;
  readonly fields: ComparedField[];
  readonly status: number;
  readonly title: string | null;
  readonly before: Values | null;
  readonly after: Values | null;
};

/** Values of the compared fields as text, in an object. Hashes say nothing to a reader. */
const valuesSql = (table: 'a' | 'b'): SQL =>
  sql`json_build_object(${sql.join(
    comparedFields.flatMap((field) => [sql.raw(`'${field}'`), field === 'content' ? sql`''` : sql`${column(table, field)}::text`]),
    sql`, `,
  )})`;

/** Pages that differ, in the order of their addresses. */
export async function comparedPages(
  ctx: Context,
  { site, params, query }: CallOf<typeof endpoints.comparedCrawlPages>,
): Promise<ResponseOf<typeof endpoints.comparedCrawlPages>> {
  const { db } = ctx.postgres;
  const [run, other] = await Promise.all([findRun(db, site.id, params.crawlRunId), findRun(db, site.id, params.otherId)]);
  const { change, field, size } = query;
  const after = positionOf(query.before, ['', 0]);
  const { rows } = await db.execute<PairRow>(sql`
    select pair.*, pair.id::float8 as "urlId" from (
      select u.id, u.url, ${changeSql} as change, case when a.url_id is null or b.url_id is null then '{}' else ${changedFields} end as fields,
        coalesce(a.status, b.status) as status, coalesce(a.title, b.title) as title, ${valuesSql('b')} as before, ${valuesSql('a')} as after
      from ${pairs(run, other)} join crawl_urls u on u.site_id = ${site.id} and u.id = coalesce(a.url_id, b.url_id)) pair
    where ${change === undefined ? sql`pair.change is not null` : sql`pair.change = ${change}`}
      ${field === undefined ? sql`` : sql`and ${field} = any(pair.fields)`}
      ${after === null ? sql`` : sql`and (pair.url collate "C", pair.id) > (${after[0]}::text, ${String(after[1])}::bigint)`}
    order by pair.url collate "C", pair.id limit ${size + 1}`);
  const { rows: part, next } = partOf(rows, size, ({ url, urlId }) => [url, urlId]);
  const isReference = (name: ComparedField): boolean => name === 'redirect' || name === 'canonical';
  const ids = part.flatMap(({ fields, before, after: now }) => fields.filter(isReference).flatMap((name) => [before?.[name], now?.[name]]));
  const refs = await refsOf(db, run, ids.filter((id) => id !== null && id !== undefined).map(Number));
  const textOf = (values: Values | null, name: ComparedField): string => {
    const value = values?.[name] ?? '';
    return isReference(name) && value !== '' ? (refs.get(Number(value))?.url ?? '') : value;
  };
  return {
    rows: part.map(({ urlId, url, change: kind, fields, status, title, before, after: now }): ComparedPage => ({
      urlId,
      url,
      change: kind,
      fields: fields.map((name) => ({ field: name, before: textOf(before, name), after: textOf(now, name) })),
      status,
      title,
    })),
    next,
  };
}
