import { isIP } from 'node:net';
import type { ImportFormat, jsonFields } from '../../../contract/imports/schemas';

/** One request as recorded in a log; values that the format lacks are ''. `at`: epoch ms, NaN if it cannot be parsed. */
export type LogLine = {
  readonly at: number;
  /** Minutes east of UTC as written, null if the time is an instant without an offset. */
  readonly zone: number | null;
  readonly address: string;
  readonly method: string;
  /** The target of the request line. */
  readonly target: string;
  readonly host: string;
  readonly status: number;
  readonly referrer: string;
  readonly agent: string;
};
export type LogFormat = Exclude<ImportFormat, 'umami' | 'plausible'>;
export type FieldName = (typeof jsonFields)[number];
export type FieldNames = Readonly<Partial<Record<FieldName, string>>>;

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
/** Apache's "combined" without its first column; what follows the agent (request times, forwarded addresses) is ignored. */
const rest = String.raw`\S+ .{0,200}?\[([^\]]{15,40})\] ${quoted} (\d{3}) (?:\d+|-)(?: ${quoted} ${quoted})?`;
const combined = new RegExp(`^(\\S+) ${rest}`);
const vhost = new RegExp(`^(\\S+) (\\S+) ${rest}`);

/** Parses a line of a text format; null if it does not match. */
export function readTextLine(text: string, format: Exclude<LogFormat, 'json'>): LogLine | null {
  const match = (format === 'vhost' ? vhost : combined).exec(text);
  if (match === null) return null;
  const shift = format === 'vhost' ? 1 : 0;
  if (format !== 'common' && match[5 + shift] === undefined) return null;
  const address = match[1 + shift] ?? '';
  // Apache can be configured to log host names instead of addresses. In the vhost format, where another host name comes first, only an address is accepted.
  if (shift === 1 && isIP(address) === 0) return null;
  const request = unescaped(match[3 + shift] ?? '').split(' ');
  const referrer = unescaped(match[5 + shift] ?? '');
  const agent = unescaped(match[6 + shift] ?? '');
  const time = readTime(match[2 + shift] ?? '');
  return {
    at: time.at,
    zone: time.zone,
    address,
    method: request[0] ?? '',
    target: request.length > 2 ? request.slice(1, -1).join(' ') : (request[1] ?? ''),
    host: shift === 1 ? hostOf(match[1] ?? '') : '',
    status: Number(match[4 + shift]),
    referrer: referrer === '-' ? '' : referrer,
    agent: agent === '-' ? '' : agent,
  };
}

const hostOf = (text: string): string => text.replace(/:\d+$/, '').toLowerCase();

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', '"': '"', '\\': '\\' };

/** Apache and nginx write `\xHH` for non-printable bytes and `\"` for a quotation mark. Bytes are UTF-8. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/(?:\\x[0-9a-fA-F]{2})+|\\(.)/g, (whole, one: string | undefined) =>
    one === undefined ? Buffer.from(whole.replaceAll(String.raw`\x`, ''), 'hex').toString('utf8') : (escapes[one] ?? one),
  );
}

const months = new Map(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, index) => [name, index]));
const common = /^(\d{1,2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(?: ([+-])(\d{2}):?(\d{2}))?$/;
type Time = { readonly at: number; readonly zone: number | null };
const noTime: Time = { at: Number.NaN, zone: null };

/** Cache of the last value: times of adjacent lines are mostly equal. */
let lastText = '';
let lastTime: Time = noTime;

/** `10/Oct/2000:13:55:36 -0700`; without an offset it is UTC. */
export function readTime(text: string): Time {
  if (text === lastText) return lastTime;
  const match = common.exec(text);
  const month = months.get(match?.[2] ?? '');
  const [day, year, hour, minute, second] = [match?.[1], match?.[3], match?.[4], match?.[5], match?.[6]].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  lastText = text;
  if (match === null || month === undefined || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return (lastTime = noTime);
  const zone = (match[8] === '-' ? -1 : 1) * (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0));
  const fraction = match[7] === undefined ? 0 : Math.floor(Number(`0.${match[7]}`) * 1000);
  return (lastTime = { at: Date.UTC(year, month, day, hour, minute, second, fraction) - zone * 60_000, zone: match[9] === undefined ? null : zone });
}

/**
 * Keys under which servers log each value, the most likely first. nginx has no JSON format of its own, so these are the names of its variables and other common
 * ones; Caddy 2 (`request.…`), Traefik (`Client…`, `Request…`, `request_…`).
 */
