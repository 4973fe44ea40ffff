import { randomInt } from 'node:crypto';
import { isNull } from 'drizzle-orm';
import { binEnds, thresholds, vitalDimensions, vitalMetrics } from '../../../../contract/vitals/terms';
import type { VitalMetric } from '../../../../contract/vitals/terms';
import type { Context } from '../../../context';
import type { ClickHouse } from '../../../stores/clickhouse/types';
import { addDays, dayAt, dayCount, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { sites } from '../../sites/schema';
import { binSql, inRange } from '../values';
import { ranksStateSql } from './schema';
import { readState, settleMs as usualSettleMs } from './state';

/** Sites with more stored values than this have rollups; those of smaller ones are read within some hundred milliseconds. */
const leastValues = 500_000;
/** One run stops after this many ms, so that other schedules run as well; the next run continues. */
const runMs = 20_000;
/** Keys of a dimension that are stored for each day: those with the most values. */
const mostKeys = 2000;
/** After this many ms, nobody computes or reads a generation that began before then. */
const goneAfterMs = 3_600_000;
const settings = { max_execution_time: 300 };

export type RollupSite = { readonly id: string; readonly zone: string };

/** Epoch µs of the clock that also timestamps the changes. */
async function storeClock(ch: ClickHouse): Promise<number> {
  const [row] = await ch.query<{ now: string }>("SELECT toString(toUnixTimestamp64Micro(now64(6, 'UTC'))) AS now");
  return Number(row?.now ?? 0);
}

/** One pass over the values of a metric serves every dimension. */
function cellsOf(metric: VitalMetric): string {
  const [good, poor] = thresholds[metric];
  const ends = binEnds[metric];
  return `INSERT INTO vital_cells (site_id, dimension, metric, day, generation, start, cell_key, n, good, poor, views, bins, ranks)
  SELECT {site:String} AS site, one_dimension, '${metric}', {day:Date}, {generation:UInt64}, {start:Int64}, one_key, count() AS n, countIf(value <= ${good}), countIf(value > ${poor}),
    uniqExact(view_id), sumForEach(if(one_dimension = '', arrayMap(k -> toUInt64(k = bin), range(${ends.length + 1})), [])), ${ranksStateSql}
  FROM (
    SELECT value, view_id, ${binSql(metric)} AS bin,
      [${["''", ...vitalDimensions.map((one) => `toString(${one})`)].join(', ')}] AS all_keys
    FROM web_vitals FINAL
    WHERE site_id = {site:String} AND metric = '${metric}' AND ${inRange}
  ) ARRAY JOIN [${['', ...vitalDimensions].map((one) => `'${one}'`).join(', ')}] AS one_dimension, all_keys AS one_key
  GROUP BY one_dimension, one_key ORDER BY n DESC, one_key LIMIT ${mostKeys} BY one_dimension`;
}

async function computeDay(ch: ClickHouse, { id, zone }: RollupSite, day: Day): Promise<void> {
  const generation = (BigInt(await storeClock(ch)) * 1000n + BigInt(randomInt(1000))).toString();
  const params = { site: id, day, generation, start: dayStart(day, zone), end: dayStart(addDays(day, 1), zone) };
  for (const metric of vitalMetrics) await ch.command(cellsOf(metric), { params, settings });
  // A single row, so that the switch is atomic.
  await ch.insert('vital_days', [{ site_id: id, zone, day, generation }]);
}

/** Computes the missing and changed days of a site before today, the newest first. Several processes may do so at once: their generations keep their cells apart. */
export async function recomputeSite(
  ch: ClickHouse,
  site: RollupSite,
  { now, settleMs = usualSettleMs, goOn = () => true }: { readonly now: number; readonly settleMs?: number; readonly goOn?: () => boolean },
): Promise<number> {
  const [found] = await ch.query<{ first: number }>(
    'SELECT toFloat64(toUnixTimestamp64Milli(min(at))) AS first FROM web_vitals WHERE site_id = {site:String}',
    {
      params: { site: site.id },
    },
  );
  const first = dayAt(found?.first ?? now, site.zone);
  const clock = await storeClock(ch);
  const state = await readState(ch, site.id, site.zone, settleMs);
  let computed = 0;
  for (let day = addDays(dayAt(now, site.zone), -1); dayCount(first, day) > 0; day = addDays(day, -1)) {
    if (state.isFresh(day) || !state.isSettled(day, clock)) continue;
    if (!goOn()) break;
    await computeDay(ch, site, day);
    computed += 1;
  }
  return computed;
}

/** Deletes cells that were replaced or never became current. */
export async function sweepSite(ch: ClickHouse, site: RollupSite, after = goneAfterMs): Promise<void> {
  const { days } = await readState(ch, site.id, site.zone, 0);
  const params = {
    site: site.id,
    before: (BigInt((await storeClock(ch)) - after * 1000) * 1000n).toString(),
    current: [...days.values()].map(({ generation }) => BigInt(generation)),
  };
  for (const table of ['vital_cells', 'vital_days'])
    await ch.command(`DELETE FROM ${table} WHERE site_id = {site:String} AND generation < {before:UInt64} AND NOT has({current:Array(UInt64)}, generation)`, {
      params,
    });
}

async function largeSites(ctx: Context): Promise<RollupSite[]> {
  const large = await ctx.clickhouse.query<{ id: string }>('SELECT toString(site_id) AS id FROM web_vitals GROUP BY site_id HAVING count() > {least:UInt64}', {
    params: { least: leastValues },
  });
  if (large.length === 0) return [];
  const known = await ctx.postgres.db.select({ id: sites.id, zone: sites.timeZone }).from(sites).where(isNull(sites.deletedAt));
  return known.filter(({ id }) => large.some((one) => one.id === id));
}

/** Keeps the rollups of large sites up to date. */
export async function recomputeVitals(ctx: Context): Promise<void> {
  const end = performance.now() + runMs;
  for (const site of await largeSites(ctx)) await recomputeSite(ctx.clickhouse, site, { now: ctx.now(), goOn: () => performance.now() < end });
}
export async function sweepVitals(ctx: Context): Promise<void> {
  for (const site of await largeSites(ctx)) await sweepSite(ctx.clickhouse, site);
}
