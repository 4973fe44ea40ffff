import type { FiguresOfSites, SitePinyin, SitesChanged } from '../../contract/sites/list';
import type { Site, StartUp } from '../../contract/sites/schemas';
import { emptyCounters } from '../../server/areas/crawler/counters';
import { storeIssueCounts } from '../../server/areas/crawler/rules/counts';
import { crawlIssues, crawlRuns, crawlers } from '../../server/areas/crawler/schema';
import { defaultConfig } from '../../contract/crawler/config';
import { hostnames } from '../../server/areas/hostnames/schema';
import { sites as siteRows } from '../../server/areas/sites/schema';
import { uptimeMonitors } from '../../server/areas/uptime/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
let [tea, books]: Site[] = [];
const of = (site: Site | undefined): Site => site as Site;
beforeAll(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
  tea = await t.makeSite(owner, { name: '云栖茶舍 Tea' });
  books = await t.makeSite(owner, { name: 'Books', purpose: 'built', url: null });
});
afterAll(() => t.close());

const figures = async (who: Person = owner) => (await who.get('/api/core/sites/figures')).json<{ data: FiguresOfSites }>().data;
const figuresOf = async (site: Site | undefined, who: Person = owner) => (await figures(who)).sites.find(({ siteId }) => siteId === of(site).id);
const load = async (who: Person = owner) => (await who.get('/api/core/load/rpm')).json<{ data: StartUp }>().data.sites;
const change = async (siteIds: readonly string[], body: object, who: Person = owner) => who.send('POST', '/api/core/sites/changes', { siteIds, change: body });
const changed = async (siteIds: readonly string[], body: object, who: Person = owner) => (await change(siteIds, body, who)).json<{ data: SitesChanged }>().data;

