import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { Agent, buildConnector, errors } from 'undici';
import type { CrawlerConfig } from '../../../../contract/crawler/config';
import { crawlLimits } from '../../../../contract/crawler/terms';
import type { FetchError } from '../../../../contract/crawler/terms';
import { parseUrl } from '../../../../contract/parseUrl';
import { isLoopback } from '../../../loopback';
import { ConnectRefused, guardedLookup, literalRefusal, mayConnect, resolveAll } from '../../../net/publicAddress';
import type { AddressOptions } from '../../../net/publicAddress';
import type { Fetched, FetchOptions } from './terms';

export const defaultUserAgent = 'Mozilla/5.0 (compatible; SitewrightBot/1.0)';
/** The name that robots.txt knows a crawler by: the first product token that is no browser's. */
export const tokenOfAgent = (userAgent: string): string =>
  [...userAgent.matchAll(/([A-Za-z][\w-]*)\/[\d.]+/g)]
    .map((match) => match[1] ?? '')
    .find((name) => !/^(?:Mozilla|AppleWebKit|Chrome|Safari|Gecko|Version|Firefox)$/i.test(name)) ??
  /^[A-Za-z][\w-]*/.exec(userAgent)?.[0] ??
  'SitewrightBot';

const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** A body that decodes to more than this many times its size is a bomb; small ones may. */
const mostRatio = 200;
const ratioFrom = 1024 * 1024;
/** Bytes per second after the first ten seconds. */
const slowest = 200;
const graceMs = 10_000;
const mostEncodings = 2;
/** Most pages fit into one, so that nothing has to be put together. */
const chunkSize = 64 * 1024;
/** Ports besides those of web servers are not requested at hosts of the outside: a link must not make this program talk to a mail server. */
const webPorts = new Set(['', '80', '443', '8000', '8080', '8081', '8443', '8888', '3000', '5000']);

class Stopped extends Error {
  readonly reason: FetchError;
  constructor(reason: FetchError) {
    super(reason);
    this.reason = reason;
  }
}

export class BodyTooLarge extends Error {}

const decompressors: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  // Some servers send it without the zlib header.
  deflate: (bytes, options) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)),
};

/** Decodes a body with a limit on what comes out. Throws `BodyTooLarge`, or an error if it is broken. */
export function decompress(body: Uint8Array, contentEncoding: string, maxBytes: number): Uint8Array {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > mostEncodings) throw new BodyTooLarge();
  let bytes = body;
  for (const encoding of encodings.toReversed()) {
    const decode = decompressors[encoding];
    if (decode === undefined || bytes.length === 0) throw new Error(`unknown encoding ${encoding.slice(0, 20)}`);
    const maxOutputLength = Math.min(maxBytes, Math.max(ratioFrom, bytes.length * mostRatio));
    try {
      bytes = decode(bytes, { maxOutputLength, chunkSize });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new BodyTooLarge();
      throw error;
    }
  }
  return bytes;
}

