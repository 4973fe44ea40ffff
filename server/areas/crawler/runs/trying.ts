import { setImmediate as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { defaultConfig } from '../../../../contract/crawler/config';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import type { CrawlTarget, ExtractionResult, PageSample, ScopeResult } from '../../../../contract/crawler/schemas';
import type { Context } from '../../../context';
import { failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import {
  compileUrlPattern,
  createScope,
  extractionProblem,
  extractOnce,
  fetchAddress,
  findChromium,
  isHtml,
  isVerified,
  mimeOf,
  normalizeUrl,
  parsePage,
  probe,
  renderOnce,
  sampleOf,
} from '../engine';
import type { RowValues, Source } from '../engine';
import * as queries from './queries';

/** Known addresses that a test of a scope judges, and of which it returns a sample. */
const mostKnown = 5000;
/** Milliseconds that a test of a scope may take; addresses beyond that are left out. */
const mostJudging = 3000;
/** Bytes and characters of a page from which a preview is read, because the program that answers requests reads it. */
const mostPreviewed = 4_000_000;
const sampleSize = 100;
const mostPreviewRows = 20;
/** Sampled pages that stay in memory, and for how many milliseconds. */
const mostSampled = 4;
const sampledFor = 5 * 60_000;

/** Refuses patterns and selectors that the engine could not apply. */
export function checkPatterns({ scope, extractions }: Pick<CrawlerConfig, 'scope' | 'extractions'>): void {
  for (const list of ['include', 'exclude'] as const)
    scope[list].forEach((pattern, at) => {
      if (compileUrlPattern(pattern) === null) failField(`config.scope.${list}.${at}`, 'pattern');
    });
  extractions.forEach((extraction, at) => {
    const problem = extractionProblem(extraction);
    if (problem !== null) failField(`config.extractions.${at}.${problem}`, 'pattern');
  });
}

async function probeTarget(ctx: Context, { site, body }: CallOf<typeof endpoints.probeTarget>): Promise<CrawlTarget> {
  const { finalUrl, ...found } = await probe(ctx, site.id, body.url);
  const { status, error, title, verified, robots, crawlDelay, sitemaps, sitemapAddresses, platform, charset, bytes, firstByteMs, needsScripts } = found;
  return {
    url: finalUrl,
    status,
    error,
    title,
    verified,
    robots,
    crawlDelay,
    sitemapAddresses,
    platform,
    charset,
    bytes,
    needsScripts,
    canRender: findChromium(ctx.config.chromiumPath) !== null,
    sitemaps: sitemaps.slice(0, 50),
    firstByteMs: Math.round(firstByteMs),
  };
}

async function testScope(ctx: Context, { site, body }: CallOf<typeof endpoints.testScope>): Promise<ScopeResult> {
  checkPatterns({ scope: body.scope, extractions: [] });
  const scope = createScope(body);
  const verdict = (url: string) => {
    const address = normalizeUrl(url, body.seeds[0], body.scope.dropParameters);
    if (address === null) return { url, included: false, reason: 'not_http' as const };
    // The depth of links is known only to a run.
    const reason = scope.isInternal(address) ? scope.skip(address, 0) : ('scope' as const);
    return { url: address, included: reason === null, reason };
  };
  const hosts = [...new Set(body.seeds.map((seed) => new URL(seed).host))];
  const end = ctx.now() + mostJudging;
  const urls = await judged(
    ctx,
    body.urls.filter((url) => url.trim() !== ''),
    verdict,
    end,
  );
  const known = await judged(ctx, await queries.knownUrls(ctx.postgres.db, site.id, hosts, mostKnown), verdict, end);
  const excluded = known.filter(({ included }) => !included);
  const included = known.filter((one) => one.included);
  return {
    urls,
    known: { included: included.length, excluded: excluded.length, sample: [...excluded.slice(0, sampleSize / 2), ...included.slice(0, sampleSize / 2)] },
  };
}

/** Verdicts about addresses until a time is over. A hundred long patterns take their time, so other requests have their turn in between. */
async function judged<V>(ctx: Context, urls: readonly string[], verdict: (url: string) => V, end: number): Promise<V[]> {
  const verdicts: V[] = [];
  for (const url of urls) {
    if (ctx.now() > end) break;
    verdicts.push(verdict(url));
    if (verdicts.length % 20 === 0) await pause();
  }
  return verdicts;
}

type TriedPage = Source & { readonly reading: PageSample['reading'] };
type Tried = { readonly url: string; readonly status: number; readonly error: PageSample['error']; readonly page: TriedPage | null };

/** A page as a crawl reads it, with its scripts if they are run. */
async function readPage(ctx: Context, siteId: string, { url, render }: CallOf<typeof endpoints.samplePage>['body']): Promise<Tried> {
  const response = await fetchAddress(ctx, siteId, url);
  const found = { url: response.url, status: response.status };
  const refused = (error: PageSample['error']): Tried => ({ ...found, error, page: null });
  if (response.error !== null) return refused(response.error);
  if (response.status === 401) return refused('sign_in');
  if (!isHtml(mimeOf(response.headers), response.body)) return refused('not_html');
  if (response.body.length > mostPreviewed) return refused('too_large');
  const config = { ...defaultConfig([response.url]), render: { mode: render, pages: 1 } };
  const raw = parsePage({ url: response.url, headers: response.headers, body: response.body });
  // To find out may take a request, and only scripts are held to it.
  const verified = render !== 'off' && (await isVerified(ctx, siteId, response.url));
  const { page, reading } = await renderOnce(ctx, { siteId, config, headers: {}, verified }, response, raw);
  if (page.html.length > mostPreviewed) return refused('too_large');
  return { ...found, error: null, page: { url: response.url, html: page.html, headers: response.headers, reading } };
}

/** The pages that samples were last made of, so that every change of an extraction can be tried without another request. */
function createSampledPages() {
  let latest: readonly { readonly key: string; readonly at: number; readonly page: TriedPage }[] = [];
  const recent = (now: number) => latest.filter(({ at }) => now - at < sampledFor);
  return {
    get: (key: string, now: number): TriedPage | undefined => recent(now).find((one) => one.key === key)?.page,
    set(key: string, now: number, page: TriedPage): void {
      latest = [{ key, at: now, page }, ...recent(now).filter((one) => one.key !== key)].slice(0, mostSampled);
    },
  };
}
type SampledPages = ReturnType<typeof createSampledPages>;
const keyOf = (siteId: string, { url, render }: CallOf<typeof endpoints.samplePage>['body']): string => `${siteId} ${render} ${url}`;

async function samplePage(ctx: Context, sampled: SampledPages, { site, body }: CallOf<typeof endpoints.samplePage>): Promise<PageSample> {
  const { url, status, error, page } = await readPage(ctx, site.id, body);
  if (page === null) return { url, status, error, reading: 'received', hasPasswordField: false, nodes: [], complete: true };
  sampled.set(keyOf(site.id, body), ctx.now(), page);
  const { nodes, complete } = sampleOf(page.html);
  const hasPasswordField = nodes.some((node) => 'name' in node && node.name === 'input' && node.attributes['type']?.toLowerCase() === 'password');
  return { url, status, error, reading: page.reading, hasPasswordField, nodes, complete };
}

async function testExtraction(ctx: Context, sampled: SampledPages, { site, body }: CallOf<typeof endpoints.testExtraction>): Promise<ExtractionResult> {
  const { url, extraction } = body;
  const problem = extractionProblem(extraction);
  if (problem !== null) failField(`extraction.${problem}`, 'pattern');
  const applies = compileUrlPattern(extraction.pattern)?.(url) ?? false;
  const known = body.sampled ? sampled.get(keyOf(site.id, body), ctx.now()) : undefined;
  const tried = known === undefined ? await readPage(ctx, site.id, body) : { page: known, error: null };
  const { page } = tried;
  if (page === null) return failField('url', tried.error === 'too_large' ? 'out_of_range' : 'unknown');
  const required = extraction.columns.flatMap((column) => (column.required ? [column.name] : []));
  // Rows without a required value are left out, and what they lack is reported.
  const all = await extractOnce(ctx, page, { ...extraction, columns: extraction.columns.map((column) => ({ ...column, required: false })) });
  const rows = all.filter((row) => !required.some((name) => isEmpty(row[name])));
  const problems = required.filter((name) => all.some((row) => isEmpty(row[name])));
  return { url: page.url, applies, rows: rows.slice(0, mostPreviewRows).map(copyOf), total: rows.length, problems, reading: page.reading };
}

const isEmpty = (value: RowValues[string] | undefined): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);
const copyOf = (row: RowValues): ExtractionResult['rows'][number] =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'object' && value !== null ? [...value] : value]));

export function registerTrying(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.probeTarget, (call) => probeTarget(ctx, call));
  route(app, ctx, endpoints.testScope, (call) => testScope(ctx, call));
  const sampled = createSampledPages();
  route(app, ctx, endpoints.samplePage, (call) => samplePage(ctx, sampled, call));
  route(app, ctx, endpoints.testExtraction, (call) => testExtraction(ctx, sampled, call));
}
