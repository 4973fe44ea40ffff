import { runSchedule } from '../support/schedules';
import { defaultMeasuring } from '../../contract/measuring/schemas';
import type { BotRule, Completeness, MeasuringSettings, RulesPreview } from '../../contract/measuring/schemas';
import type { Report } from '../../contract/analytics/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { Collector } from '../../server/collect';
import { dataOf as data } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { measuringCalls, openCollectingApp, settingsBody } from './collectingApp';
import type { CollectingApp } from './collectingApp';
import { hex16, person as agent, viewHit } from './collectSupport';

let opened: CollectingApp;
let test: TestApp;
let owner: Person;
let collector: Collector;
let site: Site;

beforeAll(async () => {
  opened = await openCollectingApp();
  ({ program: test, owner, collector } = opened);
});
afterAll(() => opened.close());
beforeEach(async () => {
  site = await test.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://example.com/', timeZone: 'Asia/Shanghai' });
});

const { path, readSettings, changeSettings } = measuringCalls(() => site.id);
const read = (by: Person = owner): Promise<MeasuringSettings> => readSettings(by);
async function change(more: Partial<MeasuringSettings>): Promise<MeasuringSettings> {
  const answer = await changeSettings(owner, more);
  expect(answer.statusCode).toBe(200);
  return data(answer);
}
type Sent = { u?: string; address?: string; userAgent?: string; headers?: Record<string, string> };
const send = (hits: object[], { u, address = '203.0.113.77', userAgent = agent, headers = {} }: Sent = {}) =>
  collector.accept({
    body: JSON.stringify({ s: site.id, ...(u ? { u } : {}), h: hits }),
    address,
    userAgent,
    headers: { 'accept-language': 'zh-CN', ...headers },
  });
const rows = (columns: string) =>
  test.ctx.clickhouse.query<Record<string, unknown>>(`SELECT ${columns} FROM hits FINAL WHERE site_id = {site:String} ORDER BY at`, {
    params: { site: site.id },
  });
/** Waits until this process has loaded the settings. */
const settingsLoaded = until;

describe('settings', () => {
  it('start with documented defaults, are logged and refuse stale revisions', async () => {
    expect(await read()).toMatchObject({ ...defaultMeasuring, identity: 'first_party', revision: 0 });
    const changed = await change({
      doNotTrack: 'refuse',
      retentionDays: 90,
      hosts: ['*.Shop.example', 'shop.example'],
      searchParams: ['Find'],
      identity: 'cookieless',
    });
    expect(changed).toMatchObject({
      doNotTrack: 'refuse',
      retentionDays: 90,
      hosts: ['*.shop.example', 'shop.example'],
      searchParams: ['find'],
      identity: 'cookieless',
      revision: 1,
    });
    expect(changed.tag).toContain('data-cookieless');
    const stale = await owner.send('PUT', path('settings'), settingsBody(changed), { 'if-match': '"0"' });
    expect([stale.statusCode, stale.json<{ code: string }>().code]).toEqual([409, 'stale_revision']);
    const log = data<{ rows: { action: string; after: object }[] }>(await owner.get('/api/acc/audit?action=measuring'));
    expect(log.rows.filter((row) => row.action === 'measuring.changed')).toHaveLength(1);
  });

  it.each([
    ['a host with a path', { hosts: ['example.com/x'] }],
    ['a day too many', { retentionDays: 99_999 }],
    ['a parameter with a space', { searchParams: ['a b'] }],
    ['a rule about nothing', { bots: { points: defaultMeasuring.bots.points, rules: [{ name: 'x', on: true, when: [], verdict: 'bot' }] } }],
    [
      'an operator that does not fit',
      {
        bots: {
          points: defaultMeasuring.bots.points,
          rules: [{ name: 'x', on: true, when: [{ field: 'country', op: 'atLeast', values: ['3'] }], verdict: 'bot' }],
        },
      },
    ],
  ])('refuse %s', async (_what, wrong) => {
    const answer = await owner.send('PUT', path('settings'), { ...settingsBody(await read()), ...wrong }, { 'if-match': '"0"' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([422, 'invalid_fields']);
  });

  it('are read by analysts, changed by admins and hidden from strangers', async () => {
    const analyst = await test.makePerson('member');
    await test.grant(site.id, analyst.userId, 'analyst');
    const current = await read(analyst);
    expect((await analyst.send('PUT', path('settings'), settingsBody(current), { 'if-match': '"0"' })).statusCode).toBe(403);
    expect((await (await test.makePerson('member')).get(path('settings'))).statusCode).toBe(404);
  });
});

describe('privacy signals of browsers (case 14)', () => {
  it('are followed as configured, within a second of a change', async () => {
    const u = hex16();
    await change({ doNotTrack: 'ignore', globalPrivacyControl: 'refuse' });
    await settingsLoaded(
      async () =>
        (await send([viewHit()], { u, headers: { 'sec-gpc': '1' } })).body !== null && collector.refusals(site.id).some(({ code }) => code === 'opted_out'),
    );
    const answer = await send([viewHit(), viewHit()], { u, headers: { 'sec-gpc': '1' } });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 0, refused: [{ code: 'opted_out' }, { code: 'opted_out' }] } });
    expect((await send([viewHit()], { u, headers: { dnt: '1' } })).body).toMatchObject({ accepted: 1 });
    await change({ doNotTrack: 'cookieless', globalPrivacyControl: 'ignore' });
    const v = hex16();
    await settingsLoaded(async () => {
      await send([viewHit({ l: 'https://example.com/gpc' })], { u: v, headers: { 'sec-gpc': '1' } });
      await collector.flush();
      return (await rows('lower(hex(visitor_id)) AS id, path')).some(({ path: at, id }) => at === '/gpc' && BigInt(`0x${String(id)}`) === BigInt(`0x${v}`));
    });
    await send([viewHit({ l: 'https://example.com/dnt' })], { u: v, headers: { dnt: '1' } });
    await collector.flush();
    const found = (await rows('lower(hex(visitor_id)) AS id, path')).find(({ path: at }) => at === '/dnt');
    expect(BigInt(`0x${String(found?.['id'])}`)).not.toBe(BigInt(`0x${v}`));
  });
});

