import { setImmediate as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { defaultConfig } from '../../../../contract/crawler/config';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import { crawlerEndpoints as endpoints } from '../../../../contract/crawler/schemas';
import type { CrawlTarget, ExtractionResult, ScopeResult } from '../../../../contract/crawler/schemas';
import type { Context } from '../../../context';
import { failField } from '../../../http/failure';
import { route } from '../../../http/route';
import type { CallOf } from '../../../http/route';
import {
  compileUrlPattern,
  createScope,
  extractionProblem,
  extractRows,
  fetchPage,
  findChromium,
  isVerified,
  normalizeUrl,
  parsePage,
  probe,
  renderOnce,
} from '../engine';
import * as queries from './queries';

/** Known addresses that a test of a scope judges, and of which it returns a sample. */
const mostKnown = 5000;
/** Milliseconds that a test of a scope may take; addresses beyond that are left out. */
const mostJudging = 3000;
/** Bytes and characters of a page from which a preview is read, because the program that answers requests reads it. */
const mostPreviewed = 4_000_000;
const sampleSize = 100;
const mostPreviewRows = 20;

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

async function testExtraction(ctx: Context, { site, body }: CallOf<typeof endpoints.testExtraction>): Promise<ExtractionResult> {
  const { url, extraction, render } = body;
  const problem = extractionProblem(extraction);
  if (problem !== null) failField(`extraction.${problem}`, 'pattern');
  const applies = compileUrlPattern(extraction.pattern)?.(url) ?? false;
  const response = await fetchPage(ctx, site.id, url);
  if (response === null) return failField('url', 'unknown');
  if (response.body.length > mostPreviewed) return failField('url', 'out_of_range');
  const config = { ...defaultConfig([response.url]), render: { mode: render, pages: 1 } };
  const raw = parsePage({ url: response.url, headers: response.headers, body: response.body });
  // To find out may take a request, and only scripts are held to it.
  const verified = render !== 'off' && (await isVerified(ctx, site.id, response.url));
  const { page: parsed, reading } = await renderOnce(ctx, { siteId: site.id, config, headers: {}, verified }, response, raw);
  if (parsed.html.length > mostPreviewed) return failField('url', 'out_of_range');
  const page = { url: response.url, html: parsed.html, headers: response.headers };
  const required = extraction.columns.flatMap((column) => (column.required ? [column.name] : []));
  // Rows without a required value are left out, and what they lack is reported.
  const all = extractRows(page, { ...extraction, columns: extraction.columns.map((column) => ({ ...column, required: false })) });
  const rows = all.filter((row) => !required.some((name) => isEmpty(row[name])));
  const problems = required.filter((name) => all.some((row) => isEmpty(row[name])));
  return { url: page.url, applies, rows: rows.slice(0, mostPreviewRows).map(copyOf), total: rows.length, problems, reading };
}

type Values = ReturnType<typeof extractRows>[number];
const isEmpty = (value: Values[string] | undefined): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0);
const copyOf = (row: Values): ExtractionResult['rows'][number] =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'object' && value !== null ? [...value] : value]));

export function registerTrying(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.probeTarget, (call) => probeTarget(ctx, call));
  route(app, ctx, endpoints.testScope, (call) => testScope(ctx, call));
  route(app, ctx, endpoints.testExtraction, (call) => testExtraction(ctx, call));
}
