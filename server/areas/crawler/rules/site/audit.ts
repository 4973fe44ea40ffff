import type { SiteObservations } from '../../../../../contract/crawler/observations';
import type { ActiveRules, RuleId } from '../../../../../contract/crawler/rules';
import type { LinkKind, Severity } from '../../../../../contract/crawler/terms';
import type { Context } from '../../../../context';
import type { Finding, FindingDetail, FindingRun } from '../finding';
import type { PageVisits } from '../visits';

/** What rules of the site read. */
export type SiteAudit = {
  readonly ctx: Context;
  readonly run: FindingRun;
  readonly rules: ActiveRules;
  /** Whether the run read everything it found; otherwise what is absent may only be unread. */
  readonly isComplete: boolean;
  readonly observations: SiteObservations;
  readonly visits: PageVisits;
  /** Ids of the complete runs before this one, the latest first. */
  readonly previous: readonly string[];
};

/** Rules of the site that share a query. Only enabled findings are stored, so a rule need not ask; `of` lets a group that is disabled as a whole cost nothing. */
export type SiteRuleGroup = { readonly of: readonly RuleId[]; readonly run: (audit: SiteAudit) => AsyncIterable<Finding> };

/** Ids per statement or query. */
const chunk = 5000;
export const chunks = <T>(all: readonly T[], size = chunk): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** Rows of one run: `$1` is the run, `$2` the site; further values follow. */
export async function rowsOf<T extends object>({ ctx, run }: SiteAudit, text: string, values: readonly unknown[] = []): Promise<T[]> {
  return (await ctx.postgres.pool.query<T>(text, [run.id, run.siteId, ...values])).rows;
}

export const finding = (
  { rules }: SiteAudit,
  rule: RuleId,
  urlId: number | null,
  detail: FindingDetail = {},
  { subject = '', severity }: { readonly subject?: string; readonly severity?: Severity } = {},
): Finding => ({ rule, severity: rules.severity(rule, severity), urlId, subject, detail });

export type LinkSource = { readonly src: number; readonly count: number; readonly dst: number };

/** Pages with links of certain kinds to some addresses: how many such links each has, and the target of one. */
export async function linkSources({ ctx, run }: SiteAudit, kinds: readonly LinkKind[], targets: readonly number[]): Promise<LinkSource[]> {
  const sources = new Map<number, LinkSource>();
  for (const ids of chunks(targets)) {
    const rows = await ctx.clickhouse.query<LinkSource>(
      `SELECT toFloat64(l.src) AS src, toFloat64(min(l.dst)) AS dst, toFloat64(uniqExact(l.dst)) AS count FROM crawl_links AS l FINAL
       WHERE l.site_id = {site:String} AND l.run_id = {run:String} AND l.kind IN {kinds:Array(String)} AND l.dst IN {ids:Array(UInt64)} GROUP BY l.src`,
      { params: { site: run.siteId, run: run.id, kinds: [...kinds], ids } },
    );
    for (const row of rows) {
      const before = sources.get(row.src);
      sources.set(row.src, before ? { ...before, count: before.count + row.count } : row);
    }
  }
  return [...sources.values()].sort((one, other) => one.src - other.src);
}

/** Pairs of pages that are linked by links of a kind, each once; `where` is SQL over `crawl_links`. */
export const linkPairs = (
  { ctx, run }: SiteAudit,
  where: string,
): AsyncIterable<readonly { readonly src: number; readonly dst: number; readonly fragment: string }[]> =>
  ctx.clickhouse.stream(
    `SELECT DISTINCT toFloat64(l.src) AS src, toFloat64(l.dst) AS dst, l.fragment AS fragment FROM crawl_links AS l FINAL
     WHERE l.site_id = {site:String} AND l.run_id = {run:String} AND ${where} ORDER BY src, dst, fragment`,
    { params: { site: run.siteId, run: run.id } },
  );

/** Addresses by id. */
export async function addressesOf(audit: SiteAudit, ids: Iterable<number>): Promise<Map<number, string>> {
  const addresses = new Map<number, string>();
  for (const some of chunks([...new Set(ids)])) {
    const rows = await rowsOf<{ id: string; url: string }>(
      audit,
      'SELECT u.id, u.url FROM crawl_urls u JOIN crawl_runs r ON r.id = $1 WHERE u.site_id = $2 AND u.id = ANY($3::bigint[])',
      [some],
    );
    for (const { id, url } of rows) addresses.set(Number(id), url);
  }
  return addresses;
}

/** A finding at each page that links to one of the targets. */
export async function* atSources(audit: SiteAudit, rule: RuleId, kinds: readonly LinkKind[], targets: readonly number[]): AsyncIterable<Finding> {
  if (targets.length === 0) return;
  const sources = await linkSources(audit, kinds, targets);
  const addresses = await addressesOf(
    audit,
    sources.map(({ dst }) => dst),
  );
  for (const { src, dst, count } of sources) yield finding(audit, rule, src, { count, url: addresses.get(dst) ?? '' });
}

/** Condition of `crawl_pages p`: an HTML page of the site that answered 200. */
export const isPage = `p.internal AND p.html AND p.status = 200 AND p.error IS NULL`;
/** Condition of `crawl_pages p`: such a page that search engines may list. */
export const isListed = `${isPage} AND p.indexable`;
