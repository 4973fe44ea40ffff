import { sql } from 'drizzle-orm';
import { ReportQuery } from '../../../../contract/analytics/schemas';
import { PageFacts } from '../../../../contract/crawler/facts';
import type { CrawledPageDetail, inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { inventoryLimits } from '../../../../contract/crawler/inventoryTerms';
import type { ComparedField } from '../../../../contract/crawler/inventoryTerms';
import type { IndexReason } from '../../../../contract/crawler/terms';
import { normalizePath } from '../../../../contract/paths';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { CallOf, ResponseOf } from '../../../http/route';
import { ClickHouseAway } from '../../../stores/clickhouse/types';
import { addDays, dayAt } from '../../../zone';
import { reportFor } from '../../analytics';
import { decodeText } from './decodeText';
import { readBody } from '../engine';
import { changedFields } from './compare';
import { issuesOfPage } from './issueQueries';
import { findPage, iso, refsOf } from './pageQueries';
import { findRun } from './runs';
import type { Db, Run } from './runs';

type HistoryRow = Omit<CrawledPageDetail['history'][number], 'changed'> & { readonly changed: ComparedField[] | null; readonly indexReason: IndexReason };

/** The page in all runs of the site that requested it, the newest first. */
async function historyOf(db: Db, run: Run, urlId: number): Promise<CrawledPageDetail['history']> {
  const { rows } = await db.execute<HistoryRow>(sql`
    with page as (
      select p.*, r.crawler_id, r.number, c.name, row_number() over (order by p.fetched_at, r.number) as place
      from crawl_pages p join crawl_runs r on r.id = p.run_id join crawlers c on c.id = r.crawler_id
      where p.url_id = ${String(urlId)}::bigint and r.site_id = ${run.siteId})
    select a.run_id as "runId", a.crawler_id as "crawlerId", a.name as "crawlerName", a.number, ${iso(sql`a.fetched_at`)} as at, a.status,
      a.index_reason as "indexReason", a.title,
      (select count(*)::int from crawl_issues i join crawl_findings f on f.run_id = a.run_id and f.issue_id = i.id
        where i.crawler_id = a.crawler_id and i.url_id = a.url_id) as issues,
      case when b.url_id is not null then ${changedFields} end as changed
    from page a left join page b on b.place = a.place - 1 order by a.place desc limit 30`);
  return rows.map((row) => ({ ...row, changed: row.changed ?? [] }));
}

const days = 28;

/** Visits of people to the page of an address in the last days; null: analytics cannot answer. */
async function visitsOf(ctx: Context, site: CallOf<typeof endpoints.crawledPage>['site'], url: string): Promise<CrawledPageDetail['visits']> {
  const path = normalizePath(new URL(url).pathname).replaceAll(/[\\|]/g, String.raw`\$&`);
  const today = dayAt(ctx.now(), site.row.timeZone);
  const query = ReportQuery.parse({ from: addDays(today, 1 - days), to: today, filter: [`path:is:${path}`] });
  try {
    const { totals } = await reportFor(ctx, { id: site.id, timeZone: site.row.timeZone }, query);
    return { visits: totals.visits ?? 0, views: totals.views ?? 0 };
  } catch (error) {
    if (error instanceof ClickHouseAway) return null;
    throw error;
  }
}

/** Everything that a run knows of one page. */
export async function readPage(ctx: Context, { site, params }: CallOf<typeof endpoints.crawledPage>): Promise<ResponseOf<typeof endpoints.crawledPage>> {
  const { db } = ctx.postgres;
  const run = await findRun(db, site.id, params.crawlRunId);
  const page = (await findPage(db, run, params.urlId)) ?? fail('not_found');
  const { sha, redirectTo, canonicalId, facts, ...row } = page;
  const [refs, found, history, visits] = await Promise.all([
    refsOf(
      db,
      run,
      [redirectTo, canonicalId].filter((id) => id !== null),
    ),
    issuesOfPage(db, run, row.urlId, ctx.now()),
    historyOf(db, run, row.urlId),
    row.kind === 'page' ? visitsOf(ctx, site, row.url) : null,
  ]);
  return {
    ...row,
    issues: found.length,
    redirectTo: redirectTo === null ? null : (refs.get(redirectTo) ?? null),
    canonical: canonicalId === null ? null : (refs.get(canonicalId) ?? null),
    facts: PageFacts.parse(facts),
    found,
    history,
    hasBody: sha !== null,
    visits,
  };
}

/** The stored body of a page as text; it is never sent as a document. */
export async function readPageBody(
  ctx: Context,
  { site, params }: CallOf<typeof endpoints.crawledPageBody>,
): Promise<ResponseOf<typeof endpoints.crawledPageBody>> {
  const { db } = ctx.postgres;
  const run = await findRun(db, site.id, params.crawlRunId);
  const page = (await findPage(db, run, params.urlId)) ?? fail('not_found');
  if (page.sha === null || !(page.kind === 'page' || /^text\/|json|xml|javascript/.test(page.mime))) return fail('not_found');
  const body = (await readBody(ctx, site.id, page.sha)) ?? fail('not_found');
  const { charset } = PageFacts.parse(page.facts);
  const text = decodeText(body, charset.used);
  return { text: text.slice(0, inventoryLimits.body), bytes: body.length, cut: text.length > inventoryLimits.body };
}
