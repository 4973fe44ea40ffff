import { limits } from '../../contract/collect/schemas';
import { normalizePath } from '../../contract/paths';
import type { RefusalCode } from '../../contract/collect/schemas';
import { parseUrl } from '../../contract/parseUrl';
import { cleanText, cut, cutAddress } from './text';

export type HitKind = 'view' | 'event' | 'engage';

/** A hit that may be stored: limited in length, sanitized, with its time computed. All other input is dropped. */
export type ValidHit = {
  readonly kind: HitKind;
  /** Its index in the request. */
  readonly index: number;
  readonly view: string;
  readonly seq: number;
  /** Epoch ms by the server's clock. */
  readonly at: number;
  /** The whole URL, for determining the source. */
  readonly url: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly title: string;
  readonly referrer: string;
  readonly screenW: number;
  readonly screenH: number;
  readonly lang: string;
  readonly engagedMs: number;
  readonly scroll: number;
  readonly name: string;
  /** JSON text of an object, '' if there are none. */
  readonly props: string;
  readonly webdriver: boolean;
};
export type Refused = { readonly index: number; readonly code: RefusalCode };
export type ValidBody = {
  readonly siteId: string;
  readonly visitor: string | null;
  /** Platform version and device model, if the browser exposes them to scripts. */
  readonly hints: readonly [platformVersion: string, model: string] | null;
  /** The sender's clock at the request, epoch ms; null if it was not sent. */
  readonly sentAt: number | null;
  readonly hits: readonly ValidHit[];
  readonly refused: readonly Refused[];
  /** Number of hits that are duplicates within the request. */ readonly repeated: number;
};

const kinds: Readonly<Record<string, HitKind>> = { v: 'view', e: 'event', g: 'engage' };
const hex16 = /^[0-9a-f]{16}$/;
export const siteId = /^[a-z2-7]{12}$/;
type Bag = Readonly<Record<string, unknown>>;

/**
 * Validates the text of one request as specified in contract/collect/schemas.ts. Hand-written, because it runs for every hit of every site, and zod takes
 * several times as long. A test compares the two.
 *
 * `receivedAt`: epoch ms. The time of an event is its age before that, by the server's clock only; a negative age (from a forged or faulty sender) counts as 0.
 * Returns a code if the whole request is refused.
 */
export function validateBody(text: string, receivedAt: number): ValidBody | RefusalCode {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (!isBag(body) || typeof body.s !== 'string' || !siteId.test(body.s) || !Array.isArray(body.h) || body.h.length === 0) return 'malformed';
  if (body.u !== undefined && !(typeof body.u === 'string' && hex16.test(body.u))) return 'malformed';
  if (body.c !== undefined && !isHints(body.c)) return 'malformed';
  if (!isTextOrNone(body.f)) return 'malformed';
  if (body.d !== undefined && !isNumber(body.d)) return 'malformed';
  const fragments = body.f !== undefined;
  if (body.h.length > limits.hitsPerRequest) return 'too_many';

  const hits: ValidHit[] = [];
  const refused: Refused[] = [];
  const named = new Set<string>();
  let repeated = 0;
  body.h.forEach((value: unknown, index) => {
    const hit = validateHit(value, index, receivedAt, fragments);
    if (typeof hit === 'string') return void refused.push({ index, code: hit });
    // A hit repeated within one request counts once.
    const name = `${hit.view}${hit.seq}`;
    if (named.has(name)) repeated += 1;
    else hits.push(hit);
    named.add(name);
  });
  return { siteId: body.s, visitor: body.u ?? null, hints: body.c ?? null, sentAt: body.d ?? null, hits, refused, repeated };
}

const isHints = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string' && part.length <= 100);

