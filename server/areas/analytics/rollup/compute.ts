import { randomInt } from 'node:crypto';
import { compileFilters } from '../filters';
import { dimensionTable } from '../dimensions';
import type { Dimension } from '../dimensions';
import { isCounted, sumOfSlices } from '../measures';
import { coverageOf } from '../queries';
import { edgesOf, rangeOf } from '../range';
import { slicesOf } from '../slices';
import type { Scan, Sql } from '../slices';
import type { ClickHouse } from '../../../stores/clickhouse/types';
import type { Day } from '../../../zone';
import { storedDimensions } from './definition';
import { daySketch, rowSketch, storedSums } from './schema';
import type { Sketch, StoredSum } from './schema';
import type { Computed } from './state';

export type RollupSite = { readonly id: string; readonly zone: string; readonly score?: string };

/** Computing one day must finish within this time (seconds). */
const settings = { do_not_merge_across_partitions_select_final: 1, max_execution_time: 300, max_block_size: 16_384 };

const scanOfDays = (site: RollupSite, from: Day, to: Day): Scan => {
  const { start, end } = rangeOf(from, to, site.zone);
  return {
    siteId: site.id,
    start,
    end,
    who: 'humans',
    filters: compileFilters([]),
    zone: site.zone,
    ...(site.score === undefined ? {} : { score: site.score }),
  };
};

/** `where`: SQL condition of the slices whose visitors the sketch contains. */
const stateOf = ({ name, precision }: Sketch, where: string): string => `${name}StateIf(${precision})(visitor_id, ${where}) AS visitor_state`;

/** `s_… , visitors, ips, visitor_state` of slices, as in the tables; a reader names the sums it needs, and the sketch if it needs one. */
export const cellColumns = (sketch: Sketch | null, sums: readonly StoredSum[] = storedSums, inSketch: string = isCounted.visitor_id): string =>
  [
    ...sums.map((id) => `toInt64(${sumOfSlices(id)}) AS s_${id}`),
    `uniqExactIf(visitor_id, ${isCounted.visitor_id}) AS visitors`,
    `uniqExactIf(ip_key, ${isCounted.ip_key}) AS ips`,
    ...(sketch ? [stateOf(sketch, inSketch)] : []),
  ].join(', ');
export const cellNames = (withState: boolean, sums: readonly StoredSum[] = storedSums): string =>
  [...sums.map((id) => `s_${id}`), 'visitors', 'ips', ...(withState ? ['visitor_state'] : [])].join(', ');

const withoutEvents = storedSums.filter((id) => id !== 'events');
const ofVisits = storedDimensions.filter((id) => dimensionTable[id].level === 'visit');
const ofViews = storedDimensions.filter((id) => dimensionTable[id].level === 'view');
/** All keys of a visit in one array, so that one pass serves every visit dimension. */
const together: Dimension = {
  level: 'visit',
  sql: `[${ofVisits.map((id) => dimensionTable[id].sql).join(', ')}]`,
  label: { zh: '', en: '' },
  unknown: { zh: '', en: '' },
};

/** Epoch µs of the ClickHouse clock, which also timestamps the changes. */
export async function storeClock(ch: ClickHouse): Promise<number> {
  const [row] = await ch.query<{ now: string }>("SELECT toString(toUnixTimestamp64Micro(now64(6, 'UTC'))) AS now");
  return Number(row?.now ?? 0);
}
/** Greater than all earlier generations. */
export const newGeneration = async (ch: ClickHouse): Promise<string> => (BigInt(await storeClock(ch)) * 1000n + BigInt(randomInt(1000))).toString();

