import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { CrawlIssue, CrawlIssueGroup } from '../../../../contract/crawler/inventorySchemas';
import { issueLists } from '../../../../contract/crawler/inventoryTerms';
import type { IssueList } from '../../../../contract/crawler/inventoryTerms';
import type { Severity } from '../../../../contract/crawler/terms';
import { containing } from '../../../stores/postgres/like';
import { positionOf } from './cursor';
import { iso, refsOf } from './pageQueries';
import type { Db, Run } from './runs';

export type IssueFilter = {
  readonly list: IssueList;
  readonly severity?: Severity | undefined;
  readonly rule?: string | undefined;
  readonly template?: string | undefined;
  readonly q?: string | undefined;
};

/** Whether an issue is ignored now: an ignorance that has expired counts no more, even before the next run. */
const ignored = (now: number): SQL => sql`(i.state = 'ignored' and (i.ignored_until is null or i.ignored_until > ${new Date(now).toISOString()}::timestamptz))`;

/** Conditions on `i`, and on its finding `f` in the run, which fixed issues do not have. */
function listSql(list: IssueList, run: Run, now: number): SQL {
  if (list === 'fixed') return sql`f.issue_id is null and i.state = 'fixed' and i.fixed_run = ${run.number}`;
  if (list === 'ignored') return sql`f.issue_id is not null and ${ignored(now)}`;
  const found = sql`f.issue_id is not null and not ${ignored(now)}`;
  if (list === 'new') return sql`${found} and i.first_run = ${run.number}`;
  return list === 'regressed' ? sql`${found} and i.state = 'regressed'` : found;
}

/** Issues of the crawler of a run, with their findings `f` in it, their pages `p` and their addresses `u`. */
const source = (run: Run): SQL => sql`crawl_issues i
  left join crawl_findings f on f.run_id = ${run.id} and f.issue_id = i.id
  left join crawl_urls u on u.site_id = ${run.siteId} and u.id = i.url_id
  left join crawl_pages p on p.run_id = ${run.id} and p.url_id = i.url_id`;

function condition(run: Run, { list, severity, rule, template, q = '' }: IssueFilter, now: number): SQL {
  return sql.join(
    [
      sql`i.crawler_id = ${run.crawlerId} and ${listSql(list, run, now)}`,
      ...(severity === undefined ? [] : [sql`coalesce(f.severity, i.severity) = ${severity}`]),
      ...(rule === undefined ? [] : [sql`i.rule = ${rule}`]),
      ...(template === undefined ? [] : [template === '' ? sql`p.template is null` : sql`p.template = ${template}`]),
      ...(q === '' ? [] : [sql`(u.url ilike ${containing(q)} or p.title ilike ${containing(q)})`]),
    ],
    sql` and `,
  );
}

type GroupRow = Omit<CrawlIssueGroup, 'example'> & { readonly example: number | null };

/** Groups of issues, those with the greatest impact first. */
export async function groupIssues(db: Db, run: Run, filter: IssueFilter, by: 'rule' | 'template', now: number): Promise<CrawlIssueGroup[]> {
  const template = by === 'template' ? sql`p.template` : sql`null::text`;
  const { rows } = await db.execute<GroupRow>(sql`
    select i.rule, min(coalesce(f.severity, i.severity)) as severity, ${template} as template, count(*)::int as issues,
      count(distinct i.url_id)::int as pages, count(distinct p.template)::int as templates,
      count(*) filter (where i.first_run = ${run.number})::int as new, sum(i.impact)::float8 as impact,
      (array_agg(i.url_id::float8 order by i.impact desc, i.id) filter (where i.url_id is not null))[1] as example
    from ${source(run)} where ${condition(run, filter, now)}
    group by i.rule, 3 order by impact desc, i.rule, 3 limit 1000`);
  const refs = await refsOf(
    db,
    run,
    rows.flatMap(({ example }) => (example === null ? [] : [example])),
  );
  return rows.map((row) => ({ ...row, example: row.example === null ? null : (refs.get(row.example) ?? null) }));
}

