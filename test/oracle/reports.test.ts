import { jest } from '@jest/globals';
import { ReportQuery, bucketKeys, dimensions, measures } from '../../contract/analytics/schemas';
import type { Bucket, Report, Values } from '../../contract/analytics/schemas';
import { makeReport } from '../../server/areas/analytics/report';
import { createShare } from '../../server/areas/analytics/share';
import { filterText, same } from './compare';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { from, hits, makeHits, to, edges, zones } from './site';
import { expectedRows, expectedSteps, expectedTotals, inOrder, nothing, stepOf, visitsFrom } from './reportOracle';
import { sameDatesOfMonthBefore, sameWeekdaysBefore } from './calendar';
import type { Gran } from './calendar';
import type { OracleQuestion, Groups, OracleFilter } from './reportOracle';
import { storeHits } from './storedHits';
import { storeVisits } from './storedVisits';
import { inTurn } from '../support/thorough';

// Each test computes dozens of reports.
jest.setTimeout(240_000);

const siteId = 'aaaaaaaaaaaa';
/** The same hits, sent through the product's builder instead of being stored as finished visits. */
const builtId = 'dddddddddddd';
const visits = visitsFrom(hits);
/** Visits of another site, which must never be counted. */
const foreign = visitsFrom(makeHits(7, 40, from, to, edges));
const now = Date.parse('2026-12-01T00:00:00Z');

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  await storeVisits(stores.clickhouse, siteId, visits);
  await storeVisits(stores.clickhouse, 'bbbbbbbbbbbb', foreign, 2);
  await storeHits(stores.clickhouse, builtId, hits);
});
afterAll(() => stores.close());

/** As on a screen, reports requested at once count common parts only once. */
const share = createShare();
type Extra = Partial<Omit<ReportQuery, 'from' | 'to' | 'filter'>>;
async function report(question: OracleQuestion, extra: Extra = {}, at = now, exactVisits?: number, id = siteId): Promise<Report> {
  const query = ReportQuery.parse({ from: question.from, to: question.to, who: question.who, filter: question.filters.map(filterText), ...extra });
  return makeReport({ clickhouse: stores.clickhouse, share }, { id, timeZone: question.zone }, query, {
    now: () => at,
    ...(exactVisits === undefined ? {} : { exactVisits }),
  });
}

function sameRows(answer: Report, expected: ReadonlyMap<string, Values>, what: string): void {
  expect({ what, keys: answer.rows?.map((r) => r.key), count: answer.rowCount }).toEqual({
    what,
    keys: inOrder(expected, 'visitors', 'desc'),
    count: expected.size,
  });
  for (const row of answer.rows ?? []) {
    same(row.values, expected.get(row.key) as Values, `${what}, row ${row.key}`);
    expect(row.share).toBe((row.values.visitors ?? 0) / (answer.totals.visitors ?? 1));
  }
}

const questionFor = (zone: string, filters: OracleFilter[] = [], extra: Partial<OracleQuestion> = {}): OracleQuestion => ({
  zone,
  from: '2026-10-29',
  to: '2026-11-04',
  who: 'humans',
  filters,
  ...extra,
});
/** Dimensions whose rows overlap only for pages; events and goals have a separate comparison. */
const ofVisitsAndViews = dimensions.filter((id) => id !== 'event' && id !== 'goal');
/** With these groups every measure is computed. */
const groups: ('pages' | 'goals')[] = ['pages', 'goals'];
const all = { with: groups };
function sameSeries(series: readonly Bucket[] | null, ask: OracleQuestion, gran: Gran, counted: Groups, what: string): void {
  const expected = expectedSteps(visits, ask, gran, counted);
  for (const bucket of series ?? [])
    same(bucket.values, expected.get(stepOf(bucket.start, ask.zone, gran)) ?? nothing(counted), `${what}, ${gran} ${bucket.label}`);
  const named = new Set(series?.map((bucket) => stepOf(bucket.start, ask.zone, gran)));
  expect([...expected.keys()].filter((name) => !named.has(name))).toEqual([]);
}

