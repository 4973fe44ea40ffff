import type { RuleId } from '../../../../contract/crawler/rules';
import { crawlLimits } from '../../../../contract/crawler/terms';
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
import type { AuditedPage, PageFinding } from './finding';
import { lockIssueCounts, storeIssueCounts } from './counts';
import { applyFindings, fixIssues, forgetFindings, noteRecheck, responseRuleIds } from './issues';
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

type Request = (url: string) => Promise<Fetched>;
type Received = { readonly response: Fetched; readonly html: boolean; readonly parsed: ParsedPage | null; readonly reading: PageReading };

/** The headers that the crawler sends, with the values of secrets. */
async function headersOf(ctx: Context, { crawlerId, config }: RunToAudit): Promise<Record<string, string>> {
  const { rows } = await ctx.postgres.pool.query<{ secrets: Buffer | null }>('SELECT secrets FROM crawlers WHERE id = $1', [crawlerId]);
  return { ...config.fetch.headers, ...openHeaders(ctx, rows[0]?.secrets ?? null) };
}

/** Requests addresses as the crawler does. */
async function requesterOf(ctx: Context, { siteId, config }: RunToAudit, headers: Readonly<Record<string, string>>): Promise<Request> {
  const identity = { ...identityOf(config, headers), ownOrigins: new Set(await deliveredOrigins(ctx, siteId)) };
  return (url) => fetchOnce(ctx, url, identity);
}

/** Reads a response as the crawler does. */
async function read(
  ctx: Context,
  { siteId, config, verified }: RunToAudit,
  headers: Readonly<Record<string, string>>,
  response: Fetched,
  known: Known,
): Promise<Received> {
  const { url, body, status, error } = response;
  const html = !known.resource && isHtml(mimeOf(response.headers), body);
  if (!known.internal || !html || error !== null || status !== 200) return { response, html, parsed: null, reading: 'received' };
  const usualCharset = known.charset;
  const { isInternal } = createScope(config);
  const raw = parsePage({ url, headers: response.headers, body, usualCharset, isInternal, dropParameters: config.scope.dropParameters });
  const { page, reading } = await renderOnce(ctx, { siteId, config, headers, verified, usualCharset }, response, raw);
  return { response, html, parsed: page, reading };
}

/** What redirects lead to. `loops`: to an address that was requested before, or to more redirects than a crawl follows. */
type Ending = { readonly last: Fetched; readonly hops: number; readonly loops: boolean };

async function follow(request: Request, first: Fetched): Promise<Ending> {
  const passed = new Set([first.url]);
  let last = first;
  for (let next = last.location; next !== null; next = last.location) {
    if (passed.has(next) || passed.size > crawlLimits.redirects) return { last, hops: passed.size, loops: true };
    passed.add(next);
    last = await request(next);
  }
  return { last, hops: passed.size - 1, loops: false };
}

/** Rules of redirects that where an address leads now decides for certain; a loop among them is found. */
function redirectRules({ last, hops, loops }: Ending, { rules }: RunToAudit): readonly RuleId[] {
  if (last.error !== null) return [];
  if (loops) return ['redirect_loop'];
  const hasShortChain = hops <= rules.parameter('redirect_chain', 'hops');
  return ['redirect_loop', ...(hasShortChain ? ['redirect_chain' as const] : []), ...(hops === 0 ? ['redirect_temporary' as const] : [])];
}
function loopIn({ hops, loops }: Ending, first: Fetched, { rules }: RunToAudit): readonly PageFinding[] {
  if (!loops || !rules.isEnabled('redirect_loop')) return [];
  return [{ rule: 'redirect_loop', severity: rules.severity('redirect_loop'), subject: '', detail: { hops, url: first.location ?? '' } }];
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
 * Requests one address again and evaluates the rules of single pages, in the last run that ended: issues that are fixed are closed at once, also that of a redirect
 * loop that is gone. Other rules that compare pages wait for the next run. A server that does not answer says nothing about the page itself, and neither does a page
 * without its scripts if the run had rendered it. Throws `not_found` if the crawler has no such run or that run did not request the address, and what `renderOnce`
 * throws.
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
  const headers = await headersOf(ctx, run);
  const request = await requesterOf(ctx, run, headers);
  const response = await request(url);
  const ending = await follow(request, response);
  const received = await read(ctx, run, headers, response, known);
  const { reading } = received;
  const found = findingsIn(received, url, known, run);
  const isDown = response.error !== null || response.status === 429 || response.status >= 500;
  const lacksScripts = known.rendered && reading !== 'rendered' && reading !== 'received';
  const isPartial = isDown || lacksScripts;
  const ofResponse = isPartial ? pageRuleIds.filter((id) => responseRuleIds.includes(id)) : pageRuleIds;
  const rules = [...ofResponse, ...(isDown ? [] : redirectRules(ending, run))];
  const findings = [...found, ...loopIn(ending, response, run)].filter(({ rule }) => rules.includes(rule)).map((one) => ({ ...one, urlId }));
  const now = new Date(ctx.now());
  await db.transaction(async (tx) => {
    await lockIssueCounts(tx, run.crawlerId);
    await forgetFindings(tx, run, { rules, urlIds: [urlId] });
    await applyFindings(tx, run, findings, now);
    await fixIssues(tx, run, { rules, addresses: [urlId] }, now);
    await noteRecheck(tx, run, urlId, { status: ending.loops ? response.status : ending.last.status, now });
    await storeIssueCounts(tx, run.crawlerId);
  });
  await writeImpacts(ctx, run, await readVisits(ctx, run.siteId));
  await writeScore(ctx, run);
  const issues = await pool.query<{ open: string; fixed: string }>(
    `SELECT count(*) FILTER (WHERE state IN ('open', 'regressed')) AS open, count(*) FILTER (WHERE state = 'fixed' AND changed_at = $3) AS fixed
     FROM crawl_issues WHERE crawler_id = $1 AND url_id = $2`,
    [crawlerId, urlId, now],
  );
  ctx.live.publish({ type: 'crawl', siteId: run.siteId, runId: run.id });
  return { status: response.status, error: response.error, reading, open: Number(issues.rows[0]?.open ?? 0), fixed: Number(issues.rows[0]?.fixed ?? 0) };
}
