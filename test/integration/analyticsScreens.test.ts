import { jest } from '@jest/globals';
import type { Distribution, Flow, KnownShares, Movers, Outlook, Report, Tree } from '../../contract/analytics/schemas';
import { normalizePath } from '../../contract/paths';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { filterBy, happened, read } from './analyticsSupport';
import type { Story } from './analyticsSupport';

jest.setTimeout(60_000);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const zone = 'Asia/Kathmandu';
/** Midnight of 10 November in Kathmandu, UTC+5:45. */
const midnight = Date.parse('2026-11-09T18:15:00Z');
const hostile = normalizePath("/x') OR 1=1 --/{under:String}/%_\\");
let program: TestApp;
let owner: Person;
let siteId: string;
let empty: string;

const pages = (...paths: string[]): Story['pages'] => paths.map((path, i) => ({ path, after: i * minute, engaged: 1000 * (i + 1) }));
const search = { source_type: 'search', source_name: '百度' };

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  siteId = (await program.makeSite(owner, { name: '山谷', timeZone: zone })).id;
  empty = (await program.makeSite(owner, { name: '空', timeZone: zone })).id;
  await happened(program, siteId, [
    { visitor: 1, at: midnight + hour, pages: pages('/', '/docs/a', '/docs/a', '/docs/b/c', '/docs'), about: { ...search, keyword: '茶' } },
    { visitor: 1, at: midnight + 3 * hour, pages: pages('/docs/a', '/'), about: search },
    // Begins the day before, in the same visit.
    {
      visitor: 2,
      at: midnight - minute,
      pages: pages('/', '/docs/a', '/docs/b/'),
      about: { source_type: 'external', ref_host: 'a.example', ref_path: '/list' },
    },
    {
      visitor: 3,
      at: midnight + 5 * hour,
      pages: [{ path: hostile }, { path: '/docs/a', after: 1, host: 'm.example.com' }],
      about: { source_type: 'social', ref_host: 'b.example', ref_path: '/' },
    },
    // Only an event.
    { visitor: 4, at: midnight + 6 * hour, pages: [], events: [{ name: 'ping', after: 0, on: -1 }] },
    { visitor: 5, at: midnight + 6 * hour, pages: pages('/'), about: { bot_score: 95 } },
    // The week before, for a rising and a falling page.
    { visitor: 6, at: midnight - 7 * day + hour, pages: pages('/old', '/old', '/docs/a'), about: search },
    { visitor: 7, at: midnight - 7 * day + 20 * hour, pages: pages('/late', '/late'), about: search },
  ]);
});
afterAll(() => program.close());

const als = (path: string, site = siteId) => `/api/site/${site}/als/${path}`;
const range = 'from=2026-11-10&to=2026-11-10';
const tree = (query = '', site = siteId) => read<Tree>(owner, als(`tree?${range}${query}`, site));
const flow = (path: string, query = '') => read<Flow>(owner, als(`flow?${range}&path=${encodeURIComponent(path)}${query}`));
const report = (query = '') => read<Report>(owner, als(`report?${range}&${query}`));

/** Sets the program's clock. */
async function at<T>(now: number, work: () => Promise<T>): Promise<T> {
  const before = program.ctx.now;
  Object.assign(program.ctx, { now: () => now });
  try {
    return await work();
  } finally {
    Object.assign(program.ctx, { now: before });
  }
}