const filterSets: Record<string, OracleFilter[]> = {
  none: [],
  'one page': [{ dimension: 'path', op: 'is', values: ['/News/一'] }],
  'pages with a part, in any case': [{ dimension: 'path', op: 'contains', values: ['news', '安装'] }],
  'pages but one': [{ dimension: 'path', op: 'not', values: ['/', '/docs'] }],
  'what the site was searched for': [{ dimension: 'siteSearch', op: 'is', values: ['乌龙茶', 'a:b|c\\d'] }],
  'outside a directory': [{ dimension: 'directory', op: 'not', values: ['/docs/', '/a|b/'] }],
  'page and host together': [
    { dimension: 'path', op: 'is', values: ['/docs'] },
    { dimension: 'host', op: 'is', values: ['m.example.com'] },
  ],
  'awkward texts': [{ dimension: 'path', op: 'is', values: ['/a|b', '/back\\slash', "/quo'te", ''] }],
  'search from China': [
    { dimension: 'sourceType', op: 'is', values: ['search', 'ai'] },
    { dimension: 'country', op: 'is', values: ['CN'] },
  ],
  'known search terms': [{ dimension: 'keyword', op: 'not', values: [''] }],
  'new, without a browser, on a page': [
    { dimension: 'newReturning', op: 'is', values: ['new'] },
    { dimension: 'browser', op: 'excludes', values: ['wechat'] },
    { dimension: 'title', op: 'excludes', values: ['DOCS'] },
  ],
  nothing: [{ dimension: 'city', op: 'is', values: ['nowhere'] }],
};

describe('the fixture covers the difficult cases', () => {
  test('every dimension has several values, every bucket a visit', () => {
    const ask = questionFor('Asia/Shanghai', [], { who: 'all' });
    for (const by of ofVisitsAndViews) {
      const keys = [...expectedRows(visits, ask, by).keys()];
      if (by in bucketKeys) expect({ by, keys: keys.sort() }).toEqual({ by, keys: [...bucketKeys[by as keyof typeof bucketKeys]].sort() });
      else expect({ by, many: keys.length > 1 }).toEqual({ by, many: true });
    }
    expect(visits.filter((v) => v.origin === 'audit').length).toBeGreaterThan(20);
    expect(visits.filter((v) => v.views.length === 0).length).toBeGreaterThan(5);
  });

  test('it has visits across midnight, and replaced and deleted versions', async () => {
    expect(visits.length).toBeGreaterThan(500);
    for (const zone of zones) expect(visits.filter((v) => stepOf(v.start, zone, 'day') !== stepOf(v.last, zone, 'day')).length).toBeGreaterThan(10);
    const [stored] = await stores.clickhouse.query<{ n: string; gone: string }>(
      "SELECT count() AS n, countIf(deleted) AS gone FROM visits WHERE site_id = 'aaaaaaaaaaaa'",
    );
    expect(Number(stored?.n)).toBeGreaterThan(visits.length * 1.1);
    expect(Number(stored?.gone)).toBeGreaterThan(20);
  });
});

