import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import type { MeasuringSettings } from '../../contract/measuring/schemas';
import { defaultReferrerSpam } from '../../contract/measuring/referrerSpam';
import { defaultVisitDefinition } from '../../contract/measuring/visitDefinition';
import type { PublicLink } from '../../contract/publicLinks/schemas';
import type { Site } from '../../contract/sites/schemas';
import { createCounter } from '../../server/areas/imports/naming';
import { firstOf } from '../../server/areas/imports/reader';
import { rowsOf } from '../../server/areas/imports/tables';
import { remember } from '../../server/collect/classify/lru';
import { createHitMaker } from '../../server/collect/hits';
import { validateBody } from '../../server/collect/validate';
import { happened } from '../integration/analyticsSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
let site: Site;
let range: string;
const minute = 60_000;

beforeAll(async () => {
  t = await makeTestApp({ config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'security-')) } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
  const at = t.ctx.now() - 2 * 3_600_000;
  await happened(t, site.id, [
    { visitor: 1, at, pages: [{ path: '/open/a' }, { path: '/open/b', after: 1000 }], about: { source_type: 'search' } },
    { visitor: 2, at, pages: [{ path: '/secret/plan' }, { path: '/secret/price', after: 1000 }], about: { source_type: 'direct' } },
  ]);
  const day = (shift: number) => new Date(t.ctx.now() + shift * 86_400_000).toISOString().slice(0, 10);
  range = `from=${day(-2)}&to=${day(1)}`;
}, 120_000);
afterAll(() => t.close());

const als = () => `/api/site/${site.id}/als`;
const code = (answer: LightMyRequestResponse): string => answer.json<{ code: string }>().code;

describe('a public link with its own filters', () => {
  let secret = '';
  beforeAll(async () => {
    const body = { name: 'search only', screens: ['overview', 'path', 'character/pv', 'external/so'], filters: ['sourceType:is:search'] };
    secret = (await owner.send('POST', `${als()}/shares`, body)).json<{ data: PublicLink }>().data.url.split('/').at(-1) ?? '';
  });

  // The owner’s responses prove that there is something to hide.
  it.each([
    ['tree', '&under=/', '/secret/'],
    ['tree', '&under=/secret/', '/secret/plan'],
    ['flow', '&path=/secret/plan', '/secret/price'],
    ['values', '&by=path', '/secret/plan'],
    ['report', '&by=path', '/secret/plan'],
  ])('%s%s reveals nothing outside the filters', async (part, query, hidden) => {
    const url = `${als()}/${part}?${range}${query}`;
    expect((await owner.get(url)).body).toContain(hidden);
    const answer = await t.app.inject({ method: 'GET', url, headers: { 'x-share': secret } });
    expect(answer.statusCode).toBe(200);
    const { under: _asked, path: _path, ...remainingData } = answer.json<{ data: Record<string, unknown> }>().data;
    expect(JSON.stringify(remainingData)).not.toContain('secret');
  });

  it.each(['distribution', 'coverage', 'movers', 'outlook'])('%s applies the filters', async (part) => {
    const query = { distribution: '&of=visits', coverage: '', movers: '&by=referrerHost&compare=previous', outlook: '' }[part];
    const url = `${als()}/${part}?${range}${query}`;
    const mine = await owner.get(`${url}&filter=sourceType:is:search`);
    const theirs = await t.app.inject({ method: 'GET', url, headers: { 'x-share': secret } });
    expect([theirs.statusCode, theirs.body]).toEqual([200, mine.body]);
  });
});

describe('settings of a site', () => {
  const settings = async () => (await owner.get(`${als()}/settings`)).json<{ data: MeasuringSettings }>().data;
  async function put(change: Partial<MeasuringSettings>) {
    const { revision, tag: _tag, updatedAt: _updated, ...now } = await settings();
    return owner.send('PUT', `${als()}/settings`, { ...now, ...change }, { 'if-match': `"${revision}"` });
  }
  const rule = (values: string[]) => ({ name: 'long', on: true, when: [{ field: 'isp' as const, op: 'is' as const, values }], verdict: 'bot' as const });

  it('refuse bot rules so large that reports would fail', async () => {
    const { bots } = await settings();
    const many = (rules: number, values: number) =>
      Array.from({ length: rules }, (_, r) => rule(Array.from({ length: values }, (_v, v) => `${r}.${v}.`.padEnd(190, 'x'))));
    const huge = await put({ bots: { ...bots, rules: many(6, 50) } });
    const allowed = await put({ bots: { ...bots, rules: many(4, 10) } });
    expect([huge.statusCode, allowed.statusCode]).toEqual([422, 200]);
    for (const url of [`${als()}/report?${range}&by=path&series=1&compare=previous`, `${als()}/latest`])
      expect([url, (await owner.get(url)).statusCode]).toEqual([url, 200]);
    expect((await owner.get('/api/core/sites/figures')).json<{ data: { failed: string[] } }>().data.failed).toEqual([]);
    expect((await put({ bots })).statusCode).toBe(200);
  });

  it('require a fresh proof to shorten retention', async () => {
    expect((await put({ retentionDays: 400 })).statusCode).toBe(200);
    t.pass(11 * minute);
    expect(code(await put({ retentionDays: 1 }))).toBe('reauth_required');
    expect((await put({ retentionDays: null })).statusCode).toBe(200);
    expect(code(await put({ retentionDays: 400 }))).toBe('reauth_required');
    expect((await settings()).retentionDays).toBeNull();
  });
});

