import { limits } from '../../../contract/collect/schemas';
import { normalizePath } from '../../../contract/paths';
import type { ImportReason } from '../../../contract/imports/schemas';
import { parseUrl } from '../../../contract/parseUrl';
import { remember } from '../../collect/classify/lru';
import { cut, cutAddress } from '../../collect/text';
import type { LogLine } from './logLine';

/** Resources loaded by pages, and files that are not pages. Decided by the extension, because a log does not contain the type of the response. */
const assetExtensions = new Set(
  (
    'css js mjs cjs map json jsonp xml rss atom txt ico png jpg jpeg gif webp avif apng svg svgz bmp tif tiff heic cur ' +
    'woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg ogv oga wav flac mov avi mkv flv m3u8 ts swf wasm webmanifest manifest ' +
    'pdf doc docx xls xlsx ppt pptx csv zip gz tgz bz2 xz 7z rar tar dmg iso exe msi apk ipa deb rpm jar bin'
  ).split(' '),
);

/** The program's own paths on delivered sites and on the console's listener (server/collect/http.ts). */
const isOwn = (path: string): boolean => path === '/collect' || path === '/t.js' || path === '/t.more.js' || path === '/_a' || path.startsWith('/_a/');

/** Longer than any stored URL, so that caches do not hold an arbitrarily long hostile line. */
const longestTarget = 3 * limits.url;

export const isAsset = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot >= 0 && assetExtensions.has(name.slice(dot + 1).toLowerCase());
};

export type Place = { readonly url: string; readonly host: string; readonly path: string; readonly query: string };

/** Resolves `target` (a path, or an absolute URL as in proxy requests) on a host, as a browser would show it. null: not a web URL. */
const placeOf = remember(20_000, (key: string): Place | null => {
  const cutAt = key.indexOf(' ');
  const host = key.slice(0, cutAt);
  const target = key.slice(cutAt + 1);
  // Two leading slashes would be parsed as a host.
  const text = target.startsWith('/') ? `http://${host}/${target.replace(/^\/+/, '')}` : /^https?:\/\//i.test(target) ? target : '';
  const url = parseUrl(text);
  if (url === null) return null;
  url.username = '';
  url.password = '';
  return {
    url: cutAddress(`https://${url.host}${url.pathname}${url.search}`, limits.url),
    host: url.host,
    path: cut(normalizePath(url.pathname), limits.url),
    query: cut(url.search, limits.url),
  };
});

/** Lines older than the first web logs have a wrong clock. */
const earliest = Date.UTC(1995, 0, 1);
/** Tolerance for a server's clock that is ahead. */
const ahead = 10 * 60_000;

export type ViewRules = {
  readonly now: number;
  /** The site's own host names, lower case; empty: any host. */
  readonly hosts: readonly string[];
  /** Used if the log contains no host. */
  readonly host: string;
};

/**
 * The page viewed according to a line, or the reason why it is none. A page view is GET, 200–299 or 304, not an asset, and not one of the program's own paths.
 */
export function pageViewOf(line: LogLine, { now, hosts, host }: ViewRules): Place | ImportReason {
  if (Number.isNaN(line.at) || line.at < earliest) return 'bad_time';
  if (line.at > now + ahead) return 'future';
  if (line.method !== 'GET') return 'method';
  if (!((line.status >= 200 && line.status < 300) || line.status === 304)) return 'status';
  if (line.host !== '' && hosts.length > 0 && !hosts.includes(line.host)) return 'other_host';
  const place = placeOf(`${line.host === '' ? host : line.host.slice(0, 255)} ${line.target.slice(0, longestTarget)}`);
  if (place === null) return 'bad_address';
  if (isOwn(place.path)) return 'own_path';
  return isAsset(place.path) ? 'asset' : place;
}
