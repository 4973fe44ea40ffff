import { pathFamily } from '../../contract/crawler/urlFamily';
import { percentiles, thresholds, vitalMetrics } from '../../contract/vitals/terms';
import type { VitalFigures } from '../../contract/vitals/schemas';
import type { VitalDimension, VitalMetric } from '../../contract/vitals/terms';
import { rangeOf } from '../../server/areas/analytics';
import * as queries from '../../server/areas/vitals/queries';
import { recomputeSite, sweepSite } from '../../server/areas/vitals/rollup/compute';
import { rolledOf } from '../../server/areas/vitals/rollup/read';
import type { Limits, Source } from '../../server/areas/vitals/values';
import { touchDays } from '../../server/collect/touched';
import { insertVitals, metricId } from '../../server/collect/vitals/row';
import type { VitalRow } from '../../server/collect/vitals/row';
import { randomFrom } from '../../server/kit/random';
import { DAY, dayAt, dayStart } from '../../server/zone';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { hex16 } from './collectSupport';

const zone = 'Asia/Kolkata';
const id = 'aaaaaaaaaaaa';
const [first, last] = ['2026-10-28', '2026-11-06'];
const now = dayStart(last, zone) + DAY / 2;
let t: TestApp;
let counted = 0;
const rowOf = (metric: VitalMetric, value: number, at: number, more: Partial<VitalRow> = {}): VitalRow => ({
  site_id: id,
  metric,
  metric_id: metricId(metric, String((counted += 1))),
  version: counted,
  view_id: hex16(),
  at,
  value,
  host: 'example.com',
  path: '/',
  family: '/',
  device: 'desktop',
  os: '',
  browser: 'Firefox',
  country: 'CN',
  province: '',
  connection: '4g',
  navigation: 'navigate',
  attribution: '',
  ...more,
});
const stored = new Map<string, VitalRow>();
function store(rows: readonly VitalRow[]): Promise<void> {
  for (const row of rows) stored.set(row.metric_id, row);
  return insertVitals(t.ctx.clickhouse, rows, String(counted));
}
const recompute = () => recomputeSite(t.ctx.clickhouse, { id, zone }, { now, settleMs: 0 });
const sourceOf = (limits: Partial<Limits> = {}): Source => ({ siteId: id, span: rangeOf(first, last, zone), limits });
const to = () => ({ clickhouse: t.ctx.clickhouse });
const cells = (source: Source, by?: VitalDimension) => rolledOf(to(), source, zone, { now, settleMs: 0, ...(by && { by }) });

beforeAll(async () => {
  t = await makeTestApp();
  const random = randomFrom('rollups');
  const scale: Record<VitalMetric, number> = { lcp: 2400, inp: 180, cls: 0.08, fcp: 1700, ttfb: 700 };
  const rows: VitalRow[] = [];
  for (let n = 0; n < 12_000; n += 1) {
    const metric = vitalMetrics[n % 5] ?? 'lcp';
    // Days differ, so that averages of their percentiles are wrong.
    const at = dayStart(first, zone) + Math.floor(random() ** 2 * 9.4 * DAY);
    const slow = 1 + ((at - dayStart(first, zone)) / DAY) * 0.4;
    const path = `/product/${Math.floor(random() * 40)}`;
    const device = random() < 0.3 ? 'mobile' : 'desktop';
    rows.push(
      rowOf(metric, scale[metric] * slow * Math.exp((random() + random() - 1) * 1.6) * (device === 'mobile' ? 2 : 1), at, {
        path,
        family: pathFamily(path),
        device,
      }),
    );
  }
  await store(rows);
  // Values that grew since: of several with one id the last counts.
  await store(rows.slice(0, 300).map((row) => ({ ...row, version: (counted += 1), value: row.value * 1.5 })));
});
afterAll(() => t.close());

/** The values of a metric that count, under a condition. */
const valuesOf = (metric: VitalMetric, holds: (row: VitalRow) => boolean): number[] =>
  [...stored.values()]
    .filter((row) => row.metric === metric && holds(row))
    .map(({ value }) => value)
    .sort((x, y) => x - y);
/** Counts are those of the values; a percentile is within the accuracy of the states of the values beside its position. */
function expectClose(metric: VitalMetric, found: VitalFigures | undefined, values: readonly number[]): void {
  const [good, poor] = thresholds[metric];
  const counts = { n: values.length, good: values.filter((one) => one <= good).length, poor: values.filter((one) => one > poor).length };
  expect(found).toMatchObject(counts);
  for (const percentile of percentiles) {
    const rank = Math.floor((values.length * percentile) / 100);
    const [least = 0, most = Infinity] = [values[Math.max(0, rank - 1)], values[Math.min(values.length - 1, rank + 1)]];
    const value = found?.[`p${percentile}`] ?? -1;
    expect([percentile, value >= least * 0.995 && value <= most * 1.005 ? '' : value]).toEqual([percentile, '']);
  }
}

