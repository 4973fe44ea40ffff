import { jest } from '@jest/globals';
import { bucketKeys, dimensions } from '../../contract/analytics/schemas';
import type { DimensionId, Report } from '../../contract/analytics/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { filterBy, happened, read } from './analyticsSupport';
import type { Story } from './analyticsSupport';

jest.setTimeout(60_000);
const minute = 60_000;
const day = 24 * 60 * minute;
/** UTC+5:45. */
const zone = 'Asia/Kathmandu';
const midnight = Date.parse('2026-11-09T18:15:00Z');
let program: TestApp;
let owner: Person;
let siteId: string;

/** Visits of one visitor: number of views, duration (s), engaged time (s). */
const visit = (visitor: number, at: number, views: number, seconds: number, engaged: number): Story => ({
  visitor,
  at,
  pages: Array.from({ length: views }, (_, i) => ({
    path: `/p${i % 3}`,
    after: views === 1 ? 0 : Math.round((i * seconds * 1000) / (views - 1)),
    engaged: i === 0 ? engaged * 1000 : 0,
  })),
});

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  siteId = (await program.makeSite(owner, { name: '谷地', timeZone: zone })).id;
  await happened(program, siteId, [
    // Visits at 23:50, half an hour after midnight, two days later, a week later, a year later.
    visit(1, midnight - 400 * day, 1, 0, 0),
    visit(1, midnight - 10 * minute, 1, 0, 0),
    visit(1, midnight + 30 * minute, 7, 59, 9),
    visit(1, midnight + 2 * day, 12, 600, 30),
    visit(1, midnight + 9 * day, 120, 1200, 1800),
    {
      visitor: 2,
      at: midnight + 60 * minute,
      pages: [
        { path: '/docs/a', search: '安装' },
        { path: '/docs/b/c', after: 10 },
        { path: '//x/y', after: 20 },
        { path: '', after: 30 },
        { path: '/top', after: 40, search: '' },
      ],
      about: {
        ref_host: 'example.org',
        ref_path: '/list',
        ref_url: 'https://example.org/list?page=2',
        source_type: 'ad',
        keyword: 'tea',
        keyword_from: 'ad_param',
        utm_source: 'baidu',
        utm_medium: 'cpc',
        utm_term: 'tea',
        utm_content: 'a|b',
        click_id: 'bd_vid',
        os: 'Windows',
        os_version: '11',
        browser: 'WeChat',
        browser_version: '8.0',
        isp: 'China Telecom',
        origin: 'server',
      },
    },
    { visitor: 3, at: midnight + 70 * minute, pages: [{ path: '/' }], about: { ref_host: 'example.org', ref_path: '/', os_version: '', origin: 'audit' } },
    { visitor: 4, at: midnight + 80 * minute, pages: [{ path: '/' }], about: { ref_host: 'example.org', ref_path: '/', os_version: '' } },
  ]);
});
afterAll(() => program.close());

const report = (query: string, from = '2025-10-01') => read<Report>(owner, `/api/site/${siteId}/als/report?from=${from}&to=2026-12-01&${query}`);
const visitsBy = async (by: DimensionId) =>
  Object.fromEntries(((await report(`by=${by}&sort=visits&size=500`)).rows ?? []).map((row) => [row.key, row.values.visits]));

test.each<[DimensionId, Record<string, number>]>([
  ['ago', { first: 3, '0': 0, '1': 1, '2': 1, '3-7': 1, '>365': 1 }],
  ['pages', { '1': 3, '5': 1, '6-10': 1, '11-20': 1, '>100': 1 }],
  ['distinctPages', { '1': 3, '3': 3, '5': 1 }],
  ['duration', { '0-10': 4, '30-60': 1, '600-1800': 2 }],
  ['engagedTime', { '0-10': 5, '30-60': 1, '1800-3600': 1 }],
  ['visitNumber', { '1': 3, '2': 1, '3': 1, '4': 1, '5': 1 }],
  ['siteSearch', { '': 7, 安装: 1 }],
  ['directory', { '/': 7, '/docs/': 1 }],
  ['referrerPath', { '': 6, 'example.org/list': 1 }],
  ['referrerUrl', { '': 6, 'https://example.org/list?page=2': 1 }],
  ['keywordFrom', { '': 6, ad_param: 1 }],
  ['utmSource', { '': 6, baidu: 1 }],
  ['utmMedium', { '': 6, cpc: 1 }],
  ['utmTerm', { '': 6, tea: 1 }],
  ['utmContent', { '': 6, 'a|b': 1 }],
  ['clickId', { '': 6, bd_vid: 1 }],
  ['osVersion', { 'Windows 10': 5, 'Windows 11': 1, Windows: 1 }],
  ['browserVersion', { 'Chrome 140': 6, 'WeChat 8.0': 1 }],
  ['isp', { '': 6, 'China Telecom': 1 }],
  ['origin', { script: 6, server: 1 }],
])('visits by %s', async (by, expected) => {
  const { '0': sameDay = 0, ...others } = expected;
  expect(await visitsBy(by)).toEqual(sameDay > 0 || !('0' in expected) ? expected : others);
});

test('every dimension has rows, matching filters and known values', async () => {
  for (const by of dimensions) {
    if (by === 'event' || by === 'goal') continue;
    const { rows } = await report(`by=${by}&sort=views&size=2`, '2026-11-05');
    expect([by, rows?.length]).not.toEqual([by, 0]);
    for (const row of rows ?? []) {
      const key = row.key.replaceAll(/[\\|]/g, (char) => `\\${char}`);
      expect([by, row.key, (await report(filterBy(`${by}:is:${key}`), '2026-11-05')).totals]).toEqual([by, row.key, row.values]);
      const known = await read<string[]>(owner, `/api/site/${siteId}/als/values?by=${by}&from=2026-11-05&to=2026-12-01&q=${encodeURIComponent(row.key)}`);
      if (row.key !== '') expect([by, known]).toEqual([by, expect.arrayContaining([row.key])]);
    }
  }
});

test('rows by key: buckets keep axis order, others follow the direction', async () => {
  for (const dir of ['asc', 'desc']) {
    const { rows, totals } = await report(`by=pages&byKey=1&sort=visits&dir=${dir}`);
    expect(rows?.map((row) => row.key)).toEqual(bucketKeys.pages.filter((key) => ['1', '5', '6-10', '11-20', '>100'].includes(key)));
    expect(rows?.map((row) => row.share)).toEqual(rows?.map((row) => (row.values.visits ?? 0) / (totals.visits ?? 1)));
  }
  const paths = (await report('by=path&byKey=1&dir=asc&size=4')).rows?.map((row) => row.key);
  expect(paths).toEqual(['', '/', '//x/y', '/docs/a']);
  expect((await report('by=path&byKey=1&dir=desc&size=2')).rows?.map((row) => row.key)).toEqual(['/top', '/p2']);
});

test.each(['ago:is:soon', 'pages:not:many', 'duration:is:10', 'visitNumber:is:>', 'origin:is:audit'])('the filter %s is refused', async (filter) => {
  expect((await owner.get(`/api/site/${siteId}/als/report?from=2026-11-01&to=2026-11-02${filterBy(filter)}`)).statusCode).toBe(422);
});

test('the latest visits can be filtered by buckets', async () => {
  const { rows } = await read<{ rows: { views: number }[] }>(owner, `/api/site/${siteId}/als/latest?${filterBy('ago:is:1')}`);
  expect(rows.map((row) => row.views)).toEqual([7]);
});
