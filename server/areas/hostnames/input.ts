import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import type { FieldCode } from '../../../contract/errors';
import { isLoopback } from '../../loopback';

export type ReadHost = {
  /** Lower case, Punycode, without a dot at its end. */
  readonly host: string;
  /** The registrable domain. */
  readonly apex: string;
  /** Whether more than the host was entered. */
  readonly reduced: boolean;
};

/** Node's conversion accepts names that DNS does not: empty and overlong labels, underscores, hyphens at the ends. */
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The part of an input that can be a host: what stands between `://`, `user@` and the first `/`, `?` or `#`. */
function hostPart(text: string): { readonly host: string; readonly scheme: string } {
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?\/\/(.*)$/is.exec(text) ?? [null, '', text];
  const authority = rest.split(/[/?#\\]/, 1)[0] ?? '';
  return { host: authority.slice(authority.lastIndexOf('@') + 1).trim(), scheme: scheme.toLowerCase() };
}

const usualPorts: Readonly<Record<string, string>> = { http: ':80', https: ':443' };

/** Reads a hostname, or takes it from an address that somebody pasted. Returns the reason if it is none that a site can have. */
export function readHostname(input: string): ReadHost | { readonly refused: FieldCode } {
  const text = input.trim();
  const { host: found, scheme } = hostPart(text);
  if (isIP(found.replace(/^\[|\](?::\d*)?$/g, '')) !== 0) return { refused: 'ip_address' };
  const usual = usualPorts[scheme];
  const bare = usual !== undefined && found.endsWith(usual) ? found.slice(0, -usual.length) : found;
  if (/:\d*$/.test(bare)) return { refused: isIP(bare.replace(/:\d*$/, '')) === 0 ? 'has_port' : 'ip_address' };
  if (bare.includes('*')) return { refused: 'wildcard' };
  if (/[%\s:[\]]/.test(bare)) return { refused: 'not_a_host' };
  const host = domainToASCII(bare).toLowerCase().replace(/\.$/, '');
  // The URL standard reads numbers such as `0x7f.1` as an address.
  if (isIP(host) !== 0) return { refused: 'ip_address' };
  if (host.length > 253) return { refused: 'too_long' };
  if (!host.split('.').every((one) => label.test(one))) return { refused: 'not_a_host' };
  if (isLoopback(host)) return { refused: 'reserved' };
  const { domain } = parse(host);
  if (domain === null) return { refused: host.includes('.') ? 'public_suffix' : 'not_a_host' };
  return { host, apex: domain, reduced: text.replace(/\.$/, '').toLowerCase() !== bare.replace(/\.$/, '').toLowerCase() };
}

export const unicodeOf = (host: string): string => domainToUnicode(host) || host;

/** The name with or without `www.`, if that is its counterpart of the same domain; null for other subdomains. */
export const pairOf = ({ host, apex }: Pick<ReadHost, 'host' | 'apex'>): string | null =>
  host === apex ? `www.${apex}` : host === `www.${apex}` ? apex : null;

const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Hebrew',
  'Arabic',
  'Thai',
  'Devanagari',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
];
const ofScript = scripts.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);
/** Scripts that one language writes together (UTS 39, “highly restrictive”). */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];
/** Cyrillic and Greek letters that look like Latin ones. */
const latinLike = /^[авеіїјкмнорсѕтухһԁԛԝүґεικνορτυχ0-9-]+$/u;

/** Whether a label mixes scripts that no language mixes, or consists of letters that look like Latin ones: the name may be taken for another one. */
export function looksLikeAnother(host: string): boolean {
  return unicodeOf(host)
    .split('.')
    .some((one) => {
      const used = ofScript.filter(([, pattern]) => pattern.test(one)).map(([name]) => name);
      if (used.length > 1) return !together.some((group) => used.every((name) => group.includes(name)));
      return (used[0] === 'Cyrillic' || used[0] === 'Greek') && latinLike.test(one);
    });
}
