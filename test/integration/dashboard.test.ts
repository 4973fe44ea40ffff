import { ruleIds, ruleOf } from '../../contract/crawler/rules';
import type { DashboardCauses } from '../../contract/dashboard/causes';
import type { Cards, DashboardChange } from '../../contract/dashboard/schemas';
import { cardIds } from '../../contract/dashboard/terms';
import type { CardId } from '../../contract/dashboard/terms';
import { siteRoles } from '../../contract/permissions';
import type { SiteRole, TokenScope } from '../../contract/permissions';
import type { Site } from '../../contract/sites/schemas';
import { filings } from '../../server/areas/filings/schema';
import { hostnames } from '../../server/areas/hostnames/schema';
import { uptimeMonitors } from '../../server/areas/uptime/schema';
import { jobs } from '../../server/worker/schema';
import { dayOf, laterDay, timeOf } from '../oracle/calendar';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { caseCounts } from '../support/caseCounts';
import { seedCrawler } from '../support/crawlData';
import { happened, read } from './analyticsSupport';
import type { Story } from './analyticsSupport';
import { cardsOf, dataOf, type Dashboard } from './dashboardSupport';

const minute = 60_000;
const hour = 60 * minute;
let clock = Date.UTC(2026, 9, 20);
let t: TestApp;
beforeAll(async () => {
  t = await makeTestApp({ now: () => clock });
});
afterAll(() => t.close());

const changeTo = async (by: Person, site: Site, against: string): Promise<DashboardChange> =>
  read(by, `/api/site/${site.id}/dashboard/change?against=${against}`);

/** A generator of numbers in [0, 1) that always gives the same ones. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

type Visit = Story & { readonly key: Readonly<Record<string, string>> };
/** Visits of the nine days before `now`; those of one visitor are at least two hours apart, and some cross midnight. */
function makeVisits(now: number, seed: number): Visit[] {
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  return Array.from({ length: 40 }, (_visitor, index) => {
    let at = now - Math.floor(random() * 9 * 24 * hour);
    const visits: Visit[] = [];
    while (at < now && visits.length < 4) {
      const [source, country, device, path] = [
        pick(['Baidu', '', 'Bing']),
        pick(['CN', 'DE']),
        pick(['desktop', 'mobile']),
        pick(['/', '/tea', '/blog', '/a', '/b', '/c', '/d', '/e']),
      ];
      const pages = [{ path }, ...(random() < 0.5 ? [{ path: '/more', after: Math.floor(random() * 25 * minute) }] : [])].filter(
        ({ after = 0 }: { after?: number }) => at + after < now,
      );
      const about = {
        source_type: source === '' ? 'direct' : 'search',
        source_name: source,
        country,
        device_type: device,
        bot_score: random() < 0.1 ? 95 : 0,
      } as const;
      visits.push({ visitor: seed * 1000 + index, at, pages, about, key: { sourceName: source, country, deviceType: device, entryPath: path } });
      at += 2 * hour + Math.floor(random() * 30 * hour);
    }
    return visits;
  }).flat();
}

const viewsOf = ({ at, pages }: Visit): number[] => pages.map(({ after = 0 }) => at + after);
/** The visits of a day with a page view until a time of day, and these views, from the wall clock alone. */
function ofDay(visits: readonly Visit[], day: string, until: string, zone: string) {
  const isIn = (at: number): boolean => dayOf(at, zone) === day && timeOf(at, zone) < until;
  return visits
    .filter((visit) => visit.about?.bot_score === 0)
    .flatMap((visit) => {
      const views = viewsOf(visit).filter(isIn).length;
      return views === 0 ? [] : [{ visit, views }];
    });
}
const visitorsIn = (active: readonly { readonly visit: Visit }[]): Map<number, Visit> => {
  const first = new Map<number, Visit>();
  for (const { visit } of active) if ((first.get(visit.visitor)?.at ?? Infinity) > visit.at) first.set(visit.visitor, visit);
  return first;
};
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Times in zones whose clocks change on that day, the day before, or a week before. */
const moments: readonly { readonly zone: string; readonly at: number }[] = [
  { zone: 'Europe/Berlin', at: Date.UTC(2026, 9, 25, 14, 30) },
  { zone: 'Europe/Berlin', at: Date.UTC(2026, 9, 26, 9, 15) },
  { zone: 'America/New_York', at: Date.UTC(2026, 10, 1, 20) },
  { zone: 'Australia/Lord_Howe', at: Date.UTC(2027, 3, 4, 9, 20) },
  { zone: 'Asia/Shanghai', at: Date.UTC(2027, 3, 5, 15, 59) },
];

