import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fakeServer } from '../../test/support/fakeServer';
import type { Answer } from '../../test/support/fakeServer';
import { makeBaseQuery } from './baseQuery';
import type { Request as Call } from './baseQuery';

const api = (signal = new AbortController().signal) =>
  ({ signal, abort: () => undefined, dispatch: () => undefined, getState: () => ({}), extra: undefined, endpoint: 'test', type: 'query' }) as never;

async function ask(answer: Answer, call: Partial<Call> = {}, pauses: readonly number[] = []) {
  const server = fakeServer({ [`${call.method ?? 'GET'} /api/thing`]: answer });
  try {
    const result = await makeBaseQuery({ baseUrl: 'http://localhost:3000/', pauses })({ url: '/api/thing', ...call }, api(), {});
    return { result, requests: server.requests };
  } finally {
    server.restore();
  }
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html; charset=utf-8' };

describe('a response', () => {
  test('with an envelope returns its data', async () => {
    const { result } = await ask({ data: { sites: [1] } });
    expect(result.data).toEqual({ sites: [1] });
    expect(result.meta).toEqual({ status: 200, requestId: 'req-1' });
  });

  test.each([
    ['204', { raw: null, status: 204 }],
    ['an empty body', { raw: '', status: 200, headers: json }],
    ['data that is null', { data: null }],
  ] as const)('%s returns null', async (_name, answer) => {
    expect((await ask(answer)).result).toMatchObject({ data: null });
  });

  test('with a string error is an API failure, also with status 200', async () => {
    const failed = await ask({ error: 'Name is taken', status: 409, code: 'name_taken', fields: { name: { code: 'taken' } }, current: { id: 'x' } });
    expect(failed.result.error).toEqual({
      kind: 'api',
      method: 'GET',
      url: '/api/thing',
      status: 409,
      code: 'name_taken',
      message: 'Name is taken',
      fields: { name: { code: 'taken' } },
      requestId: 'req-1',
      current: { id: 'x' },
    });
    expect((await ask({ error: 'no', status: 200 })).result.error).toMatchObject({ kind: 'api', status: 200, message: 'no' });
  });

  test.each([200, 502])('of HTML with status %i keeps the page to show', async (status) => {
    const body = '<!doctype html><title> Bad gateway </title><p>nginx';
    expect((await ask({ raw: body, status, headers: html })).result.error).toMatchObject({ kind: 'html', status, body, message: 'Bad gateway' });
  });

  test('of plain text is a failure with that text', async () => {
    expect((await ask({ raw: 'upstream is away\n', status: 503, headers: { 'content-type': 'text/plain' } })).result.error).toMatchObject({
      kind: 'http',
      status: 503,
      message: 'upstream is away',
    });
  });

  test('of any other type is a failure with the status text', async () => {
    expect(
      (await ask({ raw: 'GIF89a', status: 415, statusText: 'Unsupported Media Type', headers: { 'content-type': 'image/gif' } })).result.error,
    ).toMatchObject({ kind: 'http', status: 415, message: 'Unsupported Media Type' });
  });

  test.each([
    ['without an error text', '{"oops":1}', 500, 'api'],
    ['that is broken', '{"data":', 200, 'http'],
    ['without the envelope', '[1,2]', 200, 'http'],
  ] as const)('of JSON %s is a failure with the status text', async (_name, raw, status, kind) => {
    expect((await ask({ raw, status, statusText: 'As it is', headers: json })).result.error).toMatchObject({ kind, status, message: 'As it is' });
  });

  test('contains the build of the server', async () => {
    expect((await ask({ data: 1, headers: { 'x-build': 'b2' } })).result.meta).toMatchObject({ build: 'b2' });
  });
});

describe('a call', () => {
  test('sends cookies, bypasses the JSON cache, and sets a type for bodies', async () => {
    const { requests } = await ask({ data: 1 });
    expect(requests[0]?.headers.get('accept')).toBe('application/json');
    expect(requests[0]?.headers.get('x-requested-with')).toBe('console');
    expect(requests[0]?.headers.get('content-type')).toBeNull();
    const put = await ask({ data: 1 }, { method: 'PUT', body: { a: 1 }, ifMatch: 7 });
    expect(put.requests[0]?.headers.get('content-type')).toBe('application/json');
    expect(put.requests[0]?.headers.get('if-match')).toBe('"7"');
    expect(put.requests[0]?.body).toEqual({ a: 1 });
  });

  test('encodes its query string as specified', async () => {
    const { requests } = await ask({ data: 1 }, { params: { a: '', b: null, c: [1, null, 2], d: new Date(5000), e: false, f: 0, g: undefined } });
    expect(requests[0]?.search).toBe('?c=1&c=2&d=5000&e=false&f=0');
  });

  test('that reads is retried after a gateway failure, writes are not', async () => {
    let times = 0;
    const flaky = (): Answer => ((times += 1) < 3 ? { raw: '<p>', status: 502, headers: html } : { data: 'at last' });
    expect((await ask(flaky, {}, [0, 0])).result.data).toBe('at last');
    times = 0;
    const post = await ask(flaky, { method: 'POST' }, [0, 0]);
    expect(post.result.error).toMatchObject({ status: 502 });
    expect(post.requests).toHaveLength(1);
  });

  test('without a connection is a network failure', async () => {
    expect((await ask({ network: true })).result.error).toEqual({ kind: 'network', method: 'GET', url: '/api/thing', status: 0, message: '' });
  });

  test('that is aborted says so and is not repeated', async () => {
    const stop = new AbortController();
    stop.abort();
    const server = fakeServer({ 'GET /api/thing': { data: 1 } });
    const result = await makeBaseQuery({ baseUrl: 'http://localhost:3000/', pauses: [0, 0] })('/api/thing', api(stop.signal), {});
    server.restore();
    expect(result.error).toMatchObject({ kind: 'aborted' });
    expect(server.requests.length).toBeLessThan(2);
  });
});

describe('a real connection', () => {
  const serve = async (handle: Parameters<typeof createServer>[1], run: (baseUrl: string) => Promise<void>) => {
    const server = createServer(handle);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await run(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  test('cut in the middle of the body is a network failure', async () => {
    await serve(
      (_request, response) => {
        response.writeHead(200, { ...json, 'content-length': '1000' });
        response.write('{"data":', () => response.destroy());
      },
      async (baseUrl) => {
        expect((await makeBaseQuery({ baseUrl, pauses: [] })('/api/thing', api(), {})).error).toMatchObject({ kind: 'network', status: 0 });
      },
    );
  });

  test('without a response is a timeout', async () => {
    await serve(
      () => undefined,
      async (baseUrl) => {
        expect((await makeBaseQuery({ baseUrl, timeout: 30, pauses: [] })('/api/thing', api(), {})).error).toMatchObject({ kind: 'timeout', status: 0 });
      },
    );
  });
});
