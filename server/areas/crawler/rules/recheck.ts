import type { IndexReason } from '../../../../contract/crawler/terms';
import type { PageFacts } from '../../../../contract/crawler/facts';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { fetchOnce, normalizeUrl, parsePage, urlId as idOf } from '../engine';
import type { Fetched } from '../engine';
import { emptyFacts } from '../../../../contract/crawler/facts';
import type { AuditedPage } from './finding';
import { applyFindings, fixIssues, forgetFindings } from './issues';
import { pageFindings } from './pages';
import { pageRuleIds, readRun } from './run';
import { readVisits } from './visits';
import { writeImpacts, writeScore } from './weights';

/** Han characters per word, for texts in both. */
const hanPerWord = 1.7;

/** Why a page that was read cannot be listed; robots.txt does not matter here, because the address was requested. */
function reasonOf(response: Fetched, isHtml: boolean, facts: PageFacts, url: string): IndexReason {
  if (response.error !== null || response.status === 0) return 'error';
  if (response.status >= 300 && response.status < 400) return 'redirect';
  if (response.status !== 200) return 'status';
  if (!isHtml) return 'not_html';
  if (facts.robots.some(({ agent, directives }) => agent === '*' && directives.some((one) => one === 'noindex' || one === 'none'))) return 'noindex';
  return facts.canonicals[0] && facts.canonicals[0].url !== url ? 'canonical' : 'ok';
}

export type Recheck = { readonly status: number; readonly error: string | null; readonly open: number; readonly fixed: number };

/**
 * Requests one address again and evaluates the rules of single pages, in the last run that ended: what is fixed closes at once. Rules that compare pages wait for the
 * next run. Throws `not_found` if the crawler has no such run or never met the address.
 */
export async function recheckUrl(ctx: Context, crawlerId: string, address: string): Promise<Recheck> {
  const { pool, db } = ctx.postgres;
  const last = await pool.query<{ id: string }>('SELECT id FROM crawl_runs WHERE crawler_id = $1 AND finished_at IS NOT NULL ORDER BY number DESC LIMIT 1', [
    crawlerId,
  ]);
  const run = await readRun(ctx, last.rows[0]?.id ?? fail('not_found'));
  const url = normalizeUrl(address, undefined, run.config.scope.dropParameters) ?? fail('not_found');
  const urlId = idOf(run.siteId, url);
  const known = await pool.query<{ internal: boolean; depth: number; in_sitemap: boolean; units: number }>(
    'SELECT internal, depth, in_sitemap, units FROM crawl_pages WHERE run_id = $1 AND url_id = $2',
    [run.id, urlId],
  );
  const before = known.rows[0] ?? fail('not_found');
  const response = await fetchOnce(ctx, url, run.config.fetch.userAgent === '' ? {} : { userAgent: run.config.fetch.userAgent });
  const mime = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const html = mime === 'text/html' || mime === 'application/xhtml+xml';
  const parsed = html && response.error === null ? parsePage({ url, headers: response.headers, body: response.body }) : null;
  const facts = parsed?.facts ?? { ...emptyFacts(), headers: response.headers };
  const indexReason = reasonOf(response, html, facts, url);
  const page: AuditedPage = {
    url,
    internal: before.internal,
    html,
    status: response.status,
    error: response.error,
    mime,
    wireBytes: response.wireBytes,
    bytes: response.body.byteLength,
    firstByteMs: response.firstByteMs,
    depth: before.depth,
    inSitemap: before.in_sitemap,
    indexable: indexReason === 'ok',
    indexReason,
    units: Math.round(facts.counts.words + facts.counts.han / hanPerWord),
  };
  const findings = pageFindings(page, facts, parsed?.links ?? [], run.rules).map((one) => ({ ...one, urlId }));
  const now = new Date(ctx.now());
  await db.transaction(async (tx) => {
    await forgetFindings(tx, run, { rules: pageRuleIds, urlIds: [urlId] });
    await applyFindings(tx, run, findings, now);
    await fixIssues(tx, run, { rules: pageRuleIds, addresses: [urlId] }, now);
  });
  await writeImpacts(ctx, run, await readVisits(ctx, run.siteId));
  await writeScore(ctx, run);
  const issues = await pool.query<{ open: string; fixed: string }>(
    `SELECT count(*) FILTER (WHERE state IN ('open', 'regressed')) AS open, count(*) FILTER (WHERE state = 'fixed' AND changed_at = $3) AS fixed
     FROM crawl_issues WHERE crawler_id = $1 AND url_id = $2`,
    [crawlerId, urlId, now],
  );
  return { status: response.status, error: response.error, open: Number(issues.rows[0]?.open ?? 0), fixed: Number(issues.rows[0]?.fixed ?? 0) };
}
