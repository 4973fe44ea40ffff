import { openViewCalls } from '@contract/tables/calls';
import type { UiLocale } from '@/lib/preferences';

/** Field errors by path in the request. */
export type FieldErrors = Readonly<Record<string, { readonly code: string; readonly min?: number; readonly max?: number; readonly message?: string }>>;
/** The result of sending something; `retryAfter`: seconds to wait. */
export type Sent<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly status: number; readonly fields: FieldErrors; readonly retryAfter: number };
/** The result of a call. `status` 0: no connection. */
export type CallResult<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly status: number };

/** The link that opened the page: every call sends its secret and, if the link has a password, the pass obtained with it. */
export type Link = {
  readonly get: <T>(path: string, locale: UiLocale, signal?: AbortSignal) => Promise<CallResult<T>>;
  readonly unlock: (password: string) => Promise<CallResult<{ pass: string }>>;
  /** Sending the same `key` again has no further effect. */
  readonly send: <T>(path: string, locale: UiLocale, key: string, body: object) => Promise<Sent<T>>;
  /** Sends a file; `onProgress` receives the share that has been sent. */
  readonly upload: <T>(path: string, locale: UiLocale, file: Blob, onProgress: (share: number) => void) => Promise<Sent<T>>;
  /** Key under which this tab stores what belongs to the link. */ readonly name: string;
  readonly file: (path: string, locale: UiLocale) => Promise<{ readonly name: string; readonly blob: Blob } | { readonly status: number }>;
};

/** Posts a file. `fetch` does not report how much of a body has been sent. */
const sendFile = <T>(path: string, headers: Readonly<Record<string, string>>, file: Blob, onProgress: (share: number) => void): Promise<Sent<T>> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    const all = { ...headers, 'content-type': 'application/offset+octet-stream' };
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('loadend', () => {
      const { status } = request;
      const reply = request.response as { data?: T; fields?: FieldErrors } | null;
      if (status === 200 && reply?.data !== undefined) return resolve({ ok: true, data: reply.data });
      const retryAfter = Number(request.getResponseHeader('retry-after') ?? 0);
      return resolve({ ok: false, status: status === 200 ? 0 : status, fields: reply?.fields ?? {}, retryAfter });
    });
    request.send(file);
  });

export function linkOf(pathname: string): Link {
  const secret = /^\/(?:view|form)\/([A-Za-z0-9_-]{43})\/?$/.exec(pathname)?.[1] ?? '';
  const passKey = `view-pass ${secret}`;
  let pass = '';
  try {
    pass = sessionStorage.getItem(passKey) ?? '';
  } catch {
    // Without storage, a reload asks for the password again.
  }
  const headers = (locale: UiLocale | null): Record<string, string> => ({
    accept: 'application/json',
    'x-requested-with': 'console',
    'x-share': pass === '' ? secret : `${secret}.${pass}`,
    ...(locale === null ? {} : { 'accept-language': locale }),
  });
  const ask = (path: string, locale: UiLocale | null, more: RequestInit = {}, own: Record<string, string> = {}): Promise<Response> =>
    fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      ...more,
      headers: {
        ...headers(locale),
        ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...own,
      },
    });
  async function read<T>(request: Promise<Response>): Promise<CallResult<T>> {
    try {
      const response = await request;
      const body = (await response.json().catch(() => null)) as { data?: T } | null;
      return response.ok && body?.data !== undefined ? { ok: true, data: body.data } : { ok: false, status: response.status };
    } catch {
      return { ok: false, status: 0 };
    }
  }
  return {
    name: secret,
    async send<T>(path: string, locale: UiLocale, key: string, body: object): Promise<Sent<T>> {
      const fields = {};
      try {
        const response = await ask(path, locale, { method: 'POST', body: JSON.stringify(body) }, { 'idempotency-key': key });
        const reply = (await response.json().catch(() => null)) as { data?: T; fields?: FieldErrors } | null;
        if (response.ok && reply?.data !== undefined) return { ok: true, data: reply.data };
        // A truncated response does not count.
        return {
          ok: false,
          status: response.ok ? 0 : response.status,
          fields: reply?.fields ?? fields,
          retryAfter: Number(response.headers.get('retry-after') ?? 0),
        };
      } catch {
        return { ok: false, status: 0, fields, retryAfter: 0 };
      }
    },
    upload: (path, locale, file, onProgress) => sendFile(path, headers(locale), file, onProgress),
    get: (path, locale, signal) => read(ask(path, locale, signal ? { signal } : {})),
    async unlock(password) {
      const result = await read<{ pass: string }>(ask(openViewCalls.unlockView.path, null, { method: 'POST', body: JSON.stringify({ password }) }));
      if (result.ok) {
        ({ pass } = result.data);
        try {
          sessionStorage.setItem(passKey, pass);
        } catch {
          // Without storage, the pass lasts as long as the page.
        }
      }
      return result;
    },
    async file(path, locale) {
      try {
        const response = await ask(path, locale);
        if (!response.ok) return { status: response.status };
        const named = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
        return { name: named === undefined ? 'view.csv' : decodeURIComponent(named), blob: await response.blob() };
      } catch {
        return { status: 0 };
      }
    },
  };
}
