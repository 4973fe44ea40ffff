import { jest } from '@jest/globals';
import type { PushEntry, PushStatus, PushTest } from '../../contract/seo/pushSchemas';
import type { Verification } from '../../contract/seo/verificationSchemas';
import { pushSchedules, startPushSender } from '../../server/areas/seo/push';
import { seoPageHashes } from '../../server/areas/seo/push/schema';
import { pushJob } from '../../server/delivery';
import { startWorker } from '../../server/worker';
import { DAY, MINUTE } from '../../server/zone';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { startBaidu, startIndexNow } from '../support/pushServers';
import type { BaiduServer, IndexNowServer } from '../support/pushServers';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let base: string;

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'push');
  base = `/api/site/${blog.site.id}/seo`;
});
afterAll(() => program.close());

const fileName = 'google0123456789abcdef.html';
const addProof = async (body: object): Promise<Verification> => {
  const response = await program.owner.send('POST', `${base}/verifications`, body);
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<{ data: Verification }>().data;
};
const refusedField = async (body: object) => {
  const response = await program.owner.send('POST', `${base}/verifications`, body);
  expect(response.statusCode).toBe(422);
  return response.json<{ fields: Record<string, { code: string }> }>().fields;
};

describe('verification of ownership', () => {
  test('a draft answers with the file at once', async () => {
    expect((await blog.visit(`/${fileName}`)).statusCode).toBe(404);
    const proof = await addProof({ service: 'google', method: 'file', name: fileName });
    expect(proof).toMatchObject({ url: `http://push.localhost:3001/${fileName}`, delivered: null });
    await until(async () => (await blog.visit(`/${fileName}`)).statusCode === 200);
    const file = await blog.visit(`/${fileName}`);
    expect(file.body).toBe(`google-site-verification: ${fileName}`);
    expect(file.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect((await blog.visit(`/${fileName.toUpperCase()}`)).statusCode).toBe(404);
    expect(await refusedField({ service: 'google', method: 'file', name: fileName })).toEqual({ name: { code: 'duplicate' } });
    expect(await refusedField({ service: 'google', method: 'file', name: 'index.html' })).toEqual({ name: { code: 'pattern' } });
  });

  test('a pasted element is in the head of every page, released or not', async () => {
    const element = '<meta name="baidu-site-verification" content="codeva-AbC" />';
    const proof = await addProof({ service: 'baidu', method: 'meta', content: element });
    expect(proof).toMatchObject({ name: 'baidu-site-verification', content: 'codeva-AbC' });
    const delivered = '<meta name="baidu-site-verification" content="codeva-AbC">';
    await until(async () => (await blog.visit('/')).body.includes(delivered));
    const ids = await blog.addPosts({ title: '春茶', slug: 'spring', body: '<p>春</p>' });
    await blog.release(ids);
    await until(async () => (await blog.visit('/blog/spring')).statusCode === 200);
    for (const path of ['/', '/en', '/archive', '/blog/spring', '/nothing']) expect((await blog.visit(path)).body).toContain(delivered);
    expect((await program.owner.send('DELETE', `${base}/verifications/${proof.id}`)).statusCode).toBe(204);
    await until(async () => !(await blog.visit('/blog/spring')).body.includes('baidu-site-verification'));
  });

  test('the audit log names proofs that came and went', async () => {
    const entries = await program.owner.get(`/api/acc/audit`);
    expect(entries.body).toContain(fileName);
  });
});

describe('push to search engines', () => {
  let indexnow: IndexNowServer;
  let baidu: BaiduServer;
  const token = 'abcDEF123456';
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    indexnow = await startIndexNow(async (url) => (await program.visit(url.hostname, url.pathname)).body);
    baidu = await startBaidu({ site: 'push.localhost', token });
    Object.assign(program.ctx.config, { indexnowUrl: indexnow.url, baiduPushUrl: baidu.url });
    const worker = startWorker(program.ctx, [pushJob], pushSchedules, { pollEvery: 50 });
    const sender = startPushSender(program.ctx, { pollEvery: 50 });
    closing.push(worker.close, sender.close, indexnow.close, baidu.close);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  const change = async (body: object) => program.owner.send('PUT', `${base}/push`, { indexnow: false, baidu: false, automatic: true, ...body });
  const status = async () => (await program.owner.get(`${base}/push`)).json<{ data: PushStatus }>().data;
  const engine = async (name: string) => (await status()).engines.find((one) => one.engine === name);
  const ledger = async (query = '') =>
    (await program.owner.get(`${base}/push/ledger?size=100${query}`)).json<{ data: { rows: PushEntry[]; total: number } }>().data;
  const push = (name: string, ...addresses: string[]) => program.owner.send('POST', `${base}/push/run`, { engine: name, addresses });
  const tryEngine = async (name: string) => (await program.owner.send('POST', `${base}/push/test`, { engine: name })).json<{ data: PushTest }>().data;
  const at = (path: string): string => `http://push.localhost:3001${path}`;

  test('switching an engine on delivers its key and pushes nothing that was there before', async () => {
    expect((await push('indexnow', '/')).statusCode).toBe(409);
    expect((await change({ indexnow: true })).statusCode).toBe(200);
    const { keyUrl } = await status();
    const key = new URL(keyUrl ?? '').pathname;
    await until(async () => (await blog.visit(key)).statusCode === 200);
    expect((await blog.visit(key)).body).toBe(key.slice(1, -4));
    program.pass(MINUTE);
    await until(async () => (await program.ctx.postgres.db.select().from(seoPageHashes)).length > 0);
    expect((await ledger()).total).toBe(0);
  });

  test('ten quiet minutes after a change, the changed pages are pushed', async () => {
    const [id = ''] = await blog.addPosts({ title: '夏茶', slug: 'summer', body: '<p>夏</p>' });
    await blog.release([id]);
    await until(async () => (await status()).nextScanAt !== null);
    expect(indexnow.received).toEqual([]);
    program.pass(11 * MINUTE);
    // The service has an address a moment before the ledger says so.
    await until(async () => (await ledger('&q=summer')).rows[0]?.state === 'sent');
    // The list shows the new post, and the archive template the list; the other post stays as it was.
    expect(indexnow.received).toContain(at('/blog/summer'));
    expect(indexnow.received).toContain(at('/'));
    expect(indexnow.received).not.toContain(at('/blog/spring'));
    expect((await ledger('&q=summer')).rows[0]).toMatchObject({ engine: 'indexnow', kind: 'changed', status: 202, attempts: 1 });
    indexnow.received.length = 0;
    await blog.calls.post(`tables/${blog.posts.id}/records/unpublish`, { target: { ids: [id] } });
    program.pass(11 * MINUTE);
    await until(async () => {
      const [last] = (await ledger('&q=summer')).rows;
      return last?.kind === 'removed' && last.state === 'sent';
    });
    expect(indexnow.received).toContain(at('/blog/summer'));
  });

  test('sitemaps date pages by their content', async () => {
    const dates = async (path: string) =>
      new Map(
        [...(await blog.visit(path)).body.matchAll(/<loc>http:\/\/push\.localhost:3001([^<]*)<\/loc>(?:<lastmod>([^<]+)<)?/g)].map(([, url = '', day]) => [
          url,
          day,
        ]),
      );
    const before = await dates('/sitemap-posts-1.xml');
    expect([before.get('/blog/spring'), (await dates('/sitemap-pages.xml')).get('/archive')].every((day) => day !== undefined)).toBe(true);
    const { id = '' } = (await blog.calls.rows(blog.posts.id)).find(({ values }) => values['slug'] === 'spring') ?? {};
    // The record is stored again, but its page says the same.
    for (const summary of ['春', null]) await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes: [{ id, values: { summary } }] });
    await blog.release([id]);
    program.pass(11 * MINUTE);
    await until(async () => (await status()).nextScanAt === null || Date.parse((await status()).nextScanAt ?? '') > program.ctx.now());
    expect((await dates('/sitemap-posts-1.xml')).get('/blog/spring')).toBe(before.get('/blog/spring'));
  });

  test('a site without engines knows when its pages changed', async () => {
    const quiet = await makeBlog(program, 'quiet');
    await quiet.release(await quiet.addPosts({ title: '白茶', slug: 'white', body: '<p>白</p>' }));
    program.pass(MINUTE);
    const known = async () => (await program.ctx.postgres.db.select().from(seoPageHashes)).filter(({ siteId }) => siteId === quiet.site.id);
    await until(async () => (await known()).some(({ address }) => address.endsWith('/blog/white')));
    expect((await program.owner.get(`/api/site/${quiet.site.id}/seo/push/ledger`)).json()).toMatchObject({ data: { total: 0 } });
  });

  test('a busy engine is called again later', async () => {
    indexnow.busyFor = 1;
    await push('indexnow', '/archive');
    await until(async () => (await engine('indexnow'))?.problem === 'too_often');
    expect((await ledger('&q=archive')).rows[0]).toMatchObject({ state: 'waiting', status: 429, reason: 'too_often', attempts: 1 });
    program.pass(3 * MINUTE);
    await until(async () => (await ledger('&q=archive')).rows[0]?.state === 'sent');
    expect(await engine('indexnow')).toMatchObject({ problem: null, pausedUntil: null });
  });

  test('Baidu stops for a wrong token and goes on once it is right', async () => {
    expect((await change({ indexnow: true, baidu: true, baiduSite: 'push.localhost' })).json<{ fields: object }>().fields).toEqual({
      baiduToken: { code: 'required' },
    });
    await change({ indexnow: true, baidu: true, baiduSite: 'push.localhost', baiduToken: 'wrong' });
    await push('baidu', '/blog/spring');
    await until(async () => (await engine('baidu'))?.problem === 'token_refused');
    expect(await tryEngine('baidu')).toMatchObject({ ok: false, status: 401, reason: 'token_refused' });
    expect(baidu.received).toEqual([]);
    await change({ indexnow: true, baidu: true, baiduSite: 'push.localhost', baiduToken: token });
    await until(() => baidu.received.includes(at('/blog/spring')));
    expect(await status()).toMatchObject({ hasToken: true, baiduSite: 'push.localhost' });
    expect(JSON.stringify(await status())).not.toContain(token);
  });

  test('addresses of other sites are refused before they are sent', async () => {
    const response = await push('indexnow', 'https://elsewhere.example/', 'javascript:alert(1)', '/topics/green#top', at('/topics/black'));
    expect(response.json()).toMatchObject({ data: { queued: 2, refused: ['https://elsewhere.example/', 'javascript:alert(1)'] } });
    await until(() => indexnow.received.includes(at('/topics/green')) && indexnow.received.includes(at('/topics/black')));
  });

  test('the quota of a day is used up and the rest waits for tomorrow', async () => {
    baidu.quota = 3;
    baidu.received.length = 0;
    await push('baidu', ...Array.from({ length: 8 }, (_, n) => `/page-${String(n)}`), 'https://elsewhere.example/');
    await until(async () => (await engine('baidu'))?.problem === 'quota');
    expect(baidu.received).toHaveLength(3);
    expect(await engine('baidu')).toMatchObject({ remaining: 0, waiting: 5 });
    baidu.quota = 100;
    program.pass(DAY);
    await until(() => baidu.received.length === 8);
  });
});
