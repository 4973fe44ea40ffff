import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Distribution, Population, Report, Tree, VisitRow } from '../../contract/analytics/schemas';
import { defaultMeasuring } from '../../contract/measuring/schemas';
import type { FiguresOfSites } from '../../contract/sites/list';
import type { Site, SiteInput } from '../../contract/sites/schemas';
import { sessions } from '../../server/areas/session/schema';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createCollectApp } from '../../server/collect/listener';
import { userAgents } from '../fixtures/userAgents';
import { hex16, makeFolder, person, viewHit } from '../integration/collectSupport';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

jest.setTimeout(240_000);

/** The acceptance cases of the analytics design (§3.3), from a browser's requests to a screen's figures, through the real collector. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let program: TestApp;
let owner: Person;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let collector: Collector;
let line: FastifyInstance;
let clock: number;

beforeAll(async () => {
  folder = await makeFolder();
  program = await makeTestApp();
  owner = await program.signUpOwner();
  clock = program.ctx.now();
  Object.assign(program.ctx, { now: () => clock, config: { ...program.ctx.config, dataDir: folder.dataDir } });
  await open();
});
afterAll(async () => {
  await shut();
  await program.close();
  await folder.remove();
});
async function open(): Promise<void> {
  collector = await startCollector(program.ctx, { gatherMs: 0 });
  line = await createCollectApp(program.ctx, collector);
  Object.assign(program.app, { arrivals: collector });
}
async function shut(): Promise<void> {
  await line.close();
  await collector.close();
}
/** Sets the clock and restarts the program, which reads the salts of these days. */
async function at(time: string): Promise<void> {
  await shut();
  clock = Date.parse(time);
  await open();
}

/** Sessions would expire over these years, and this test is not about them. */
async function staySignedIn(): Promise<void> {
  const long = new Date('2099-01-01');
  await program.ctx.postgres.db.update(sessions).set({ idleUntil: long, absoluteUntil: long });
}
const siteIn = async (timeZone: string, more: Partial<SiteInput> = {}): Promise<Site> => {
  await staySignedIn();
  return program.makeSite(owner, { purpose: 'external', url: 'https://example.com/', timeZone, ...more });
};

type Sent = { u?: string; address?: string; userAgent?: string; headers?: Record<string, string>; more?: object };
async function send(site: Site, hits: readonly object[], { u, address = '203.0.113.7', userAgent = person, headers = {}, more = {} }: Sent = {}) {
  const answer = await line.inject({
    method: 'POST',
    url: '/collect',
    remoteAddress: address,
    payload: JSON.stringify({ s: site.id, ...(u === undefined ? {} : { u }), h: hits, ...more }),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': userAgent, 'accept-language': 'zh-CN', ...headers },
  });
  expect(answer.statusCode).toBe(202);
  return answer.json<{ accepted: number; refused: { index: number; code: string }[] }>();
}
const view = (path: string, age = 0, more: object = {}) => viewHit({ l: `https://example.com${path}`, a: age, ...more });

async function get<T>(url: string): Promise<T> {
  await staySignedIn();
  const answer = await program.app.inject({ method: 'GET', url, cookies: Object.fromEntries(owner.cookies) });
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
}
async function report(site: Site, from: string, to: string, more = ''): Promise<Report> {
  await collector.flush();
  return get<Report>(`/api/site/${site.id}/als/report?from=${from}&to=${to}&${more}`);
}
const latest = async (site: Site, query: LatestQueryText = ''): Promise<VisitRow[]> => {
  await collector.flush();
  return (await get<{ rows: VisitRow[] }>(`/api/site/${site.id}/als/latest?${query}`)).rows;
};
type LatestQueryText = `who=${Population}` | '';

