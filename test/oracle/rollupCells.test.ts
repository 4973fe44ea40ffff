import { jest } from '@jest/globals';
import { ReportQuery, measures } from '../../contract/analytics/schemas';
import type { Bucket, MeasureId, Report, Values } from '../../contract/analytics/schemas';
import { goalSql } from '../../server/areas/analytics/events';
import { makeReport } from '../../server/areas/analytics/report';
import { createShare } from '../../server/areas/analytics/share';
import { auditSite, recomputeSite, sweepSite } from '../../server/areas/analytics/rollup';
import { computeCells } from '../../server/areas/analytics/rollup/compute';
import { storedDimensions } from '../../server/areas/analytics/rollup/definition';
import { touchDays } from '../../server/collect/touched';
import { openTestStores } from '../support/stores';
import type { TestStores } from '../support/stores';
import { makeHits } from './reportFixture';
import { expectedTotals, stepOf, visitsFrom } from './reportOracle';
import type { OracleQuestion } from './reportOracle';
import { storeVisits } from './storedVisits';
import { inTurn } from '../support/thorough';

// Computes three weeks of cells for three zones, and dozens of reports each.
jest.setTimeout(280_000);

const siteId = 'aaaaaaaaaaaa';
const zones = ['America/New_York', 'Asia/Kathmandu'] as const;
const from = Date.parse('2026-10-26T06:00:00Z');
const to = Date.parse('2026-11-05T00:00:00Z');
// Midnights of both zones, and New York's clock change on 1 November at 06:00 UTC.
const edges = [
  '2026-10-29T04:00:00Z',
  '2026-10-28T18:15:00Z',
  '2026-11-01T04:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-11-02T05:00:00Z',
  '2026-11-02T18:15:00Z',
].map((t) => Date.parse(t));
const visits = visitsFrom(makeHits(20261120, 130, from, to, edges));
const foreign = visitsFrom(makeHits(7, 40, from, to, edges));
/** The last day of traffic is not over. */
const now = Date.parse('2026-11-04T13:30:00Z');
const settleMs = 0;

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  await storeVisits(stores.clickhouse, siteId, visits);
  await storeVisits(stores.clickhouse, 'bbbbbbbbbbbb', foreign, 2);
  for (const zone of zones) expect(await recompute(zone)).toBeGreaterThan(8);
});
afterAll(() => stores.close());

const recompute = (zone: string, options: Partial<Parameters<typeof recomputeSite>[2]> = {}) =>
  recomputeSite(stores.clickhouse, { id: siteId, zone }, { now, settleMs, keepDays: 9, ...options });

/** As on a screen, reports requested at once count common parts only once. */
const share = createShare();
type Extra = Partial<Omit<ReportQuery, 'filter'>>;
const ask = (zone: string, extra: Extra, rollup: { settleMs: number } | 'off' = { settleMs }, id = siteId, at = now): Promise<Report> =>
  makeReport({ clickhouse: stores.clickhouse, share }, { id, timeZone: zone }, ReportQuery.parse({ from: '2026-10-27', to: '2026-11-04', ...extra }), {
    now: () => at,
    rollup,
  });

const ofVisitors: readonly MeasureId[] = ['visitors', 'newRatio'];
/** Equal except for visitors, where `error` (relative standard error) is allowed five times, and at least one visitor. */
function same(actual: Values, expected: Values, what: string, error: number | null = null): void {
  for (const id of measures) {
    const [a, b] = [actual[id], expected[id]];
    const off = a !== null && b !== null ? Math.abs(a - b) : a === b ? 0 : Number.POSITIVE_INFINITY;
    const allowed = error !== null && ofVisitors.includes(id) ? (b ?? 0) * error * 5 + (id === 'visitors' ? 1 : 0) : 1e-9 * Math.max(1, Math.abs(b ?? 0));
    if (off > allowed) throw new Error(`${what}: ${id} is ${a}, should be ${b}`);
  }
}

