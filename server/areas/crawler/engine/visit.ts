import { gzipSync } from 'node:zlib';
import type { PageFacts, PageLink } from '../../../../contract/crawler/facts';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { LinkKind } from '../../../../contract/crawler/terms';
import { discover, hostOf, isCheck, storedId, writeUrl } from './crawlState';
import type { CrawlState } from './crawlState';
import type { FrontierEntry, FrontierSource } from './frontier';
import { normalized, noParameters } from './normalize';
import { factsOfHeaders, isHtml, mimeOf, pageRow } from './pageRow';
import { parsePage } from './parse';
import { linkWithoutElement } from './terms';
import type { Fetched, ParsedPage } from './terms';

/** What each kind of link means to the frontier; others are recorded only. */
const sources: Partial<Record<LinkKind, FrontierSource>> = {
  a: 'link',
  frame: 'link',
  next: 'link',
  previous: 'link',
  refresh: 'redirect',
  canonical: 'canonical',
  hreflang: 'hreflang',
  feed: 'resource',
  image: 'resource',
  style: 'resource',
  script: 'resource',
  media: 'resource',
  manifest: 'resource',
};

/** Where an address of a page belongs in the frontier; null: nowhere. */
function sourceOf(state: CrawlState, link: PageLink, internal: boolean): FrontierSource | null {
  const source = sources[link.kind] ?? null;
  const { fetch } = state.config;
  if (source === 'resource') return fetch.resources ? 'resource' : null;
  if (source === null || internal) return source;
  return fetch.external && (link.kind === 'a' || link.kind === 'canonical' || link.kind === 'hreflang') ? 'external' : null;
}

/** Records the links of a page and puts new addresses into the frontier; how many of them belong to other families than the page. */
function follow(state: CrawlState, entry: FrontierEntry, facts: PageFacts, links: readonly PageLink[]): number {
  const { batch, scope, families } = state;
  const isForeign = !state.isVerified(hostOf(entry.url));
  // At sites of others, `nofollow` is respected.
  const isClosed = isForeign && facts.robots.some(({ agent, directives }) => agent === '*' && (directives.includes('nofollow') || directives.includes('none')));
  const family = families.of(entry.url);
  let newLinks = 0;
  let position = 0;
  for (const link of links) {
    const known = state.addressOf(link.url);
    const dst = known.id;
    const internal = scope.isInternal(link.url);
    const isStored = link.url.length <= crawlLimits.urlLength;
    if (isStored) {
      if (!known.isSettled) writeUrl(state, dst, link.url);
      batch.link(entry.id, position, link, dst, internal);
      position += 1;
    }
    if (known.isSettled) continue;
    if (state.queued.has(dst)) {
      known.isSettled = isStored;
      continue;
    }
    const source = sourceOf(state, link, internal);
    if (source === null || ((isClosed || (link.nofollow && isForeign)) && source === 'link')) continue;
    const isNew = discover(state, { url: link.url, depth: entry.depth + 1, hops: 0, source, fromId: entry.id });
    if (isNew && internal && source === 'link' && families.of(link.url) !== family) newLinks += 1;
  }
  return newLinks;
}

/** Puts the address that a redirect leads to into the frontier, each hop as an address of its own. Returns its id; null: it cannot be requested. */
function followRedirect(state: CrawlState, entry: FrontierEntry, location: string): number | null {
  const target = normalized(new URL(location), noParameters);
  const id = storedId(state, target);
  if (target === null || id === null) return null;
  // A redirect of an address of a sitemap has the depth 1, so that this one is of a seed.
  const isFirst = entry.depth === 0 && (entry.source === 'seed' || entry.source === 'redirect');
  if (isFirst && !state.scope.isInternal(target)) state.scope.addHost(target);
  const internal = state.scope.isInternal(target);
  state.batch.link(entry.id, 0, linkWithoutElement(target, 'redirect'), id, internal);
  if (entry.hops >= crawlLimits.redirects) return id;
  const source: FrontierSource = isCheck(entry) ? entry.source : internal ? 'redirect' : 'external';
  if (source === 'external' && !state.config.fetch.external && !isCheck(entry)) return id;
  const skip = source === 'redirect' && !isFirst ? state.scope.skip(target, entry.depth) : null;
  const depth = entry.source === 'sitemap' ? Math.max(1, entry.depth) : entry.depth;
  if (skip === null) discover(state, { url: target, depth, hops: entry.hops + 1, source, fromId: entry.id });
  return id;
}

