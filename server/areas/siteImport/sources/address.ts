import { robotsVerdict } from '../../../../contract/seo/robots';
import type { Robots } from '../../../../contract/seo/robots';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import { parseUrl } from '../../../../contract/parseUrl';
import type { Context } from '../../../context';
import {
  createFetcher,
  createGovernor,
  createScope,
  decode,
  defaultUserAgent,
  loadRobots,
  normalizeUrl,
  readSitemaps,
  retryAfterMs,
  splitUrl,
  tokenOfAgent,
} from '../../crawler';
import type { Fetched } from '../../crawler';
import { readPage } from '../content/page';
import { normalPath } from '../content/paths';
import { SourceStop } from '../zip';
import { collectionOf, pageItem, siblingsOf } from './pages';
import type { Sink } from './types';

/** The own website of somebody, read page by page with the parts of the crawler: within its host, as its robots.txt allows, and no faster than two requests per second. */

const pageMs = 20_000;
const mostHops = 5;
/** Requests for a page that fails with 429, 5xx or no answer. */
const mostAttempts = 3;
const token = tokenOfAgent(defaultUserAgent);
const politeness = { connections: 1, requestsPerSecond: 2 } as const;

/** What remains to be read, as it is stored between pages. */
export type Frontier = {
  readonly queue: readonly string[];
  readonly visited: readonly string[];
  readonly done: number;
};

export type Crawl = {
  readonly address: string;
  readonly pages: number;
  readonly saved: Frontier | null;
  readonly save: (frontier: Frontier) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
};

type Send = (url: string) => Promise<Fetched>;
const isTemporary = ({ status, error }: Fetched): boolean => status === 429 || status >= 500 || error === 'timeout' || error === 'network';

/** Sends one request at a time, at the pace that the host bears. */
function politeSender(ctx: Context, address: string, wait: Crawl['wait'], signal: AbortSignal) {
  const ports = new Set([parseUrl(address)?.port ?? '']);
  const fetcher = createFetcher({ allowNear: ctx.config.privateSites, userAgent: defaultUserAgent, ports });
  const governor = createGovernor(() => politeness, 1);
  const send: Send = async (url) => {
    const { host } = splitUrl(url);
    for (let at = governor.readyAt(host); at > ctx.now() && !signal.aborted; at = governor.readyAt(host)) await wait(at - ctx.now());
    governor.start(host, ctx.now());
    const response = await fetcher.send(url, { maxBytes: limits.itemBytes, timeout: pageMs, signal });
    const retry = retryAfterMs(response.headers['retry-after'], ctx.now());
    governor.end(host, ctx.now(), isTemporary(response) ? { kind: 'slow_down', retryAfterMs: retry } : { kind: 'ok', ms: response.totalMs });
    return response;
  };
  return { send, setCrawlDelay: governor.setCrawlDelay, close: () => fetcher.close() };
}

type Site = { readonly origin: string; readonly robots: Robots; readonly stated: readonly string[] };
/** Where a website is, behind the redirects of its address such as to `www.`, and its rules. Throws `SourceStop`. */
async function openSite(address: string, { send, setCrawlDelay }: ReturnType<typeof politeSender>): Promise<Site> {
  let response = await send(address);
  for (let hop = 0; hop < mostHops && response.location !== null; hop += 1) response = await send(response.location);
  if (response.error === 'address_refused') throw new SourceStop('address_refused');
  if (response.status === 0 || response.location !== null) throw new SourceStop('not_reachable');
  const { origin, host } = splitUrl(response.url);
  const rules = await loadRobots(origin, token, send);
  // Without an answer, or with an error of the server, nothing may be read (RFC 9309, 2.3.1).
  if (!('kind' in rules)) throw new SourceStop('robots');
  setCrawlDelay(host, rules.crawlDelay);
  return { origin, robots: rules.robots, stated: rules.robots.sitemaps };
}

const isAsset = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|json|xml|pdf|zip|gz|mp[34]|webm|mov|woff2?|ttf|docx?|xlsx?|pptx?|txt|csv|epub)$/i;