describe('a hostile file', () => {
  async function* repeatedChunks(count: number, chunk: Buffer, chunkCounter: { n: number }): AsyncGenerator<Buffer> {
    for (; chunkCounter.n < count; chunkCounter.n += 1) yield chunk;
  }

  it('that unpacks endlessly is read only as far as shown', async () => {
    const chunkCounter = { n: 0 };
    let bytes = 0;
    for await (const chunk of firstOf(repeatedChunks(1000, Buffer.alloc(1000), chunkCounter), 2500)) bytes += chunk.length;
    expect([bytes, chunkCounter.n]).toEqual([2500, 2]);
  });

  it('whose lines share one second is numbered within bounds', () => {
    const counter = createCounter(10_000);
    for (let n = 0; n < 1000; n += 1) counter.next(1, `${n} `.padEnd(100, 'x'), { offset: n * 100, line: n });
    const from = counter.from({ offset: 100_000, line: 1000 });
    expect(from.line).toBeGreaterThanOrEqual(890);
    // Equal lines near each other are still distinguished.
    expect([1, 2].map(() => counter.next(2, 'same', { offset: 100_000, line: 1000 }))).toEqual([1, 2]);
  });

  it('with very long addresses keeps none of them in memory', () => {
    let callCount = 0;
    const length = remember(10, (key) => {
      callCount += 1;
      return key.length;
    });
    const [short, long] = ['x'.repeat(200), 'x'.repeat(60_000)];
    expect([length(short), length(short), length(long), length(long), callCount]).toEqual([200, 200, 60_000, 60_000, 3]);
  });

  const tableOf = (text: string) => ({ name: 'a.csv', open: () => Promise.resolve(repeatedChunks(1, Buffer.from(text), { n: 0 })) });
  it('with thousands of columns is refused, long rows come in small chunks', async () => {
    let broken = 0;
    const wide = `${Array.from({ length: 5000 }, (_, n) => `c${n}`).join(',')}\n${'1,'.repeat(4999)}1\n`;
    const rows: unknown[] = [];
    for await (const some of rowsOf(tableOf(wide), () => (broken += 1))) rows.push(...some);
    expect([rows.length, broken]).toEqual([0, 1]);
    const sizes: number[] = [];
    for await (const some of rowsOf(tableOf(`a,b\n${`${'x'.repeat(100_000)},1\n`.repeat(60)}`), () => undefined)) sizes.push(some.length);
    expect(sizes.reduce((a, b) => a + b, 0)).toBe(60);
    expect(Math.max(...sizes)).toBeLessThan(50);
  });

  it('is not found from another site, and names never become paths', async () => {
    const other = await t.makeSite(owner, { name: 'Other', slug: 'other-imports' });
    const content = gzipSync('x');
    const response = await owner.send('POST', `${als()}/imports`, { files: [{ name: '../../../../etc/passwd', size: content.length }] });
    const id = response.statusCode === 200 ? response.json<{ data: { id: string } }>().data.id : '';
    expect(response.statusCode).toBe(200);
    const elsewhere = `/api/site/${other.id}/als/imports/${id}`;
    const answers = [
      await owner.get(elsewhere),
      await owner.get(`${elsewhere}/refused`),
      await owner.send('DELETE', elsewhere),
      await owner.send('POST', `${elsewhere}/cancel`),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect((await owner.send('DELETE', `${als()}/imports/${id}`)).statusCode).toBe(200);
  });
});

describe('the collector', () => {
  const hit = (more: object) => ({ k: 'e', p: '00000000000000aa', q: 1, a: 0, l: 'https://tea.example/', ...more });

  it('removes user name and password from outbound links', () => {
    const h = [hit({ e: '$outbound', o: { url: 'https://ann:hunter2@files.example/a?x=y@z', note: 'mail ann@tea.example' } })];
    const body = validateBody(JSON.stringify({ s: 'aaaaaaaaaaaa', h }), t.ctx.now());
    const props = typeof body === 'string' ? '' : body.hits[0]?.props;
    expect(JSON.parse(props ?? '')).toEqual({ url: 'https://files.example/a?x=y@z', note: 'mail ann@tea.example' });
  });

  it('limits event names even when they resemble its own', () => {
    const identity = { visitorOf: () => ({ id: '00000000000000bb', alt: '0000000000000000' }), addressKeyOf: () => '00000000000000cc' };
    const make = createHitMaker(identity as unknown as Parameters<typeof createHitMaker>[0]);
    const measuring = {
      doNotTrack: 'ignore',
      globalPrivacyControl: 'cookieless',
      addresses: 'last',
      searchParams: [] as string[],
      spam: defaultReferrerSpam,
      visits: defaultVisitDefinition,
    } as const;
    const names = new Set<string>();
    for (let n = 0; n < 1500; n += 1) {
      const body = validateBody(JSON.stringify({ s: 'aaaaaaaaaaaa', h: [hit({ e: `$made-up-${n}` })] }), t.ctx.now());
      if (typeof body === 'string') throw new Error(body);
      const request = { body: '', address: '203.0.113.7', userAgent: 'x', headers: {} };
      for (const row of make(request, { id: 'aaaaaaaaaaaa', timeZone: 'UTC', identity: 'cookieless', hosts: [], measuring }, body, t.ctx.now()))
        names.add(row.name);
    }
    expect(names.size).toBeLessThanOrEqual(1001);
  });
});
