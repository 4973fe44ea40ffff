import { robotsBytes, parseRobots, robotsVerdict } from '../../../../contract/seo/robots';
import type { Robots } from '../../../../contract/seo/robots';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import type { Context } from '../../../context';
import { ConnectRefused } from '../../../net/publicAddress';
import { textOf } from '../../../net/readText';
import { readPage } from '../content/page';
import { normalPath } from '../content/paths';
import { resolved } from '../content/html';
import { agent, fetched } from '../fetched';
import { SourceStop } from '../zip';
import { collectionOf, pageItem, siblingsOf } from './pages';
import type { Sink } from './types';

/** The own website of somebody, read page by page: within its host, as its robots.txt allows, and no faster than two requests per second. */

const pause = 500;
const pageMs = 20_000;

/** What remains to be read, as it is stored between pages. */
export type Frontier = {
  readonly queue: readonly string[];
  readonly visited: readonly string[];
  readonly done: number;
};

type Page = { readonly url: URL; readonly status: number; readonly type: string; readonly text: string };
async function fetchText(ctx: Context, address: URL, most: number, signal: AbortSignal): Promise<Page> {
  const { url, status, type, headers, body } = await fetched(ctx, address, { most, ms: pageMs, signal });
  return { url, status, type, text: textOf(body, headers) };
}

/** The rules of a website. Without an answer, or with an error of the server, nothing may be read (RFC 9309, 2.3.1). */
async function robotsOf(ctx: Context, origin: string, signal: AbortSignal): Promise<Robots> {
  const closed = parseRobots('User-agent: *\nDisallow: /');
  try {
    const { status, text } = await fetchText(ctx, new URL('/robots.txt', origin), robotsBytes, signal);
    return status >= 500 || status === 429 ? closed : status >= 400 ? parseRobots('') : parseRobots(text);
  } catch (error) {
    if (error instanceof SourceStop) return closed;
    throw error;
  }
}

async function sitemapPages(ctx: Context, origin: string, { sitemaps }: Robots, most: number, signal: AbortSignal): Promise<string[]> {
  const waiting = [...new Set([...sitemaps, new URL('/sitemap.xml', origin).href])].slice(0, 5);
  const pages: string[] = [];
  for (let at = 0; at < waiting.length && at < 20 && pages.length < most; at += 1) {
    const address = waiting[at] ?? '';
    if (!URL.canParse(address, origin) || new URL(address, origin).origin !== origin) continue;
    try {
      const { status, text } = await fetchText(ctx, new URL(address, origin), 20 * 1024 ** 2, signal);
      if (status !== 200) continue;
      const found = [...text.matchAll(/<loc>\s*([^<\s]{1,2000})\s*<\/loc>/g)].map(([, one = '']) => one.replaceAll('&amp;', '&'));
      if (/<sitemapindex/i.test(text.slice(0, 5000))) waiting.push(...found.slice(0, 20));
      else pages.push(...found);
    } catch (error) {
      if (!(error instanceof ConnectRefused || error instanceof SourceStop)) throw error;
    }
  }
  return pages.slice(0, most);
}

const isAsset = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|css|js|mjs|json|xml|pdf|zip|gz|mp[34]|webm|mov|woff2?|ttf|docx?|xlsx?|pptx?|txt|csv|epub)$/i;

function inScope(address: string | null, origin: string): string | null {
  if (address === null) return null;
  const url = new URL(address);
  if (url.origin !== origin || isAsset.test(url.pathname) || url.search.length > 200) return null;
  url.hash = '';
  return url.href;
}

export type Crawl = {
  readonly address: string;
  readonly pages: number;
  readonly saved: Frontier | null;
  readonly save: (frontier: Frontier) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
};

/** Reads a website from its address. Redirects within it become further addresses of their targets. Throws `SourceStop` if it cannot be read at all. */
export async function readAddress(
  ctx: Context,
  { address, pages, saved, save, wait }: Crawl,
  sink: Sink,
  progress: (done: number, total: number) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let origin: string;
  let robots: Robots;
  try {
    // The address may redirect, such as to `www.`.
    origin = (await fetchText(ctx, new URL(address), limits.itemBytes, signal)).url.origin;
    robots = await robotsOf(ctx, origin, signal);
  } catch (error) {
    if (error instanceof ConnectRefused) throw new SourceStop(error.code === 'address_refused' ? 'address_refused' : 'not_reachable');
    throw error;
  }
  sink.site({ url: origin });
  const visited = new Set<string>(saved?.visited);
  const queue: string[] = [...(saved?.queue ?? [])];
  let done = saved?.done ?? 0;
  const add = (one: string | null): void => {
    const scoped = inScope(one, origin);
    if (scoped === null || visited.size >= pages * 4) return;
    const { pathname, search } = new URL(scoped);
    const key = normalPath(pathname + search);
    if (visited.has(key)) return;
    visited.add(key);
    queue.push(scoped);
  };
  if (!saved) {
    add(new URL(address).origin === origin ? address : `${origin}/`);
    add(`${origin}/`);
    for (const one of await sitemapPages(ctx, origin, robots, pages, signal)) add(resolved(one, origin));
  }
  if (queue.length > 0 && queue.every((one) => !robotsVerdict(robots, agent, one).allowed)) throw new SourceStop('robots');
  let read = 0;
  while (queue.length > 0 && done < pages) {
    await progress(done, Math.min(pages, done + queue.length));
    const next = queue[0] ?? '';
    if (!robotsVerdict(robots, agent, next).allowed) sink.problem(next, 'robots');
    else {
      await readOne(ctx, next, { origin, add, siblings: () => siblingsOf(visited) }, sink, signal);
      done += 1;
      read += 1;
      await wait(pause);
    }
    queue.shift();
    if (read % 10 === 0) await save({ queue, visited: [...visited], done });
  }
  if (queue.length > 0) sink.problem(String(queue.length), 'more_pages');
}

type Reading = { readonly origin: string; readonly add: (address: string | null) => void; readonly siblings: () => ReadonlyMap<string, number> };
async function readOne(ctx: Context, address: string, { origin, add, siblings }: Reading, sink: Sink, signal: AbortSignal): Promise<void> {
  try {
    const { url, status, type, text } = await fetchText(ctx, new URL(address), limits.itemBytes, signal);
    if (status !== 200) return sink.problem(address, `status_${status}`);
    if (!/html/i.test(type)) return undefined;
    if (url.origin !== origin) return sink.problem(address, 'elsewhere');
    const page = readPage(text);
    const path = normalPath(url.pathname + url.search);
    for (const link of page.links) add(resolved(link, url.href));
    if (path === '/') sink.site({ title: page.siteName || page.title, description: page.description, language: page.language });
    const own = new URL(address);
    const from = normalPath(own.pathname + own.search);
    const item = pageItem(page, url.href, path, collectionOf(path, siblings()));
    await sink.item(from === path ? item : { ...item, data: { ...item.data, aliases: [from] } });
  } catch (error) {
    if (error instanceof ConnectRefused) return sink.problem(address, 'not_reachable');
    if (error instanceof SourceStop) return sink.problem(address, error.code);
    if (error instanceof RangeError || error instanceof TypeError) return sink.problem(address, 'unreadable');
    throw error;
  }
  return undefined;
}