describe('the tree of directories', () => {
  const brief = ({ nodes }: Tree) => nodes.map(({ kind, path, pages: n, views, visitors, visits }) => [kind, path, n, views, visitors, visits]);

  test('has its direct directories and pages, counting each visitor once', async () => {
    const top = await tree();
    expect(brief(top)).toEqual([
      ['directory', '/docs/', 3, 7, 3, 3],
      ['page', '/', 1, 2, 1, 2],
      ['directory', "/x')%20OR%201=1%20--/", 1, 1, 1, 1],
      ['page', '/docs', 1, 1, 1, 1],
    ]);
    expect(top).toMatchObject({ under: '/', views: 11, more: false });
    expect(brief(await tree('&under=/docs/'))).toEqual([
      ['page', '/docs/a', 1, 5, 3, 3],
      ['directory', '/docs/b/', 2, 2, 2, 1],
    ]);
    expect(brief(await tree('&under=/docs/b/'))).toEqual([
      ['page', '/docs/b/', 1, 1, 1, 0],
      ['page', '/docs/b/c', 1, 1, 1, 1],
    ]);
    expect(brief(await tree(`&under=${encodeURIComponent("/x') OR 1=1 --/")}`))).toEqual([['directory', "/x')%20OR%201=1%20--/{under:String}/", 1, 1, 1, 1]]);
  });

  test('agrees with reports of directories, pages and filters', async () => {
    const rows = new Map((await report('by=directory&with=pages')).rows?.map((row) => [row.key, row.values]));
    const single = new Map((await report('by=path&with=pages')).rows?.map((row) => [row.key, row.values]));
    for (const node of (await tree()).nodes) {
      const values = node.kind === 'directory' ? rows.get(node.path) : single.get(node.path);
      expect([node.path, values]).toMatchObject([
        node.path,
        { views: node.views, visitors: node.visitors, visits: node.visits, avgTimeOnPage: node.avgTimeOnPage },
      ]);
    }
    const filter = filterBy('path:contains:docs');
    expect((await tree(filter)).views).toBe((await report(filter.slice(1))).totals.views);
    expect((await tree('&host=m.example.com')).views).toBe(1);
    expect((await tree(`&host=m.example.com${filterBy('path:is:/')}`)).nodes).toEqual([]);
  });

  test('lists the five hundred most viewed pages and counts all', async () => {
    const many = (await program.makeSite(owner, { name: '多', timeZone: zone })).id;
    const stories = Array.from({ length: 12 }, (_, i): Story => ({
      visitor: i + 1,
      at: midnight + hour,
      pages: Array.from({ length: 60 }, (_p, n) => ({ path: `/p/${i * 60 + n}`, after: n })),
    }));
    await happened(program, many, [...stories, { visitor: 50, at: midnight + hour, pages: pages('/p/719') }]);
    const answer = await tree('&under=/p/', many);
    expect([answer.nodes.length, answer.more, answer.views, answer.nodes[0]?.path]).toEqual([500, true, 721, '/p/719']);
  });

  test.each(['docs', '/docs', '', '/docs/%00x'])('refuses the directory %j', async (under) => {
    expect((await owner.get(als(`tree?${range}&under=${under}`))).statusCode).toBe(422);
  });
});

describe('before and after one page', () => {
  test('every view has one predecessor and one successor', async () => {
    const answer = await flow('/docs/a');
    expect(answer).toEqual({
      path: '/docs/a',
      views: 5,
      entries: 1,
      sources: [{ sourceType: 'search', sourceName: '百度', views: 1, share: 0.2 }],
      upstream: [
        { path: '/', views: 2, share: 0.4 },
        { path: hostile, views: 1, share: 0.2 },
      ],
      again: 1,
      exits: 1,
      downstream: [
        { path: '/', views: 1, share: 0.2 },
        { path: '/docs/b/', views: 1, share: 0.2 },
        { path: '/docs/b/c', views: 1, share: 0.2 },
      ],
      againNext: 1,
    });
  });

  test('agrees with the page’s report, even for hostile paths and filters', async () => {
    for (const path of ['/', '/docs/a', hostile, '/nowhere']) {
      for (const filter of ['', filterBy('sourceType:is:search'), filterBy('host:is:m.example.com')]) {
        const { totals } = await report(`with=pages${filter}${filterBy(`path:is:${path.replaceAll('\\', '\\\\')}`)}`);
        const answer = await flow(path, filter);
        expect([path, filter, answer.views, answer.entries, answer.exits]).toEqual([path, filter, totals.views, totals.entries, totals.exits]);
        const sum = (list: readonly { views: number }[]) => list.reduce((all, { views }) => all + views, 0);
        expect(answer.entries + answer.again + sum(answer.upstream)).toBe(answer.views);
        expect(answer.exits + answer.againNext + sum(answer.downstream)).toBe(answer.views);
      }
    }
  });
});