describe('case 1: a visit ends after half an hour without activity', () => {
  /** Views at times of the day in Shanghai, each sent when it happens. */
  const story = async (...times: string[]): Promise<Report> => {
    const site = await siteIn('Asia/Shanghai');
    const u = hex16();
    for (const time of times) {
      clock = Date.parse(`2031-03-05T${time}:00+08:00`);
      await send(site, [view(`/${time.replace(':', '')}`)], { u });
    }
    return report(site, '2031-03-05', '2031-03-05');
  };

  test('10:58 and 11:02, across an hour: one visit', async () => {
    expect((await story('10:58', '11:02')).totals).toMatchObject({ visits: 1, views: 2, visitors: 1, avgDuration: 240 });
  });
  test('10:01 and 10:55, within an hour: two visits', async () => {
    expect((await story('10:01', '10:55')).totals).toMatchObject({ visits: 2, views: 2, visitors: 1, bounceRate: 1 });
  });
  test('45 minutes in an application: one visit', async () => {
    const times = Array.from({ length: 10 }, (_, i) => `20:${String(i * 5).padStart(2, '0')}`);
    expect((await story(...times)).totals).toMatchObject({ visits: 1, views: 10, avgDuration: 45 * 60, bounceRate: 0 });
  });
  test('23:50 and 00:10: one visit, with each page on its own day', async () => {
    const site = await siteIn('Asia/Shanghai');
    const u = hex16();
    for (const time of ['2031-03-05T23:50:00+08:00', '2031-03-06T00:10:00+08:00']) {
      clock = Date.parse(time);
      await send(site, [view('/')], { u });
    }
    const both = await report(site, '2031-03-05', '2031-03-06', 'series=1&gran=day');
    expect(both.totals).toMatchObject({ visits: 1, visitors: 1, visitorDays: 2, views: 2 });
    expect(both.series?.map(({ values }) => [values.visits, values.views])).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });
});

test.each(['UTC', 'Asia/Shanghai', 'America/New_York'])('case 2: a salt change during a visit in %s changes nothing', async (zone) => {
  const site = await siteIn(zone, { identity: 'cookieless' });
  // Each zone uses different days, so that their salts differ.
  const [date = '', evening = ''] =
    {
      UTC: ['2032-05-06', '2032-05-06T23:50:00Z'],
      'Asia/Shanghai': ['2032-06-06', '2032-06-06T23:50:00+08:00'],
      'America/New_York': ['2032-07-06', '2032-07-06T23:50:00-04:00'],
    }[zone] ?? [];
  await at(evening);
  await send(site, [view('/before')]);
  await at(new Date(Date.parse(evening) + 15 * minute).toISOString());
  await send(site, [view('/after')]);
  clock += 10 * minute;
  await send(site, [view('/later')]);
  await collector.flush();
  const next = new Date(Date.parse(`${date}T12:00:00Z`) + day).toISOString().slice(0, 10);
  const { totals } = await report(site, date, next);
  expect(totals).toMatchObject({ visits: 1, visitors: 1, views: 3, newVisitors: 1, avgDuration: 25 * 60 });
  // Another person behind the same address, and the same person at noon of the next day, are separate visitors.
  clock += 12 * hour;
  await send(site, [view('/noon')]);
  await send(site, [view('/other')], { userAgent: `${person} Edg/140.0` });
  expect((await report(site, date, next)).totals).toMatchObject({ visits: 3, visitors: 2 });
});

test('case 3: a single page read for six minutes lasted six minutes', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  const u = hex16();
  const p = hex16();
  await send(site, [view('/article', 0, { p })], { u });
  for (let i = 1; i <= 12; i += 1) {
    clock += 30_000;
    await send(site, [{ k: 'g', p, q: i, a: 0, l: 'https://example.com/article', m: i * 30_000, d: i * 8 }], { u });
  }
  const { totals } = await report(site, '2031-03-05', '2031-03-05', 'with=pages');
  expect(totals).toMatchObject({ visits: 1, views: 1, avgDuration: 360, avgEngaged: 360, avgTimeOnPage: 360, avgScroll: 0.96, bounceRate: 1 });
});