function validateHit(value: unknown, index: number, receivedAt: number, fragments: boolean): ValidHit | RefusalCode {
  if (!isHit(value)) return 'malformed';
  const age = Math.max(0, value.a);
  if (age > limits.ageMs) return 'too_old';
  const place = readAddress(value.l, fragments);
  if (place === null) return 'malformed';
  return {
    kind: kinds[value.k] as HitKind,
    index,
    view: value.p,
    seq: value.q,
    at: Math.round(receivedAt - age),
    ...place,
    title: cleanText(value.n ?? '', limits.title),
    referrer: cleanText(value.r ?? '', limits.referrer),
    screenW: value.w ?? 0,
    screenH: value.h ?? 0,
    lang: cleanText(value.g ?? '', 35),
    engagedMs: Math.round(Math.min(limits.engagedMs, Math.max(0, value.m ?? 0))),
    scroll: value.d ?? 0,
    name: value.k === 'e' ? cleanText(value.e ?? '', limits.eventName) : '',
    props: value.k === 'e' && value.o !== undefined ? cleanProps(value.o) : '',
    webdriver: value.b === true,
  };
}

type Wire = {
  k: string;
  p: string;
  q: number;
  a: number;
  l: string;
  n?: string;
  r?: string;
  w?: number;
  h?: number;
  g?: string;
  m?: number;
  d?: number;
  e?: string;
  o?: Bag;
  b?: boolean;
};

/** The same result as the contract's `Hit`. */
export function isHit(value: unknown): value is Wire {
  return (
    isBag(value) &&
    (value.k === 'v' || value.k === 'e' || value.k === 'g') &&
    typeof value.p === 'string' &&
    hex16.test(value.p) &&
    isInt(value.q, 65_535) &&
    isNumber(value.a) &&
    typeof value.l === 'string' &&
    isTextOrNone(value.n) &&
    isTextOrNone(value.r) &&
    isIntOrNone(value.w, 65_535) &&
    isIntOrNone(value.h, 65_535) &&
    (value.g === undefined || (typeof value.g === 'string' && value.g.length <= 35)) &&
    (value.m === undefined || isNumber(value.m)) &&
    isIntOrNone(value.d, 100) &&
    isTextOrNone(value.e) &&
    (value.o === undefined || (isBag(value.o) && Object.entries(value.o).every(isProp))) &&
    (value.b === undefined || typeof value.b === 'boolean')
  );
}

/** Limit for a URL as sent, in which a character may take up to nine. */
const longestAddress = 9 * limits.url;

/**
 * `null` if it is not a web URL. Credentials in a URL are never stored.
 *
 * @param fragments whether every fragment is part of the path, because the site uses hash routing; otherwise only fragments that begin like a path
 */
export function readAddress(address: string, fragments = false): Pick<ValidHit, 'url' | 'host' | 'path' | 'query'> | null {
  const url = parseUrl(cutAddress(address, longestAddress));
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.host === '') return null;
  url.username = '';
  url.password = '';
  // A fragment that begins like a path is part of the path: hash routers use it for the page.
  const route = fragments || /^#!?\//.test(url.hash) ? url.hash : '';
  return {
    url: cutAddress(url.href, limits.url),
    host: url.host,
    path: cut(normalizePath(url.pathname + route), limits.url),
    query: cut(url.search, limits.url),
  };
}

/** An outbound link may contain a name and a password (`https://name:password@host/`), which are never stored, as in page URLs. */
const withoutCredentials = (text: string): string => text.replace(/^(https?:\/\/)[^/?#\s]*@/i, '$1');

/** At most 30 properties and `limits.propsText` characters; names and values are truncated and sanitized. */
export function cleanProps(props: Bag): string {
  const entries: [string, unknown][] = [];
  let characters = 2;
  for (const [name, value] of Object.entries(props)) {
    if (entries.length === limits.props) break;
    if (name === '__proto__') continue;
    const property: [string, unknown] = [
      cleanText(name, limits.propName),
      typeof value === 'string' ? cleanText(withoutCredentials(value), limits.propValue) : value,
    ];
    characters += JSON.stringify(property).length;
    if (characters > limits.propsText) break;
    entries.push(property);
  }
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries));
}

// zod drops a key named __proto__ from records without validating its value.
const isProp = ([name, value]: [string, unknown]): boolean =>
  name === '__proto__' || typeof value === 'string' || typeof value === 'boolean' || value === null || isNumber(value);
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isInt = (value: unknown, max: number): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;
const isIntOrNone = (value: unknown, max: number): boolean => value === undefined || isInt(value, max);
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string';
