import { sql } from 'drizzle-orm';
import type { inventoryEndpoints as endpoints } from '../../../../contract/crawler/inventorySchemas';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { Severity } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import type { CallOf, ResponseOf } from '../../../http/route';
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
};

/** Search health of a site; null: no crawl of it has ended. Callers check that the reader has `crawler.read`. */
export async function searchHealth(ctx: Context, siteId: string): Promise<SearchHealth | null> {
  const { db } = ctx.postgres;
  const run = newestEnded(await runsWithPages(db, siteId));
  if (!run) return null;
  const [pages, indexable, issues] = await Promise.all([
    countPages(db, run, { kind: 'page' }),
    countPages(db, run, { kind: 'page', indexing: 'indexable' }),
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
  };
}
