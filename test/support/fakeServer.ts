import { FakeXhr } from './fakeXhr';

/** The response to a call. `data` and `error` make the envelope; `raw` is any other response; `network` drops the connection; `wait` delays it. */
export type Answer =
  | { readonly data: unknown; readonly status?: number; readonly headers?: Record<string, string>; readonly wait?: Promise<unknown> }
  | {
      readonly error: string;
      readonly status: number;
      readonly code?: string;
      readonly fields?: unknown;
      readonly requestId?: string;
      readonly current?: unknown;
    }
  | { readonly raw: BodyInit | null; readonly status?: number; readonly statusText?: string; readonly headers?: Record<string, string> }
  | { readonly network: true }
  | ((request: Request) => Answer | Promise<Answer>);

export type RecordedRequest = { readonly method: string; readonly path: string; readonly search: string; readonly headers: Headers; readonly body: unknown };

/** Answers to a chunk that was stored up to an offset, and to the question how much has been stored. */
export const chunkStored = (offset: number): Answer => ({ raw: null, status: 204, headers: { 'upload-offset': String(offset) } });
export const uploadState = (offset: number, size: number): Answer => ({
  raw: null,
  headers: { 'upload-offset': String(offset), 'upload-length': String(size) },
});

/**
 * Replaces `fetch` and `XMLHttpRequest` until `restore`. Keys are `METHOD /path` without the query; an unknown address is a mistake of the test and gets a 404 that names
 * it.
 */
export function fakeServer(answers: Record<string, Answer>) {
  const table = { ...answers };
  const requests: RecordedRequest[] = [];
  const real = globalThis.fetch;
  const realXhr = globalThis.XMLHttpRequest;

  const respond = async (answer: Answer, request: Request): Promise<Response> => {
    if (typeof answer === 'function') return respond(await answer(request), request);
    if ('network' in answer) throw new TypeError('fetch failed');
    if ('raw' in answer)
      return new Response(answer.raw, {
        status: answer.status ?? 200,
        ...(answer.statusText === undefined ? {} : { statusText: answer.statusText }),
        ...(answer.headers ? { headers: answer.headers } : {}),
      });
    if ('error' in answer) {
      const { status, ...body } = answer;
      return Response.json(body, { status, headers: { 'x-request-id': answer.requestId ?? 'req-1' } });
    }
    const { data, status = 200, headers = {}, wait } = answer;
    await wait;
    return Response.json({ data }, { status, headers: { 'x-request-id': 'req-1', ...headers } });
  };

  /** Reports asked for together are recorded and answered as the calls that they stand for. */
  const reportsOf = async ({ url, headers }: Request): Promise<Answer> => {
    const { href, searchParams } = new URL(url);
    const results = searchParams.getAll('q').map(async (q) => {
      const answer = await globalThis.fetch(new Request(`${href.split('/reports?')[0] ?? ''}/report?${q}`, { headers }));
      const body = (await answer.json()) as object;
      return answer.ok ? body : { status: answer.status, code: 'internal', requestId: 'req-1', ...body };
    });
    return { data: await Promise.all(results) };
  };

  globalThis.XMLHttpRequest = FakeXhr as unknown as typeof XMLHttpRequest;
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const text = await request.clone().text();
    const json = request.headers.get('content-type')?.includes('json') === true;
    const body = text === '' ? undefined : json ? (JSON.parse(text) as unknown) : text;
    if (request.method === 'GET' && pathname.endsWith('/als/reports')) return respond(await reportsOf(request), request);
    requests.push({ method: request.method, path: pathname, search, headers: request.headers, body });
    request.signal.throwIfAborted();
    const answer = table[`${request.method} ${pathname}`] ?? { error: `Nobody answers ${request.method} ${pathname}`, status: 404, code: 'not_found' };
    return respond(answer, request);
  };

  return {
    requests,
    calls: (key: string) => requests.filter((one) => `${one.method} ${one.path}` === key),
    answer: (key: string, answer: Answer) => {
      table[key] = answer;
    },
    restore: () => {
      globalThis.fetch = real;
      globalThis.XMLHttpRequest = realXhr;
    },
  };
}