/** The charset that most pages have so far, for those that declare none. */
function usualCharset(state: CrawlState): string | null {
  let best: [string, number] | null = null;
  for (const one of state.charsets) if (best === null || one[1] > best[1]) best = one;
  return best?.[0] ?? null;
}

/** A page of the site that is to be recorded; null: the response is none. */
export function readPage(state: CrawlState, entry: FrontierEntry, response: Fetched): ParsedPage | null {
  if (!state.scope.isInternal(entry.url) || isCheck(entry) || response.error !== null || response.status !== 200) return null;
  if (!isHtml(mimeOf(response.headers), response.body)) return null;
  const parsed = parsePage({
    url: entry.url,
    headers: response.headers,
    body: response.body,
    usualCharset: usualCharset(state),
    isInternal: state.scope.isInternal,
    dropParameters: state.config.scope.dropParameters,
  });
  const { used, header, meta } = parsed.facts.charset;
  if (header !== null || meta !== null) state.charsets.set(used, (state.charsets.get(used) ?? 0) + 1);
  return parsed;
}

function storeBody(state: CrawlState, sha: string, response: Fetched): void {
  state.batch.body(sha, response.gzip ?? gzipSync(response.body, { level: 1 }));
}

function count(state: CrawlState, entry: FrontierEntry, response: Fetched): void {
  const { counters } = state;
  counters.bytes += response.wireBytes;
  if (response.error !== null) counters.errors += 1;
  if (isCheck(entry)) return;
  counters.pages += 1;
  const digit = response.status === 0 ? '0' : String(Math.floor(response.status / 100));
  counters.statuses[digit] = (counters.statuses[digit] ?? 0) + 1;
}

function evaluate(state: CrawlState, entry: FrontierEntry, row: ReturnType<typeof pageRow>, links: readonly PageLink[]): void {
  const page = {
    url: entry.url,
    internal: row.internal,
    html: row.html,
    resource: entry.source === 'resource',
    status: row.status,
    error: row.error,
    mime: row.mime,
    wireBytes: row.wire_bytes,
    bytes: row.bytes,
    firstByteMs: row.first_byte_ms,
    depth: null,
    inSitemap: row.in_sitemap,
    indexable: row.indexable,
    indexReason: row.index_reason,
    units: row.units,
  };
  for (const finding of state.audit(page, row.facts, links)) {
    state.batch.finding({ ...finding, urlId: entry.id });
    state.counters.issues[finding.severity] += 1;
  }
}

/** Records a response: its row, its links and new addresses, its body, rows of extractions and findings. Nothing of it waits for anything. `parsed`: of `readPage`. */
export function visit(state: CrawlState, entry: FrontierEntry, response: Fetched, reused: boolean, parsed: ParsedPage | null): void {
  const { batch, config } = state;
  const internal = state.scope.isInternal(entry.url);
  // A missing picture is often answered by a page, or redirected to one, which is none of the site.
  const html = entry.source !== 'resource' && isHtml(mimeOf(response.headers), response.body) && !(isCheck(entry) && response.status !== 200);
  const facts = parsed?.facts ?? factsOfHeaders(response.headers);
  const redirectTo = response.location === null ? null : followRedirect(state, entry, response.location);
  if (parsed !== null) {
    const newLinks = follow(state, entry, facts, parsed.links);
    if (state.report === null) state.families.note(state.families.of(entry.url), parsed.simhash, newLinks);
    else state.report.simhash = String(parsed.simhash);
    for (const row of state.extract({ url: entry.url, html: parsed.html, headers: response.headers })) batch.row({ ...row, url_id: entry.id });
  }
  const row = pageRow({
    runId: state.start.runId,
    entry,
    response,
    internal,
    html,
    facts,
    parsed,
    redirectTo,
    canonicalId: storedId(state, facts.canonicals[0]?.url),
    inSitemap: state.inSitemap.has(entry.id),
    reused,
    storesBody: config.store.bodies && parsed !== null,
    now: state.now(),
  });
  if (row.sha !== null && !reused) storeBody(state, row.sha.slice(2), response);
  if (facts.needsScripts) state.counters.needScripts += 1;
  evaluate(state, entry, row, parsed?.links ?? []);
  batch.page(row);
  batch.frontier(entry, 1, null);
  count(state, entry, response);
}