describe.each(zones)('%s', (zone) => {
  test.each(inTurn(Object.keys(filterSets), zones, zone))('totals and every step of every granularity, filtered by: %s', async (name) => {
    const ask = questionFor(zone, filterSets[name]);
    const totals = expectedTotals(visits, ask, groups);
    const grans = ['hour', 'day', 'week', 'month'] as const;
    const [plain, withoutGroups, ...answers] = await Promise.all([
      report(ask, all),
      report(ask),
      ...grans.map((gran) => report(ask, { series: '1', gran, ...all })),
    ]);
    for (const [i, answer] of answers.entries()) {
      const gran = grans[i] ?? 'day';
      same(answer.totals, totals, `totals by ${gran}`);
      sameSeries(answer.series, ask, gran, groups, name);
      const begun = answer.series?.reduce((sum, bucket) => sum + (bucket.values.visits ?? 0), 0);
      expect(begun).toBe(totals.visits);
    }
    same(plain.totals, totals, 'totals without a series');
    same(withoutGroups.totals, expectedTotals(visits, ask), 'only what is asked for is counted');
  });

  const dimensionsHere = inTurn(ofVisitsAndViews, zones, zone);
  let tables: Promise<Report[]> | undefined;
  test.each(dimensionsHere)('rows by %s', async (by) => {
    const ask = questionFor(zone);
    tables ??= Promise.all(dimensionsHere.map((one) => report(ask, { by: one, size: 500, ...all })));
    sameRows((await tables)[dimensionsHere.indexOf(by)] as Report, expectedRows(visits, ask, by, groups), by);
  });

  test.each(['humans', 'suspected', 'bots', 'all'] as const)('the population "%s" and what it excludes', async (who) => {
    const ask = questionFor(zone, [], { who });
    const answer = await report(ask, { by: 'deviceType' });
    same(answer.totals, expectedTotals(visits, ask), who);
    const begun = (other: OracleQuestion['who']) => expectedTotals(visits, { ...ask, who: other }).visits;
    expect(answer.explain.excluded).toEqual({
      suspected: who === 'humans' || who === 'bots' ? begun('suspected') : 0,
      bots: who === 'humans' || who === 'suspected' ? begun('bots') : 0,
    });
  });

  test.each([
    ['previous', '2026-11-02', '2026-11-04', 'day', sameWeekdaysBefore('2026-11-02', '2026-11-04')],
    ['previous', '2026-11-01', '2026-11-30', 'day', sameDatesOfMonthBefore('2026-11-01', '2026-11-30')],
    ['previous', '2026-11-01', '2026-11-10', 'day', sameDatesOfMonthBefore('2026-11-01', '2026-11-10')],
    ['calendar', '2026-11-01', '2026-11-01', 'hour', sameDatesOfMonthBefore('2026-11-01', '2026-11-01')],
    // The clocks of New York change on this day.
    ['weekday', '2026-11-01', '2026-11-01', 'hour', sameWeekdaysBefore('2026-11-01', '2026-11-01')],
    ['weekday', '2026-11-01', '2026-11-04', 'day', sameWeekdaysBefore('2026-11-01', '2026-11-04')],
    ['custom', '2026-11-01', '2026-11-04', 'day', ['2026-10-25', '2026-10-30']],
  ] as const)('comparison: %s of %s to %s by %s', async (compare, firstDay, lastDay, gran, [compareFrom, compareTo]) => {
    const ask = questionFor(zone, filterSets['pages with a part, in any case'], { from: firstDay, to: lastDay });
    const extra = { compare, by: 'path', series: '1', gran, ...all, ...(compare === 'custom' ? { compareFrom, compareTo } : {}) } as const;
    // November is over in every zone.
    const answer = await report(ask, extra, Date.parse('2026-12-02T00:00:00Z'));
    expect([answer.compareFrom, answer.compareTo]).toEqual([compareFrom, compareTo]);
    const earlier = { ...ask, from: compareFrom, to: compareTo };
    same(answer.compareTotals as Values, expectedTotals(visits, earlier, groups), compare);
    sameSeries(answer.compareSeries, earlier, gran, groups, 'comparison');
    const rows = expectedRows(visits, earlier, 'path', groups);
    for (const row of answer.rows ?? [])
      if (rows.has(row.key)) same(row.compare as Values, rows.get(row.key) as Values, `row ${row.key}`);
      else expect(row.compare?.views).toBe(0);
  });

  test('an unfinished range is compared with the same part of the earlier', async () => {
    const ask = questionFor(zone, [], { from: '2026-11-01', to: '2026-11-04' });
    const at = Date.parse('2026-11-03T09:30:00Z');
    const answer = await report(ask, { compare: 'weekday', by: 'country', series: '1', gran: 'hour' }, at);
    const earlier = { ...ask, from: '2026-10-25', to: '2026-10-28' };
    expect(stepOf(answer.compareUntil as number, zone, 'day')).toBe('2026-10-27');
    same(answer.compareTotals as Values, expectedTotals(visits, { ...earlier, until: answer.compareUntil as number }), 'cut');
    sameSeries(answer.compareSeries, earlier, 'hour', [], 'comparison');
    const rows = expectedRows(visits, { ...earlier, until: answer.compareUntil as number }, 'country');
    for (const row of answer.rows ?? []) if (rows.has(row.key)) same(row.compare as Values, rows.get(row.key) as Values, row.key);
    expect(answer.series?.filter((b) => b.open).every((b) => b.end > at)).toBe(true);
    expect(answer.series?.some((b) => b.open)).toBe(true);
  });
});

test('late, repeated and unordered hits give the same reports as finished visits', async () => {
  for (const zone of zones) {
    for (const name of ['none', 'one page'] as const) {
      const ask = questionFor(zone, filterSets[name]);
      const built = (extra: Extra) => report(ask, { ...all, ...extra }, now, undefined, builtId);
      const dimensionsBuilt = ['path', 'title', 'sourceType', 'ago', 'visitNumber', 'engagedTime'] as const;
      const [days, ...answers] = await Promise.all([built({ series: '1', gran: 'day' }), ...dimensionsBuilt.map((by) => built({ by, size: 500 }))]);
      for (const [i, by] of dimensionsBuilt.entries()) sameRows(answers[i] as Report, expectedRows(visits, ask, by, groups), by);
      sameSeries(days.series, ask, 'day', groups, 'built');
    }
  }
});

