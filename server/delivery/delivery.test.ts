import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { makeTestApp, type Person, type TestApp } from '../../test/support/app';
import { startCollector, type Collector } from '../collect';
import { createLog } from '../log';
import { createDelivery } from './index';
import { readHost } from './host';

describe('readHost', () => {
  test.each([
    ['Shop.Localhost:3001', 'shop.localhost'],
    ['shop.localhost.', 'shop.localhost'],
    ['xn--b5q10f.example', 'xn--b5q10f.example'],
    ['a.b-c.d', 'a.b-c.d'],
  ])('%s is %s', (header, host) => expect(readHost(header)).toBe(host));
  test.each([
    undefined,
    '',
    '.',
    'a..b',
    '-a.b',
    'a_b.c',
    'shop.localhost/../x',
    'shop localhost',
    'shop.localhost:99999999',
    '[::1]',
    'é.example',
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(140)}b`,
    'a\r\nb',
  ])('%j is not a host name', (header) => expect(readHost(header)).toBeNull());
});

describe('a site delivered by its host name', () => {
  let test_: TestApp;
  let owner: Person;
  let collector: Collector;
  let delivery: FastifyInstance;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'delivery-'));

  beforeAll(async () => {
    test_ = await makeTestApp({ config: { dataDir } });
    owner = await test_.signUpOwner();
    collector = await startCollector(test_.ctx);
    delivery = await createDelivery(test_.ctx, collector);
    await delivery.ready();
  }, 60_000);
  afterAll(async () => {
    await delivery.close();
    await collector.close();
    await test_.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const get = (host: string, url = '/', headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    delivery.inject({ method, url, headers: { host, ...headers } });
  /** The site index receives changes through PostgreSQL. */
  const until = async (answers: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 10_000;
    while (!(await answers())) {
      if (Date.now() > deadline) throw new Error('never came true');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const served = (host: string, status: number) => until(async () => (await get(host)).statusCode === status);

  test('begins with a page in its language that includes its tag', async () => {
    const site = await test_.makeSite(owner, { name: '山间<茶铺>', slug: 'tea', defaultLang: 'zh-Hans' });
    await served('tea.localhost', 200);
    const page = await get('TEA.localhost:3001');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('<html lang="zh-Hans" dir="ltr">');
    expect(page.body).toContain('<h1>山间&lt;茶铺&gt;</h1>');
    expect(page.body).toContain(`<script defer src="/_a/t.js" data-site="${site.id}"></script>`);
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['set-cookie']).toBeUndefined();
  });

  test('requires revalidation and answers 304 while nothing has changed', async () => {
    const { etag } = (await get('tea.localhost')).headers;
    const again = await get('tea.localhost', '/', { 'if-none-match': `W/${String(etag)}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('answers unknown pages with a measured page of its own', async () => {
    const lost = await get('tea.localhost', '/nowhere?x=<script>');
    expect(lost.statusCode).toBe(404);
    expect(lost.body).toContain('页面不存在');
    expect(lost.body).toContain('/_a/t.js');
    expect(lost.body).not.toContain('?x=');
  });

  test('keeps search engines away until something is published', async () => {
    const robots = await get('tea.localhost', '/robots.txt');
    expect(robots.body).toBe('User-agent: *\nDisallow: /\n');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('answers HEAD without a body and refuses writes', async () => {
    expect(await get('tea.localhost', '/', {}, 'HEAD')).toMatchObject({ statusCode: 200, body: '' });
    const post = await get('tea.localhost', '/', {}, 'POST');
    expect([post.statusCode, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('refuses bodies that it cannot read, and logs them as details', async () => {
    const lines: string[] = [];
    const log = createLog('debug', { write: (line) => lines.push(line), pretty: false });
    const own = await createDelivery({ ...test_.ctx, log }, collector);
    const post = async (url: string, type: string, payload: string) =>
      (await own.inject({ method: 'POST', url, headers: { host: 'tea.localhost', 'content-type': type }, payload })).statusCode;
    expect([await post('/_site/password', 'application/xml', '<a/>'), await post('/', 'application/json', '{')]).toEqual([415, 400]);
    await own.close();
    const levels = lines.map((line) => JSON.parse(line) as { level: string; message: string }).filter(({ message }) => message === 'a malformed request');
    expect(levels.map(({ level }) => level)).toEqual(['debug', 'debug']);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  test("uses English when the site's language is not supported", async () => {
    await test_.makeSite(owner, { name: 'Duka', slug: 'duka', defaultLang: 'sw', identity: 'cookieless' });
    await served('duka.localhost', 200);
    const page = await get('duka.localhost');
    expect(page.body).toContain('<html lang="en" dir="ltr">');
    expect(page.body).toContain('data-cookieless');
  });

  test('accepts hits on its own host', async () => {
    const site = await test_.makeSite(owner, { name: 'Hits', slug: 'hits' });
    await served('hits.localhost', 200);
    const answer = await delivery.inject({
      method: 'POST',
      url: '/_a/collect',
      headers: {
        host: 'hits.localhost',
        'content-type': 'text/plain;charset=UTF-8',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
        'accept-language': 'en',
      },
      payload: JSON.stringify({ s: site.id, h: [{ k: 'v', p: '00000000000000aa', q: 0, a: 0, l: 'http://hits.localhost:3001/' }] }),
    });
    expect([answer.statusCode, answer.json<{ accepted: number }>().accepted]).toEqual([202, 1]);
    await collector.flush();
    const [row] = await test_.stores.clickhouse.query<{ pv: number }>('SELECT sum(pv) AS pv FROM visits FINAL WHERE site_id = {id:String}', {
      params: { id: site.id },
    });
    expect(Number(row?.pv)).toBe(1);
  });

  test('is gone when deleted, unavailable when archived, and back when restored', async () => {
    const site = await test_.makeSite(owner, { name: '来去', slug: 'laiqu' });
    await served('laiqu.localhost', 200);
    await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'archived' });
    await served('laiqu.localhost', 404);
    const away = await get('laiqu.localhost', '/anything');
    expect(away.body).toContain('网站暂停访问');
    expect(away.body).not.toContain('来去');
    expect(away.body).not.toContain('t.js');
    await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'open' });
    await served('laiqu.localhost', 200);
    await owner.send('DELETE', `/api/core/sites/${site.id}`, { confirm: '来去' });
    await served('laiqu.localhost', 410);
  });

  test('no other host reaches a site', async () => {
    await test_.makeSite(owner, { name: 'Elsewhere', slug: 'elsewhere', purpose: 'external', url: 'https://elsewhere.example/' });
    for (const host of ['nobody.localhost', 'elsewhere.localhost', 'elsewhere.example', 'localhost', '127.0.0.1', '[::1]', 'a_b']) {
      const answer = await get(host);
      expect([host, answer.statusCode]).toEqual([host, 404]);
      expect(answer.body).toContain('此处没有网站');
    }
    expect((await get('nobody.localhost', '/', { 'x-forwarded-host': 'tea.localhost' })).statusCode).toBe(404);
    expect((await get('nobody.localhost', '/_a/t.js')).statusCode).toBe(404);
    expect((await get('tea.localhost', '/api/core/load/rpm')).statusCode).toBe(404);
  });
});