test('case 4: a filter by page never changes whether a visit bounced', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  // One visitor reads two pages; another reads only the second; a third also triggers an event there.
  await send(site, [view('/first', 2 * minute), view('/second', minute)], { u: hex16() });
  await send(site, [view('/second', minute)], { u: hex16() });
  const p = hex16();
  await send(site, [view('/second', minute, { p }), { k: 'e', p, q: 1, a: 0, l: 'https://example.com/second', e: 'buy' }], { u: hex16() });
  const bounce = async (path: string) => (await report(site, '2031-03-05', '2031-03-05', `filter=path:is:${path}`)).totals;
  expect(await bounce('/first')).toMatchObject({ visits: 1, bounceRate: 0, avgPages: 2 });
  // One of the two visits that enter there.
  expect(await bounce('/second')).toMatchObject({ visits: 3, views: 3, bounceRate: 0.5, avgPages: 4 / 3 });
  expect((await report(site, '2031-03-05', '2031-03-05')).totals.bounceRate).toBe(1 / 3);
});

test('case 5: visitors of thirty days are counted once, daily sums differ', async () => {
  const site = await siteIn('Asia/Shanghai');
  const [often, once] = [hex16(), hex16()];
  for (const n of [1, 8, 15, 30]) {
    clock = Date.parse('2031-03-31T04:00:00Z') + n * day;
    await send(site, [view('/')], { u: often, address: '203.0.113.1' });
    if (n === 8) await send(site, [view('/')], { u: once, address: '203.0.113.2' });
  }
  const month = await report(site, '2031-04-01', '2031-04-30', 'series=1&gran=week');
  expect(month.totals).toMatchObject({ visitors: 2, visitorDays: 5, ips: 5, visits: 5, newVisitors: 2 });
  expect(month.series?.reduce((sum, { values }) => sum + (values.visitors ?? 0), 0)).toBe(5);
});

test('case 6: every screen shows the same number', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  for (let n = 0; n < 7; n += 1)
    await send(site, [view('/', 20 * minute), view('/docs/a', 10 * minute), ...(n % 2 === 0 ? [view('/docs/b', minute)] : [])], {
      u: hex16(),
      address: `203.0.113.${n}`,
    });
  const today = '2031-03-05';
  const { totals } = await report(site, today, today);
  expect(totals).toMatchObject({ visits: 7, visitors: 7, views: 18, ips: 7 });
  const hours = await report(site, today, today, 'series=1&gran=hour');
  expect(hours.series?.reduce((sum, { values }) => sum + (values.views ?? 0), 0)).toBe(18);
  const rows = await report(site, today, today, 'by=deviceType');
  expect(rows.rows?.reduce((sum, row) => sum + (row.values.visits ?? 0), 0)).toBe(7);
  const scoped = `from=${today}&to=${today}`;
  expect((await get<Tree>(`/api/site/${site.id}/als/tree?${scoped}`)).views).toBe(18);
  expect((await get<Distribution>(`/api/site/${site.id}/als/distribution?${scoped}&of=visits`)).visitors).toBe(7);
  expect(await latest(site)).toHaveLength(7);
  const card = (await get<FiguresOfSites>('/api/core/sites/figures')).sites.find((one) => one.siteId === site.id)?.visits;
  expect(card).toMatchObject({ visitorsToday: 7, viewsToday: 18, online: 4 });
  const onlineReport = await get<{ online: number }>(`/api/site/${site.id}/als/online`);
  expect(onlineReport.online).toBe(4);
});

