import type { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { isLoopback } from '../loopback';

/** Why no request was sent to a user-supplied URL. `detail` is for the reader: a network error code, or an address. */
export class ConnectRefused extends Error {
  override readonly name = 'ConnectRefused';
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
/** Addresses of this machine and of private networks (RFC 1918, 4193, 6598); allowed if the operator's configuration permits it. */
const near = list([
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
]);
/**
 * Global unicast IPv6 addresses assigned so far (RFC 4291 §2.4, IANA); all others are local, reserved, or embed an IPv4 address (`::/96`, `::ffff:0:0:0/96`,
 * `64:ff9b::/96`).
 */
const global6 = list([['2000::', 3]]);
/**
 * Never a web site: link-local (including cloud metadata services), unspecified, multicast, reserved, documentation, and tunnels that embed another address.
 */
const never = list([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2002::', 16],
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:10::', 28],
  ['2001:20::', 28],
  ['2001:db8::', 32],
  ['3fff::', 20],
]);

/**
 * Whether a connection to an address is allowed. IPv4 inside IPv6 (`::ffff:a.b.c.d`, `::a.b.c.d`) is checked as IPv4; translated and tunnelled addresses are
 * rejected, because their destination is unknown.
 */
export function mayConnect(address: string, allowNear: boolean): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 6) {
    const inner = innerV4(address);
    if (inner !== null) return mayConnect(inner, allowNear);
  }
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  // A zone (`fe80::1%eth0`) names an interface, not a destination.
  const place = withoutZone(address);
  if (near.check(place, kind)) return allowNear;
  return !never.check(place, kind) && (family === 4 || global6.check(place, kind));
}

const withoutZone = (address: string): string => address.split('%', 1)[0] ?? '';

/** The reason to reject a URL by its text alone; host names are resolved and checked each time a request is sent. */
export function refusalOf(url: URL, allowNear: boolean): 'not_a_url' | 'reserved' | null {
  if (url.username !== '' || url.password !== '') return 'not_a_url';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const local = isIP(host) === 0 ? !allowNear && isLoopback(host.replace(/\.$/, '')) : !mayConnect(host, allowNear);
  return local ? 'reserved' : null;
}

/** Whether an address belongs to this machine or a private network, and so has no geographic location. */
export const isNear = (address: string): boolean => isIP(address) !== 0 && !mayConnect(address, false) && mayConnect(address, true);

/** The URL parser writes every form of an embedded address in the same way: `::ffff:7f00:1`. */
function innerV4(address: string): string | null {
  const plain = new URL(`http://[${withoutZone(address)}]/`).hostname.slice(1, -1);
  const match = /^::(?:ffff:)?([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain);
  if (!match) return null;
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
export type AddressOptions = {
  /** Whether addresses of this machine and of private networks are allowed. */
  readonly allowNear: boolean;
  readonly resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of those of Node. */
  readonly authorities?: string;
};

export const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** Why a user-supplied URL may not be requested, by its text alone: scheme, credentials, and every written form of an address, which connections do not look up. */
export function literalRefusal(url: URL, { allowNear }: AddressOptions): ConnectRefused | null {
  const isRefused = (url.protocol !== 'http:' && url.protocol !== 'https:') || refusalOf(url, allowNear) !== null;
  return isRefused ? new ConnectRefused('address_refused', url.host) : null;
}

/**
 * Lookup for connections that stay open for several requests: the checked addresses are those that are connected to. It is not called for hosts that are addresses, which
 * `literalRefusal` checks.
 */
export const guardedLookup = (options: AddressOptions): LookupFunction => {
  async function checked(host: string): Promise<{ readonly address: string; readonly family: number } | ConnectRefused> {
    try {
      const found = await (options.resolve ?? resolveAll)(host);
      const target = found[0];
      if (!target) return new ConnectRefused('not_reachable', 'ENOTFOUND');
      return found.every(({ address }) => mayConnect(address, options.allowNear)) ? target : new ConnectRefused('address_refused', host);
    } catch (error) {
      return asRefusal(error, new AbortController().signal);
    }
  }
  return (host, how, done) => {
    void (async () => {
      const target = await checked(host);
      if (target instanceof ConnectRefused) done(target, '');
      else if (how.all) done(null, [{ ...target }]);
      else done(null, target.address, target.family);
    })();
  };
};

export type RequestOptions = {
  readonly method?: 'GET' | 'POST';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  readonly signal: AbortSignal;
};

/**
 * Sends one request to a user-supplied URL and returns the response before its body is read; redirects are not followed.
 *
 * The host is resolved once, checked, and connected to by the checked address, so that a name that resolves differently the second time (DNS rebinding) has no
 * effect. Throws `ConnectRefused`.
 */
export async function sendRequest(url: URL, { method = 'GET', headers, body, signal }: RequestOptions, options: AddressOptions): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ConnectRefused('address_refused', url.protocol);
  if (url.username !== '' || url.password !== '') throw new ConnectRefused('address_refused', url.host);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = isIP(host)
    ? [{ address: host, family: isIP(host) }]
    : await beforeAbort(signal, (options.resolve ?? resolveAll)(host)).catch((error: unknown) => Promise.reject(asRefusal(error, signal)));
  const target = found[0];
  if (!target) throw new ConnectRefused('not_reachable', 'ENOTFOUND');
  // One forbidden address among several is enough to refuse, because the choice among them is not under the program's control.
  if (!found.every(({ address }) => mayConnect(address, options.allowNear))) throw new ConnectRefused('address_refused', host);
  const pinned: LookupFunction = (_host, how, done) => (how.all ? done(null, [{ ...target }]) : done(null, target.address, target.family));

  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const trust = options.authorities === undefined ? {} : { ca: options.authorities };
    const request = send(url, { method, lookup: pinned, agent: false, signal, maxHeaderSize: 64 * 1024, headers, ...trust });
    request.on('response', resolve);
    request.on('error', (error) => reject(asRefusal(error, signal)));
    request.end(body);
  });
}