describe('figures', () => {
  /** One monitor that says the site is down, a certificate that ends sooner than the monitor saw, and issues in all states. */
  async function spoil(site: Site): Promise<void> {
    const { db } = t.stores.postgres;
    const now = new Date(t.ctx.now());
    const monitor = { siteId: site.id, enabled: true, intervalMinutes: 5, path: '', keyword: '', state: 'down', checkedAt: now, nextAt: now } as const;
    await db.insert(uptimeMonitors).values({ ...monitor, certificateExpiresAt: new Date('2027-03-01T00:00:00Z') });
    const host = { siteId: site.id, apex: 'tea.example', token: 'x', contested: false, createdAt: now, activeAt: now } as const;
    const certificate = { notBefore: '2026-01-01T00:00:00.000Z', notAfter: '2027-02-01T00:00:00.000Z', issuer: '', names: [], serial: '' };
    await db.insert(hostnames).values([
      { ...host, host: 'tea.example', role: 'primary', certificate, tls: 'active' },
      { ...host, host: 'www.tea.example', role: 'serve', tls: 'failed' },
      { ...host, host: 'old.tea.example', role: 'serve', activeAt: null, certificate: { ...certificate, notAfter: '2026-01-02T00:00:00.000Z' } },
    ]);
    const config = defaultConfig(['https://tea.example/']);
    const [crawler] = await db
      .insert(crawlers)
      .values({ siteId: site.id, name: 'c', kind: 'audit', config, timeZone: 'UTC', createdAt: now, updatedAt: now })
      .returning();
    const crawlerId = of(crawler as never).id;
    await db.insert(crawlRuns).values({
      crawlerId,
      siteId: site.id,
      number: 1,
      trigger: 'manual',
      state: 'completed',
      config,
      verified: true,
      counters: emptyCounters,
      createdAt: now,
    });
    const issue = { crawlerId, siteId: site.id, rule: 'x', detail: {}, firstRun: 1, lastRun: 1, impact: 0, changedAt: now } as const;
    const kinds = [
      ['open', 'error'],
      ['regressed', 'error'],
      ['ignored', 'error'],
      ['fixed', 'error'],
      ['open', 'warning'],
      ['open', 'notice'],
    ] as const;
    await db.insert(crawlIssues).values(kinds.map(([state, severity], at) => ({ ...issue, state, severity, fingerprint: Buffer.from([at]) })));
    await db.transaction((tx) => storeIssueCounts(tx, crawlerId));
  }

  test('combine all sources, and each only for those who may see it', async () => {
    await spoil(of(tea));
    const quiet = {
      visits: expect.objectContaining({ visitorsToday: 0, lastHitAt: null }) as unknown,
      uptime: null,
      certificate: null,
      issues: null,
      unread: 0,
    };
    const spoilt = { uptime: 'down', certificate: { until: '2027-02-01T00:00:00.000Z', failed: true }, issues: { errors: 2, warnings: 1 } };
    expect(await figures()).toEqual({
      sites: [
        { ...quiet, siteId: of(tea).id, ...spoilt },
        { ...quiet, siteId: of(books).id },
      ],
      failed: [],
    });
    const [agent, stranger] = [await t.makePerson('member'), await t.makePerson('member')];
    await t.grant(of(tea).id, agent.userId, 'support');
    expect((await figures(agent)).sites).toEqual([{ ...quiet, siteId: of(tea).id, ...spoilt, visits: null, issues: null }]);
    expect(await figures(stranger)).toEqual({ sites: [], failed: [] });
  });

  test('of sites that are not checked leave out availability', async () => {
    await owner.send('POST', `/api/core/sites/${of(tea).id}/state`, { to: 'archived' });
    expect(await figuresOf(tea)).toMatchObject({ uptime: null, certificate: null, issues: { errors: 2 } });
    await owner.send('POST', `/api/core/sites/${of(tea).id}/state`, { to: 'open' });
  });

  test('are not sent again to a program that has them, and one source that fails is named', async () => {
    const first = await owner.get('/api/core/sites/figures');
    const again = await owner.get('/api/core/sites/figures', { 'if-none-match': String(first.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const { clickhouse } = t.ctx;
    Object.assign(t.ctx, { clickhouse: { ...clickhouse, query: () => Promise.reject(new Error('away')) } });
    try {
      expect(await figures()).toMatchObject({ failed: ['visits'], sites: [{ visits: null, uptime: 'down' }, { visits: null }] });
    } finally {
      Object.assign(t.ctx, { clickhouse });
    }
  });
});

test('pinyin is given only for names with Chinese characters', async () => {
  expect((await owner.get('/api/core/sites/pinyin')).json<{ data: SitePinyin[] }>().data).toEqual([
    { siteId: of(tea).id, syllables: ['yun', 'qi', 'cha', 'she', 'tea'] },
  ]);
});

describe('changes of several sites', () => {
  const tag = (name: string, color = 'red') => ({ name, color });

  test('add, recolor and remove tags, and log it', async () => {
    const ids = [of(tea).id, of(books).id];
    await changed(ids, { kind: 'tags', add: [tag('重点'), tag('Shop')] });
    const { sites, failed } = await changed(ids, { kind: 'tags', add: [tag('shop', 'blue')], remove: ['重点'] });
    expect([sites.map(({ tags }) => tags), failed]).toEqual([[[tag('shop', 'blue')], [tag('shop', 'blue')]], []]);
    expect((await load()).map(({ tags }) => tags)).toEqual([[tag('shop', 'blue')], [tag('shop', 'blue')]]);
    const many = Array.from({ length: 10 }, (_, at) => tag(`t${String(at)}`));
    expect((await changed([of(tea).id], { kind: 'tags', add: many })).failed).toMatchObject([{ siteId: of(tea).id, code: 'invalid_fields' }]);
    expect((await change(ids, { kind: 'tags', add: [tag('a\u202eb')] })).statusCode).toBe(422);
    const revision = (await load()).find(({ id }) => id === of(tea).id)?.revision;
    const patch = (tags: object[]) => owner.send('PATCH', `/api/core/sites/${of(tea).id}`, { tags }, { 'if-match': `"${String(revision)}"` });
    expect((await patch([tag('a'), tag('A')])).json()).toMatchObject({ fields: { tags: { code: 'duplicate' } } });
    expect((await patch([tag('a')])).json<{ data: Site }>().data.tags).toEqual([tag('a')]);
  });

  test('change what they can, and report the rest by site', async () => {
    const member = await t.makePerson('member');
    await t.grant(of(books).id, member.userId, 'viewer');
    const mine = await t.makeSite(owner, { name: 'Mine' });
    await t.grant(mine.id, member.userId, 'admin');
    const ids = [of(books).id, mine.id, of(tea).id, 'unknownaaaaa'];
    const { sites, failed } = await changed(ids, { kind: 'move', to: 'archived' }, member);
    expect(sites.map(({ id, state }) => [id, state])).toEqual([[mine.id, 'archived']]);
    const why = (list: SitesChanged['failed']) => list.map(({ siteId, code }) => [siteId, code]);
    expect(why(failed)).toEqual([
      [of(books).id, 'forbidden'],
      [of(tea).id, 'not_found'],
      ['unknownaaaaa', 'not_found'],
    ]);
    expect(why((await changed([mine.id], { kind: 'move', to: 'archived' }, member)).failed)).toEqual([[mine.id, 'bad_transition']]);
    await owner.send('POST', `/api/core/sites/${mine.id}/state`, { to: 'suspended', reason: 'x' });
    expect(why((await changed([mine.id], { kind: 'tags', add: [tag('a')] }, member)).failed)).toEqual([[mine.id, 'site_suspended']]);
    expect((await changed([of(books).id], { kind: 'pin', pinned: true }, member)).sites.map(({ pinned }) => pinned)).toEqual([true]);
    expect((await load(owner)).some(({ pinned }) => pinned)).toBe(false);
    expect(
      (
        await change(
          Array.from({ length: 101 }, () => mine.id),
          { kind: 'pin', pinned: true },
        )
      ).statusCode,
    ).toBe(422);
  });
});

test('five thousand sites have their figures in one bounded answer', async () => {
  const createdAt = new Date(t.ctx.now());
  const zones = ['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu'];
  const idOf = (n: number): string => `many${Array.from(String(n).padStart(8, '0'), (digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  const all = Array.from({ length: 5000 }, (_, n) => ({
    id: idOf(n),
    name: `站点 ${String(n)}`,
    slug: `many-${String(n)}`,
    purpose: 'external' as const,
    url: 'https://many.example/',
    state: 'published' as const,
    openState: 'published' as const,
    defaultLang: 'en',
    timeZone: zones[n % zones.length] ?? 'UTC',
    identity: 'first_party' as const,
    createdAt,
  }));
  for (let at = 0; at < all.length; at += 1000) await t.stores.postgres.db.insert(siteRows).values(all.slice(at, at + 1000));
  let queries = 0;
  const { clickhouse } = t.ctx;
  const counting: typeof clickhouse.query = (...call) => {
    queries += 1;
    return clickhouse.query(...call);
  };
  Object.assign(t.ctx, { clickhouse: { ...clickhouse, query: counting } });
  try {
    const answers = await Promise.all([owner.get('/api/core/sites/figures'), owner.get('/api/core/sites/figures')]);
    expect(answers.map((answer) => answer.json<{ data: FiguresOfSites }>().data.failed)).toEqual([[], []]);
    expect(answers[0].json<{ data: FiguresOfSites }>().data.sites.length).toBeGreaterThanOrEqual(5000);
    // Three for both readers: the second one shares the work of the first.
    expect(queries).toBe(3);
  } finally {
    Object.assign(t.ctx, { clickhouse });
  }
});
