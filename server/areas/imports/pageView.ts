import { limits } from '../../../contract/collect/schemas';
import { normalizePath } from '../../../contract/paths';
import type { ImportReason } from '../../../contract/imports/schemas';
import { remember } from '../../collect/classify/lru';
import { cut, cutAddress } from '../../collect/text';
import type { LogLine } from './line';

/**
 * What a browser fetches beside the page, and files that are no pages. The extension decides, because a log does not tell the type of what
 * was answered.
 */
const assetExtensions = new Set(
  (
    'css js mjs cjs map json jsonp xml rss atom txt ico png jpg jpeg gif webp avif apng svg svgz bmp tif tiff heic cur ' +
    'woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg ogv oga wav flac mov avi mkv flv m3u8 ts swf wasm webmanifest manifest ' +
    'pdf doc docx xls xlsx ppt pptx csv zip gz tgz bz2 xz 7z rar tar dmg iso exe msi apk ipa deb rpm jar bin'
  ).split(' '),
);

/** The program's own addresses on delivered sites and on the console's listener (server/collect/http.ts). */
const isOwn = (path: string): boolean => path === '/collect' || path === '/t.js' || path === '/t.more.js' || path === '/_a' || path.startsWith('/_a/');

/** More of what was asked for than is ever stored; a hostile line must not be kept whole by what is remembered of it. */
const longestTarget = 3 * limits.url;

export const isAsset = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot >= 0 && assetExtensions.has(name.slice(dot + 1).toLowerCase());
};

export type Place = { readonly url: string; readonly host: string; readonly path: string; readonly query: string };

/** `target` (a path, or a whole address as proxies are asked) on a host, as a browser would show it. null: not an address of the web. */
const placeOf = remember(20_000, (key: string): Place | null => {
  const cutAt = key.indexOf(' ');
  const host = key.slice(0, cutAt);
  const target = key.slice(cutAt + 1);
  // Two slashes at the beginning would be read as a host.
  const text = target.startsWith('/') ? `http://${host}/${target.replace(/^\/+/, '')}` : /^https?:\/\//i.test(target) ? target : '';
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return {
    url: cutAddress(`https://${url.host}${url.pathname}${url.search}`, limits.url),
    host: url.host,
    path: cut(normalizePath(url.pathname), limits.url),
    query: cut(url.search, limits.url),
  };
});

/** Lines older than the web's first logs are mistakes of a clock. */
const earliest = Date.UTC(1995, 0, 1);
/** A server's clock may be a little ahead of ours. */
const ahead = 10 * 60_000;

export type ViewRules = {
  readonly now: number;
  /** The site's own host names, lower case; none: whatever the log says. */
  readonly hosts: readonly string[];
  /** Stands in where the log names no host. */
  readonly host: string;
};

/** The page that a line shows being viewed, or why it does not. A page view is GET, 200–299 or 304, no asset, not our own address. */
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
