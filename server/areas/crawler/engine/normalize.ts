import iconv from 'iconv-lite';
import { crawlLimits } from '../../../../contract/crawler/terms';
import { parseUrl } from '../../../../contract/parseUrl';

/** Parameters that say where a visitor came from, never what a page shows. */
const campaign = /^(?:utm_[a-z_]+|gclid|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl|spm|bd_vid)$/i;
/** Paths that the URL parser would return as they are: no dot segments, escapes, queries or characters that are encoded. */
const plainPath = /^\/(?:[\w~!$&'()*+,;=:@-][\w.~!$&'()*+,;=:@/-]*)?$/;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
/** Addresses that are longer than this are not recorded at all; those beyond `crawlLimits.urlLength` are recorded, but not requested. */
const longest = crawlLimits.urlLength * 3;
const schemes = /^\s*(?:javascript|mailto|tel|data|sms|blob|about|file|ftp|weixin|intent|viber|whatsapp):/i;

export const noParameters: ReadonlySet<string> = new Set();

const isDropped = (parameter: string, drop: ReadonlySet<string>): boolean => {
  const name = parameter.split('=', 1)[0] ?? '';
  return campaign.test(name) || drop.has(name);
};

function queryWithout(search: string, drop: ReadonlySet<string>): string {
  if (search.length < 2) return '';
  const parameters = search.slice(1).split('&');
  const remaining = parameters.filter((parameter) => parameter !== '' && !isDropped(parameter, drop));
  return remaining.length === 0 ? '' : `?${remaining.join('&')}`;
}

const upperEscapes = (text: string): string => (text.includes('%') ? text.replaceAll(/%[\da-f]{2}/gi, (escape) => escape.toUpperCase()) : text);

/**
 * An address in the form in which addresses are compared: as the URL Standard writes it, without fragment and parameters of campaigns, escapes in upper case. Order of parameters
 * and slashes stay, because servers distinguish them. Null: not one that can be requested.
 */
export function normalized(url: URL, drop: ReadonlySet<string> = noParameters): string | null {
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return url.origin + upperEscapes(url.pathname + queryWithout(url.search, drop));
}

/** The query of a link is encoded in the charset of its page (URL Standard, 4.4); characters that it lacks become decimal references. */
export function encodeQuery(href: string, charset: string): string {
  const question = href.indexOf('?');
  // oxlint-disable-next-line no-control-regex
  if (question < 0 || !/[^\u0000-\u007f]/.test(href)) return href;
  const [query = '', ...fragment] = href.slice(question + 1).split('#');
  const encoded = query.replaceAll(/[^\u0000-\u007f]/gu, (character) => {
    const bytes = iconv.encode(character, charset);
    const isMissing = bytes.length === 1 && bytes[0] === 0x3f;
    if (isMissing) return `%26%23${character.codePointAt(0)}%3B`;
    return Array.from(bytes, (byte) => (byte > 0x7f || byte < 0x30 ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte))).join(
      '',
    );
  });
  return `${href.slice(0, question + 1)}${encoded}${fragment.length > 0 ? `#${fragment.join('#')}` : ''}`;
}

export type Resolved = { readonly url: string; readonly fragment: string };
/** Resolves addresses of one page. `charset`: of the page, null for UTF-8. */
export function createResolver(base: URL, charset: string | null, drop: ReadonlySet<string>) {
  const { origin } = base;
  const own = `${origin}/`;
  return (written: string): Resolved | null => {
    // Most links lead to plain paths of the same host, which the URL parser would not change.
    const path = written.startsWith(own) ? written.slice(origin.length) : written;
    if (plainPath.test(path) && !path.startsWith('//') && !dotSegment.test(path)) return { url: origin + path, fragment: '' };
    const href = written.trim();
    if (schemes.test(href) || href.length > longest) return null;
    const encoded = charset === null ? href : encodeQuery(href, charset);
    const url = parseUrl(encoded, base);
    if (url === null) return null;
    const found = normalized(url, drop);
    return found === null || found.length > longest ? null : { url: found, fragment: url.hash.slice(1) };
  };
}

/** An address as people or sitemaps write it; null: not one that can be requested. */
export function normalizeUrl(url: string, base?: string, dropParameters: readonly string[] = []): string | null {
  const parsed = parseUrl(url, base);
  return parsed === null ? null : normalized(parsed, new Set(dropParameters));
}

/** Host with its port, path with its query: what most parts need of a normalized address, without parsing it. */
export function splitUrl(url: string): { readonly origin: string; readonly host: string; readonly rest: string } {
  const start = url.indexOf('://') + 3;
  const slash = url.indexOf('/', start);
  const end = slash < 0 ? url.length : slash;
  return { origin: url.slice(0, end), host: url.slice(start, end), rest: slash < 0 ? '/' : url.slice(slash) };
}
