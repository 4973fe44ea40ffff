import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

export const fetchLimits = { ms: 10_000, bytes: 2 * 1024 * 1024, redirects: 5 } as const;

export type Page = {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly policies: readonly string[];
  readonly text: string;
};

/** Why a page could not be had. `detail` is for the reader: a code of the network, or an address. */
export class PageRefused extends Error {
  override readonly name = 'PageRefused';
  readonly code: 'address_refused' | 'not_reachable';
  readonly detail: string;

  constructor(code: 'address_refused' | 'not_reachable', detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

const list = (subnets: readonly (readonly [string, number])[]): BlockList => {
  const blocks = new BlockList();
  for (const [net, prefix] of subnets) blocks.addSubnet(net, prefix, net.includes(':') ? 'ipv6' : 'ipv4');
  return blocks;
};
/** Addresses of this machine and of networks behind it (RFC 1918, 4193, 6598); reachable where the operator sits in front of the program. */
const near = list([
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
]);
/** Never a web site: link-local (cloud metadata lives there), unspecified, multicast, reserved, documentation, and tunnels that hide another address. */
const never = list([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['100::', 64],
]);

/** Whether we may connect to an address. IPv4 inside IPv6 (`::ffff:a.b.c.d`, `::a.b.c.d`) is judged as IPv4. */
export function mayConnect(address: string, allowNear: boolean): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 6) {
    const inner = innerV4(address);
    if (inner !== null) return mayConnect(inner, allowNear);
  }
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  return !never.check(address, kind) && (allowNear || !near.check(address, kind));
}

/** The URL parser writes every form of an embedded address the same way: `::ffff:7f00:1`. */
function innerV4(address: string): string | null {
  const plain = new URL(`http://[${address.split('%', 1)[0]}]/`).hostname.slice(1, -1);
  const match = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain);
  if (!match) return null;
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
export type FetchOptions = { readonly allowNear: boolean; readonly resolve?: Resolve };

const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Fetches a page as a browser would see it without running it: at most five redirects, ten seconds, two megabytes.
 *
 * Every host is resolved once, judged, and connected to by the address that was judged: a name that answers differently
 * the second time (DNS rebinding) changes nothing. Throws `PageRefused`.
 */
export async function fetchPage(start: URL, options: FetchOptions): Promise<Page> {
  const signal = AbortSignal.timeout(fetchLimits.ms);
  let url = start;
  for (let hop = 0; hop <= fetchLimits.redirects; hop += 1) {
    const response = await open(url, options, signal);
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined && status !== 304) {
      response.destroy();
      if (!URL.canParse(headers.location, url)) throw new PageRefused('not_reachable', 'bad redirect');
      url = new URL(headers.location, url);
      continue;
    }
    const policies = response.headersDistinct['content-security-policy'] ?? [];
    return { url, status, headers, policies, text: await read(response, signal) };
  }
  throw new PageRefused('not_reachable', 'too many redirects');
}

async function open(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new PageRefused('address_refused', url.protocol);
  if (url.username !== '' || url.password !== '') throw new PageRefused('address_refused', url.host);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await (options.resolve ?? resolveAll)(host).catch((error: unknown) => Promise.reject(asRefusal(error, signal)));
  const target = found[0];
  if (!target) throw new PageRefused('not_reachable', 'ENOTFOUND');
  // One forbidden address among several is enough: which of them would be taken is somebody else's choice.
  if (!found.every(({ address }) => mayConnect(address, options.allowNear))) throw new PageRefused('address_refused', host);
  const pinned: LookupFunction = (_host, how, done) => (how.all ? done(null, [{ ...target }]) : done(null, target.address, target.family));

  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      lookup: pinned,
      agent: false,
      signal,
      maxHeaderSize: 64 * 1024,
      headers: {
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
        'accept-encoding': 'gzip, br',
        'user-agent': 'Mozilla/5.0 (compatible; Sitewright installation check)',
      },
    });
    request.on('response', resolve);
    request.on('error', (error) => reject(asRefusal(error, signal)));
    request.end();
  });
}

/** The beginning of a body, unpacked; what matters stands in the first two megabytes. */
async function read(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const decoder = decoderFor(response.headers['content-encoding'] ?? '');
  if (decoder) response.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  const body: Readable = decoder ?? response;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= fetchLimits.bytes) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw asRefusal(error, signal);
  } finally {
    response.destroy();
  }
}

function decoderFor(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      return null;
  }
}

function asRefusal(error: unknown, signal: AbortSignal): PageRefused {
  if (error instanceof PageRefused) return error;
  if (signal.aborted) return new PageRefused('not_reachable', 'ETIMEDOUT');
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new PageRefused('not_reachable', code || 'ERROR');
}