const guesses: Readonly<Record<FieldName, readonly string[]>> = {
  time: ['time_iso8601', 'time_local', 'msec', '@timestamp', 'timestamp', 'StartUTC', 'ts', 'time', 'date', 'datetime'],
  address: [
    'remote_addr',
    'client_ip',
    'request.client_ip',
    'request.remote_ip',
    'remote_ip',
    'ClientHost',
    'clientip',
    'clientIp',
    'ip',
    'remote_host',
    'ClientAddr',
    'request.remote_addr',
  ],
  method: ['request_method', 'method', 'request.method', 'RequestMethod', 'verb'],
  uri: ['request_uri', 'uri', 'request.uri', 'RequestPath', 'path', 'url', 'request'],
  host: ['http_host', 'host', 'request.host', 'RequestHost', 'server_name', 'vhost'],
  status: ['status', 'DownstreamStatus', 'OriginStatus', 'status_code', 'response'],
  referrer: ['http_referer', 'http_referrer', 'referer', 'referrer', 'request.headers.Referer', 'request_Referer'],
  agent: ['http_user_agent', 'user_agent', 'agent', 'userAgent', 'request.headers.User-Agent', 'request_User-Agent'],
};

type Bag = Readonly<Record<string, unknown>>;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a literal key, else of a dotted path; arrays (Caddy's headers) yield their first element. Inherited properties are ignored. */
function valueAt(bag: Bag, name: string): string | number | null {
  let found: unknown = Object.hasOwn(bag, name) ? bag[name] : undefined;
  if (found === undefined && name.includes('.')) {
    found = bag;
    for (const part of name.split('.')) found = isBag(found) && Object.hasOwn(found, part) ? found[part] : undefined;
  }
  if (Array.isArray(found)) found = found[0];
  return typeof found === 'string' || typeof found === 'number' ? found : null;
}

/** The keys under which the given JSON lines store each value; values that no line has are omitted. */
export function guessFields(lines: readonly string[]): FieldNames {
  const bags = lines.flatMap((line) => {
    const value = parsed(line);
    return value === null ? [] : [value];
  });
  const found: Partial<Record<FieldName, string>> = {};
  for (const [field, names] of Object.entries(guesses) as [FieldName, readonly string[]][]) {
    const name = names.find((one) => bags.some((bag) => valueAt(bag, one) !== null));
    if (name !== undefined) found[field] = name;
  }
  return found;
}

function parsed(text: string): Bag | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isBag(value) ? value : null;
  } catch {
    return null;
  }
}

/** Parses a JSON line with the given keys. null: invalid JSON, or not a request. */
export function readJsonLine(text: string, fields: FieldNames): LogLine | null {
  const bag = parsed(text);
  if (bag === null) return null;
  const get = (field: FieldName): string => {
    const name = fields[field];
    const value = name === undefined ? null : valueAt(bag, name);
    return value === null || value === '-' ? '' : String(value);
  };
  let target = get('uri');
  let method = get('method');
  // nginx's $request is the whole request line.
  const line = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(target);
  if (line !== null) [method, target] = [line[1] ?? '', line[2] ?? ''];
  if (target === '' || get('status') === '') return null;
  const time = fields.time === undefined ? noTime : jsonTime(valueAt(bag, fields.time));
  return {
    ...time,
    address: get('address')
      .replace(/^\[([^\]]+)\](:\d+)?$/, '$1')
      .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1'),
    method: method === '' ? 'GET' : method.toUpperCase(),
    target,
    host: hostOf(get('host')),
    status: Number(get('status')),
    referrer: get('referrer'),
    agent: get('agent'),
  };
}

/** Seconds or milliseconds since 1970, a common-log time, or ISO 8601; without an offset it is UTC. */
export function jsonTime(value: string | number | null): Time {
  if (value === null || value === '') return noTime;
  const number = Number(value);
  if (Number.isFinite(number)) return { at: Math.round(number > 1e11 ? number : number * 1000), zone: null };
  const text = String(value).trim();
  const logged = readTime(text);
  if (!Number.isNaN(logged.at)) return logged;
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?))? ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/.exec(text);
  if (iso === null) return noTime;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(iso[3] ?? '');
  const zone = offset === null ? null : (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0));
  const at = Date.parse(`${iso[1]}T${(iso[2] ?? '00:00').replace(',', '.')}Z`);
  return Number.isNaN(at) ? noTime : { at: Math.floor(at - (zone ?? 0) * 60_000), zone };
}

export const readLogLine = (text: string, format: LogFormat, fields: FieldNames): LogLine | null =>
  format === 'json' ? readJsonLine(text, fields) : readTextLine(text, format);

/** The format that matches most of the lines; null if it matches less than a third. */
export function detectLog(lines: readonly string[]): LogFormat | null {
  const filled = lines.filter((line) => line.trim() !== '');
  if (filled.length === 0) return null;
  const fields = guessFields(filled);
  const score = (format: LogFormat): number => filled.filter((line) => !Number.isNaN(readLogLine(line, format, fields)?.at ?? Number.NaN)).length;
  // The order matters: a combined line also matches the common format.
  const order: readonly LogFormat[] = ['json', 'vhost', 'combined', 'common'];
  const scores = order.map((format) => ({ format, lines: score(format) }));
  const best = scores.reduce((a, b) => (b.lines > a.lines ? b : a));
  return best.lines * 3 >= filled.length ? best.format : null;
}
