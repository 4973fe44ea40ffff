import type { IncomingMessage } from 'node:http';
import type { PushReason } from '../../../../contract/seo/terms';
import type { Config } from '../../../config';
import { asRefusal, sendRequest } from '../../../net/publicAddress';
import { readBody } from '../../../net/readText';

/** The protocols of search engines that take addresses. */

/** Addresses of one host. */
export type PushCall =
  | { readonly engine: 'indexnow'; readonly key: string; readonly origin: string; readonly host: string; readonly addresses: readonly string[] }
  | { readonly engine: 'baidu'; readonly site: string; readonly token: string; readonly addresses: readonly string[] };

export type PushOutcome = {
  /** HTTP status; null: no response. */
  readonly status: number | null;
  /** Why the engine refused addresses that it will never take, by address; the others were taken if `failure` is null. */
  readonly refused: ReadonlyMap<string, PushReason>;
  /** Why nothing was taken; null: the call succeeded. */
  readonly failure: PushReason | null;
  /** Milliseconds that the engine requests before the next call. */
  readonly retryAfter: number | null;
  /** Addresses that the engine still takes today; null: it did not say. */
  readonly remaining: number | null;
};

const limits = { ms: 30_000, bytes: 1024 ** 2 } as const;
const agent = 'Sitewright-Push/1';

const failed = (status: number | null, failure: PushReason, retryAfter: number | null = null): PushOutcome => ({
  status,
  refused: new Map(),
  failure,
  retryAfter,
  remaining: null,
});
const refusedAll = (status: number, addresses: readonly string[], reason: PushReason): PushOutcome => ({
  status,
  refused: new Map(addresses.map((address) => [address, reason])),
  failure: null,
  retryAfter: null,
  remaining: null,
});

/** `Retry-After` in milliseconds: seconds, or a date. */
function retryAfterOf({ headers }: IncomingMessage, now: number): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}

/** https://www.indexnow.org/documentation: 200 and 202 accept, 403 rejects the key, 422 addresses of another host, 429 too many calls. */
function indexnowOutcome(status: number, addresses: readonly string[], retryAfter: number | null): PushOutcome {
  if (status === 200 || status === 202) return { status, refused: new Map(), failure: null, retryAfter: null, remaining: null };
  if (status === 400) return refusedAll(status, addresses, 'not_valid');
  if (status === 403) return failed(status, 'key_refused');
  if (status === 422) return failed(status, 'other_host');
  return failed(status, status === 429 ? 'too_often' : 'engine_error', retryAfter);
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);
const countOf = (value: unknown): number | null => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null);

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** https://ziyuan.baidu.com/college/courseinfo?id=267&page=2: `remain`, `success`, `not_same_site` and `not_valid`, or `error` with `message`. */
function baiduOutcome(status: number, text: string, addresses: readonly string[], retryAfter: number | null): PushOutcome {
  const body = parsed(text);
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  if (status === 200 && countOf(body['success']) !== null) {
    const refused = new Map<string, PushReason>([
      ...textsOf(body['not_valid']).map((address) => [address, 'not_valid'] as const),
      ...textsOf(body['not_same_site']).map((address) => [address, 'other_host'] as const),
    ]);
    return { status, refused, failure: null, retryAfter: null, remaining: countOf(body['remain']) };
  }
  if (/over quota/i.test(message)) return failed(status, 'quota');
  if (status === 401 || /token/i.test(message)) return failed(status, 'token_refused');
  if (/site error|site init/i.test(message)) return failed(status, 'site_unknown');
  if (status === 400) return refusedAll(status, addresses, 'not_valid');
  return failed(status, status === 429 ? 'too_often' : 'engine_error', retryAfter);
}

type Message = { readonly url: URL; readonly body: string; readonly type: string };

function messageOf(config: Pick<Config, 'indexnowUrl' | 'baiduPushUrl'>, call: PushCall): Message {
  if (call.engine === 'indexnow') {
    const { host, key, origin, addresses } = call;
    const body = JSON.stringify({ host, key, keyLocation: `${origin}/${key}.txt`, urlList: addresses });
    return { url: new URL(config.indexnowUrl), body, type: 'application/json; charset=utf-8' };
  }
  const url = new URL(config.baiduPushUrl);
  url.searchParams.set('site', call.site);
  url.searchParams.set('token', call.token);
  return { url, body: call.addresses.join('\n'), type: 'text/plain' };
}

/** Calls an engine once, without following redirects, within thirty seconds. `url` of the message may contain a token: it is never logged. Never throws. */
export async function callEngine(config: Pick<Config, 'indexnowUrl' | 'baiduPushUrl'>, call: PushCall, stop: AbortSignal, now: number): Promise<PushOutcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.ms)]);
  try {
    const { url, body, type } = messageOf(config, call);
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body), 'user-agent': agent };
    // The operator chooses the address of the interface, so that it may be a proxy of the local network.
    const response = await sendRequest(url, { method: 'POST', headers, body, signal }, { allowNear: true });
    const status = response.statusCode ?? 0;
    const retryAfter = retryAfterOf(response, now);
    const text = (await readBody(response, limits.bytes, signal)).toString('utf8');
    return call.engine === 'indexnow' ? indexnowOutcome(status, call.addresses, retryAfter) : baiduOutcome(status, text, call.addresses, retryAfter);
  } catch (error) {
    return failed(null, asRefusal(error, signal).code === 'address_refused' ? 'engine_error' : 'unreachable');
  }
}

/** Failures that no retry changes: nothing is sent until the settings change. */
export const stops: ReadonlySet<PushReason> = new Set(['key_refused', 'token_refused', 'site_unknown', 'other_host'] as const);
