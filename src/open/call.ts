import { tableShareCalls } from '@contract/tables/calls';
import type { UiLocale } from '@/lib/preferences';

/** Why a field was refused, by its path in what was sent. */
export type Faults = Readonly<Record<string, { readonly code: string; readonly min?: number; readonly max?: number; readonly message?: string }>>;
/** What sending something comes to; `retryAfter`: seconds to wait. */
export type Sent<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly status: number; readonly fields: Faults; readonly retryAfter: number };
/** What a call of a link comes to. `status` 0: there is no connection. */
export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly status: number };

/** The link that the page was opened by: its secret goes along with every call, and behind it the pass that its password gave. */
export type Link = {
  readonly get: <T>(path: string, locale: UiLocale, signal?: AbortSignal) => Promise<Answer<T>>;
  readonly unlock: (password: string) => Promise<Answer<{ pass: string }>>;
  /** The same `key` again does nothing twice. */
  readonly send: <T>(path: string, locale: UiLocale, key: string, body: object) => Promise<Sent<T>>;
  /** Under it this tab keeps what belongs to the link. */ readonly name: string;
  readonly file: (path: string, locale: UiLocale) => Promise<{ readonly name: string; readonly blob: Blob } | { readonly status: number }>;
};

export function linkOf(pathname: string): Link {
  const secret = /^\/(?:view|form)\/([A-Za-z0-9_-]{43})\/?$/.exec(pathname)?.[1] ?? '';
  const passKey = `view-pass ${secret}`;
  let pass = '';
  try {
    pass = sessionStorage.getItem(passKey) ?? '';
  } catch {
    // Without storage the password is asked for again after a reload.
  }
  const ask = (path: string, locale: UiLocale | null, more: RequestInit = {}, own: Record<string, string> = {}): Promise<Response> =>
    fetch(path, {
      cache: 'no-store',
      credentials: 'omit',
      ...more,
      headers: {
        accept: 'application/json',
        'x-requested-with': 'console',
        'x-share': pass === '' ? secret : `${secret}.${pass}`,
        ...(locale === null ? {} : { 'accept-language': locale }),
        ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...own,
      },
    });
  async function read<T>(asked: Promise<Response>): Promise<Answer<T>> {
    try {
      const response = await asked;
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
        const said = (await response.json().catch(() => null)) as { data?: T; fields?: Faults } | null;
        if (response.ok && said?.data !== undefined) return { ok: true, data: said.data };
        // An answer that was cut off is none.
        return {
          ok: false,
          status: response.ok ? 0 : response.status,
          fields: said?.fields ?? fields,
          retryAfter: Number(response.headers.get('retry-after') ?? 0),
        };
      } catch {
        return { ok: false, status: 0, fields, retryAfter: 0 };
      }
    },
    get: (path, locale, signal) => read(ask(path, locale, signal ? { signal } : {})),
    async unlock(password) {
      const answer = await read<{ pass: string }>(ask(tableShareCalls.unlockView.path, null, { method: 'POST', body: JSON.stringify({ password }) }));
      if (answer.ok) {
        ({ pass } = answer.data);
        try {
          sessionStorage.setItem(passKey, pass);
        } catch {
          // It holds for this page at least.
        }
      }
      return answer;
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
