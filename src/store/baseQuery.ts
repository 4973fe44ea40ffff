import { fetchBaseQuery } from '@reduxjs/toolkit/query';
import type { BaseQueryApi, BaseQueryFn } from '@reduxjs/toolkit/query';
import type { ErrorCode } from '@contract/errors';
import { queryString } from '@/lib/queryString';
import type { QueryParams } from '@/lib/queryString';
import { isPassing } from '@/lib/failure';
import type { ApiFailure, FieldFailure } from '@/lib/failure';

/** A request. `call`: its name in the contract; `ifMatch`: the revision that the caller has read, sent as `If-Match`. */
export type Request = {
  readonly call?: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  readonly params?: QueryParams;
  readonly body?: unknown;
  readonly ifMatch?: number;
};

/** Attached to every result, in the action's `meta.baseQueryMeta`. */
export type CallMeta = { readonly requestId?: string; readonly build?: string; readonly status: number };

export type ConsoleBaseQuery = BaseQueryFn<Request | string, unknown, ApiFailure, object, CallMeta>;

type Options = {
  readonly baseUrl: string;
  /** Milliseconds until a call without a response is aborted. */
  readonly timeout?: number;
  /** Milliseconds before the nth retry of a GET; its length is the number of retries. */
  readonly pauses?: readonly number[];
  /** Called when the server requires a proof of identity; after `true` the call is sent again, once. */
  readonly prove?: () => Promise<boolean>;
  /** Checks the data of a call against the contract; throws if it does not match. */
  readonly check?: (call: string, data: unknown) => void;
  /** Headers sent with every call. */
  readonly headers?: () => Record<string, string>;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const titleOf = (html: string): string => (/<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1] ?? '').trim();

/** Turns a response into data or a failure: the table of the specification's section 8. */
export function readResponse(
  call: { method: string; url: string },
  response: { status: number; statusText: string; type: string; requestId?: string | undefined; text: string },
): { data: unknown } | { error: ApiFailure } {
  const { status, statusText, text } = response;
  const base = { ...call, status, ...(response.requestId === undefined ? {} : { requestId: response.requestId }) };
  const ok = status >= 200 && status < 300;
  if (ok && (status === 204 || text === '')) return { data: null };

  const type = response.type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json')) {
    const json = parseJson(text);
    const envelope = isObject(json) ? json : {};
    if (typeof envelope['error'] === 'string') return { error: { ...base, kind: 'api', message: envelope['error'], ...details(envelope) } };
    if (ok && 'data' in envelope) return { data: envelope['data'] ?? null };
    return { error: { ...base, kind: json === undefined || ok ? 'http' : 'api', message: statusText || String(status) } };
  }
  if (type === 'text/html' || type === 'application/xhtml+xml')
    return { error: { ...base, kind: 'html', message: titleOf(text) || statusText || String(status), body: text } };
  if (type === 'text/plain' && text.trim() !== '') return { error: { ...base, kind: 'http', message: text.trim().slice(0, 2000) } };
  return { error: { ...base, kind: 'http', message: statusText || String(status) } };
}

function details(envelope: Record<string, unknown>): Partial<ApiFailure> {
  const { code, fields, requestId } = envelope;
  return {
    ...(typeof code === 'string' ? { code: code as ErrorCode } : {}),
    ...(isObject(fields) ? { fields: fields as Record<string, FieldFailure> } : {}),
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...('current' in envelope ? { current: envelope['current'] } : {}),
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });

/**
 * The shared request behaviour: always cookies, no cache, JSON accepted, a JSON content type only with a body, a 30 s timeout, and a GET retried
 * after no response, 502, 503 or 504. `baseUrl` is absolute, because a `Request` outside a page cannot resolve a relative one.
 */
export function makeBaseQuery({ baseUrl, timeout = 30_000, pauses = [400, 1200], prove, check, headers }: Options): ConsoleBaseQuery {
  const send = fetchBaseQuery({
    baseUrl,
    timeout,
    credentials: 'include',
    cache: 'no-store',
    responseHandler: 'text',
    validateStatus: () => true,
    paramsSerializer: (params) => queryString(params as QueryParams),
    // Looked up at each call: tests and tools replace it.
    fetchFn: (input, init) => fetch(input, init),
  });

  async function once(call: Request, api: BaseQueryApi, extra: object): Promise<Awaited<ReturnType<ConsoleBaseQuery>>> {
    const method = call.method ?? 'GET';
    const query = call.params ? queryString(call.params) : '';
    const result = await send(
      {
        url: call.url + (query ? `?${query}` : ''),
        method,
        ...(call.body === undefined ? {} : { body: call.body }),
        headers: {
          accept: 'application/json',
          'x-requested-with': 'console',
          ...headers?.(),
          ...(call.ifMatch === undefined ? {} : { 'if-match': `"${String(call.ifMatch)}"` }),
        },
      },
      api,
      extra,
    );
    const response = result.meta?.response;
    const url = new URL(call.url, baseUrl).pathname + (query ? `?${query}` : '');
    if (result.error || !response) {
      const timedOut = result.error?.status === 'TIMEOUT_ERROR';
      const kind = api.signal.aborted ? 'aborted' : timedOut ? 'timeout' : 'network';
      return { error: { kind, method, url, status: 0, message: '' }, meta: { status: 0 } };
    }
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const build = response.headers.get('x-build') ?? undefined;
    const meta: CallMeta = { status: response.status, ...(requestId === undefined ? {} : { requestId }), ...(build === undefined ? {} : { build }) };
    const read = readResponse(
      { method, url },
      {
        status: response.status,
        statusText: response.statusText,
        type: response.headers.get('content-type') ?? '',
        requestId,
        text: typeof result.data === 'string' ? result.data : '',
      },
    );
    if (check && call.call !== undefined && 'data' in read) check(call.call, read.data);
    return { ...read, meta };
  }

  return async (args, api, extra) => {
    const call: Request = typeof args === 'string' ? { url: args } : args;
    let result = await once(call, api, extra);
    if (prove && result.error?.code === 'reauth_required' && (await prove()) && !api.signal.aborted) result = await once(call, api, extra);
    if (call.method !== undefined && call.method !== 'GET') return result;
    for (const ms of pauses) {
      if (!result.error || !isPassing(result.error) || api.signal.aborted) break;
      await pause(ms, api.signal);
      result = await once(call, api, extra);
    }
    return result;
  };
}