describe('addresses, hosts and searches', () => {
  it.each([
    ['whole', '36.112.24.10', { ip_masked: '36.112.24.10', country: 'CN', province: 'CN-BJ', counted: 1 }],
    ['last', '36.112.24.10', { ip_masked: '36.112.24.x', country: 'CN', province: 'CN-BJ', counted: 1 }],
    ['two', '36.112.24.10', { ip_masked: '36.112.x.x', country: 'CN', province: '', counted: 1 }],
    ['none', '36.112.24.10', { ip_masked: '', country: '', province: '', counted: 0 }],
  ] as const)('%s: no more of an address is stored', async (addresses, address, stored) => {
    await change({ addresses });
    await settingsLoaded(async () => {
      await send([viewHit()], { address });
      await collector.flush();
      return (await rows('ip_masked, country, province, ip_key != 0 AS counted')).some((row) =>
        Object.entries(stored).every(([key, value]) => row[key] === value),
      );
    });
  });

  it('accepts hits of listed hosts only and counts the others', async () => {
    await change({ hosts: ['*.shop.example'] });
    const other = () => send([viewHit({ l: 'https://evil.example/' })]);
    await settingsLoaded(async () => JSON.stringify((await other()).body).includes('wrong_host'));
    const answer = await send([
      viewHit({ l: 'https://a.b.shop.example/x' }),
      viewHit({ l: 'https://evil.example/' }),
      viewHit({ l: 'https://www.example.com:8443/' }),
      viewHit({ l: 'https://shop.example/' }),
    ]);
    expect(answer.body).toMatchObject({
      accepted: 2,
      refused: [
        { index: 1, code: 'wrong_host' },
        { index: 3, code: 'wrong_host' },
      ],
    });
  });

  it('reads the site search from the address', async () => {
    await send([viewHit({ l: 'https://example.com/search?page=2&Q=%E9%BE%99%E4%BA%95+%E8%8C%B6' })]);
    await collector.flush();
    expect(await rows('search_term')).toEqual([{ search_term: '龙井 茶' }]);
  });
});