/** The length of every list, without filters. */
export async function countIssues(db: Db, run: Run, now: number): Promise<Record<IssueList, number>> {
  const counts = sql.join(
    issueLists.map((list) => sql`count(*) filter (where ${listSql(list, run, now)})::int as ${sql.identifier(list)}`),
    sql`, `,
  );
  const { rows } = await db.execute<Record<IssueList, number>>(sql`
    select ${counts} from crawl_issues i left join crawl_findings f on f.run_id = ${run.id} and f.issue_id = i.id where i.crawler_id = ${run.crawlerId}`);
  return rows[0] ?? { found: 0, new: 0, regressed: 0, ignored: 0, fixed: 0 };
}

type IssueRow = Omit<CrawlIssue, 'ignored'> & {
  readonly ignored: boolean;
  readonly ignoredBy: string | null;
  readonly ignoredReason: string | null;
  readonly ignoredUntil: string | null;
};

const columns = (now: number): SQL => sql`
  i.id::float8 as id, i.rule, coalesce(f.severity, i.severity) as severity,
  case when i.state = 'ignored' and not ${ignored(now)} then 'open' else i.state end as state,
  i.url_id::float8 as "urlId", u.url, p.title, p.template, coalesce(f.detail, i.detail) as detail, i.impact::float8 as impact,
  i.first_run as "firstRun", i.last_run as "lastRun", i.fixed_run as "fixedRun", ${ignored(now)} as ignored, person.display_name as "ignoredBy",
  i.ignored_reason as "ignoredReason", ${iso(sql`i.ignored_until`)} as "ignoredUntil"`;

const issueOf = ({ ignored: isIgnored, ignoredBy, ignoredReason, ignoredUntil, ...row }: IssueRow): CrawlIssue => ({
  ...row,
  ignored: isIgnored ? { by: ignoredBy, reason: ignoredReason ?? '', until: ignoredUntil } : null,
});

/** Issues of a run, those with the greatest impact first. */
export async function listIssues(
  db: Db,
  run: Run,
  filter: IssueFilter,
  { before, size, now }: { readonly before?: string | undefined; readonly size: number; readonly now: number },
): Promise<CrawlIssue[]> {
  const after = positionOf(before, [0, 0]);
  const place = after === null ? sql`` : sql`and (i.impact::float8, i.id) < (${after[0]}::float8, ${String(after[1])}::bigint)`;
  const { rows } = await db.execute<IssueRow>(sql`
    select ${columns(now)} from ${source(run)} left join users person on person.id = i.ignored_by
    where ${condition(run, filter, now)} ${place} order by i.impact desc, i.id desc limit ${size + 1}`);
  return rows.map(issueOf);
}

/** What a run found at one page. */
export async function issuesOfPage(db: Db, run: Run, urlId: number, now: number): Promise<CrawlIssue[]> {
  const { rows } = await db.execute<IssueRow>(sql`
    select ${columns(now)} from ${source(run)} left join users person on person.id = i.ignored_by
    where i.crawler_id = ${run.crawlerId} and i.url_id = ${String(urlId)}::bigint and f.issue_id is not null
    order by i.impact desc, i.id limit 200`);
  return rows.map(issueOf);
}

/** Issues by rule that one run found and another did not. Issues are those of a crawler, so runs of two crawlers are compared by their fingerprints. */
export async function issuesOnlyIn(db: Db, run: Run, other: Run, now: number): Promise<{ rule: string; severity: Severity; issues: number }[]> {
  const { rows } = await db.execute<{ rule: string; severity: Severity; issues: number }>(sql`
    select i.rule, min(f.severity) as severity, count(*)::int as issues from crawl_findings f join crawl_issues i on i.id = f.issue_id
    where f.run_id = ${run.id} and not ${ignored(now)} and not exists (
      select from crawl_findings g join crawl_issues j on j.id = g.issue_id where g.run_id = ${other.id} and j.fingerprint = i.fingerprint)
    group by i.rule order by 3 desc, 1`);
  return rows;
}