/** Addresses that wait to be read, each page once. */
function openFrontier({ origin }: Site, most: number, saved: Frontier | null) {
  const scope = createScope({ seeds: [origin], scope: { mode: 'host', include: [], exclude: [], maxDepth: null, maxPathDepth: null, dropParameters: [] } });
  const visited = new Set<string>(saved?.visited);
  const queue: string[] = [...(saved?.queue ?? [])];
  /** An address within the site, at its origin: a page may be linked with and without `www.` or TLS. */
  function own(written: string, base: string): string | null {
    const found = normalizeUrl(written, base);
    if (found === null || !scope.isInternal(found)) return null;
    const url = origin + splitUrl(found).rest;
    return scope.skip(url, 0) !== null || isAsset.test(new URL(url).pathname) ? null : url;
  }
  return {
    queue,
    visited,
    own,
    add(written: string, base: string): void {
      const url = own(written, base);
      if (url === null || visited.size >= most * 4) return;
      const key = normalPath(splitUrl(url).rest);
      if (visited.has(key)) return;
      visited.add(key);
      queue.push(url);
    },
  };
}
type Waiting = ReturnType<typeof openFrontier>;

type Reading = { readonly site: Site; readonly frontier: Waiting; readonly send: Send; readonly sink: Sink };

/** Reads a page and adds what it links to; false: it may answer later. */
async function readOne(address: string, isLast: boolean, { site, frontier, send, sink }: Reading): Promise<boolean> {
  const problem = (code: string): true => {
    sink.problem(address, code);
    return true;
  };
  let response = await send(address);
  for (let hop = 0; hop < mostHops && response.location !== null; hop += 1) {
    const next = frontier.own(response.location, response.url);
    if (next === null) return problem('elsewhere');
    if (!robotsVerdict(site.robots, token, next).allowed) return problem('robots');
    response = await send(next);
  }
  const { status, error, headers, body, url } = response;
  if (!isLast && isTemporary(response)) return false;
  if (error !== null) return problem(error === 'too_large' ? 'too_large' : 'not_reachable');
  if (status !== 200) return problem(`status_${status}`);
  if (!/html/i.test(headers['content-type'] ?? '')) return true;
  const page = readPage(decode(body, headers['content-type'] ?? '').text);
  const path = normalPath(splitUrl(url).rest);
  for (const link of page.links) frontier.add(link, url);
  if (path === '/') sink.site({ title: page.siteName || page.title, description: page.description, language: page.language });
  const from = normalPath(splitUrl(address).rest);
  const item = pageItem(page, url, path, collectionOf(path, siblingsOf(frontier.visited)));
  await sink.item(from === path ? item : { ...item, data: { ...item.data, aliases: [from] } });
  return true;
}

/** Reads a website from its address. Redirects within it become further addresses of their targets. Throws `SourceStop` if it cannot be read at all. */
export async function readAddress(
  ctx: Context,
  { address, pages, saved, save, wait }: Crawl,
  sink: Sink,
  progress: (done: number, total: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const sender = politeSender(ctx, address, wait, signal);
  const { send } = sender;
  try {
    const site = await openSite(address, sender);
    const { origin, robots } = site;
    sink.site({ url: origin });
    const frontier = openFrontier(site, pages, saved);
    const { queue, visited } = frontier;
    let done = saved?.done ?? 0;
    if (!saved) {
      frontier.add(address, address);
      frontier.add('/', origin);
      await readSitemaps(origin, site.stated, send, (urls) => {
        for (const { url } of urls) frontier.add(url, origin);
        return visited.size < pages && !signal.aborted;
      });
    }
    if (queue.length > 0 && queue.every((one) => !robotsVerdict(robots, token, one).allowed)) throw new SourceStop('robots');
    const attempts = new Map<string, number>();
    for (let step = 1; queue.length > 0 && done < pages; step += 1) {
      await progress(done, Math.min(pages, done + queue.length));
      const next = queue.shift() ?? '';
      const attempt = (attempts.get(next) ?? 0) + 1;
      if (!robotsVerdict(robots, token, next).allowed) sink.problem(next, 'robots');
      else if (await readOne(next, attempt >= mostAttempts, { site, frontier, send, sink })) done += 1;
      else {
        attempts.set(next, attempt);
        queue.push(next);
      }
      if (step % 10 === 0) await save({ queue, visited: [...visited], done });
    }
    if (queue.length > 0) sink.problem(String(queue.length), 'more_pages');
  } finally {
    await sender.close();
  }
}