/** The certificate that a server presents for a name. `problem`: why it is not trusted; empty if it is. `protocol`: such as `TLSv1.3`. */
export type PresentedCertificate = { readonly certificate: X509Certificate; readonly problem: string; readonly protocol: string };

/** Shakes hands with one of a host's addresses, all of which are checked, and ends the connection. Throws `ConnectRefused`. */
export async function presentedCertificate(
  host: string,
  { addresses, port, signal }: { readonly addresses: readonly string[]; readonly port: number; readonly signal: AbortSignal },
  { allowNear, authorities }: Omit<AddressOptions, 'resolve'>,
): Promise<PresentedCertificate> {
  const [address] = addresses;
  if (address === undefined) throw new ConnectRefused('not_reachable', 'ENOTFOUND');
  if (!addresses.every((one) => mayConnect(one, allowNear))) throw new ConnectRefused('address_refused', host);
  return new Promise((resolve, reject) => {
    const trust = authorities === undefined ? {} : { ca: authorities };
    const socket = connectTls({ host: address, port, servername: host, rejectUnauthorized: false, ...trust });
    const abort = (): void => void socket.destroy(new Error('too late'));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', abort));
    socket.once('error', (error) => reject(asRefusal(error, signal)));
    if (signal.aborted) abort();
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate) resolve({ certificate, problem: socket.authorized ? '' : String(socket.authorizationError), protocol: socket.getProtocol() ?? '' });
      else reject(new ConnectRefused('not_reachable', 'no certificate'));
      socket.destroy();
    });
  });
}

/** Expiry of the responding server's certificate; null for a response without TLS. */
export function certificateExpiryOf({ socket }: IncomingMessage): Date | null {
  if (!(socket instanceof TLSSocket)) return null;
  const expiry = new Date(socket.getPeerCertificate()?.valid_to ?? Number.NaN);
  return Number.isNaN(expiry.getTime()) ? null : expiry;
}

/** A DNS lookup cannot be cancelled, and may take longer than the request's timeout. */
function beforeAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Converts a network error to a `ConnectRefused`; a timeout is `ETIMEDOUT`. */
export function asRefusal(error: unknown, signal: AbortSignal): ConnectRefused {
  if (error instanceof ConnectRefused) return error;
  if (signal.aborted) return new ConnectRefused('not_reachable', 'ETIMEDOUT');
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new ConnectRefused('not_reachable', code || 'ERROR');
}
