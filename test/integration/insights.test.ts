import { jest } from '@jest/globals';
import type { Report } from '../../contract/analytics/schemas';
import type { EventDetail, EventsReport, FunnelResult, Journey, Retention, ScrollReport, SearchesReport } from '../../contract/insights/reports';
import type { Annotation, Condition, Funnel, Goal, Segment } from '../../contract/insights/schemas';
import type { Site } from '../../contract/sites/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { hitsOf, store } from './insightsSupport';
import type { Did } from './insightsSupport';

jest.setTimeout(60_000);
const zone = 'Asia/Shanghai';
/** Monday, 2 November 2026, 10:00 in Shanghai. */
const monday = Date.UTC(2026, 10, 2, 2);
const minute = 60_000;
const day = 24 * 60 * minute;
const range = 'from=2026-11-02&to=2026-11-08';
let program: TestApp;
let owner: Person;
let site: Site;
let other: Site;

/**
 * Even visitors come from a search engine. 0: reads the price list, signs up for ¥199. 1: signs up twice in one visit, 2: only reads, 3: downloads a
 * file and follows a link; 0 returns a week later, 2 two weeks later.
 */
const deeds: Record<number, Did[]> = {
  0: [
    { at: monday, path: '/', scroll: 40 },
    { at: monday + minute, path: '/price/tea', scroll: 100 },
    { at: monday + 2 * minute, event: 'signup', props: { plan: 'pro', amount: 199, trial: false } },
    { at: monday + 7 * day, path: '/' },
  ],
  1: [
    { at: monday + day, path: '/price' },
    { at: monday + day + minute, event: 'signup', props: { plan: 'free', amount: '9.5' } },
    { at: monday + day + 2 * minute, event: 'signup', props: { plan: 'pro', amount: 20 } },
  ],
  2: [
    { at: monday + 2 * day, path: '/', scroll: 60 },
    { at: monday + 2 * day + minute, path: '/find', search: '龙井' },
    { at: monday + 2 * day + 2 * minute, path: '/tea/1' },
    { at: monday + 2 * day + 3 * minute, path: '/find', search: '普洱' },
    { at: monday + 16 * day, path: '/price' },
  ],
  3: [
    { at: monday + 3 * day, path: '/find', search: '龙井' },
    { at: monday + 3 * day + minute, event: '$outbound', props: { url: 'https://shop.example/' } },
    { at: monday + 3 * day + 2 * minute, event: '$download', props: { url: '/list.pdf', file: 'list.pdf' } },
    { at: monday + 3 * day + 3 * minute, event: '$vitals', props: { lcp: 900 } },
  ],
};

beforeAll(async () => {
  // Retention lists weeks that have begun, so the clock starts at the same moment in every run.
  const began = Date.now();
  program = await makeTestApp({ now: () => monday + 18 * day + Date.now() - began });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://tea.example/', timeZone: zone });
  other = await program.makeSite(owner, { name: '酒馆', purpose: 'external', url: 'https://bar.example/', timeZone: zone });
  await store(
    program,
    Object.entries(deeds).flatMap(([visitor, did]) => hitsOf(site.id, Number(visitor), did)),
  );
});
afterAll(() => program.close());

const als = (path: string, at = site) => `/api/site/${at.id}/als/${path}`;
const get = async <T>(path: string, by = owner): Promise<T> => {
  const answer = await by.get(als(path));
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
};
const make = async <T>(path: string, body: object): Promise<T> => {
  const answer = await owner.send('POST', als(path), body);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
  return answer.json<{ data: T }>().data;
};
const refused = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object, headers = {}, by = owner) => {
  const answer = await by.send(method, als(path), body, headers);
  return answer.json<{ code: string; fields?: Record<string, { code: string }> }>();
};
const page = (path: string, match = 'is'): Condition => ({ kind: 'page', match, path }) as Condition;
const event = (name: string, property: object | null = null): Condition => ({ kind: 'event', event: name, property }) as Condition;
const filter = (text: string) => `&filter=${encodeURIComponent(text)}`;

