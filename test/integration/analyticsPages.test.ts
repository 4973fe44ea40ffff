import { jest } from '@jest/globals';
import { measureGroups } from '../../contract/analytics/schemas';
import type { Report } from '../../contract/analytics/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { filterBy, happened, read } from './analyticsSupport';

jest.setTimeout(60_000);
const minute = 60_000;
const day = '2026-11-10';
/** Midnight of that day in Shanghai. */
const midnight = Date.parse('2026-11-09T16:00:00Z');
let program: TestApp;
let owner: Person;
let siteId: string;

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  siteId = (await program.makeSite(owner, { name: '书房', timeZone: 'Asia/Shanghai' })).id;
  await happened(program, siteId, [
    {
      visitor: 1,
      at: midnight + 600 * minute,
      pages: [
        { path: '/a', engaged: 10_000, scroll: 50 },
        { path: '/b', after: minute, engaged: 20_000, scroll: 100, title: 'B' },
        { path: '/a', after: 2 * minute, engaged: 5000, scroll: 20 },
      ],
      events: [
        { name: '$vitals', after: 10, on: 0 },
        { name: 'buy', after: 90_000, on: 1 },
        { name: '$download', after: 3 * minute, on: 2 },
      ],
    },
    // A visit over midnight into the day: its event of that day belongs to a page opened before.
    {
      visitor: 2,
      at: midnight - 5 * minute,
      pages: [
        { path: '/a', engaged: 30_000, scroll: 80 },
        { path: '/b', after: 10 * minute, engaged: 40_000, scroll: 10 },
      ],
      events: [{ name: 'late', after: 8 * minute, on: 0 }],
    },
    // A visit over midnight out of the day.
    {
      visitor: 3,
      at: midnight + 1430 * minute,
      pages: [
        { path: '/b', engaged: 1000 },
        { path: '/a', after: 20 * minute, engaged: 2000, scroll: 90 },
      ],
    },
    // No page view of its own that day: an event in a tab left open.
    { visitor: 4, at: midnight + 900 * minute, pages: [], events: [{ name: 'ping', after: 0, on: -1 }] },
  ]);
});
afterAll(() => program.close());

const report = (query: string) => read<Report>(owner, `/api/site/${siteId}/als/report?from=${day}&to=${day}&with=pages&with=goals&${query}`);
const pick = ({ views, entries, exits, exitRate, downstream, avgTimeOnPage, avgScroll, events }: Report['totals']) => ({
  views,
  entries,
  exits,
  exitRate,
  downstream,
  avgTimeOnPage,
  avgScroll,
  events,
});

test('daily totals count each view and event at its time', async () => {
  expect(pick((await report('')).totals)).toEqual({
    views: 5,
    entries: 2,
    exits: 2,
    exitRate: 0.4,
    downstream: 3,
    avgTimeOnPage: 15.2,
    avgScroll: 0.36,
    events: 4,
  });
});

test('a page filter leaves the matching views and the events on them', async () => {
  expect(pick((await report(filterBy('path:is:/a'))).totals)).toEqual({
    views: 2,
    entries: 1,
    exits: 1,
    exitRate: 0.5,
    downstream: 1,
    avgTimeOnPage: 7.5,
    avgScroll: 0.35,
    events: 2,
  });
});

test('rows of pages', async () => {
  const { rows } = await report('by=path&sort=entries&byKey=0');
  expect(rows?.map((row) => [row.key, pick(row.values)])).toEqual([
    ['/a', { views: 2, entries: 1, exits: 1, exitRate: 0.5, downstream: 1, avgTimeOnPage: 7.5, avgScroll: 0.35, events: 2 }],
    ['/b', { views: 3, entries: 1, exits: 1, exitRate: 1 / 3, downstream: 2, avgTimeOnPage: 61 / 3, avgScroll: 110 / 300, events: 1 }],
  ]);
});

test('hours add up to the day', async () => {
  const { series, totals } = await report('series=1&gran=hour');
  for (const id of ['views', 'entries', 'exits', 'downstream', 'events'] as const)
    expect([id, series?.reduce((sum, { values }) => sum + (values[id] ?? 0), 0)]).toEqual([id, totals[id]]);
  expect(series?.[0]?.values).toMatchObject({ views: 1, entries: 0, exits: 1, events: 1, visitors: 1, visits: 0 });
  expect(series?.[15]?.values).toMatchObject({ views: 0, visits: 1, events: 1, avgTimeOnPage: null });
});

test('a row equals the report filtered by it, for every dimension', async () => {
  for (const by of ['path', 'entryPath', 'host', 'title', 'directory', 'deviceType', 'pages'] as const) {
    const { rows } = await report(`by=${by}&size=50`);
    for (const row of rows ?? []) expect([by, row.key, (await report(filterBy(`${by}:is:${row.key}`))).totals]).toEqual([by, row.key, row.values]);
  }
});

test('measures not requested are null and cannot sort', async () => {
  const plain = await read<Report>(owner, `/api/site/${siteId}/als/report?from=${day}&to=${day}&series=1&by=path`);
  for (const id of [...measureGroups.pages, ...measureGroups.goals]) {
    expect([id, plain.totals[id], plain.rows?.[0]?.values[id], plain.series?.[0]?.values[id]]).toEqual([id, null, null, null]);
    expect((await owner.get(`/api/site/${siteId}/als/report?from=${day}&to=${day}&by=path&sort=${id}`)).statusCode).toBe(422);
  }
  const pathReport = await report('by=path');
  for (const id of ['visitors', 'visits', 'views', 'bounceRate', 'avgDuration', 'ips'] as const) expect(pathReport.totals[id]).toBe(plain.totals[id]);
});

test('by minutes: the last six hours with yesterday’s, and daily totals', async () => {
  const { now } = program.ctx;
  Object.assign(program.ctx, { now: () => midnight + 602.5 * minute });
  try {
    const answer = await report('series=1&gran=minute&compare=custom&compareFrom=2026-11-09&compareTo=2026-11-09');
    expect([answer.series?.length, answer.compareSeries?.length]).toEqual([360, 360]);
    expect([answer.series?.at(0)?.label, answer.series?.at(-1)?.label, answer.compareSeries?.at(-1)?.label]).toEqual([
      '2026-11-10T04:03',
      '2026-11-10T10:02',
      '2026-11-09T10:02',
    ]);
    expect(answer.series?.slice(-3).map(({ values }) => values.views)).toEqual([1, 1, 1]);
    expect(answer.series?.map(({ open }) => open).lastIndexOf(false)).toBe(358);
    expect(answer.totals.views).toBe(5);
    // Shortly after midnight the day has fewer minutes.
    Object.assign(program.ctx, { now: () => midnight + 5.5 * minute });
    expect((await report('series=1&gran=minute')).series?.map(({ values }) => values.views)).toEqual([0, 0, 0, 0, 0, 1]);
  } finally {
    Object.assign(program.ctx, { now });
  }
});
