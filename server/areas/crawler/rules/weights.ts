import { severityWeights } from '../../../../contract/crawler/rules';
import type { Severity } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import type { FindingRun } from './finding';
import type { PageVisits } from './visits';

const batchSize = 5000;
/** A page without a rank, and the least that one weighs: a tenth of an average page. */
const leastRank = 0.1;

type Row = { readonly id: string; readonly severity: Severity; readonly url: string | null; readonly rank: number | null };

/**
 * Impact = weight of the severity × rank × (1 + visits of 28 days). The rank is that of the page in relation to the average page of the run; issues of the whole site
 * have that of an average page and all visits.
 */
export async function writeImpacts(ctx: Context, run: FindingRun, visits: PageVisits): Promise<void> {
  const { pool } = ctx.postgres;
  const pages = await pool.query<{ n: string }>('SELECT count(*) AS n FROM crawl_pages WHERE run_id = $1 AND internal AND page_rank IS NOT NULL', [run.id]);
  const count = Number(pages.rows[0]?.n ?? 0);
  for (let last = '0'; ;) {
    const { rows } = await pool.query<Row>(
      `SELECT i.id, i.severity, u.url, p.page_rank AS rank FROM crawl_findings f JOIN crawl_issues i ON i.id = f.issue_id
       LEFT JOIN crawl_urls u ON u.site_id = $2 AND u.id = i.url_id LEFT JOIN crawl_pages p ON p.run_id = $1 AND p.url_id = i.url_id
       WHERE f.run_id = $1 AND f.issue_id > $3 ORDER BY f.issue_id LIMIT ${batchSize}`,
      [run.id, run.siteId, last],
    );
    const end = rows.at(-1);
    if (!end) return;
    const impacts = rows.map(({ severity, url, rank }) =>
      url === null
        ? severityWeights[severity] * (1 + visits.total)
        : severityWeights[severity] * Math.max(leastRank, (rank ?? 0) * count) * (1 + visits.of(url)),
    );
    await pool.query(
      `UPDATE crawl_issues i SET impact = x.impact FROM unnest($1::bigint[], $2::real[]) AS x(id, impact) WHERE i.id = x.id AND i.impact <> x.impact`,
      [rows.map(({ id }) => id), impacts],
    );
    last = end.id;
  }
}

export type RuleHits = { readonly severity: Severity; readonly pages: number; readonly isSiteWide: boolean };

/**
 * 0–100. A rule costs the weight of its severity (error 10, warning 3, notice 0.5 points) times the share of indexable pages that it hits, at most all of them. What
 * concerns a host concerns all its pages, and counts once however many hosts it is.
 */
export function scoreOf(rules: readonly RuleHits[], indexable: number): number {
  const lost = rules.reduce(
    (sum, { severity, pages, isSiteWide }) => sum + severityWeights[severity] * (isSiteWide ? 1 : Math.min(1, pages / Math.max(1, indexable))),
    0,
  );
  return Math.round(Math.max(0, 100 - lost) * 10) / 10;
}

/** Writes score and numbers of issues into the row of the run. Ignored issues do not count. */
export async function writeScore(ctx: Context, run: FindingRun): Promise<{ readonly score: number; readonly issues: Readonly<Record<Severity, number>> }> {
  const { pool } = ctx.postgres;
  const { rows } = await pool.query<{ severity: Severity; n: string; pages: string; site: string }>(
    `SELECT i.rule, f.severity, count(*) AS n, count(DISTINCT i.url_id) AS pages, count(*) FILTER (WHERE i.url_id IS NULL) AS site
     FROM crawl_findings f JOIN crawl_issues i ON i.id = f.issue_id WHERE f.run_id = $1 AND i.state <> 'ignored' GROUP BY i.rule, f.severity`,
    [run.id],
  );
  const listed = await pool.query<{ n: string }>('SELECT count(*) AS n FROM crawl_pages WHERE run_id = $1 AND internal AND html AND indexable', [run.id]);
  const indexable = Number(listed.rows[0]?.n ?? 0);
  const score = scoreOf(
    rows.map(({ severity, pages, site }) => ({ severity, pages: Number(pages), isSiteWide: Number(site) > 0 })),
    indexable,
  );
  const issues = { error: 0, warning: 0, notice: 0 };
  for (const { severity, n } of rows) issues[severity] += Number(n);
  await pool.query(`UPDATE crawl_runs SET score = $2::real, counters = jsonb_set(counters, '{issues}', $3::jsonb) WHERE id = $1`, [
    run.id,
    score,
    JSON.stringify(issues),
  ]);
  return { score, issues };
}