/** Computes the cells of one whole day under a new generation; they are not visible to readers before `publishDay`. */
export async function computeCells(ch: ClickHouse, site: RollupSite, day: Day): Promise<string> {
  const generation = await newGeneration(ch);
  const scan = scanOfDays(site, day, day);
  const range = rangeOf(day, day, site.zone);
  const named = { day, generation };
  const put = (sql: string, slices: Sql): Promise<void> => ch.command(sql, { params: { ...slices.params, ...named }, settings });

  const hours = slicesOf(scan, edgesOf(range, 'hour'), null, ['pages', 'goals']);
  await put(
    `INSERT INTO rollup_totals (site_id, day, generation, hourly, step, ${cellNames(true)})
    SELECT {site:String}, {day:Date}, {generation:UInt64}, by_hour, if(by_hour = 1, toInt64(step), {start:Int64}) AS own_step,
      ${cellColumns(daySketch, storedSums, `${isCounted.visitor_id} AND by_hour = 0`)}
    FROM (${hours.sql}) ARRAY JOIN [0, 1] AS by_hour GROUP BY by_hour, own_step`,
    hours,
  );
  const whole = slicesOf(scan, [range.start], null);
  await put(
    `INSERT INTO rollup_visitors (site_id, day, generation, visitor_id)
    SELECT DISTINCT {site:String}, {day:Date}, {generation:UInt64}, visitor_id FROM (${whole.sql}) WHERE active`,
    whole,
  );
  const all = slicesOf(scan, [range.start], together, ['pages']);
  const fixed = '{site:String} AS site_id';
  const parts = [
    `SELECT ${fixed}, dimension, {day:Date}, {generation:UInt64}, one_key, ${cellColumns(rowSketch, withoutEvents)}
    FROM (${all.sql}) ARRAY JOIN [${ofVisits.map((id) => `'${id}'`).join(', ')}] AS dimension, row_key AS one_key GROUP BY dimension, one_key`,
    ...ofViews.map(
      (id) =>
        `SELECT ${fixed}, '${id}' AS dimension, {day:Date}, {generation:UInt64}, row_key AS one_key, ${cellColumns(rowSketch, withoutEvents)}
        FROM (${slicesOf(scan, [range.start], dimensionTable[id], ['pages']).sql}) GROUP BY row_key`,
    ),
  ];
  const into = (sums: readonly StoredSum[]): string => `INSERT INTO rollup_rows (site_id, dimension, day, generation, row_key, ${cellNames(true, sums)})`;
  await put(`${into(withoutEvents)}\n${parts.join('\nUNION ALL\n')}`, all);
  const events = slicesOf(scan, [range.start], dimensionTable.event, ['pages', 'goals']);
  await put(
    `${into(storedSums)}\nSELECT ${fixed}, 'event' AS dimension, {day:Date}, {generation:UInt64}, row_key AS one_key, ${cellColumns(rowSketch)} FROM (${events.sql}) GROUP BY row_key`,
    events,
  );
  return generation;
}

/** Makes a generation the current one of its day. A single row, so the switch is atomic. */
export async function publishDay(ch: ClickHouse, site: RollupSite, definition: string, day: Day, generation: string): Promise<void> {
  const { freshTo, suspected, bots } = await coverageOf({ clickhouse: ch }, scanOfDays(site, day, day));
  await ch.insert('rollup_days', [{ site_id: site.id, day, definition, generation, newest: freshTo ?? 0, suspected, bots }]);
}

/**
 * Counts the visitors of a computed day by the day of their previous visit, from the generations of this and all earlier days. The same generations always give
 * the same rows, so two processes can do this at once.
 */
export async function computeLinks(ch: ClickHouse, siteId: string, computed: readonly Computed[]): Promise<void> {
  const last = computed.at(-1);
  if (!last) return;
  const rows = await ch.query<{ prev: Day; visitors: string }>(
    `SELECT toString(prev) AS prev, count() AS visitors FROM (
      SELECT visitor_id, maxIf(day, day < {day:Date}) AS prev FROM rollup_visitors
      WHERE site_id = {siteId:String} AND day <= {day:Date} AND generation IN {generations:Array(UInt64)}
        AND visitor_id IN (SELECT visitor_id FROM rollup_visitors WHERE site_id = {siteId:String} AND day = {day:Date} AND generation = {generation:UInt64})
      GROUP BY visitor_id
    ) GROUP BY prev`,
    { params: { siteId, day: last.day, generation: last.generation, generations: computed.map((one) => BigInt(one.generation)) }, settings },
  );
  // A day without visitors also gets a row, which records that its visitors have been counted.
  const written = rows.length > 0 ? rows : [{ prev: '1970-01-01', visitors: '0' }];
  await ch.insert(
    'rollup_links',
    written.map((row) => ({ site_id: siteId, day: last.day, basis: last.basis, ...row })),
  );
}