test('today and the days before until the same time are exact, and every division of the change adds up', async () => {
  const counts = caseCounts('rows', 'moments');
  for (const [index, { zone, at }] of moments.entries()) {
    clock = at;
    const owner = await t.makePerson('owner');
    const site = await t.makeSite(owner, { timeZone: zone });
    const visits = makeVisits(at, index + 1);
    await happened(t, site.id, visits);
    const [today, until] = [dayOf(at, zone), timeOf(at, zone)];
    const days = { now: today, yesterday: laterDay(today, -1), lastWeek: laterDay(today, -7) } as const;
    const data = dataOf(await cardsOf(owner, site, '?cards=today'), 'today');
    for (const [side, day] of Object.entries(days) as [keyof typeof days, string][]) {
      const active = ofDay(visits, day, until, zone);
      expect([side, zone, data.figures.visitors[side]]).toEqual([side, zone, visitorsIn(active).size]);
      expect([side, zone, data.figures.views[side]]).toEqual([side, zone, sum(active.map(({ views }) => views))]);
    }
    const hours = data.hours.filter(({ now }) => now !== null);
    expect(hours.at(-1)?.label.slice(0, 2)).toBe(until.slice(0, 2));
    for (const [against, day] of [
      ['yesterday', days.yesterday],
      ['week', days.lastWeek],
    ] as const) {
      const change = await changeTo(owner, site, against);
      const [first, before] = [visitorsIn(ofDay(visits, today, until, zone)), visitorsIn(ofDay(visits, day, until, zone))];
      expect(change.visitors).toEqual({ now: first.size, before: before.size });
      for (const { dimension, rows, rest } of change.by) {
        const count = (all: ReadonlyMap<number, Visit>, key: string): number => [...all.values()].filter((visit) => visit.key[dimension] === key).length;
        for (const row of rows) expect([dimension, row]).toEqual([dimension, { key: row.key, now: count(first, row.key), before: count(before, row.key) }]);
        expect(sum(rows.map((row) => row.now)) + rest.now).toBe(change.visitors.now);
        expect(sum(rows.map((row) => row.before)) + rest.before).toBe(change.visitors.before);
        counts.count('rows', rows.length);
      }
      const bots = (when: string): number =>
        visits.filter((visit) => visit.about?.bot_score === 95 && dayOf(visit.at, zone) === when && timeOf(visit.at, zone) < until).length;
      expect(change.leftOut.bots).toEqual({ now: bots(today), before: bots(day) });
      counts.count('moments');
    }
  }
  counts.expectAtLeast(8);
});

test('the first hour of a day is too early for percentages', async () => {
  clock = Date.UTC(2027, 3, 8, 16, 5);
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner, { timeZone: 'Asia/Shanghai' });
  const visit = (visitor: number, at: number): Story => ({ visitor, at, pages: [{ path: '/' }] });
  await happened(
    t,
    site.id,
    Array.from({ length: 12 }, (_, index) => visit(index + 1, clock - 24 * hour - 2 * minute)),
  );
  const early = dataOf(await cardsOf(owner, site), 'today');
  expect(early).toMatchObject({ day: '2027-04-09', early: true, visits: { now: 0, yesterday: 12 } });
  clock += hour;
  expect(dataOf(await cardsOf(owner, site), 'today')).toMatchObject({ early: false, visits: { now: 0, yesterday: 12 } });
});