describe('visitors by activity', () => {
  const counted = (answer: Distribution) => answer.buckets.filter((one) => one.visitors > 0).map((one) => [one.key, one.visitors, one.visits, one.views]);

  test('each visitor is in one bucket, and buckets sum to the report', async () => {
    const visits = await read<Distribution>(owner, als(`distribution?${range}&of=visits`));
    expect(counted(visits)).toEqual([
      ['1', 3, 2, 4],
      ['2', 1, 2, 7],
    ]);
    const views = await read<Distribution>(owner, als(`distribution?${range}&of=views`));
    expect(counted(views)).toEqual([
      ['1', 1, 1, 0],
      ['2', 2, 1, 4],
      ['6-10', 1, 2, 7],
    ]);
    const { totals } = await report();
    for (const answer of [visits, views]) {
      expect(answer.visitors).toBe(totals.visitors);
      expect(answer.buckets.reduce((sum, one) => sum + one.visits, 0)).toBe(totals.visits);
      expect(answer.buckets.reduce((sum, one) => sum + one.views, 0)).toBe(totals.views);
      expect(answer.buckets.reduce((sum, one) => sum + (one.share ?? 0), 0)).toBeCloseTo(1);
    }
  });

  test('the distribution of two days is not the sum of both', async () => {
    const both = await read<Distribution>(owner, als('distribution?from=2026-11-09&to=2026-11-10&of=visits'));
    expect(counted(both)).toEqual([
      ['1', 3, 3, 5],
      ['2', 1, 2, 7],
    ]);
    const onPage = await read<Distribution>(owner, als(`distribution?${range}&of=views${filterBy('path:is:/docs/a')}`));
    expect(counted(onPage)).toEqual([
      ['1', 2, 1, 2],
      ['3', 1, 2, 3],
    ]);
  });
});

test('known shares of the traffic', async () => {
  expect(await read<KnownShares>(owner, als(`coverage?${range}`))).toEqual({ search: 2, keyword: 1, referred: 1, referrerPath: 0 });
  expect(await read<KnownShares>(owner, als('coverage?from=2026-11-09&to=2026-11-10'))).toEqual({ search: 2, keyword: 1, referred: 2, referrerPath: 1 });
  const rows = (await read<Report>(owner, als(`report?from=2026-11-09&to=2026-11-10&by=referrerPath${filterBy('sourceType:is:external|social|ai|email')}`)))
    .rows;
  expect(rows?.map((row) => [row.key, row.values.visits])).toEqual([
    ['', 1],
    ['a.example/list', 1],
  ]);
});

describe('rising and falling rows', () => {
  const movers = (query: string) => read<Movers>(owner, als(`movers?${range}&${query}`));

  test('against the same weekday', async () => {
    expect(await movers('by=path&measure=views&compare=weekday')).toEqual({
      fresh: [
        { key: '/', now: 2, before: 0 },
        { key: '/docs', now: 1, before: 0 },
        { key: '/docs/b/', now: 1, before: 0 },
        { key: '/docs/b/c', now: 1, before: 0 },
        { key: hostile, now: 1, before: 0 },
      ],
      rising: [{ key: '/docs/a', now: 5, before: 1 }],
      falling: [
        { key: '/late', now: 0, before: 2 },
        { key: '/old', now: 0, before: 2 },
      ],
    });
  });

  test('an unfinished day is compared with the same part of the earlier', async () => {
    await at(midnight + 10 * hour, async () => {
      const { falling } = await movers('by=path&measure=views&compare=weekday');
      expect(falling).toEqual([{ key: '/old', now: 0, before: 2 }]);
      const { compareTotals } = await report('compare=weekday');
      expect(compareTotals?.views).toBe(3);
    });
  });

  test('every measure and filter agrees with rows of reports', async () => {
    for (const measure of ['visits', 'visitors', 'views'] as const) {
      const query = `by=sourceType&compare=weekday${filterBy('path:contains:docs')}`;
      const rows = (await report(query)).rows ?? [];
      const { fresh, rising, falling } = await movers(`${query}&measure=${measure}`);
      for (const mover of [...fresh, ...rising]) {
        const row = rows.find(({ key }) => key === mover.key);
        expect([row?.values[measure], row?.compare?.[measure]]).toEqual([mover.now, mover.before]);
      }
      expect(falling.every(({ now, before }) => now < before)).toBe(true);
    }
  });

  test('without a comparison period there are no rows', async () => {
    const nothing = { fresh: [], rising: [], falling: [] };
    expect(await movers('by=path')).toEqual(nothing);
    expect(await movers('by=path&compare=year')).toEqual(nothing);
    expect((await owner.get(als(`movers?${range}&by=path&compare=custom`))).statusCode).toBe(422);
  });
});