describe('tables', () => {
  const ask = questionFor('Asia/Shanghai');

  test.each(measures)('sorted by %s, in both directions, page by page', async (sort) => {
    const expected = expectedRows(visits, ask, 'entryPath', groups);
    const size = Math.ceil(expected.size / 2);
    for (const dir of ['asc', 'desc'] as const) {
      const pages = await Promise.all([1, 2].map((page) => report(ask, { by: 'entryPath', sort, measure: [sort], dir, page, size, ...all })));
      expect(pages.map((answer) => [answer.rowCount, (answer.rows ?? []).length])).toEqual([
        [expected.size, size],
        [expected.size, expected.size - size],
      ]);
      expect(pages.flatMap((answer) => (answer.rows ?? []).map((row) => row.key))).toEqual(inOrder(expected, sort, dir));
    }
  });

  test('a page beyond the last is empty but has the total', async () => {
    const answer = await report(ask, { by: 'entryPath', page: 9, size: 100 });
    expect([answer.rows, answer.rowCount]).toEqual([[], expectedRows(visits, ask, 'entryPath').size]);
  });
});

describe('two screens agree', () => {
  const ask = questionFor('America/New_York');

  test('a row equals the totals of the report filtered by it', async () => {
    for (const by of ['path', 'entryPath', 'sourceType', 'province', 'newReturning', 'screen'] as const) {
      const table = await report(ask, { by, size: 500 });
      const rows = (table.rows ?? []).slice(0, 12);
      const alone = await Promise.all(rows.map((row) => report({ ...ask, filters: [{ dimension: by, op: 'is', values: [row.key] }] })));
      for (const [i, row] of rows.entries()) same((alone[i] as Report).totals, row.values, `${by} ${row.key}`);
    }
  });

  test('daily reports add up, but visitors of the range are counted once', async () => {
    const whole = await report(ask, { series: '1', gran: 'day' });
    let sum = 0;
    for (const bucket of whole.series ?? []) {
      const day = bucket.label.slice(0, 10);
      const alone = await report({ ...ask, from: day, to: day });
      same(alone.totals, bucket.values, day);
      sum += alone.totals.visitors ?? 0;
    }
    expect(whole.totals.visitorDays).toBe(sum);
    expect(whole.totals.visitors).toBeLessThan(sum);
  });

  test('a filter by page leaves the bounce flag of a visit alone', async () => {
    // Filtered rows look like one-page visits; counting rows would classify nearly all of them as bounced.
    const page: OracleFilter[] = [{ dimension: 'path', op: 'is', values: ['/docs'] }];
    const answer = await report({ ...ask, filters: page });
    const entering = visits.filter(
      (v) =>
        v.botScore < 50 &&
        v.origin !== 'audit' &&
        v.views[0]?.path === '/docs' &&
        stepOf(v.start, ask.zone, 'day') >= ask.from &&
        stepOf(v.start, ask.zone, 'day') <= ask.to,
    );
    expect(answer.totals.bounceRate).toBe(entering.filter((v) => v.bounce).length / entering.length);
  });
});

test('a range too large for exact counting says so and is accurate', async () => {
  const ask = questionFor('Asia/Shanghai');
  const exact = await report(ask, { series: '1', by: 'country' });
  const sketch = await report(ask, { series: '1', by: 'country' }, now, 0);
  expect([exact.explain.exact, exact.explain.error]).toEqual([true, null]);
  expect(sketch.explain).toMatchObject({ exact: false, error: 0.0029 });
  expect(Math.abs((sketch.totals.visitors ?? 0) / (exact.totals.visitors ?? 1) - 1)).toBeLessThan(0.02);
  expect(sketch.totals.views).toBe(exact.totals.views);
});

test('a report without visits has zeros and nulls on a full axis', async () => {
  const query = ReportQuery.parse({ from: '2026-11-01', to: '2026-11-03', series: '1', by: 'path', compare: 'previous' });
  const answer = await makeReport({ clickhouse: stores.clickhouse }, { id: 'cccccccccccc', timeZone: 'Asia/Shanghai' }, query, { now: () => now });
  expect(answer.totals).toMatchObject({ visitors: 0, views: 0, bounceRate: null, avgDuration: null });
  expect(answer.series).toHaveLength(3);
  expect(answer).toMatchObject({ rows: [], rowCount: 0, explain: { freshTo: null, exact: true } });
});