describe('goals', () => {
  let signUp: Goal;
  let price: Goal;
  beforeAll(async () => {
    signUp = await make<Goal>('goals', { name: '注册', condition: event('signup'), worth: { kind: 'property', property: 'amount' } });
    price = await make<Goal>('goals', { name: '看价格', condition: page('/price', 'starts'), worth: { kind: 'fixed', amount: 2 } });
  });

  test('a new goal covers visits from before it was created', async () => {
    const { totals } = await get<Report>(`report?${range}&with=goals&goal=${signUp.id}`);
    expect(totals).toMatchObject({ visits: 4, conversions: 2, conversionRate: 0.5, conversionValue: 228.5, events: 5 });
    // A visit that reaches two goals is one conversion with the value of both.
    expect((await get<Report>(`report?${range}&with=goals`)).totals).toMatchObject({ conversions: 2, conversionValue: 232.5 });
  });

  test('goal and event rows agree with filters by them', async () => {
    const byGoal = await get<Report>(`report?${range}&with=goals&by=goal&sort=conversions`);
    expect(Object.fromEntries((byGoal.rows ?? []).map(({ key, values }) => [key, [values.conversions, values.conversionValue]]))).toEqual({
      [signUp.id]: [2, 228.5],
      [price.id]: [2, 4],
    });
    const byEvent = await get<Report>(`report?${range}&with=goals&by=event&sort=events`);
    expect(byEvent.rows?.map(({ key, values }) => [key, values.events, values.visits])).toEqual([
      ['signup', 3, 2],
      ['$download', 1, 1],
      ['$outbound', 1, 1],
    ]);
    for (const [text, visits] of [
      [`goal:is:${signUp.id}`, 2],
      [`goal:not:${signUp.id}`, 2],
      ['goal:is:', 2],
      ['event:is:signup', 2],
      ['event:contains:SIGN', 2],
      ['event:not:signup|$download', 1],
      ['event:is:', 1],
      [`goal:is:${other.id}`, 0],
    ] as const)
      expect([text, (await get<Report>(`report?${range}${filter(text)}`)).totals.visits]).toEqual([text, visits]);
    const searched = await get<Report>(`report?${range}&with=goals&by=sourceType&sort=conversions`);
    expect(searched.rows?.map(({ key, values }) => [key, values.conversions])).toEqual([
      ['direct', 1],
      ['search', 1],
    ]);
    // Under a page filter, an event counts if it happened on a matching page.
    expect((await get<Report>(`report?${range}&with=goals${filter('path:is:/price')}`)).totals).toMatchObject({ events: 2, conversions: 1 });
  });

  test.each([
    ['a property as text', event('signup', { name: 'plan', op: 'is', value: 'pro' }), 2],
    ['a property as number', event('signup', { name: 'amount', op: 'is', value: '199.0' }), 1],
    ['a property as truth', event('signup', { name: 'trial', op: 'is', value: 'false' }), 1],
    ['a property that it has not', event('signup', { name: 'trial', op: 'not', value: 'true' }), 2],
    ['at least, also of a number in a text', event('signup', { name: 'amount', op: 'atLeast', value: '9.5' }), 2],
    ['at most', event('signup', { name: 'amount', op: 'atMost', value: '9' }), 0],
    ['a part of a text', event('signup', { name: 'plan', op: 'contains', value: 'RE' }), 1],
    ['one level of a path', page('/*/tea', 'glob'), 1],
    ['no level more', page('/*', 'glob'), 4],
    ['any level', page('/**a', 'glob'), 1],
    ['a part of a path', page('ice', 'contains'), 2],
    ['a path with signs that mean something elsewhere', page('/pri.e', 'glob'), 0],
    ['a hostile path', page("') OR 1=1 --", 'contains'), 0],
  ])('a condition by %s', async (_what, condition, visits) => {
    const goal = await make<Goal>('goals', { name: 'x', condition, worth: { kind: 'none' } });
    expect((await get<Report>(`report?${range}&with=goals&goal=${goal.id}`)).totals.conversions).toBe(visits);
    expect((await owner.send('DELETE', als(`goals/${goal.id}`))).statusCode).toBe(204);
  });

  test('an invalid one is refused with the reason', async () => {
    const goal = { name: 'y', condition: page('/x'), worth: { kind: 'none' } };
    expect((await refused('POST', 'goals', { ...goal, name: ' 注册 ' })).code).toBe('name_taken');
    expect((await refused('POST', 'goals', { ...goal, worth: { kind: 'property', property: 'a' } })).fields).toEqual({ worth: { code: 'out_of_range' } });
    expect((await refused('POST', 'goals', { ...goal, condition: event('a', { name: 'n', op: 'atLeast', value: 'many' }) })).fields).toEqual({
      'condition.property.value': { code: 'wrong_type' },
    });
    expect((await refused('POST', 'goals', { ...goal, condition: page('x'.repeat(501)) })).code).toBe('invalid_fields');
    expect((await owner.get(als(`report?${range}&goal=${other.id}`))).statusCode).toBe(422);
  });

  test('needs the revision read and is logged and annotated', async () => {
    const changed = { name: '看价格', condition: page('/price/tea'), worth: { kind: 'fixed', amount: 3 } };
    expect((await refused('PUT', `goals/${price.id}`, changed, { 'if-match': '"9"' })).code).toBe('stale_revision');
    expect((await owner.send('PUT', als(`goals/${price.id}`), changed, { 'if-match': `"${price.revision}"` })).json<{ data: Goal }>().data.revision).toBe(2);
    expect((await get<Report>(`report?${range}&with=goals&goal=${price.id}`)).totals).toMatchObject({ conversions: 1, conversionValue: 3 });
    const log = (await owner.get('/api/acc/audit?action=goal')).json<{ data: { rows: { action: string }[] } }>().data.rows;
    expect(log[0]?.action).toBe('goal.changed');
    const today = new Date(program.ctx.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const annotations = await get<Annotation[]>(`annotations?from=${today}&to=${today}`);
    expect(annotations.at(-1)).toMatchObject({ kind: 'goal_changed', values: { name: '看价格' }, author: '林' });
  });
});

describe('events', () => {
  test('by name, with those of the program apart', async () => {
    const report = await get<EventsReport>(`event?${range}`);
    expect(report).toMatchObject({ totals: { count: 3, visits: 2, visitors: 2 }, rowCount: 1, outbound: 1, downloads: 1 });
    expect(report.rows).toEqual([{ name: 'signup', count: 3, visits: 2, visitors: 2, lastAt: monday + day + 2 * minute }]);
    expect((await get<EventsReport>(`event?${range}${filter('sourceType:is:search')}`)).totals.count).toBe(1);
    expect((await get<EventsReport>(`event?${range}${filter('path:is:/price/tea')}`)).totals.count).toBe(1);
    expect((await get<EventsReport>('event?from=2026-11-03&to=2026-11-03')).totals.count).toBe(2);
  });

  test('with the values and sums of their properties', async () => {
    const detail = await get<EventDetail>(`event/detail?${range}&name=signup`);
    expect(detail.properties.map(({ name, count, distinct }) => [name, count, distinct])).toEqual([
      ['amount', 3, 3],
      ['plan', 3, 2],
      ['trial', 1, 1],
    ]);
    expect(detail.properties[0]?.numbers).toEqual({ count: 3, sum: 228.5, mean: 228.5 / 3, min: 9.5, max: 199 });
    expect(detail.properties[1]?.numbers).toBeNull();
    expect(detail.properties[1]?.values).toEqual([
      { value: 'pro', count: 2, visits: 2, visitors: 2, share: 2 / 3 },
      { value: 'free', count: 1, visits: 1, visitors: 1, share: 1 / 3 },
    ]);
    expect((await get<EventDetail>(`event/detail?${range}&name=${encodeURIComponent('$outbound')}`)).properties[0]?.values[0]?.value).toBe(
      'https://shop.example/',
    );
    expect(await get<EventDetail>(`event/detail?${range}&name=nothing`)).toMatchObject({ count: 0, lastAt: null, properties: [] });
  });

  test('site searches and what followed them', async () => {
    const report = await get<SearchesReport>(`searches?${range}&term=${encodeURIComponent('龙井')}`);
    expect(report).toMatchObject({ searches: 3, visits: 2, visitors: 2, rowCount: 2, next: [{ path: '/tea/1', views: 1 }] });
    expect(report.rows).toEqual([
      { term: '龙井', searches: 2, visits: 2, visitors: 2, followed: 1, again: 0, left: 1 },
      { term: '普洱', searches: 1, visits: 1, visitors: 1, followed: 0, again: 0, left: 1 },
    ]);
  });

  test('how far pages were read', async () => {
    const report = await get<ScrollReport>(`scroll?${range}`);
    expect(report.rows.find(({ path }) => path === '/')).toEqual({ path: '/', views: 2, average: 0.5, reached: [2, 1, 0, 0, 0] });
    expect(report.totals).toMatchObject({ views: 8, reached: [3, 2, 1, 1, 1] });
  });
});

test('retention covers visitors new in the range, by whole weeks', async () => {
  const report = await get<Retention>(`retention?from=2026-11-04&to=2026-11-09&unit=week`);
  expect(report.known).toBe(true);
  expect(report.cohorts.map(({ from, to, visitors }) => [from, to, visitors])).toEqual([
    ['2026-11-02', '2026-11-08', 4],
    ['2026-11-09', '2026-11-15', 0],
  ]);
  expect(report.cohorts[0]?.returned.slice(0, 3)).toEqual([1, 1, null]);
  expect((await get<Retention>(`retention?${range}&unit=week${filter('sourceType:is:direct')}`)).cohorts[0]).toMatchObject({
    visitors: 2,
    returned: [0, 0, ...Array<null>(10).fill(null)],
  });
  expect((await owner.get(als('retention?from=2026-08-01&to=2026-11-08&unit=day'))).statusCode).toBe(422);
});

test('journeys lead from entries onward and from exits back', async () => {
  const { columns } = await get<Journey>(`journey?${range}&step=${encodeURIComponent('/')}&step=${encodeURIComponent('/find')}`);
  expect(columns).toEqual([
    {
      visits: 4,
      ended: 0,
      pages: [
        { path: '/', visits: 2 },
        { path: '/find', visits: 1 },
        { path: '/price', visits: 1 },
      ],
      other: { visits: 0, pages: 0 },
    },
    {
      visits: 2,
      ended: 0,
      pages: [
        { path: '/find', visits: 1 },
        { path: '/price/tea', visits: 1 },
      ],
      other: { visits: 0, pages: 0 },
    },
    { visits: 1, ended: 0, pages: [{ path: '/tea/1', visits: 1 }], other: { visits: 0, pages: 0 } },
  ]);
  const back = await get<Journey>(`journey?${range}&end=exit&step=${encodeURIComponent('/price')}`);
  expect(back.columns[1]).toEqual({ visits: 1, ended: 1, pages: [], other: { visits: 0, pages: 0 } });
});

describe('funnels', () => {
  const result = async (steps: Condition[], more: object = {}, query = range): Promise<FunnelResult['steps']> => {
    const funnel = await make<Funnel>('funnels', { name: 'f', steps, within: 60, scope: 'visitor', ...more });
    const answer = await get<FunnelResult>(`funnels/${funnel.id}/result?${query}`);
    await owner.send('DELETE', als(`funnels/${funnel.id}`));
    return answer.steps;
  };

  test('count visitors reaching each step, with the time taken', async () => {
    expect(await result([page('/price', 'starts'), event('signup')])).toEqual([
      { visitors: 2, rate: 1, stepRate: null, dropped: 0, medianSeconds: null },
      { visitors: 2, rate: 1, stepRate: 1, dropped: 0, medianSeconds: 60 },
    ]);
    expect((await result([event('signup'), page('/price', 'starts')])).map(({ visitors }) => visitors)).toEqual([2, 0]);
    // One hit never counts for two steps.
    expect((await result([event('signup'), event('signup')])).map(({ visitors }) => visitors)).toEqual([2, 1]);
  });

  test('later steps may be in later visits, within the time limit', async () => {
    const steps = [page('/'), page('/price')];
    expect((await result(steps, { within: 14 * 24 * 60 })).map(({ visitors }) => visitors)).toEqual([2, 1]);
    expect((await result(steps, { within: 14 * 24 * 60 - 1 })).map(({ visitors }) => visitors)).toEqual([2, 0]);
    expect((await result(steps, { within: 90 * 24 * 60, scope: 'visit' })).map(({ visitors }) => visitors)).toEqual([2, 0]);
    // The filter applies to the visit of the first step.
    expect((await result(steps, { within: 90 * 24 * 60 }, `${range}${filter('sourceType:is:direct')}`)).map(({ visitors }) => visitors)).toEqual([0, 0]);
  });

  test('are refused with one step, nine or no time limit', async () => {
    const funnel = { name: 'g', steps: [page('/'), page('/b')], within: 60, scope: 'visitor' };
    for (const wrong of [{ steps: [page('/')] }, { steps: Array(9).fill(page('/')) }, { within: 0 }, { within: 129_601 }, { scope: 'all' }])
      expect((await refused('POST', 'funnels', { ...funnel, ...wrong })).code).toBe('invalid_fields');
  });
});

describe('segments', () => {
  test('add their filters to every report and report their deletion', async () => {
    const segment = await make<Segment>('segments', { name: '搜索来的', filters: ['sourceType:is:search'], shared: false });
    expect((await get<Report>(`report?${range}&segment=${segment.id}`)).totals.visits).toBe(2);
    expect((await get<EventsReport>(`event?${range}&segment=${segment.id}`)).totals.count).toBe(1);
    const answer = await owner.get(als(`report?${range}&segment=${other.id.replaceAll(/[^a-f2-7]/g, 'a')}`));
    expect(answer.statusCode).toBe(422);
    await owner.send('DELETE', als(`segments/${segment.id}`));
    expect((await owner.get(als(`report?${range}&segment=${segment.id}`))).json()).toMatchObject({ fields: { segment: { code: 'unknown' } } });
    expect((await refused('POST', 'segments', { name: 'x', filters: ['nothing:is:1'], shared: true })).fields).toEqual({ filters: { code: 'pattern' } });
  });

  test('of one person are private unless shared', async () => {
    const editor = await program.makePerson('member');
    await program.grant(site.id, editor.userId, 'editor');
    const own = await make<Segment>('segments', { name: '我的', filters: ['country:is:CN'], shared: false });
    const shared = await make<Segment>('segments', { name: '大家的', filters: ['country:is:CN'], shared: true });
    expect((await get<Segment[]>('segments', editor)).map(({ name, own: isOwn }) => [name, isOwn])).toEqual([['大家的', false]]);
    expect((await refused('DELETE', `segments/${own.id}`, undefined, {}, editor)).code).toBe('not_found');
    expect((await editor.get(als(`report?${range}&segment=${own.id}`))).statusCode).toBe(422);
    const body = { name: '大家的', filters: ['country:is:JP'], shared: false };
    expect((await refused('PUT', `segments/${shared.id}`, body, { 'if-match': '"1"' }, editor)).code).toBe('forbidden');
  });
});

describe('annotations', () => {
  test('are dated, changed and removed, and include the first visit', async () => {
    const note = await make<Annotation>('annotations', { day: '2026-11-03', time: '09:30', text: '首页改版' });
    expect((await get<Annotation[]>(`annotations?${range}`)).map(({ kind, day: at, time, text }) => [kind, at, time, text])).toEqual([
      ['first_hit', '2026-11-02', '10:00', ''],
      ['note', '2026-11-03', '09:30', '首页改版'],
    ]);
    const [first] = await get<Annotation[]>(`annotations?${range}`);
    expect((await refused('DELETE', `annotations/${first?.id}`)).code).toBe('immutable');
    const changed = await owner.send('PUT', als(`annotations/${note.id}`), { day: '2026-11-04', time: null, text: '改' }, { 'if-match': '"1"' });
    expect(changed.json()).toMatchObject({ data: { day: '2026-11-04', time: null, revision: 2 } });
    expect((await owner.send('DELETE', als(`annotations/${note.id}`))).statusCode).toBe(204);
    for (const wrong of [{ time: '24:00' }, { text: ' ' }, { day: '2026-02-30' }])
      expect((await refused('POST', 'annotations', { day: '2026-11-03', time: null, text: 'x', ...wrong })).code).toBe('invalid_fields');
  });

  test('changes of zone and address are annotated automatically', async () => {
    const moved = await program.makeSite(owner, { name: '搬家', purpose: 'external', url: 'https://old.example/', timeZone: zone });
    const body = { timeZone: 'Europe/Paris', url: 'https://new.example/', name: '搬家了' };
    expect((await owner.send('PATCH', `/api/core/sites/${moved.id}`, body, { 'if-match': `"${moved.revision}"` })).statusCode).toBe(200);
    const today = new Date(program.ctx.now()).toISOString().slice(0, 10);
    const annotations = (await owner.get(als(`annotations?from=2026-01-01&to=${today.slice(0, 4)}-12-31`, moved))).json<{ data: Annotation[] }>().data;
    expect(annotations.map(({ kind, values }) => [kind, values])).toEqual([
      ['zone_changed', { before: zone, after: 'Europe/Paris' }],
      ['url_changed', { before: 'https://old.example/', after: 'https://new.example/' }],
    ]);
  });
});

test('another site’s objects are not found', async () => {
  const goal = await make<Goal>('goals', { name: 'mine', condition: page('/'), worth: { kind: 'none' } });
  const funnel = await make<Funnel>('funnels', { name: 'mine', steps: [page('/'), page('/b')], within: 5, scope: 'visit' });
  const note = await make<Annotation>('annotations', { day: '2026-11-03', time: null, text: 'mine' });
  for (const [method, path] of [
    ['DELETE', `goals/${goal.id}`],
    ['DELETE', `funnels/${funnel.id}`],
    ['DELETE', `annotations/${note.id}`],
    ['GET', `funnels/${funnel.id}/result?${range}`],
  ] as const) {
    const answer = method === 'GET' ? await owner.get(als(path, other)) : await owner.send(method, als(path, other));
    expect([path, answer.statusCode]).toEqual([path, 404]);
  }
});
