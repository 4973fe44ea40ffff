import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import type { SitemapObservation, SitemapProblem } from '../../../../contract/crawler/observations';
import { decode } from './decode';
import { normalizeUrl, splitUrl } from './normalize';
import type { Fetched } from './terms';

/** Limits of the protocol (sitemaps.org), and of what one crawl reads. */
const limits = { bytes: 50 * 1024 * 1024, entries: 50_000, files: 500, indexDepth: 2, lastmods: 1000 } as const;
const places = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.txt'];

export type SitemapEntry = { readonly url: string; readonly lastmod: string | null };
export type ReadSitemap = Pick<SitemapObservation, 'kind' | 'entries' | 'problems'> & {
  readonly urls: readonly SitemapEntry[];
  readonly children: readonly string[];
};

const isGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b;

/** Reads one file. Entities that a document type declares are not expanded: the parser fails at them. */
export function readSitemap(body: Uint8Array, origin: string): ReadSitemap {
  const problems = new Set<SitemapProblem>();
  let bytes = body;
  try {
    if (isGzip(body)) bytes = gunzipSync(body, { maxOutputLength: limits.bytes + 1 });
  } catch {
    return { kind: 'unknown', entries: 0, problems: ['too_large'], urls: [], children: [] };
  }
  if (bytes.byteLength > limits.bytes) problems.add('too_large');
  const { text } = decode(bytes.subarray(0, limits.bytes), '');
  const found = text.trimStart().startsWith('<') ? readXml(text) : readText(text);
  if (found.broken) problems.add('xml');
  if (found.entries > limits.entries) problems.add('too_many');
  const resolved = (written: string): string | null => {
    if (!/^https?:\/\//i.test(written)) problems.add('relative');
    return normalizeUrl(written, origin);
  };
  const { host } = splitUrl(origin);
  const urls = found.urls.slice(0, limits.entries).flatMap(({ url: written, lastmod }) => {
    const url = resolved(written);
    if (url !== null && splitUrl(url).host !== host) problems.add('wrong_host');
    return url === null ? [] : [{ url, lastmod }];
  });
  const children = found.children.slice(0, limits.files).flatMap((written) => resolved(written) ?? []);
  return { kind: found.kind, entries: found.entries, problems: [...problems], urls, children };
}

type Found = {
  kind: SitemapObservation['kind'];
  entries: number;
  broken: boolean;
  readonly urls: { url: string; lastmod: string | null }[];
  readonly children: string[];
};
const nothing = (kind: Found['kind']): Found => ({ kind, entries: 0, broken: false, urls: [], children: [] });

function readText(text: string): Found {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const urls = lines.slice(0, limits.entries).map((line) => line.trim());
  if (!urls.some((line) => /^https?:\/\//i.test(line))) return { ...nothing('unknown'), broken: true };
  return { ...nothing('text'), entries: lines.length, urls: urls.map((url) => ({ url, lastmod: null })) };
}

const kinds = new Map<string, Found['kind']>(Object.entries({ urlset: 'urlset', sitemapindex: 'index', rss: 'feed', feed: 'feed' } as const));

function readXml(text: string): Found {
  const found = nothing('unknown');
  const path: string[] = [];
  let value = '';
  let entry: { url: string; lastmod: string | null } | null = null;
  const parser = new SaxesParser({ xmlns: false });
  // Several problems of one file are one.
  parser.on('error', () => {
    found.broken = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const local = name.slice(name.indexOf(':') + 1).toLowerCase();
    if (path.length === 0) found.kind = kinds.get(local) ?? 'unknown';
    path.push(local);
    value = '';
    if (path.length === 2 || (path.length === 3 && found.kind === 'feed'))
      if (local === 'url' || local === 'sitemap' || local === 'item' || local === 'entry') entry = { url: '', lastmod: null };
    if (local === 'link' && entry !== null && typeof attributes['href'] === 'string' && entry.url === '') entry.url = attributes['href'];
  });
  parser.on('text', (part) => {
    if (value.length < 4000) value += part;
  });
  parser.on('cdata', (part) => {
    if (value.length < 4000) value += part;
  });
  parser.on('closetag', () => {
    const local = path.pop() ?? '';
    // `image:loc` and the like are no pages.
    const parent = path.at(-1);
    if (entry !== null && (local === 'loc' || local === 'link') && ['url', 'sitemap', 'item', 'entry'].includes(parent ?? '') && value.trim() !== '')
      entry.url = value.trim();
    if (entry !== null && (local === 'lastmod' || local === 'updated')) entry.lastmod = value.trim().slice(0, 40);
    if (entry === null || !['url', 'sitemap', 'item', 'entry'].includes(local)) return;
    found.entries += 1;
    if (entry.url === '') found.broken = true;
    else if (local === 'sitemap') found.children.push(entry.url);
    else if (found.urls.length < limits.entries) found.urls.push(entry);
    entry = null;
  });
  try {
    parser.write(text).close();
  } catch {
    found.broken = true;
  }
  return found;
}

export type SitemapReading = { readonly observations: SitemapObservation[]; readonly lastmods: { url: string; lastmod: string }[] };
/** Reads the sitemaps of an origin: those of robots.txt, or those at the usual places, and the files of indexes. `onUrls` gets what each lists. `request`: null
 * ends the reading. */
export async function readSitemaps(
  origin: string,
  stated: readonly string[],
  request: (url: string) => Promise<Fetched | null>,
  onUrls: (urls: readonly SitemapEntry[]) => boolean,
): Promise<SitemapReading> {
  const reading: SitemapReading = { observations: [], lastmods: [] };
  const visited = new Set<string>();
  type Target = { readonly url: string; readonly source: SitemapObservation['source']; readonly depth: number };
  const fromRobots = stated.flatMap((url) => normalizeUrl(url, origin) ?? []);
  const targets: Target[] = fromRobots.map((url) => ({ url, source: 'robots', depth: 0 }));
  if (targets.length === 0) targets.push(...places.map((path) => ({ url: origin + path, source: 'known' as const, depth: 0 })));

  for (let next = targets.shift(); next !== undefined && visited.size < limits.files; next = targets.shift()) {
    const { url, source, depth } = next;
    if (visited.has(url)) continue;
    visited.add(url);
    let response = await request(url);
    for (let hop = 0; hop < 5 && response !== null && response.location !== null; hop += 1) response = await request(response.location);
    if (response === null) break;
    const { status, body, error } = response;
    const bytes = body.byteLength;
    if (error !== null || status !== 200) {
      const problems: SitemapProblem[] = [error === 'too_large' ? 'too_large' : 'unreachable'];
      if (source !== 'known') reading.observations.push({ url, kind: 'unknown', source, status, bytes, entries: 0, problems });
      continue;
    }
    const found = readSitemap(body, splitUrl(url).origin);
    // A page that says "not found" with the status 200 is no sitemap.
    if (source === 'known' && found.kind === 'unknown') continue;
    const problems = [...found.problems];
    if (found.kind === 'index' && depth + 1 > limits.indexDepth) problems.push('too_deep');
    else targets.push(...found.children.map((child) => ({ url: child, source: 'index' as const, depth: depth + 1 })));
    reading.observations.push({ url, kind: found.kind, source, status, bytes, entries: found.entries, problems });
    for (const entry of found.urls)
      if (entry.lastmod !== null && reading.lastmods.length < limits.lastmods) reading.lastmods.push({ url: entry.url, lastmod: entry.lastmod });
    if (!onUrls(found.urls)) break;
  }
  return reading;
}