/** The same report from cells and from visits. */
const both = (zone: string, extra: Extra): Promise<[Report, Report]> => Promise.all([ask(zone, extra), ask(zone, extra, 'off')]);
/** Returns the report from cells. */
function compare([rolled, raw]: readonly [Report, Report], what: string): Report {
  expect([what, rolled.explain.source, raw.explain.source]).toEqual([what, 'rollup', 'visits']);
  const { error } = rolled.explain;
  same(rolled.totals, raw.totals, `${what}, totals`);
  if (raw.compareTotals) same(rolled.compareTotals as Values, raw.compareTotals, `${what}, totals of the comparison`);
  for (const key of ['series', 'compareSeries'] as const)
    for (const [index, bucket] of (raw[key] ?? []).entries())
      same((rolled[key] as Bucket[])[index]?.values as Values, bucket.values, `${what}, ${key} ${bucket.label}`);
  expect([what, rolled.rowCount, rolled.rows?.map((row) => row.key).toSorted()]).toEqual([what, raw.rowCount, raw.rows?.map((row) => row.key).toSorted()]);
  for (const row of raw.rows ?? []) {
    const found = rolled.rows?.find((one) => one.key === row.key);
    same(found?.values as Values, row.values, `${what}, row ${row.key}`, error);
    if (row.compare) same(found?.compare as Values, row.compare, `${what}, row ${row.key} before`, error);
  }
  expect({ ...rolled.explain, source: 0, exact: 0, error: 0, tookMs: 0 }).toEqual({ ...raw.explain, source: 0, exact: 0, error: 0, tookMs: 0 });
  return rolled;
}

describe.each(zones)('%s', (zone) => {
  test('totals and steps equal those of visits, with exact visitors', async () => {
    const grans = ['hour', 'day', 'week', 'month'] as const;
    const compares = ['none', 'previous', 'weekday'] as const;
    const cases = inTurn(
      compares.flatMap((earlier) => grans.map((gran) => ({ gran, earlier }))),
      zones,
      zone,
    );
    const reports = await Promise.all(
      cases.map(({ gran, earlier }) => both(zone, { series: '1', gran, compare: earlier, with: earlier === 'none' ? ['pages'] : ['pages', 'goals'] })),
    );
    for (const [i, { gran, earlier }] of cases.entries())
      expect(compare(reports[i]!, `${gran}, ${earlier}`).explain).toMatchObject({ exact: true, error: null });
  });

  const dimensions = inTurn(storedDimensions, zones, zone);
  let tables: Promise<[Report, Report][]> | undefined;
  test.each(dimensions)('rows by %s', async (by) => {
    tables ??= Promise.all(
      dimensions.map((one) => both(zone, { by: one, size: 500, with: one === 'event' ? ['pages', 'goals'] : ['pages'], compare: 'previous' })),
    );
    const answer = compare((await tables)[dimensions.indexOf(by)]!, by);
    if (by === 'event') expect(answer.rows?.some((row) => (row.values.events ?? 0) > 0)).toBe(true);
    expect(answer.explain).toMatchObject({ exact: false, error: 0.0115 });
  });

  test('rows limited to some measures agree, and exactly without visitors', async () => {
    const sets = [['visitors'], ['newRatio'], ['views', 'visits'], ['bounceRate', 'avgPages', 'ips']] as const;
    const dimensionsHere = ['path', 'entryPath', 'sourceType'] as const;
    const extra: Extra = { size: 500, compare: 'previous', with: ['pages'] };
    const cases = inTurn(
      dimensionsHere.flatMap((by) => sets.map((measure) => ({ by, measure }))),
      zones,
      zone,
    );
    const [unlimited, limited] = await Promise.all([
      Promise.all(dimensionsHere.map((by) => ask(zone, { ...extra, by }, 'off'))),
      Promise.all(cases.map(({ by, measure }) => both(zone, { ...extra, by, sort: measure[0], measure: [...measure] }))),
    ]);
    for (const [i, { by, measure }] of cases.entries()) {
      const [sort] = measure;
      const some = compare(limited[i]!, `${by}, ${measure.join()}`);
      expect(some.explain.exact).toBe(sort !== 'visitors' && sort !== 'newRatio');
      const requestedMeasures: readonly MeasureId[] = measure;
      for (const row of some.rows ?? []) {
        const whole = unlimited[dimensionsHere.indexOf(by)]?.rows?.find((one) => one.key === row.key)?.values;
        same(
          row.values,
          Object.fromEntries(measures.map((id) => [id, requestedMeasures.includes(id) ? whole?.[id] : null])) as Values,
          `${by} ${row.key}`,
          0.0115,
        );
      }
    }
  });

  test('every range agrees, and rows of a single day are exact', async () => {
    const ranges = [
      ['2026-10-29', '2026-10-29'],
      ['2026-11-01', '2026-11-01'],
      ['2026-10-31', '2026-11-02'],
      ['2026-10-26', '2026-11-04'],
      ['2026-11-02', '2026-11-30'],
    ] as const;
    const cases = inTurn(
      ranges.flatMap(([first, last]) => (['path', 'sourceName', 'ago'] as const).map((by) => ({ first, last, by }))),
      zones,
      zone,
    );
    const reports = await Promise.all(cases.map(({ first, last, by }) => both(zone, { from: first, to: last, by, size: 500, series: '1', gran: 'day' })));
    for (const [i, { first, last, by }] of cases.entries()) {
      const answer = compare(reports[i]!, `${first} to ${last} by ${by}`);
      if (first === last) expect(answer.explain.exact).toBe(true);
    }
  });

  test('the oracle agrees', async () => {
    const question: OracleQuestion = { zone, from: '2026-10-27', to: '2026-11-02', who: 'humans', filters: [] };
    same((await ask(zone, { to: question.to })).totals, expectedTotals(visits, question), 'totals');
  });
});