function reasonOf(error: unknown): FetchError {
  if (error instanceof Stopped) return error.reason;
  if (error instanceof BodyTooLarge) return 'too_large';
  if (error instanceof ConnectRefused) return error.code === 'address_refused' ? 'address_refused' : reasonOfCode(error.detail);
  if (error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return 'timeout';
  if (error instanceof errors.HeadersOverflowError) return 'bad_response';
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasonOfCode(code);
}
function reasonOfCode(code: string): FetchError {
  if (/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EDNS)/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (code.startsWith('HPE_') || code.startsWith('UND_ERR_RES') || code.startsWith('Z_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'bad_response';
  return /CERT|TLS|SSL|^EPROTO|SELF_SIGNED|UNABLE_TO/.test(code) ? 'tls' : 'network';
}

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
function headersOf(raw: RawHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw))
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(name === 'set-cookie' ? '\n' : ', ');
  return headers;
}

type Running = { readonly stop: (reason: FetchError) => void; readonly startedAt: number; readonly deadline: number; bytes: number };
export type Fetcher = {
  /** One request, redirects not followed. Never rejects. */
  readonly send: (url: string, options?: FetchOptions) => Promise<Fetched>;
  readonly close: () => Promise<void>;
};
export type FetcherOptions = AddressOptions & {
  readonly userAgent: string;
  /** Further headers for these origins only. */
  readonly secretHeaders?: { readonly origins: ReadonlySet<string>; readonly headers: Readonly<Record<string, string>> };
  /** Ports besides the usual ones that may be requested. */
  readonly ports?: ReadonlySet<string>;
  /** Origins that this program delivers; they may be on this machine. */
  readonly ownOrigins?: ReadonlySet<string>;
};

/** How the requests of a crawler present themselves. Secret headers, and ports that are not usual, are for the origins of its seeds alone. */
export function identityOf(config: Pick<CrawlerConfig, 'seeds' | 'fetch'>, headers: Readonly<Record<string, string>>) {
  const origins = new Set(config.seeds.flatMap((seed) => parseUrl(seed)?.origin ?? []));
  const userAgent = config.fetch.userAgent.trim();
  return {
    userAgent: userAgent === '' ? defaultUserAgent : userAgent,
    secretHeaders: { origins, headers },
    ports: new Set([...origins].map((origin) => new URL(origin).port)),
  } satisfies Omit<FetcherOptions, 'allowNear'>;
}

type Connection = {
  readonly agent: Agent;
  readonly connectTimes: Map<string, number>;
  readonly running: Set<Running>;
  readonly options: FetcherOptions;
};
/** What the body is when it is complete, or why it is none. */
function bodyOf(
  wire: Buffer,
  encoding: string,
  maxBytes: number,
): { readonly body: Uint8Array; readonly gzip: Uint8Array | null; readonly error: FetchError | null } {
  try {
    return { body: decompress(wire, encoding, maxBytes), gzip: encoding.trim().toLowerCase() === 'gzip' ? wire : null, error: null };
  } catch (problem) {
    return { body: new Uint8Array(), gzip: null, error: problem instanceof BodyTooLarge ? 'too_large' : wire.length === 0 ? null : 'bad_response' };
  }
}

function send({ agent, connectTimes, running, options }: Connection, url: URL, how: FetchOptions): Promise<Fetched> {
  const { method = 'GET', maxBytes = crawlLimits.decodedBytes, timeout = crawlLimits.totalTimeout } = how;
  const startedAt = performance.now();
  const secret = options.secretHeaders?.origins.has(url.origin) === true ? options.secretHeaders.headers : {};
  const headers = { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': options.userAgent, ...secret, ...how.headers };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [size, status, firstByteMs] = [0, 0, 0];
    let received: Record<string, string> = {};
    let abort: ((error: Error) => void) | null = null;
    let isDone = false;
    const request: Running = { stop: (reason) => abort?.(new Stopped(reason)), startedAt, deadline: startedAt + timeout, bytes: 0 };
    const onAbort = (): void => request.stop('timeout');

    function end(error: unknown): void {
      if (isDone) return;
      isDone = true;
      running.delete(request);
      how.signal?.removeEventListener('abort', onAbort);
      const connectMs = connectTimes.get(url.origin) ?? 0;
      connectTimes.delete(url.origin);
      const failed = error === null ? null : reasonOf(error);
      const isRead = failed === null && method === 'GET';
      const wire = !isRead ? Buffer.alloc(0) : chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
      const { body, gzip, error: unreadable } = isRead ? bodyOf(wire, received['content-encoding'] ?? '', maxBytes) : { body: wire, gzip: null, error: null };
      const { location } = received;
      const target = status >= 300 && status < 400 && status !== 304 && location !== undefined ? parseUrl(location, url) : null;
      resolve({
        url: url.href,
        status,
        error: failed ?? unreadable,
        headers: received,
        body,
        wireBytes: size,
        connectMs: Math.round(connectMs),
        firstByteMs: Math.round(firstByteMs),
        totalMs: Math.round(performance.now() - startedAt),
        location: target?.href ?? null,
        gzip,
      });
    }

    running.add(request);
    how.signal?.addEventListener('abort', onAbort, { once: true });
    agent.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers },
      {
        onRequestStart(controller) {
          abort = (error) => controller.abort(error);
          if (how.signal?.aborted === true) onAbort();
        },
        onResponseStart(_controller, code, found) {
          [status, received, firstByteMs] = [code, headersOf(found), performance.now() - startedAt];
        },
        onResponseData(_controller, chunk) {
          size += chunk.length;
          request.bytes += chunk.length;
          if (size > crawlLimits.wireBytes || size > maxBytes) request.stop('too_large');
          else chunks.push(chunk);
        },
        onResponseEnd: () => end(null),
        onResponseError: (_controller, error) => end(error),
      },
    );
  });
}

