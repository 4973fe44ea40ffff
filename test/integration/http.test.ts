import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { calls } from '../../contract/call';
import { endpoint } from '../../contract/endpoint';
import { route } from '../../server/http/route';
import { ClickHouseAway } from '../../server/stores/clickhouse/types';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

const dist = mkdtempSync(path.join(tmpdir(), 'console-'));
const page = (title: string) =>
  `<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><meta name="devtools" content="__DEVTOOLS__"><title>${title}</title>`;
mkdirSync(path.join(dist, 'assets'));
writeFileSync(path.join(dist, 'index.html'), page('console'));
writeFileSync(path.join(dist, 'sign.html'), page('sign'));
writeFileSync(path.join(dist, 'build.json'), '{"build":"b7"}');
writeFileSync(path.join(dist, 'favicon.svg'), '<svg/>');
writeFileSync(path.join(dist, 'assets', 'index.1a2b.js'), `// ${'x'.repeat(5000)}`);
writeFileSync(path.join(dist, 'assets', 'index.1a2b.js.br'), 'compressed before');
writeFileSync(
  path.join(dist, 'manifest.json'),
  JSON.stringify({
    version: 'b7',
    patches: { '/home': ['/assets/home.js'], '/site/:siteId/als/trend': ['/assets/trend.js'] },
    sizes: { '/assets/home.js': 1200, '/assets/trend.js': 3400 },
  }),
);

/** Endpoints with every kind of failure. */
const failingCalls = calls({
  crash: 'GET /api/test/crash',
  away: 'GET /api/test/away',
  database: 'GET /api/test/database',
  strict: 'POST /api/test/strict',
  scarce: 'GET /api/test/scarce',
});
const failing = {
  crash: endpoint(failingCalls.crash, { access: 'public', summary: 'Throws' }),
  away: endpoint(failingCalls.away, { access: 'public', summary: 'ClickHouse is gone' }),
  database: endpoint(failingCalls.database, { access: 'public', summary: 'PostgreSQL is gone' }),
  strict: endpoint(failingCalls.strict, {
    access: 'public',
    summary: 'Checks',
    body: z.strictObject({ name: z.string().min(3).max(5), mail: z.email().optional(), n: z.int().min(1).optional() }),
    response: z.object({ name: z.string() }),
    ratePerMinute: 30,
  }),
  scarce: endpoint(failingCalls.scarce, { access: 'public', summary: 'Twice a minute', ratePerMinute: 2 }),
};

let t: TestApp;
let owner: Person;
beforeAll(async () => {
  t = await makeTestApp({
    consoleDir: dist,
    config: { trustedProxies: ['127.0.0.1'] },
    prepare(app, ctx) {
      route(app, ctx, failing.crash, () => {
        throw new Error('secret inside');
      });
      route(app, ctx, failing.away, () => {
        throw new ClickHouseAway('http://10.0.0.5:8123');
      });
      route(app, ctx, failing.database, () => {
        throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.6'), { code: 'ECONNREFUSED', syscall: 'connect' });
      });
      route(app, ctx, failing.strict, ({ body }) => ({ name: body.name, inner: 'not in the contract' }));
      route(app, ctx, failing.scarce, () => undefined);
    },
  });
  owner = await t.signUpOwner();
});
afterAll(async () => {
  await t.close();
  rmSync(dist, { recursive: true });
});

const json = { 'content-type': 'application/json' };