describe('reports that cells cannot answer are counted from visits', () => {
  test.each([
    ['another population', { who: 'all' }],
    ['events of rows of something else', { with: ['goals'], by: 'sourceType' }],
    ['rows of events without their number', { by: 'event' }],
    ['days that are not over', { from: '2026-11-04', to: '2026-11-04' }],
    ['minutes', { from: '2026-11-04', to: '2026-11-04', gran: 'minute', series: '1' }],
    ['a zone that nothing is computed for', { from: '2026-10-28', to: '2026-11-04' }, 'Europe/Berlin'],
  ] as [string, Extra, string?][])('%s', async (_what, extra, zone = zones[0]) => {
    expect((await ask(zone, extra)).explain.source).toBe('visits');
  });

  test('conversions, where the site has goals', async () => {
    const goals = goalSql([{ id: 'one', condition: { kind: 'page', match: 'starts', path: '/' }, worth: { kind: 'fixed', amount: 2 } }]);
    const query = ReportQuery.parse({ from: '2026-10-27', to: '2026-11-04', by: 'event', with: 'goals' });
    const options = { now: () => now, rollup: { settleMs }, scope: { filters: [], goals } };
    const answer = await makeReport({ clickhouse: stores.clickhouse }, { id: siteId, timeZone: zones[0] }, query, options);
    expect(answer.explain.source).toBe('visits');
    expect(answer.totals.conversions).toBeGreaterThan(0);
  });

  test('a filter', async () => {
    const query = ReportQuery.parse({ from: '2026-10-27', to: '2026-11-04', filter: 'country:is:CN' });
    const answer = await makeReport({ clickhouse: stores.clickhouse }, { id: siteId, timeZone: zones[0] }, query, { now: () => now, rollup: { settleMs } });
    expect(answer.explain.source).toBe('visits');
  });
});