test('pages that lost visitors are listed with what a reader may know of them', async () => {
  clock = Date.UTC(2027, 4, 5, 8);
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner, { timeZone: 'UTC', purpose: 'external', url: 'https://tea.example' });
  const visits = (path: string, count: number, at: number): Story[] =>
    Array.from({ length: count }, (_, index) => ({ visitor: path.charCodeAt(1) * 1000 + index, at: at - index * minute, pages: [{ path }] }));
  const before = clock - 25 * hour;
  await happened(t, site.id, [...visits('/a', 9, before), ...visits('/b', 4, before - hour), ...visits('/b', 2, clock - hour)]);
  const crawler = await seedCrawler(t.ctx, site.id, { now: clock - hour });
  await crawler.run({
    pages: [{ url: 'https://tea.example/a', status: 301 }, { url: 'https://tea.example/c' }],
    issues: [
      { rule: 'redirect_loop', url: 'https://tea.example/a' },
      { rule: 'title_missing', url: 'https://tea.example/a' },
      { rule: 'redirect_loop', url: 'https://tea.example/c' },
    ],
  });
  // More issues that are no causes than are read.
  const harmless = ruleIds.filter((id) => !['redirects', 'indexing', 'canonicals', 'http'].includes(ruleOf(id).group));
  const harmlessRun = { pages: [{ url: 'https://tea.example/a' }], issues: harmless.map((rule) => ({ rule, url: 'https://tea.example/a' })) };
  for (let n = 0; n < 500 / harmless.length; n += 1) await (await seedCrawler(t.ctx, site.id)).run(harmlessRun);
  const causes = (by: Pick<Person, 'get'>): Promise<DashboardCauses> => read(by as Person, `/api/site/${site.id}/dashboard/causes`);
  const found = await causes(owner);
  expect(found).toMatchObject({ lost: found.visitors.before - found.visitors.now, keywordDays: null, unread: [], others: { pages: 1, lost: 2 } });
  expect(found.causes.map(({ path, issues, redirect }) => ({ path, rules: issues.map(({ rule, state }) => `${rule} ${state}`), redirect }))).toEqual([
    { path: '/a', rules: ['redirect_loop open'], redirect: null },
  ]);
  const token = await owner.send('POST', '/api/acc/tokens', { name: 'figures', scopes: ['analytics:read'] });
  const { value } = token.json<{ data: { value: string } }>().data;
  const ofToken = await t.app.inject({ url: `/api/site/${site.id}/dashboard/causes`, headers: { authorization: `Bearer ${value}` } });
  expect(ofToken.json<{ data: DashboardCauses }>().data).toMatchObject({
    causes: [],
    others: { pages: 2, lost: 11 },
    unread: [
      { source: 'issues', reason: 'forbidden' },
      { source: 'redirects', reason: 'forbidden' },
    ],
  });
  const support = await t.makePerson('member');
  await t.grant(site.id, support.userId, 'support');
  expect((await support.get(`/api/site/${site.id}/dashboard/causes`)).statusCode).toBe(403);
});

test('each role gets the cards whose screens it may open, and all of them get some', async () => {
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner);
  const all = ['attention', 'hostnames', 'content', 'capacity'];
  const traffic = ['live', 'today', 'top', 'vitals', 'search'];
  const expected: Readonly<Record<SiteRole, readonly string[]>> = {
    admin: [...all, ...traffic, 'support', 'setup'],
    editor: [...all, ...traffic, 'support', 'setup'],
    analyst: [...all, ...traffic, 'support'],
    viewer: [...all, ...traffic],
    support: [...all, 'support'],
  };
  for (const role of siteRoles) {
    const person = await t.makePerson('member');
    await t.grant(site.id, person.userId, role);
    const cards = await cardsOf(person, site);
    const open = cardIds.filter((id) => cards[id]?.state !== 'forbidden');
    expect([role, open.toSorted()]).toEqual([role, [...expected[role]].toSorted()]);
    expect(cardIds.filter((id) => cards[id]?.state === 'error')).toEqual([]);
    for (const id of cardIds) if (!open.includes(id)) expect(cards[id]).toEqual({ state: 'forbidden', at: null, data: null });
  }
  const cards = await cardsOf(owner, site, '?cards=activity,nonsense,live');
  expect(Object.keys(cards).toSorted()).toEqual(['activity', 'live']);
  expect(dataOf(cards, 'activity').rows[0]?.action).toBe('site.created');
  expect((await (await t.makePerson('member')).get(`/api/site/${site.id}/dashboard`)).statusCode).toBe(404);
});