test('figures from cells are those of the values, with percentiles merged and never averaged', async () => {
  expect(await cells(sourceOf())).toBeNull();
  expect(await recompute()).toBe(9);
  expect(await recompute()).toBe(0);
  for (const limits of [{}, { device: 'mobile' }] as Limits[]) {
    const source = sourceOf(limits);
    const rolled = await cells(source);
    expect(rolled?.generations).toHaveLength(9);
    const found = await queries.figuresByMetric(to(), source, rolled);
    for (const metric of vitalMetrics) {
      const values = valuesOf(metric, ({ device }) => device === (limits.device ?? device));
      expectClose(metric, found.get(metric)?.figures, values);
      expect(found.get(metric)?.views).toBe(values.length);
    }
  }
  const lcp = sourceOf({ metric: 'lcp' });
  const edges = [dayStart(first, zone), dayStart('2026-11-02', zone), dayStart(last, zone)];
  const steps = await queries.figuresByStep(to(), lcp, edges, await cells(lcp));
  for (const [index, edge] of edges.entries())
    expectClose(
      'lcp',
      steps.get(edge),
      valuesOf('lcp', ({ at }) => at >= edge && at < (edges[index + 1] ?? Infinity)),
    );
  expect(await queries.binsOf(to(), lcp, 'lcp', await cells(lcp))).toEqual(await queries.binsOf(to(), lcp, 'lcp'));
  const page = { page: 1, size: 5 };
  for (const by of ['path', 'device'] as const) {
    const rolled = await cells(lcp, by);
    const top = await queries.topKeys(to(), lcp, by, page, rolled);
    expect(top).toEqual(await queries.topKeys(to(), lcp, by, page));
    const all = sourceOf();
    const exact = await queries.breakdownOf(to(), all, by, top.keys, 75);
    const found = await queries.breakdownOf(to(), all, by, top.keys, 75, rolled);
    const inOrder = (rows: readonly queries.BreakdownRow[]) => rows.map(({ key, metric, n }) => `${key} ${metric} ${String(n)}`).sort();
    expect(inOrder(found)).toEqual(inOrder(exact));
  }
});

test('a day that changes is read from its values until it is computed again', async () => {
  const source = sourceOf();
  const count = async () => (await queries.figuresByMetric(to(), source, await cells(source))).get('lcp')?.figures.n ?? 0;
  const before = await count();
  await store([rowOf('lcp', 900, dayStart('2026-11-04', zone) + 1000)]);
  expect((await cells(source))?.generations).toHaveLength(6);
  expect(await count()).toBe(before + 1);
  // The change is at the edge of two days.
  expect(await recompute()).toBe(2);
  expect((await cells(source))?.generations).toHaveLength(9);
  expect(await count()).toBe(before + 1);
  // Other parts of a page's conditions have no cells.
  for (const limits of [{ path: '/' }, { like: '/%' }, { device: 'mobile' as const, country: 'CN' }]) expect(await cells(sourceOf(limits))).toBeNull();
  await touchDays(t.ctx.clickhouse, id);
  expect(await cells(source)).toBeNull();
  expect(await recompute()).toBe(9);
  await sweepSite(t.ctx.clickhouse, { id, zone }, 0);
  expect(await count()).toBe(before + 1);
  const [left] = await t.ctx.clickhouse.query<{ n: string }>('SELECT uniqExact(generation) AS n FROM vital_cells WHERE site_id = {id:String}', {
    params: { id },
  });
  expect(Number(left?.n)).toBe(9);
  expect(dayAt(now, zone)).toBe(last);
});

test('a value sent again after the end of a month counts once, where it was sent last', async () => {
  const end = Date.UTC(2026, 10, 1);
  const value = rowOf('lcp', 900, end - 2, { device: 'tablet' });
  await store([value]);
  await store([{ ...value, version: (counted += 1), at: end + 3 }]);
  await recompute();
  await recomputeSite(t.ctx.clickhouse, { id, zone: 'UTC' }, { now, settleMs: 0 });
  const found: unknown[] = [];
  for (const [of, from, until] of [
    [zone, first, '2026-11-01'],
    ['UTC', '2026-10-30', '2026-10-31'],
    ['UTC', '2026-11-01', '2026-11-02'],
  ] as const) {
    const source: Source = { siteId: id, span: rangeOf(from, until, of), limits: { device: 'tablet' } };
    const rolled = await rolledOf(to(), source, of, { now, settleMs: 0 });
    expect(rolled?.live).toBe(null);
    for (const rollups of [rolled, null]) found.push((await queries.figuresByMetric(to(), source, rollups)).get('lcp')?.figures.n ?? 0);
  }
  expect(found).toEqual([1, 1, 0, 0, 1, 1]);
});