describe('cases covered by browser and fault tests', () => {
  /** Titles of tests that run: neither skipped nor expected to fail. */
  const titles = (file: string): string[] =>
    [...readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').matchAll(/^\s*(?:test|it)\((?:`|')(.+?)(?:`|'),/gm)].map((match) => match[1] ?? '');

  test.each([
    ['case 7: the way back in an application', 'e2e/tracker.spec.ts', 'an application: pushState and the way back, titles as they are in the end'],
    ['case 7: the back-forward cache', 'e2e/tracker.spec.ts', 'a page that comes back from the back-forward cache is a view again'],
    ['case 7: prerendering', 'e2e/tracker.spec.ts', 'a prerendered page counts when it is shown, not before'],
    ['case 8: kill -9 under load', 'faults/collector.test.ts', 'every acknowledged hit is in hits and in visits exactly once'],
    ['case 9: the database is away', 'faults/collector.test.ts', 'case 9: ClickHouse dies and stays away for a while'],
  ])('%s: %s has “%s”', (_case, file, title) => {
    expect(titles(file).filter((one) => one.includes(title))).toHaveLength(1);
  });
});

test('case 7: a reopened page is another view, a repeat is none', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  const u = hex16();
  const first = view('/a', 3 * minute);
  await send(site, [first, view('/b', 2 * minute), view('/a', minute)], { u });
  await send(site, [first], { u });
  expect((await report(site, '2031-03-05', '2031-03-05', 'by=path')).rows?.map((row) => [row.key, row.values.views])).toEqual([
    ['/a', 2],
    ['/b', 1],
  ]);
});

describe('case 10: two first hits in the same millisecond are one visit', () => {
  test.each(['first_party', 'cookieless'] as const)('of a %s site', async (identity) => {
    const site = await siteIn('Asia/Shanghai', { identity });
    clock = Date.parse('2031-03-05T04:00:00Z');
    await at('2031-03-05T04:00:00Z');
    const u = hex16();
    await Promise.all(Array.from({ length: 8 }, (_, i) => send(site, [view(`/${i}`)], identity === 'first_party' ? { u } : {})));
    expect((await report(site, '2031-03-05', '2031-03-05')).totals).toMatchObject({ visits: 1, visitors: 1, views: 8, newVisitors: 1 });
    expect(await latest(site)).toMatchObject([{ visitNo: 1, views: 8, durationMs: 0 }]);
  });
});

test('case 11: late or unordered hits never shorten a visit', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  const u = hex16();
  const p = hex16();
  const total = async () => (await report(site, '2031-03-01', '2031-03-05')).totals;
  await send(site, [view('/late', 10 * minute)], { u });
  await send(site, [{ k: 'g', p, q: 5, a: 0, l: 'https://example.com/read', m: 50_000 }], { u });
  expect(await total()).toMatchObject({ visits: 1, avgDuration: 600 });
  // The view of the ping, and an older ping with smaller values.
  await send(site, [{ k: 'g', p, q: 2, a: 3 * minute, l: 'https://example.com/read', m: 10_000 }], { u });
  await send(site, [view('/read', 5 * minute, { p })], { u });
  expect(await total()).toMatchObject({ visits: 1, views: 2, avgDuration: 600, avgEngaged: 50 });
  // Three days later the phone is online again and sends earlier hits.
  clock += 3 * day;
  await send(site, [view('/first', 3 * day + 20 * minute)], { u });
  expect(await total()).toMatchObject({ visits: 1, views: 3, avgDuration: 1200 });
  expect(await latest(site)).toMatchObject([{ entryPath: '/first', durationMs: 1_200_000, pages: [{ path: '/first' }, { path: '/late' }, { path: '/read' }] }]);
  // A client whose clock is years off, in both directions.
  const answer = await send(site, [view('/future', -3 * 365 * day), view('/past', 3 * 365 * day)], { u });
  expect(answer).toEqual({ accepted: 1, refused: [{ index: 1, code: 'too_old' }] });
  expect((await latest(site)).every((visit) => visit.durationMs >= 0 && visit.last <= clock)).toBe(true);
});

test('case 12: people inside Chinese apps are people', async () => {
  const site = await siteIn('Asia/Shanghai');
  clock = Date.parse('2031-03-05T04:00:00Z');
  const apps = userAgents.filter(
    ([type, , , browser]) => type !== 'bot' && /Toutiao|Sogou|Alipay|WeChat|QQ|UC|Quark|360|DingTalk|Douyin|Weibo|Baidu/.test(browser),
  );
  expect(new Set(apps.map((app) => app[3])).size).toBeGreaterThanOrEqual(12);
  for (const name of ['Toutiao', 'Sogou', 'Alipay', 'WeChat']) expect(apps.some((app) => app[3].includes(name))).toBe(true);
  for (const [i, app] of apps.entries()) await send(site, [view('/')], { u: hex16(), address: `203.0.113.${i}`, userAgent: app[5] });
  await send(site, [view('/')], { u: hex16(), userAgent: 'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)' });
  const { totals, explain } = await report(site, '2031-03-05', '2031-03-05');
  expect(totals.visits).toBe(apps.length);
  // Nothing is dropped: the crawler is counted as a bot.
  expect(explain.excluded).toEqual({ suspected: 0, bots: 1 });
  expect(await latest(site, 'who=bots')).toMatchObject([{ verdict: 'bot' }]);
});

test('case 13: only servers with the right set address, agent and time', async () => {
  const site = await siteIn('Asia/Shanghai');
  await at('2031-03-05T04:00:00Z');
  const forged = {
    ip: '8.8.8.8',
    address: '8.8.8.8',
    ua: 'forged',
    userAgent: 'forged',
    at: 5,
    time: 5,
    timestamp: 5,
    country: 'US',
    visitorId: 'somebody',
    origin: 'server',
  };
  await send(site, [view('/', 0, forged)], { u: hex16(), more: forged, headers: { 'x-forwarded-for': '8.8.8.8', 'x-real-ip': '8.8.8.8' } });
  expect(await latest(site)).toMatchObject([{ address: '203.0.113.x', browser: 'Chrome 140.0', start: clock }]);
  expect((await report(site, '2031-03-05', '2031-03-05', 'by=origin')).rows?.map((row) => row.key)).toEqual(['script']);

  const hits = [{ id: 'order-1', url: 'https://example.com/order', at: '2031-03-05T01:00:00Z', address: '198.51.100.20', userAgent: person }];
  const url = `/api/site/${site.id}/als/hits`;
  const stranger = await program.app.inject({ method: 'POST', url, payload: { hits } });
  expect([401, 403]).toContain(stranger.statusCode);
  const viewer = await program.makePerson('member');
  await program.grant(site.id, viewer.userId, 'viewer');
  expect((await viewer.send('POST', url, { hits })).statusCode).toBe(403);
  expect(await latest(site)).toHaveLength(1);
  const response = await owner.send('POST', url, { hits });
  expect(response.json()).toMatchObject({ data: { accepted: 1, refused: [] } });
  expect(await latest(site)).toMatchObject([{ start: clock }, { start: Date.parse('2031-03-05T01:00:00Z'), address: '198.51.100.x' }]);
});

test('case 14: Sec-GPC follows the site’s policy', async () => {
  const site = await siteIn('Asia/Shanghai');
  await at('2031-03-05T04:00:00Z');
  const u = hex16();
  const asks = { u, headers: { 'sec-gpc': '1' } };
  let revision = 0;
  const policy = async (globalPrivacyControl: 'ignore' | 'cookieless' | 'refuse') => {
    const body = { ...defaultMeasuring, identity: 'first_party', globalPrivacyControl };
    const answer = await owner.send('PUT', `/api/site/${site.id}/als/settings`, body, { 'if-match': String(revision) });
    expect(answer.statusCode).toBe(200);
    revision = answer.json<{ data: { revision: number } }>().data.revision;
    await shut();
    await open();
  };
  const totals = async () => (await report(site, '2031-03-05', '2031-03-05')).totals;
  await send(site, [view('/known')], { u });
  // By default: counted without an id.
  expect((await send(site, [view('/unknown')], asks)).accepted).toBe(1);
  expect(await totals()).toMatchObject({ views: 2, visitors: 2 });
  await policy('refuse');
  expect(await send(site, [view('/refused')], asks)).toEqual({ accepted: 0, refused: [{ index: 0, code: 'opted_out' }] });
  expect(await totals()).toMatchObject({ views: 2, visitors: 2 });
  await policy('ignore');
  expect((await send(site, [view('/ignored')], asks)).accepted).toBe(1);
  expect(await totals()).toMatchObject({ views: 3, visitors: 2 });
});