test('a token gets the cards of its scopes, and no figures of others', async () => {
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner);
  const cardsFor = async (...scopes: TokenScope[]): Promise<Cards> => {
    const token = await owner.send('POST', '/api/acc/tokens', { name: 'x', scopes: ['site:read', ...scopes] });
    const authorization = `Bearer ${token.json<{ data: { value: string } }>().data.value}`;
    const response = await t.app.inject({ url: `/api/site/${site.id}/dashboard`, headers: { authorization } });
    return response.json<{ data: Dashboard }>().data.cards;
  };
  const openIn = (cards: Cards) => cardIds.filter((id) => cards[id]?.state !== 'forbidden');
  expect(openIn(await cardsFor())).toEqual(['attention']);
  const crawler = await cardsFor('resources:read', 'crawler:read');
  expect([openIn(crawler), dataOf(crawler, 'capacity').hits]).toEqual([['attention', 'search', 'capacity'], null]);
  const visits = await cardsFor('resources:read', 'analytics:read');
  expect(dataOf(visits, 'capacity')).toMatchObject({ pages: null, hits: { month: 0 } });
  expect(dataOf(visits, 'today').figures.enquiries).toBeNull();
});

test('who is online is read again after a visit', async () => {
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner);
  const online = async (): Promise<number> => dataOf(await cardsOf(owner, site, '?cards=live'), 'live').online;
  expect(await online()).toBe(0);
  await happened(t, site.id, [{ visitor: 1, at: clock - minute, pages: [{ path: '/' }] }]);
  expect(await online()).toBe(0);
  t.ctx.live.publish({ type: 'als', siteId: site.id, visitIds: [], at: clock });
  expect(await online()).toBe(1);
});

test('a store that fails leaves the cards that do not need it', async () => {
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner);
  const { clickhouse } = t.ctx;
  const statesNow = async (): Promise<Partial<Record<CardId, string>>> => {
    const cards = await cardsOf(owner, site);
    return Object.fromEntries(cardIds.map((id) => [id, cards[id]?.state]));
  };
  const failing = {
    ...clickhouse,
    query: (text: string, ...rest: unknown[]) =>
      text.includes('web_vitals') ? Promise.reject(new Error('away')) : Reflect.apply(clickhouse.query, clickhouse, [text, ...rest]),
  };
  Object.assign(t.ctx, { clickhouse: failing });
  expect(await statesNow()).toMatchObject({ vitals: 'error', today: 'empty', live: 'ok', attention: 'ok', hostnames: 'empty' });
  Object.assign(t.ctx, { clickhouse: { ...clickhouse, query: () => Promise.reject(new Error('away')) } });
  clock += hour;
  const states = await statesNow();
  Object.assign(t.ctx, { clickhouse });
  expect(states).toMatchObject({ vitals: 'error', today: 'stale', live: 'stale', attention: 'ok', hostnames: 'empty', content: 'empty', activity: 'ok' });
});

