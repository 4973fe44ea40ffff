import { sql } from 'drizzle-orm';
import type { inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { Severity } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import type { CallOf, ResponseOf } from '../../../http/route';
import { countIssues } from './issueQueries';
import { normalizeUrl, urlId as idOf } from '../engine';
import { countPages } from './pageQueries';
import { runResponse, runsWithPages } from './runs';
import type { Run } from './runs';

/** The run that says how a site is: the newest audit that ended, or the newest run of another kind. */
const newestEnded = (runs: readonly Run[]): Run | undefined => {
  const ended = runs.filter((run) => !isOpenRun(run));
  return ended.find(({ kind }) => kind === 'audit') ?? ended[0];
};

export async function crawledSite(ctx: Context, { site }: CallOf<typeof endpoints.crawledSite>): Promise<ResponseOf<typeof endpoints.crawledSite>> {
  const { db } = ctx.postgres;
  const runs = await runsWithPages(db, site.id);
  const newest = newestEnded(runs);
  const [addresses, pages, indexable] = await Promise.all([
    db.execute<{ total: number }>(sql`select count(*)::int as total from crawl_urls where site_id = ${site.id}`),
    newest ? countPages(db, newest, { kind: 'page' }) : 0,
    newest ? countPages(db, newest, { kind: 'page', indexing: 'indexable' }) : 0,
  ]);
  return { runs: runs.map(runResponse), addresses: addresses.rows[0]?.total ?? 0, pages, indexable };
}

/** What the last crawl says about a site in search engines. */
type SearchHealth = {
  readonly runId: string;
  readonly finishedAt: string | null;
  readonly score: number | null;
  readonly pages: number;
  readonly indexable: number;
  readonly issues: Readonly<Record<Severity, number>>;
  /** Issues that the crawl before did not find. */
  readonly fresh: number;
};

/** Search health of a site; null: no crawl of it has ended. Callers check that the reader has `crawler.read`. */
export async function searchHealth(ctx: Context, siteId: string): Promise<SearchHealth | null> {
  const { db } = ctx.postgres;
  const run = newestEnded(await runsWithPages(db, siteId));
  if (!run) return null;
  const [pages, indexable, lists, issues] = await Promise.all([
    countPages(db, run, { kind: 'page' }),
    countPages(db, run, { kind: 'page', indexing: 'indexable' }),
    countIssues(db, run, ctx.now()),
    db.execute<Record<Severity, number>>(sql`
      select count(*) filter (where f.severity = 'error')::int as error, count(*) filter (where f.severity = 'warning')::int as warning,
        count(*) filter (where f.severity = 'notice')::int as notice
      from crawl_findings f join crawl_issues i on i.id = f.issue_id where f.run_id = ${run.id} and i.state in ('open', 'regressed')`),
  ]);
  return {
    runId: run.id,
    finishedAt: run.finishedAt?.toISOString() ?? null,
    score: run.score,
    pages,
    indexable,
    issues: issues.rows[0] ?? { error: 0, warning: 0, notice: 0 },
    fresh: lists.new,
  };
}

/** What crawlers found about one page and is still so, the worst first. */
export type PageIssue = { readonly rule: string; readonly severity: Severity; readonly count: number };

/** Open issues of the page at an address. Callers check that the reader has `crawler.read`. */
export async function openIssuesOfPage(ctx: Context, siteId: string, address: string): Promise<PageIssue[]> {
  const url = normalizeUrl(address);
  if (url === null) return [];
  const { rows } = await ctx.postgres.db.execute<PageIssue>(sql`
    select i.rule, min(i.severity) as severity, count(distinct i.fingerprint)::int as count
    from crawl_issues i join crawlers c on c.id = i.crawler_id
    where c.site_id = ${siteId} and i.url_id = ${idOf(siteId, url)} and i.state in ('open', 'regressed')
    group by i.rule order by min(case i.severity when 'error' then 0 when 'warning' then 1 else 2 end), i.rule limit 20`);
  return rows;
}