describe('stale cells are never shown', () => {
  const id = 'cccccccccccc';
  const zone = 'Asia/Kathmandu';
  const site = { id, zone };
  // As few days as possible, because each is computed many times: after a stale second day, more are left than a report counts from visits beside cells.
  const days = { from: '2026-10-28', to: '2026-11-02' };
  const keepDays = 5;
  const today = Date.parse('2026-11-02T13:30:00Z');
  const again = (options: Partial<Parameters<typeof recomputeSite>[2]> = {}) =>
    recomputeSite(stores.clickhouse, site, { now: today, settleMs, keepDays, ...options });
  const source = async (extra: Extra = {}) => (await ask(zone, { ...days, ...extra }, { settleMs }, id, today)).explain.source;
  /** Both sources give the same figures, whichever is used. */
  async function agrees(what: string): Promise<void> {
    const [rolled, raw] = await Promise.all([
      ask(zone, { ...days, by: 'path', size: 500 }, { settleMs }, id, today),
      ask(zone, { ...days, by: 'path', size: 500 }, 'off', id, today),
    ]);
    same(rolled.totals, raw.totals, what);
    expect(rolled.rows?.map((row) => row.key).toSorted()).toEqual(raw.rows?.map((row) => row.key).toSorted());
    for (const row of raw.rows ?? []) same(rolled.rows?.find((one) => one.key === row.key)?.values as Values, row.values, `${what} ${row.key}`, 0.0115);
  }
  const one = (start: string) => {
    const visit = visitsFrom(
      makeHits(99, 3, Date.parse(start), Date.parse(start) + 3_600_000, [Date.parse(start) + 60_000]).map((hit) => ({ ...hit, botScore: 0 })),
    ).find((v) => v.start >= Date.parse(start) - 3_600_000);
    if (!visit) throw new Error('the fixture made no visit');
    return visit;
  };

  beforeAll(async () => {
    await storeVisits(stores.clickhouse, id, visits.filter((v) => v.start >= Date.parse('2026-10-27T18:15:00Z')).slice(0, 200), 5);
    await again();
  });

  test('before and after the cells are computed', async () => {
    expect(await source()).toBe('rollup');
    await agrees('at first');
  });

  test('a late visit makes only its day and the next stale', async () => {
    await storeVisits(stores.clickhouse, id, [one('2026-10-29T03:00:00Z')], 9);
    expect(await source()).toBe('visits');
    expect(await source({ to: '2026-10-28' })).toBe('rollup');
    expect(await source({ from: '2026-10-31' })).toBe('rollup');
    await agrees('with a late visit');
    expect(await again()).toBeLessThanOrEqual(2);
    expect(await source()).toBe('rollup');
    await agrees('with a late visit, computed');
  });

  test('cells of the last minutes are not trusted as complete', async () => {
    const cautious = await ask(zone, days, { settleMs: 3_600_000 }, id, today);
    expect(cautious.explain.source).toBe('visits');
    expect(await again({ settleMs: 3_600_000 })).toBe(0);
  });

  test('rows deleted directly are reported by touchDays', async () => {
    await stores.clickhouse.command("ALTER TABLE visits DELETE WHERE site_id = {id:String} AND toDate(start) = '2026-10-30'", {
      params: { id },
      settings: { mutations_sync: 1 },
    });
    await touchDays(stores.clickhouse, id);
    expect(await source()).toBe('visits');
    await agrees('after deleting');
    await again();
    expect(await source()).toBe('rollup');
    await agrees('after deleting, computed');
  });

  test('another zone or other bot rules give another definition', async () => {
    expect((await ask('Asia/Tokyo', days, { settleMs }, id, today)).explain.source).toBe('visits');
    const query = ReportQuery.parse(days);
    const options = { now: () => today, rollup: { settleMs }, scope: { filters: [], score: 'if(bot_score > 10, 100, 0)' } };
    const answer = await makeReport({ clickhouse: stores.clickhouse }, { id, timeZone: zone }, query, options);
    expect(answer.explain.source).toBe('visits');
    await recomputeSite(stores.clickhouse, { ...site, score: options.scope.score }, { now: today, settleMs, keepDays });
    const rolled = await makeReport({ clickhouse: stores.clickhouse }, { id, timeZone: zone }, query, options);
    const raw = await makeReport({ clickhouse: stores.clickhouse }, { id, timeZone: zone }, query, { ...options, rollup: 'off' });
    expect(rolled.explain.source).toBe('rollup');
    same(rolled.totals, raw.totals, 'other rules');
    expect((await ask(zone, days, { settleMs }, id, today)).totals.visits).not.toBe(rolled.totals.visits);
  });

  test('an interrupted computation stays invisible and is cleaned up', async () => {
    const before = (await ask(zone, { ...days, by: 'path' }, { settleMs }, id, today)).rows;
    await computeCells(stores.clickhouse, site, '2026-10-30');
    expect((await ask(zone, { ...days, by: 'path' }, { settleMs }, id, today)).rows).toEqual(before);
    await agrees('beside half a computation');
    expect(await sweepSite(stores.clickhouse, site, 0)).toBeGreaterThan(0);
    expect(await sweepSite(stores.clickhouse, site, 0)).toBe(0);
    expect(await source()).toBe('rollup');
    await agrees('swept');
  });

  test('missing links only cost exactness', async () => {
    await storeVisits(stores.clickhouse, id, [one('2026-10-28T03:00:00Z')], 11);
    let steps = 2;
    await again({ goOn: () => (steps -= 1) >= 0 });
    const answer = await ask(zone, days, { settleMs }, id, today);
    expect(answer.explain).toMatchObject({ source: 'rollup', exact: false, error: 0.0029 });
    same(answer.totals, (await ask(zone, days, 'off', id, today)).totals, 'without links', 0.0029);
    await again();
    expect((await ask(zone, days, { settleMs }, id, today)).explain).toMatchObject({ source: 'rollup', exact: true });
  });

  test('two concurrent processes do no harm', async () => {
    await touchDays(stores.clickhouse, id);
    await Promise.all([again(), again()]);
    expect(await source()).toBe('rollup');
    await agrees('computed twice at once');
    expect((await ask(zone, days, { settleMs }, id, today)).explain.exact).toBe(true);
  });

  test('the audit finds, reports and repairs a wrong cell', async () => {
    const day = '2026-10-28';
    expect(await auditSite(stores.clickhouse, site, settleMs, day)).toBeNull();
    const stored = await stores.clickhouse.query<{ row_key: string }>(
      "SELECT row_key FROM rollup_rows WHERE site_id = {id:String} AND dimension = 'path' AND day = {day:Date} ORDER BY generation DESC, row_key LIMIT 1",
      { params: { id, day } },
    );
    const path = stored[0]?.row_key;
    await stores.clickhouse.command(
      "ALTER TABLE rollup_rows UPDATE s_views = s_views + 1 WHERE site_id = {id:String} AND dimension = 'path' AND day = {day:Date} AND row_key = {path:String}",
      { params: { id, day, path }, settings: { mutations_sync: 1 } },
    );
    const drift = await auditSite(stores.clickhouse, site, settleMs, day);
    expect(drift).toEqual({ day, cells: 1, samples: [`path ${path}`] });
    await again();
    expect(await auditSite(stores.clickhouse, site, settleMs, day)).toBeNull();
    await agrees('put right');
  });
});

test('the fixture has visits across midnight and returning visitors', () => {
  for (const zone of zones) expect(visits.filter((v) => stepOf(v.start, zone, 'day') !== stepOf(v.last, zone, 'day')).length).toBeGreaterThan(10);
  expect(new Set(visits.map((v) => v.visitor)).size).toBeLessThan(visits.length / 2);
});
