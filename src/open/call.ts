import type { UiLocale } from '@/lib/preferences';

/** What a call of a link comes to. `status` 0: there is no connection. */
export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly status: number };

/** The link that the page was opened by: its secret goes along with every call, and behind it the pass that its password gave. */
export type Link = {
  readonly get: <T>(path: string, locale: UiLocale, signal?: AbortSignal) => Promise<Answer<T>>;
  readonly unlock: (password: string) => Promise<Answer<{ pass: string }>>;
  readonly file: (path: string, locale: UiLocale) => Promise<{ readonly name: string; readonly blob: Blob } | { readonly status: number }>;
};

export function linkOf(pathname: string): Link {
  const secret = /^\/view\/([A-Za-z0-9_-]{43})\/?$/.exec(pathname)?.[1] ?? '';
  const key = `view-pass ${secret}`;
  let pass = '';
  try {
    pass = sessionStorage.getItem(key) ?? '';
  } catch {
    // Without storage the password is asked for again after a reload.
  }
  const ask = (path: string, locale: UiLocale | null, more: RequestInit = {}): Promise<Response> =>
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
    get: (path, locale, signal) => read(ask(path, locale, signal ? { signal } : {})),
    async unlock(password) {
      const answer = await read<{ pass: string }>(ask('/api/view/unlock', null, { method: 'POST', body: JSON.stringify({ password }) }));
      if (answer.ok) {
        ({ pass } = answer.data);
        try {
          sessionStorage.setItem(key, pass);
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
