import type { PageReading } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import {
  createScope,
  deliveredOrigins,
  factsOfHeaders,
  fetchOnce,
  identityOf,
  indexReasonOf,
  isHtml,
  mimeOf,
  normalizeUrl,
  parsePage,
  renderOnce,
  unitsOf,
  urlId as idOf,
} from '../engine';
import type { Fetched, ParsedPage } from '../engine';
import { openHeaders } from '../secrets';
import type { AuditedPage } from './finding';
import { applyFindings, fixIssues, forgetFindings, responseRuleIds } from './issues';
import { pageFindings } from './pages';
import { pageRuleIds, readRun } from './run';
import type { RunToAudit } from './run';
import { readVisits } from './visits';
import { writeImpacts, writeScore } from './weights';

type Known = {
  readonly internal: boolean;
  readonly depth: number;
  readonly in_sitemap: boolean;
  readonly resource: boolean;
  /** Whether the run read the page with what its scripts write. */
  readonly rendered: boolean;
  /** The charset that the run decoded the page with. */
  readonly charset: string;
};

/** What the run knows of an address; null: it did not request it. */
async function knownPage(ctx: Context, run: RunToAudit, urlId: number): Promise<Known | null> {
  const { rows } = await ctx.postgres.pool.query<Known>(
    `SELECT p.internal, p.depth, p.in_sitemap, f.source IS NOT DISTINCT FROM 'resource' AS resource, p.facts->'charset'->>'used' AS charset,
       p.facts->'rendering'->>'raw' IS NOT NULL AS rendered
     FROM crawl_pages p LEFT JOIN crawl_frontier f ON f.run_id = p.run_id AND f.url_id = p.url_id WHERE p.run_id = $1 AND p.url_id = $2`,
    [run.id, urlId],
  );
  return rows[0] ?? null;
}

type Received = { readonly response: Fetched; readonly html: boolean; readonly parsed: ParsedPage | null; readonly reading: PageReading };

/** Requests and reads an address as the crawler does. */
async function receive(ctx: Context, { crawlerId, siteId, config, verified }: RunToAudit, url: string, known: Known): Promise<Received> {
  const { rows } = await ctx.postgres.pool.query<{ secrets: Buffer | null }>('SELECT secrets FROM crawlers WHERE id = $1', [crawlerId]);
  const headers = { ...config.fetch.headers, ...openHeaders(ctx, rows[0]?.secrets ?? null) };
  const response = await fetchOnce(ctx, url, { ...identityOf(config, headers), ownOrigins: new Set(await deliveredOrigins(ctx, siteId)) });
  const { body, status, error } = response;
  const html = !known.resource && isHtml(mimeOf(response.headers), body);
  if (!known.internal || !html || error !== null || status !== 200) return { response, html, parsed: null, reading: 'received' };
  const usualCharset = known.charset;
  const { isInternal } = createScope(config);
  const raw = parsePage({ url, headers: response.headers, body, usualCharset, isInternal, dropParameters: config.scope.dropParameters });
  const { page, reading } = await renderOnce(ctx, { siteId, config, headers, verified, usualCharset }, response, raw);
  return { response, html, parsed: page, reading };
}

/** What rules of pages find in a response. */
function findingsIn({ response, html, parsed }: Received, url: string, known: Known, { rules }: RunToAudit) {
  const { headers, body, status, error } = response;
  const mime = mimeOf(headers);
  const facts = parsed?.facts ?? factsOfHeaders(headers);
  const indexReason = indexReasonOf(response, html, facts, url);
  const page: AuditedPage = {
    url,
    internal: known.internal,
    html,
    resource: known.resource,
    status,
    error,
    mime,
    wireBytes: response.wireBytes,
    bytes: body.byteLength,
    firstByteMs: response.firstByteMs,
    depth: known.depth,
    inSitemap: known.in_sitemap,
    indexable: known.internal && indexReason === 'ok',
    indexReason,
    units: unitsOf(facts),
  };
  return pageFindings(page, facts, parsed?.links ?? [], rules);
}

export type Recheck = { readonly status: number; readonly error: string | null; readonly open: number; readonly fixed: number; readonly reading: PageReading };

/**
 * Requests one address again and evaluates the rules of single pages, in the last run that ended: what is fixed closes at once. Rules that compare pages wait for the
 * next run. A server that does not answer says nothing about the page itself, and neither does a page without its scripts if the run had rendered them. Throws `not_found` if the crawler has no
 * such run or never met the address, and what `renderOnce` throws.
 */
export async function recheckUrl(ctx: Context, crawlerId: string, address: string): Promise<Recheck> {
  const { pool, db } = ctx.postgres;
  const last = await pool.query<{ id: string }>('SELECT id FROM crawl_runs WHERE crawler_id = $1 AND finished_at IS NOT NULL ORDER BY number DESC LIMIT 1', [
    crawlerId,
  ]);
  const run = await readRun(ctx, last.rows[0]?.id ?? fail('not_found'));
  const url = normalizeUrl(address, undefined, run.config.scope.dropParameters) ?? fail('not_found');
  const urlId = idOf(run.siteId, url);
  const known = (await knownPage(ctx, run, urlId)) ?? fail('not_found');
  const received = await receive(ctx, run, url, known);
  const { response, reading } = received;
  const found = findingsIn(received, url, known, run);
  const isDown = response.error !== null || response.status === 429 || response.status >= 500;
  const isPartial = isDown || (known.rendered && reading !== 'rendered' && received.parsed?.facts.needsScripts === true);
  const rules = isPartial ? pageRuleIds.filter((id) => responseRuleIds.includes(id)) : pageRuleIds;
  const findings = found.filter(({ rule }) => rules.includes(rule)).map((one) => ({ ...one, urlId }));
  const now = new Date(ctx.now());
  await db.transaction(async (tx) => {
    await forgetFindings(tx, run, { rules, urlIds: [urlId] });
    await applyFindings(tx, run, findings, now);
    await fixIssues(tx, run, { rules, addresses: [urlId] }, now);
  });
  await writeImpacts(ctx, run, await readVisits(ctx, run.siteId));
  await writeScore(ctx, run);
  const issues = await pool.query<{ open: string; fixed: string }>(
    `SELECT count(*) FILTER (WHERE state IN ('open', 'regressed')) AS open, count(*) FILTER (WHERE state = 'fixed' AND changed_at = $3) AS fixed
     FROM crawl_issues WHERE crawler_id = $1 AND url_id = $2`,
    [crawlerId, urlId, now],
  );
  return { status: response.status, error: response.error, reading, open: Number(issues.rows[0]?.open ?? 0), fixed: Number(issues.rows[0]?.fixed ?? 0) };
}