describe('what needs attention', () => {
  let owner: Person;
  let site: Site;
  beforeAll(async () => {
    clock = Date.UTC(2027, 3, 10, 8);
    owner = await t.makePerson('owner');
    site = await t.makeSite(owner);
    const at = new Date(clock);
    const { db } = t.ctx.postgres;
    await db.insert(uptimeMonitors).values({
      siteId: site.id,
      enabled: true,
      intervalMinutes: 5,
      path: '',
      keyword: '',
      state: 'down',
      since: at,
      checkedAt: at,
      reason: 'timeout',
      nextAt: at,
    });
    const host = {
      siteId: site.id,
      apex: 'tea.example',
      token: 'x'.repeat(32),
      contested: false,
      records: [],
      createdAt: at,
      activeAt: at,
      ownership: 'verified',
      dns: 'ok',
    } as const;
    const certificate = (days: number) => ({
      notBefore: at.toISOString(),
      notAfter: new Date(clock + days * 24 * hour).toISOString(),
      issuer: 'Test',
      names: [],
      serial: '1',
    });
    await db.insert(hostnames).values([
      { ...host, host: 'tea.example', role: 'primary', tls: 'active', certificate: certificate(5) },
      { ...host, host: 'old.tea.example', role: 'serve', tls: 'expired', certificate: certificate(-1) },
    ]);
    const names = { serviceName: '茶铺', number: '京ICP备2026000001号-1', province: '京', homeUrl: '', domains: [], contentTypes: [] };
    await db
      .insert(filings)
      .values({ ...names, siteId: site.id, kind: 'icp', state: 'approved', interactive: false, inFooter: false, approvedOn: '2026-04-01', createdAt: at });
    const job = { siteId: site.id, label: 'log.gz', input: {}, runAfter: at, createdAt: at } as const;
    await db.insert(jobs).values([
      { ...job, kind: 'analytics.import', state: 'failed', error: 'internal', finishedAt: at },
      { ...job, kind: 'crawler.run', state: 'failed', error: 'internal', finishedAt: at },
      { ...job, kind: 'crawler.run', state: 'done', finishedAt: new Date(clock + 1) },
    ]);
    clock += minute;
  });
  const kindsFor = async (by: Person): Promise<string[]> =>
    dataOf(await cardsOf(by, site, '?cards=attention'), 'attention')
      .items.filter(({ snooze }) => snooze === null)
      .map(({ kind }) => kind);

  test('the most urgent matter is first, and each is told to those who can look into it', async () => {
    expect(await kindsFor(owner)).toEqual([
      'site_down',
      'certificate_expired',
      'filing_overdue',
      'certificate_expiring',
      'import_failed',
      'no_security_contact',
    ]);
    const support = await t.makePerson('member');
    await t.grant(site.id, support.userId, 'support');
    expect(await kindsFor(support)).toEqual(['site_down', 'certificate_expired', 'filing_overdue', 'certificate_expiring']);
  });

  test('a matter is snoozed for a person or for all until its time has passed', async () => {
    const viewer = await t.makePerson('member');
    await t.grant(site.id, viewer.userId, 'viewer');
    const key = dataOf(await cardsOf(owner, site), 'attention').items.find(({ kind }) => kind === 'certificate_expired')?.key ?? '';
    const snooze = (by: Person, days: number, forAll: boolean, matter = key) =>
      by.send('PUT', `/api/site/${site.id}/dashboard/snooze`, { key: matter, days, forAll });
    const isSeenBy = async (by: Person): Promise<boolean> => (await kindsFor(by)).includes('certificate_expired');
    expect((await snooze(viewer, 1, true)).statusCode).toBe(403);
    for (const wrong of ['setup', '', `${key}\u0000`, `${key}${'x'.repeat(200)}`])
      expect([wrong, (await snooze(owner, 1, true, wrong)).statusCode]).toEqual([wrong, 422]);
    expect((await snooze(viewer, 7, false)).statusCode).toBe(204);
    expect([await isSeenBy(viewer), await isSeenBy(owner)]).toEqual([false, true]);
    expect((await snooze(owner, 1, true)).statusCode).toBe(204);
    expect((await snooze(viewer, 0, false)).statusCode).toBe(204);
    expect([await isSeenBy(viewer), await isSeenBy(owner)]).toEqual([false, false]);
    clock += 25 * hour;
    expect(await isSeenBy(await t.makePerson('owner'))).toBe(true);
  });
});

test('the list of steps follows from what a site has, and a person may hide it', async () => {
  const owner = await t.makePerson('owner');
  const site = await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example' });
  const setup = async () => dataOf(await cardsOf(owner, site, '?cards=setup'), 'setup');
  expect((await setup()).steps.map(({ id, done }) => [id, done])).toEqual([
    ['receiving', false],
    ['filing', false],
    ['support', false],
    ['secondAdmin', true],
  ]);
  const editor = await t.makePerson('member');
  await t.grant(site.id, editor.userId, 'editor');
  expect(dataOf(await cardsOf(editor, site), 'setup').steps.map(({ id }) => id)).toEqual(['receiving', 'filing', 'support']);
  await happened(t, site.id, [{ visitor: 1, at: clock, pages: [{ path: '/' }] }]);
  clock += 2 * minute;
  expect((await setup()).steps[0]).toEqual({ id: 'receiving', done: true });
  expect((await owner.send('PUT', `/api/site/${site.id}/dashboard/setup`, { hidden: true })).statusCode).toBe(204);
  expect((await setup()).hidden).toBe(true);
  await owner.send('PUT', `/api/site/${site.id}/dashboard/setup`, { hidden: false });
  expect((await setup()).hidden).toBe(false);
});
