import { sql } from 'drizzle-orm';
import type { RuleId } from '../../../../contract/crawler/rules';
import type { Severity } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { normalizeUrl, urlId as idOf } from '../engine';
import { iso } from './pageQueries';

/** What a crawler found at an address. */
export type AddressIssue = {
  readonly url: string;
  readonly urlId: number;
  readonly crawlerId: string;
  /** The last run of the crawler that ended. */
  readonly runId: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly state: 'open' | 'regressed' | 'fixed';
  /** When the run that found it ended; ISO 8601. */
  readonly foundAt: string;
  /** null: it is not fixed. */
  readonly fixedAt: string | null;
  /** The last request outside of a run: status after redirects. */
  readonly recheck: { readonly status: number; readonly at: string } | null;
  readonly detail: Readonly<Record<string, string | number>>;
};

type Row = Omit<AddressIssue, 'recheck'>;

const mostIssues = 500;

/** Rules whose issues are read, of some only errors. */
export type RulesOfCauses = { readonly all: readonly RuleId[]; readonly errors: readonly RuleId[] };

/** Open issues of some rules at addresses of a site, and those fixed since a time, the worst first. Callers check that the reader has `crawler.read`. */
export async function issuesOfAddresses(
  ctx: Context,
  siteId: string,
  addresses: readonly string[],
  { since, rules }: { readonly since: Date; readonly rules: RulesOfCauses },
): Promise<readonly AddressIssue[]> {
  const ids = [...new Set(addresses.flatMap((address) => normalizeUrl(address) ?? []))].map((url) => idOf(siteId, url));
  if (ids.length === 0) return [];
  const { rows } = await ctx.postgres.db.execute<Row>(sql`
    select u.url, i.url_id::float8 as "urlId", i.crawler_id as "crawlerId", last.id as "runId", i.rule, i.severity, i.state, i.detail,
      ${iso(sql`case when i.state = 'regressed' then i.changed_at else coalesce(first.finished_at, i.changed_at) end`)} as "foundAt",
      case when i.state = 'fixed' then ${iso(sql`i.changed_at`)} end as "fixedAt"
    from crawlers c join crawl_issues i on i.crawler_id = c.id join crawl_urls u on u.site_id = i.site_id and u.id = i.url_id
      left join crawl_runs first on first.crawler_id = i.crawler_id and first.number = i.first_run
      join lateral (select r.id from crawl_runs r where r.crawler_id = i.crawler_id and r.finished_at is not null order by r.number desc limit 1) last on true
    where c.site_id = ${siteId} and i.url_id = any(${sql.param(ids)}::bigint[])
      and (i.rule = any(${sql.param(rules.all)}::text[]) or i.severity = 'error' and i.rule = any(${sql.param(rules.errors)}::text[]))
      and (i.state in ('open', 'regressed') or i.state = 'fixed' and i.changed_at >= ${since.toISOString()}::timestamptz)
    order by case i.severity when 'error' then 0 when 'warning' then 1 else 2 end, i.rule, i.id limit ${mostIssues}`);
  return rows.map((row) => {
    const { recheckStatus: status, recheckedAt: at } = row.detail;
    return { ...row, recheck: typeof status === 'number' && typeof at === 'string' ? { status, at } : null };
  });
}