describe('bot rules', () => {
  const visitsFor = async (who: string): Promise<number> => {
    const report = data<Report>(
      await owner.get(path(`report?from=2026-01-01&to=2030-01-01&who=${who}&gran=month`).replace('2026-01-01', day(-1)).replace('2030-01-01', day(0))),
    );
    return report.totals.visits ?? -1;
  };
  const day = (ago: number): string => new Date(test.ctx.now() + ago * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  const rule = (more: Partial<BotRule>): BotRule => ({ name: '', on: true, when: [{ field: 'entry', op: 'is', values: ['/trap'] }], verdict: 'bot', ...more });

  it('reclassify history at once as previewed and can be removed', async () => {
    await send([viewHit({ l: 'https://example.com/trap' })], { u: hex16() });
    await send([viewHit({ l: 'https://example.com/tea' }), viewHit({ l: 'https://example.com/tea' })], { u: hex16() });
    await send([viewHit({ l: 'https://example.com/tea' })], { userAgent: 'curl/8.5' });
    await collector.flush();
    expect([await visitsFor('humans'), await visitsFor('bots')]).toEqual([2, 1]);

    const bots = {
      points: { ...defaultMeasuring.bots.points, agent: 10 },
      rules: [
        rule({ name: `'; DROP TABLE visits; -- \\`, when: [{ field: 'entry', op: 'is', values: [`/x' OR 1=1 --`, '/trap'] }] }),
        rule({ verdict: 'suspected', when: [{ field: 'views', op: 'atLeast', values: ['2'] }] }),
      ],
    };
    const preview = data<RulesPreview>(await owner.send('POST', path('settings/preview'), bots));
    expect(preview).toMatchObject({ now: { human: 2, suspected: 0, bot: 1 }, then: { human: 1, suspected: 1, bot: 1 }, byRule: [1, 1] });
    expect(preview.moved).toHaveLength(3);
    expect([await visitsFor('humans'), await visitsFor('bots')]).toEqual([2, 1]);

    await change({ bots });
    expect([await visitsFor('humans'), await visitsFor('suspected'), await visitsFor('bots')]).toEqual([1, 1, 1]);
    const latest = data<{ rows: { verdict: string; entryPath: string }[] }>(await owner.get(path('latest?who=bots')));
    expect(latest.rows).toMatchObject([{ verdict: 'bot', entryPath: '/trap' }]);
    const figures = data<{ sites: { siteId: string; visits: { visitorsToday: number } }[] }>(await owner.get('/api/core/sites/figures')).sites;
    expect(figures.find(({ siteId }) => siteId === site.id)?.visits.visitorsToday).toBe(1);

    await change({ bots: { ...bots, points: defaultMeasuring.bots.points, rules: bots.rules.map((one) => ({ ...one, on: false })) } });
    expect([await visitsFor('humans'), await visitsFor('bots')]).toEqual([2, 1]);
  });

  it('never run their text as SQL', async () => {
    for (const values of [["'"], ['\\'], ["\\' OR 1=1 --"], ['%'], ['{site:String}'], ['\ud83d'], ['🍵'.repeat(50)]])
      expect(
        (
          await owner.send('POST', path('settings/preview'), {
            points: defaultMeasuring.bots.points,
            rules: [rule({ when: [{ field: 'browser', op: 'contains', values }] })],
          })
        ).statusCode,
      ).toBe(200);
  });
});

describe('completeness', () => {
  it('lists sent, accepted, repeated, refused and lost hits of a day', async () => {
    const p = hex16();
    await send([viewHit({ p, q: 0 }), { k: 'g', p, q: 3, a: 0, l: 'https://example.com/docs', m: 5000 }, viewHit({ p, q: 0 })]);
    await send([viewHit({ p, q: 0 })]);
    await send([viewHit(), { k: 'v' }, viewHit({ a: 3 * 365 * 86_400_000 })]);
    await collector.accept({ body: `{"s":"${site.id}","h":`, address: '203.0.113.9', userAgent: agent, headers: {} });
    await collector.acceptFromServer(site.id, [{ id: 'order', url: 'https://example.com/pay', visitorId: 'customer' }]);
    await collector.flush();
    const completeness = data<Completeness>(await owner.get(path('loss?days=2')));
    expect(completeness.days).toHaveLength(2);
    expect(completeness.days[0]).toMatchObject({ sent: 5, stored: 3, missing: 2, received: 5, repeated: 2, refused: { malformed: 2, too_old: 1 }, aside: 0 });
    expect(completeness.days[1]).toMatchObject({ sent: 0, received: 0 });
    expect(completeness.collectors[0]).toMatchObject({ alive: true, stuckSince: null, oldestWaiting: null });
    expect(completeness.collectors[0]?.process).not.toContain('/');
  });
});

describe('hits of a server', () => {
  const hits = (list: unknown[], by: Person = owner) => by.send('POST', path('hits'), { hits: list });
  const at = (ago: number): string => new Date(test.ctx.now() - ago).toISOString();
  const one = { id: 'order-1', url: 'https://example.com/pay?q=tea', visitorId: 'customer 7' };

  it('set time, address and agent, and count once per id', async () => {
    const list = [
      { ...one, at: at(3_600_000), address: '36.112.24.10', userAgent: agent, language: 'zh-CN' },
      { ...one, id: 'order-2', type: 'event', name: 'paid', props: { total: 9.5 }, at: at(3_500_000) },
    ];
    expect(data(await hits(list))).toEqual({ accepted: 2, refused: [] });
    expect(data(await hits(list))).toEqual({ accepted: 2, refused: [] });
    await collector.flush();
    const found = await rows('kind, name, props, country, browser, origin, bot_score, search_term, toUnixTimestamp64Milli(at) AS at');
    expect(found).toMatchObject([
      { kind: 'view', country: 'CN', browser: 'Chrome', origin: 'server', bot_score: 0, search_term: 'tea' },
      { kind: 'event', name: 'paid', props: '{"total":9.5}', origin: 'server', bot_score: 0 },
    ]);
    expect(Number(found[0]?.['at'])).toBe(Date.parse(list[0]?.at ?? ''));
    const visits = await test.ctx.clickhouse.query('SELECT pv, events FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0', {
      params: { site: site.id },
    });
    expect(visits).toEqual([{ pv: 1, events: 1 }]);
  });

  it('are refused one by one with a code', async () => {
    await change({ hosts: ['pay.example'] });
    await settingsLoaded(async () => JSON.stringify(data(await hits([{ ...one, id: 'w', url: 'https://evil.example/' }]))).includes('wrong_host'));
    const list = [
      one,
      { ...one, id: 'f', at: at(-120_000) },
      { ...one, id: 'o', at: at(6 * 366 * 86_400_000) },
      { id: 'n', url: one.url },
      { ...one, id: 'p', url: 'javascript:1' },
      7,
      { ...one, id: 'x', extra: 1 },
      { ...one, id: 'e', type: 'event' },
    ];
    expect(data(await hits(list))).toEqual({
      accepted: 1,
      refused: [
        { index: 1, id: 'f', code: 'in_future' },
        { index: 2, id: 'o', code: 'too_old' },
        { index: 3, id: 'n', code: 'no_visitor' },
        { index: 4, id: 'p', code: 'malformed' },
        { index: 5, id: null, code: 'malformed' },
        { index: 6, id: 'x', code: 'malformed' },
        { index: 7, id: 'e', code: 'malformed' },
      ],
    });
    expect((await hits(Array.from({ length: 501 }, (_, i) => ({ ...one, id: String(i) })))).statusCode).toBe(422);
  });

  it('never join a browser’s visitor, even with its id or address', async () => {
    const u = hex16();
    await send([viewHit()], { u });
    await send([viewHit()]);
    await hits([
      { ...one, id: 'a', visitorId: u },
      { id: 'b', url: one.url, address: '203.0.113.77', userAgent: agent },
    ]);
    await collector.flush();
    const found = await rows('hex(visitor_id) AS id');
    expect(new Set(found.map(({ id }) => id)).size).toBe(4);
  });

  it('from years ago are added to their visits on arrival', async () => {
    const long = 400 * 86_400_000;
    await hits([{ ...one, id: '3', at: at(0) }]);
    await collector.flush();
    for (const [id, ago] of Object.entries({ 2: long - 60_000, 1: long, 0: long - 30_000 })) {
      await hits([{ ...one, id, at: at(ago) }]);
      await collector.flush();
    }
    const visits = await test.ctx.clickhouse.query('SELECT pv, visit_no FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0 ORDER BY start', {
      params: { site: site.id },
    });
    expect(visits).toEqual([
      { pv: 3, visit_no: 1 },
      { pv: 1, visit_no: 2 },
    ]);
  });

  it('require write permission', async () => {
    const viewer = await test.makePerson('member');
    await test.grant(site.id, viewer.userId, 'viewer');
    expect((await hits([one], viewer)).statusCode).toBe(403);
  });
});

const count = async (table: string): Promise<number> =>
  Number(
    (
      await test.ctx.clickhouse.query<{ n: string }>('SELECT count() AS n FROM {table:Identifier} WHERE site_id = {site:String}', {
        params: { table, site: site.id },
      })
    )[0]?.n,
  );

describe('erasing data', () => {
  const erase = (what: object, confirm = '茶馆') => owner.send('POST', path('erase'), { what, confirm });
  const done = async (answer: { json: () => unknown }): Promise<void> => {
    const { id } = data<{ id: string }>(answer);
    await until(async () => data<{ id: string; state: string }[]>(await owner.get('/api/core/jobs')).find((job) => job.id === id)?.state === 'done');
  };

  it('requires the site’s name and removes a visitor everywhere', async () => {
    const [u, other] = [hex16(), hex16()];
    await send([viewHit({ a: 60_000 })], { u });
    await send([viewHit()], { u: other });
    await collector.flush();
    const [visit] = await test.ctx.clickhouse.query<{ short: string }>(
      "SELECT substring(lower(leftPad(hex(sipHash64(visitor_id, 'short')), 16, '0')), 1, 8) AS short FROM visits WHERE site_id = {site:String} AND visitor_id = {id:UInt64}",
      { params: { site: site.id, id: BigInt(`0x${u}`).toString() } },
    );
    const what = { kind: 'visitor', visitor: visit?.short };
    const previewResponse = await owner.send('POST', path('erase/preview'), what);
    expect(previewResponse.statusCode).toBe(200);
    expect(data(previewResponse)).toMatchObject({ visitors: 1, visits: 1, hits: 1 });
    expect((await erase(what, '别的')).statusCode).toBe(422);
    await send([viewHit()], { u });
    await done(await erase(what));
    for (const table of ['hits', 'visits', 'visitors']) expect(await count(table)).toBe(1);
    // The builder's cached state is gone as well: a returning visitor starts anew.
    await send([viewHit()], { u });
    await collector.flush();
    const visits = await test.ctx.clickhouse.query('SELECT pv, visit_no FROM visits FINAL WHERE site_id = {site:String} AND visitor_id = {id:UInt64}', {
      params: { site: site.id, id: BigInt(`0x${u}`).toString() },
    });
    expect(visits).toEqual([{ pv: 1, visit_no: 1 }]);
  });

  it('removes days but keeps parts of visits outside them', async () => {
    const u = hex16();
    const now = test.ctx.now();
    const midnight = Math.floor((now + 8 * 3_600_000) / 86_400_000) * 86_400_000 - 8 * 3_600_000;
    const before = new Date(midnight - 1 + 8 * 3_600_000).toISOString().slice(0, 10);
    await send([viewHit({ a: now - midnight + 300_000 }), viewHit({ a: now - midnight - 300_000 })], { u });
    await collector.flush();
    await done(await erase({ kind: 'range', from: before, to: before }));
    expect(await count('hits')).toBe(1);
    const visits = await test.ctx.clickhouse.query(
      'SELECT pv, toUnixTimestamp64Milli(start) >= {midnight:Int64} AS inside FROM visits WHERE site_id = {site:String}',
      { params: { site: site.id, midnight } },
    );
    expect(visits).toEqual([{ pv: 1, inside: 1 }]);
    expect((await erase({ kind: 'range', from: '2026-02-02', to: '2026-02-01' })).statusCode).toBe(422);
  });

  it('expires data automatically as the site configures', async () => {
    await send([viewHit({ a: 5 * 86_400_000 }), viewHit()], { u: hex16() });
    await collector.flush();
    await change({ retentionDays: 2 });
    await runSchedule(test.ctx, 'measuring.retention');
    expect([await count('hits'), await count('visits')]).toEqual([1, 1]);
  });
});