describe('the forecast of the day', () => {
  const outlook = (query = '', site = siteId) => read<Outlook>(owner, als(`outlook?measure=views${query}`, site));

  test('uses four same weekdays at the same time of day', async () => {
    const site = (await program.makeSite(owner, { name: '一天', timeZone: zone })).id;
    // Share of views by nine in the morning: half, a third, none, all.
    const weeks = [
      [2, 2],
      [1, 2],
      [0, 3],
      [3, 0],
    ] as const;
    const visits = (start: number, from: number, n: number): Story[] =>
      Array.from({ length: n }, (_, i) => ({ visitor: 100 + i + from, at: start + (i === 0 ? 0 : i * 31 * minute), pages: pages('/') }));
    await happened(program, site, [
      ...weeks.flatMap(([early, late], i) => [
        ...visits(midnight - (i + 1) * 7 * day + 2 * hour, 0, early),
        ...visits(midnight - (i + 1) * 7 * day + 12 * hour, 50, late),
      ]),
      ...visits(midnight + hour, 0, 4),
      ...visits(midnight - day, 0, 4),
      { visitor: 900, at: midnight - day + 5 * hour, pages: pages('/'), about: { bot_score: 99 } },
    ]);
    await at(midnight + 9 * hour, async () => {
      expect(await outlook('', site)).toEqual({ soFar: 4, forecast: { low: 4, middle: 7, high: 12, days: 3 }, best: { day: '2026-11-09', value: 4 } });
      expect(await outlook(filterBy('path:is:/none'), site)).toEqual({ soFar: 0, forecast: null, best: null });
      expect((await outlook('&who=all', site)).best).toEqual({ day: '2026-11-09', value: 5 });
    });
    // The next day, only one earlier weekday has visits.
    await at(midnight + day + 9 * hour, async () =>
      expect(await outlook('', site)).toMatchObject({ soFar: 0, forecast: null, best: { day: '2026-11-10', value: 4 } }),
    );
  });
});

test('an empty site has empty results', async () => {
  expect(await tree('', empty)).toEqual({ under: '/', nodes: [], views: 0, more: false });
  const none = await read<Flow>(owner, als(`flow?${range}&path=/`, empty));
  expect(none).toEqual({ path: '/', views: 0, entries: 0, sources: [], upstream: [], again: 0, exits: 0, downstream: [], againNext: 0 });
  const spread = await read<Distribution>(owner, als(`distribution?${range}&of=visits`, empty));
  expect([spread.visitors, spread.buckets.length, spread.buckets.every((one) => one.visitors === 0 && one.share === null)]).toEqual([0, 16, true]);
  expect(await read<KnownShares>(owner, als(`coverage?${range}`, empty))).toEqual({ search: 0, keyword: 0, referred: 0, referrerPath: 0 });
  expect(await read<Movers>(owner, als(`movers?${range}&by=path&compare=previous`, empty))).toEqual({ fresh: [], rising: [], falling: [] });
  expect(await read<Outlook>(owner, als('outlook', empty))).toEqual({ soFar: 0, forecast: null, best: null });
});

test.each(['tree?', 'flow?path=/&', 'distribution?of=visits&', 'coverage?', 'movers?by=path&'])(
  '%s refuses parameters that no report accepts',
  async (path) => {
    for (const bad of [
      'from=2026-11-20&to=2026-11-19',
      `${range}&filter=path`,
      `${range}&segment=nonsense`,
      `${range}${filterBy('sourceType:is:teleport')}`,
      `from=2010-01-01&to=2026-01-01`,
    ])
      expect([bad, (await owner.get(als(`${path}${bad}`))).statusCode]).toEqual([bad, 422]);
    expect((await (await program.makePerson('member')).get(als(`${path}${range}`))).statusCode).toBe(404);
  },
);