describe('the error catalogue', () => {
  const cases: [string, InjectOptions, number, string][] = [
    ['unknown address', { url: '/api/none' }, 404, 'not_found'],
    ['unknown address, other method', { method: 'DELETE', url: '/api/none' }, 404, 'not_found'],
    ['known address, other method', { method: 'DELETE', url: '/api/acc/token/session' }, 405, 'method_not_allowed'],
    ['broken JSON', { method: 'POST', url: '/api/test/strict', headers: json, payload: '{"name":' }, 400, 'not_json'],
    ['empty JSON', { method: 'POST', url: '/api/test/strict', headers: json, payload: '' }, 400, 'not_json'],
    ['poisoned JSON', { method: 'POST', url: '/api/test/strict', headers: json, payload: '{"__proto__":{"a":1},"name":"abc"}' }, 400, 'not_json'],
    ['JSON of another shape', { method: 'POST', url: '/api/test/strict', headers: json, payload: '[1]' }, 400, 'bad_request'],
    ['no body', { method: 'POST', url: '/api/test/strict' }, 400, 'bad_request'],
    ['a large body', { method: 'POST', url: '/api/test/strict', headers: json, payload: JSON.stringify({ name: 'x'.repeat(70_000) }) }, 413, 'too_large'],
    [
      'a form',
      { method: 'POST', url: '/api/test/strict', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'name=abc' },
      415,
      'unsupported_media_type',
    ],
    [
      'plain text',
      { method: 'POST', url: '/api/test/strict', headers: { 'content-type': 'text/plain' }, payload: '{"name":"abc"}' },
      415,
      'unsupported_media_type',
    ],
    ['a crash', { url: '/api/test/crash' }, 500, 'internal'],
    ['ClickHouse away', { url: '/api/test/away' }, 503, 'analytics_unavailable'],
    ['PostgreSQL away', { url: '/api/test/database' }, 503, 'unavailable'],
    ['no session', { url: '/api/core/load/rpm' }, 401, 'unauthorized'],
    ['a malformed address', { url: '/api/%zz' }, 400, 'bad_request'],
  ];
  test.each(cases)('%s', async (_name, request, status, code) => {
    const answer = await t.app.inject(request);
    expect(answer.statusCode).toBe(status);
    const body = answer.json<Record<string, unknown>>();
    expect(body).toMatchObject({ code, error: expect.stringMatching(/[\u4e00-\u9fff]/), requestId: answer.headers['x-request-id'] });
    expect(answer.body).not.toMatch(/secret|10\.0\.0|at .*\.ts/);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  test('a wrong method is answered with the allowed ones', async () => {
    expect((await t.app.inject({ method: 'PUT', url: '/api/acc/token/session' })).headers.allow).toBe('GET, HEAD');
  });

  test('the 422 names each field with a code and its limits', async () => {
    const answer = await t.app.inject({ method: 'POST', url: '/api/test/strict', payload: { name: 'x', mail: 'no', n: 0, extra: 1 } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ fields: unknown }>().fields).toEqual({
      name: { code: 'too_short', min: 3 },
      mail: { code: 'not_an_email' },
      n: { code: 'out_of_range', min: 1 },
      extra: { code: 'unknown_field' },
    });
    expect((await t.app.inject({ method: 'POST', url: '/api/test/strict', payload: { mail: null } })).json<{ fields: unknown }>().fields).toEqual({
      name: { code: 'required' },
      mail: { code: 'wrong_type' },
    });
  });

  test('429 has Retry-After', async () => {
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await t.app.inject({ url: '/api/test/scarce' })).statusCode);
    expect(statuses).toEqual([204, 204, 429]);
    const refused = await t.app.inject({ url: '/api/test/scarce' });
    expect(refused.json()).toMatchObject({ code: 'too_many_requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('limits count by the visitor, not the trusted proxy', async () => {
    const from = (address: string) => t.app.inject({ url: '/api/test/scarce', headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } });
    for (let i = 0; i < 2; i++) await from('203.0.113.1');
    expect((await from('203.0.113.1')).statusCode).toBe(429);
    expect((await from('::ffff:203.0.113.1')).statusCode).toBe(429);
    expect((await from('203.0.113.2')).statusCode).toBe(204);
  });

  test('messages follow Accept-Language or the signed-in person’s language', async () => {
    expect((await t.app.inject({ url: '/api/none', headers: { 'accept-language': 'en-GB,zh;q=0.5' } })).json<{ error: string }>().error).toBe(
      'There is nothing here.',
    );
    expect((await owner.get('/api/acc/contacts/00000000-0000-4000-8000-000000000000', { 'accept-language': 'en' })).json<{ error: string }>().error).toBe(
      '找不到要访问的内容。',
    );
  });
});

describe('responses', () => {
  test('have data in the envelope, limited to the contract', async () => {
    expect((await t.app.inject({ method: 'POST', url: '/api/test/strict', payload: { name: 'abcd' } })).json()).toEqual({ data: { name: 'abcd' } });
  });
  test('an anonymous session is null, not an error', async () => {
    const answer = await t.app.inject({ url: '/api/acc/token/session' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { data: null }]);
  });
  test('carry the build and a request id and are not cached', async () => {
    const { headers } = await t.app.inject({ url: '/api/acc/token/session' });
    expect(headers).toMatchObject({
      'x-build': 'b7',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
  test('are compressed when long', async () => {
    const load = (encoding: string) => owner.get('/api/core/load/rpm', { 'accept-encoding': encoding });
    const [br, gzip] = [await load('br, gzip'), await load('gzip')];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString())).toEqual(JSON.parse(gunzipSync(gzip.rawPayload).toString()));
  });
});

describe('pages and files', () => {
  const html = { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' };

  test('every response of the shell has a new nonce in page and policy', async () => {
    const nonces = [];
    for (const url of ['/', '/home', '/site/abc/als/trend?x=1', '/no/such/route']) {
      const answer = await t.app.inject({ url, headers: html });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['cross-origin-opener-policy']).toBe('same-origin');
      const nonce = /nonce="([^"]+)"/.exec(answer.body)?.[1];
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types console-webpack");
      expect(policy).toMatch(/; frame-src 'self' http:\/\/\*\.localhost:\d+; /);
      expect(policy).not.toMatch(/unsafe/);
      expect(answer.body).toContain('name="devtools" content="0"');
      nonces.push(nonce);
    }
    expect(new Set(nonces).size).toBe(4);
  });
  test('built files are immutable, missing ones are 404, and the folder is a boundary', async () => {
    const file = await t.app.inject({ url: '/assets/index.1a2b.js' });
    expect([file.statusCode, file.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await t.app.inject({ url: '/favicon.svg' })).headers['content-type']).toContain('image/svg+xml');
    for (const url of [
      '/assets/index.0000.js',
      '/assets/../index.html',
      '/assets/%2e%2e/build.json',
      '/assets/..%5cbuild.json',
      '/manifest.json',
      '/build.json',
      '/index.html',
      '/.env',
      '/missing.png',
    ]) {
      expect([url, (await t.app.inject({ url, headers: { accept: '*/*' } })).statusCode]).toEqual([url, 404]);
    }
  });
  test('built files are sent compressed, in ranges and only once', async () => {
    const url = '/assets/index.1a2b.js';
    const compressed = await t.app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
    expect([compressed.headers['content-encoding'], compressed.body, compressed.headers.vary]).toEqual(['br', 'compressed before', 'accept-encoding']);
    const part = await t.app.inject({ url, headers: { range: 'bytes=0-3' } });
    expect([part.statusCode, part.body]).toEqual([206, '// x']);
    const again = await t.app.inject({ url, headers: { 'if-none-match': String((await t.app.inject({ url })).headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
  test('a console address fetched by a program is 404, not a page', async () => {
    expect((await t.app.inject({ url: '/home', headers: { accept: 'application/json' } })).json()).toMatchObject({ code: 'not_found' });
  });
  test('the frame for foreign HTML runs only its own script', async () => {
    const { headers, body } = await t.app.inject({ url: '/frame' });
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+';.*frame-ancestors 'self'.*sandbox allow-scripts/);
    expect(body).toContain('sandbox=""');
  });
});

describe('the list of parts', () => {
  const ask = (query: string) => t.app.inject({ url: `/__manifest?${query}` });
  test('names the files of each path and the build’s state', async () => {
    expect((await ask('p=/home&p=/site/abcdefghijkl/als/trend&p=/nowhere&version=b7')).json()).toEqual({
      version: 'b7',
      current: true,
      patches: { '/home': ['/assets/home.js'], '/site/abcdefghijkl/als/trend': ['/assets/trend.js'] },
      sizes: { '/assets/home.js': 1200, '/assets/trend.js': 3400 },
    });
    expect((await ask('p=/home&version=b7')).json()).toMatchObject({ sizes: { '/assets/home.js': 1200 } });
    expect((await ask('p=/home&version=b6')).json()).toMatchObject({ version: 'b7', current: false });
  });
  test('keeps the limits of the specification', async () => {
    expect((await ask('p=/home')).statusCode).toBe(400);
    expect((await ask('version=b7')).statusCode).toBe(400);
    expect((await ask('p=home&version=b7')).statusCode).toBe(400);
    expect((await ask(`version=b7&p=/${'x'.repeat(7680)}`)).statusCode).toBe(414);
  });
});

describe('the description of the API', () => {
  test('lists every registered endpoint', async () => {
    const { openapi, paths } = (await t.app.inject({ url: '/api/openapi.json' })).json<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
    }>();
    expect(openapi).toBe('3.1.0');
    expect(paths['/api/acc/contacts/{id}']).toMatchObject({
      get: { operationId: 'contact' },
      put: { operationId: 'replaceContact' },
      patch: { operationId: 'changeContact' },
    });
    expect(Object.keys(paths['/api/acc/contacts/{id}']?.['put']?.responses ?? {})).toEqual(expect.arrayContaining(['200', '401', '403', '404', '409', '422']));
  });
  test('can be read, in both languages, under a policy without exceptions', async () => {
    const zh = await t.app.inject({ url: '/api/docs' });
    expect(zh.body).toContain('接口');
    expect(zh.headers['content-security-policy']).not.toMatch(/unsafe/);
    expect((await t.app.inject({ url: '/api/docs', headers: { 'accept-language': 'en' } })).body).toContain('<h1>Sitewright API</h1>');
  });
});