/** How addresses of the outside, and those that may be near, are connected to; which origins are of the second kind. */
function connectorsOf(options: FetcherOptions) {
  const trust = options.authorities === undefined ? {} : { ca: options.authorities };
  const mayBeNear = (origin: string): boolean => options.allowNear || options.ownOrigins?.has(origin) === true;
  // Resolvers do not know names below `localhost` everywhere.
  const resolve: typeof resolveAll = (host) =>
    isLoopback(host) ? Promise.resolve([{ address: '127.0.0.1', family: 4 }]) : (options.resolve ?? resolveAll)(host);
  const connector = (allowNear: boolean) =>
    buildConnector({ timeout: crawlLimits.connectTimeout, lookup: guardedLookup({ ...options, allowNear, ...(allowNear && { resolve }) }), ...trust });
  return { mayBeNear, outside: connector(false), anywhere: connector(true) };
}

/** Connections of one crawl, reused for several requests; every one of them passes the guard of `server/net/publicAddress.ts`. */
export function createFetcher(options: FetcherOptions): Fetcher {
  const connectTimes = new Map<string, number>();
  const { mayBeNear, outside, anywhere } = connectorsOf(options);
  const agent = new Agent({
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 64 * 1024,
    headersTimeout: crawlLimits.headersTimeout,
    bodyTimeout: crawlLimits.idleTimeout,
    connect: (target, done) => {
      const startedAt = performance.now();
      const allowNear = mayBeNear(`${target.protocol}//${target.host}`);
      (allowNear ? anywhere : outside)(target, (...result) => {
        const [error, socket] = result;
        if (error !== null) return done(error, null);
        // What was connected to, whatever was looked up.
        if (socket.remoteAddress !== undefined && !mayConnect(socket.remoteAddress, allowNear)) {
          socket.destroy();
          return done(new ConnectRefused('address_refused', socket.remoteAddress), null);
        }
        connectTimes.set(`${target.protocol}//${target.host}`, performance.now() - startedAt);
        done(null, socket);
      });
    },
  });

  const running = new Set<Running>();
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const request of running) {
      const elapsed = now - request.startedAt;
      if (now > request.deadline || (elapsed > graceMs && request.bytes < ((elapsed - graceMs) / 1000) * slowest)) request.stop('timeout');
    }
  }, 500);
  sweep.unref();

  /** Hosts of requests that may be sent, because most of them are to few hosts. */
  const allowed = new Set<string>();
  function isRefused(url: URL): boolean {
    if (url.username === '' && url.password === '' && allowed.has(url.origin)) return false;
    const allowNear = mayBeNear(url.origin);
    if (literalRefusal(url, { ...options, allowNear }) !== null) return true;
    if (!allowNear && !webPorts.has(url.port) && options.ports?.has(url.port) !== true) return true;
    if (allowed.size >= 1000) allowed.clear();
    allowed.add(url.origin);
    return false;
  }

  const connection: Connection = { agent, connectTimes, running, options };

  return {
    async send(written, how = {}) {
      const failed = (error: FetchError): Fetched => ({
        url: written,
        status: 0,
        error,
        headers: {},
        body: new Uint8Array(),
        wireBytes: 0,
        connectMs: 0,
        firstByteMs: 0,
        totalMs: 0,
        location: null,
        gzip: null,
      });
      const url = parseUrl(written);
      if (url === null) return failed('address_refused');
      if (isRefused(url)) return failed('address_refused');
      try {
        return await send(connection, url, how);
      } catch (error) {
        return failed(reasonOf(error));
      }
    },
    async close() {
      clearInterval(sweep);
      await agent.destroy();
    },
  };
}
