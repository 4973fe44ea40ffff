import type { DimensionId, Granularity } from '../../../../contract/analytics';
import { addDays, dayNumber, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { dimensionTable } from '../dimensions';
import { measureColumns, nothingOf, valuesOf } from '../measures';
import type { MeasureGroup, MeasureRow } from '../measures';
import { ask, coverageOf } from '../queries';
import type { Ask, Coverage, Series } from '../queries';
import { dayEdges, edgesOf } from '../range';
import type { Range } from '../range';
import { slicesOf, stepIn } from '../slices';
import type { Scan, Sql } from '../slices';
import { cellColumns, cellNames } from './compute';
import { definitionOf, isStored } from './definition';
import { daily, rowsInCells, sumOfCells } from './rows';
import type { CellRows } from './rows';
import { daySketch, rowSketch } from './schema';
import type { Sketch } from './schema';
import { SETTLE_MS, daysBetween, readState } from './state';
import type { Computed, State } from './state';

/** So many days at the end of a range may be counted from visits while the others come from cells. */
const MOST_LIVE_DAYS = 4;

export type RollupOptions = { /** `SETTLE_MS`; tests lower it. */ readonly settleMs?: number };

export type Rolled = {
  /** Rows by a dimension. */
  readonly rows: (to: Ask, by: DimensionId) => CellRows;
  readonly series: (to: Ask, gran: Granularity) => Promise<{ readonly series: Series; readonly error: number | null }>;
  readonly coverage: (to: Ask) => Promise<Coverage>;
};

/** Days from cells, and behind them days that are counted now: today, and what has just changed. */
type Parts = { readonly closed: readonly Computed[]; readonly live: { readonly scan: Scan; readonly range: Range; readonly edges: readonly number[] } | null };

/**
 * What can answer a question from cells, or null when visits must: under filters, for other populations than people, by minutes, for goals
 * and events, and where most of the range is not computed or has changed since.
 */
export async function rolledOf(
  to: Ask,
  scan: Scan,
  range: Range,
  asked: { readonly groups: readonly MeasureGroup[]; readonly by?: DimensionId | undefined; readonly gran?: Granularity | undefined; readonly now: number },
  options: RollupOptions = {},
): Promise<Rolled | null> {
  const { groups, by, gran, now } = asked;
  if (scan.who !== 'humans' || scan.filters.visit !== '1' || scan.filters.mask !== null) return null;
  if (groups.includes('goals') || gran === 'minute' || (by !== undefined && !isStored(by))) return null;
  const definition = definitionOf(scan.zone, scan.score);
  const read = (clickhouse: Ask['clickhouse']): Promise<State> => readState(clickhouse, scan.siteId, definition, scan.zone, options.settleMs ?? SETTLE_MS);
  const state = await (to.share ? to.share(['rollup', scan.siteId, definition], () => read(to.clickhouse)) : read(to.clickhouse));
  const parts = partsOf(state, scan, range, now);
  return parts && answersOf(scan, range, groups, parts);
}

function partsOf(state: State, scan: Scan, range: Range, now: number): Parts | null {
  if (state.days.size === 0) return null;
  const days = daysBetween(range.from, range.to);
  const closed: Computed[] = [];
  for (const day of days) {
    const computed = state.days.get(day);
    if (!computed || dayStart(addDays(day, 1), range.zone) > scan.end || !state.fresh(day)) break;
    closed.push(computed);
  }
  if (closed.length === 0) return null;
  const from = days[closed.length];
  const start = from === undefined ? scan.end : dayStart(from, range.zone);
  if (from === undefined || start >= scan.end) return { closed, live: null };
  const liveRange: Range = { ...range, from, start };
  const edges = dayEdges(liveRange).filter((edge) => edge < scan.end);
  if (edges.filter((edge) => edge <= now).length > MOST_LIVE_DAYS) return null;
  return { closed, live: { scan: { ...scan, start }, range: liveRange, edges } };
}

function answersOf(scan: Scan, range: Range, groups: readonly MeasureGroup[], { closed, live }: Parts): Rolled {
  const first = closed[0]?.day ?? range.from;
  const last = closed.at(-1)?.day ?? range.from;
  const oneDay = closed.length === 1 && live === null;
  const inCells = 'site_id = {site:String} AND day BETWEEN {firstDay:Date} AND {lastDay:Date} AND generation IN {generations:Array(UInt64)}';
  // Whole numbers in arrays travel without quotes.
  const params = { site: scan.siteId, firstDay: first, lastDay: last, generations: closed.map((one) => BigInt(one.generation)) };
  // Cells hold the sums of pages whether asked for or not: both sides have the same columns.
  const liveSlices = (edges: readonly number[], by: DimensionId | null): Sql | null =>
    live && slicesOf(live.scan, edges, by === null ? null : dimensionTable[by], ['pages']);

  function union(key: string, stored: string, counted: Sql | null, sketch: Sketch): Sql {
    const now = counted ? `\nUNION ALL\nSELECT ${key}, ${cellColumns(sketch)} FROM (${counted.sql}) GROUP BY ${key === 'step' ? 'step' : `${key}, step`}` : '';
    return { sql: `SELECT ${key}, ${cellNames} FROM ${stored}${now}`, params: { ...counted?.params, ...params } };
  }

  const totalCells = (hourly: boolean, edges: readonly number[]): Sql =>
    union('step', `rollup_totals WHERE hourly = ${hourly ? 1 : 0} AND ${inCells}`, liveSlices(edges, null), daySketch);

  /** Distinct visitors of the range (key 0) and of its steps (by their beginning), exactly; null while the links of a day are missing. */
  async function reach(to: Ask, steps: readonly number[]): Promise<ReadonlyMap<number, number> | null> {
    if (oneDay) return new Map();
    const beginnings = steps.map((step) => Math.max(step, range.start));
    const stepDays = daysOf(beginnings, range);
    const [links, fromLive] = await Promise.all([
      ask<{ one_day: Day; total: string; in_step: string }>(
        to,
        `SELECT toString(day) AS one_day, sumIf(n, prev < {firstDay:Date}) AS total, sumIf(n, toUInt16(prev) < roundDown(toUInt16(day), {stepDays:Array(UInt16)})) AS in_step
        FROM (SELECT day, prev, any(visitors) AS n FROM rollup_links
          WHERE site_id = {site:String} AND day BETWEEN {firstDay:Date} AND {lastDay:Date} AND basis IN {bases:Array(UInt64)} GROUP BY day, basis, prev)
        GROUP BY day`,
        { ...params, bases: closed.map((one) => BigInt(one.basis)), stepDays: stepDays.map((day) => dayNumber(day)) },
      ),
      reachLive(to, beginnings, stepDays),
    ]);
    if (links.length !== closed.length) return null;
    const reached = new Map<number, number>(fromLive);
    const add = (key: number, n: number): void => void reached.set(key, (reached.get(key) ?? 0) + n);
    for (const { one_day: day, total, in_step: inStep } of links) {
      add(0, Number(total));
      const at = dayStart(day, range.zone);
      const step = beginnings.findLast((beginning) => beginning <= at);
      if (step !== undefined) add(step, Number(inStep));
    }
    return reached;
  }

  /** What the days counted now add: their visitors who were not there on the computed days of the range, or of their step. */
  async function reachLive(to: Ask, beginnings: readonly number[], stepDays: readonly Day[]): Promise<ReadonlyMap<number, number>> {
    const slices = live && slicesOf(live.scan, live.edges, null);
    if (!live || !slices) return new Map();
    const straddles = beginnings.findLastIndex((beginning) => beginning <= live.scan.start);
    const [counted, [known]] = await Promise.all([
      ask<{ key: string; n: string }>(
        to,
        `SELECT ${stepIn('buckets', 'step')} AS key, uniqExact(visitor_id) AS n FROM (${slices.sql}) WHERE active GROUP BY ROLLUP(key)`,
        { ...slices.params, buckets: beginnings },
      ),
      ask<{ total: string; in_step: string }>(
        to,
        `SELECT uniqExact(visitor_id) AS total, uniqExactIf(visitor_id, day >= {stepDay:Date}) AS in_step FROM rollup_visitors
        WHERE ${inCells} AND visitor_id IN (SELECT visitor_id FROM (${slices.sql}) WHERE active)`,
        { ...slices.params, ...params, stepDay: stepDays[straddles] ?? first },
      ),
    ]);
    const added = new Map(counted.map((row) => [Number(row.key), Number(row.n)]));
    const straddled = beginnings[straddles];
    added.set(0, (added.get(0) ?? 0) - Number(known?.total ?? 0));
    if (straddled !== undefined) added.set(straddled, (added.get(straddled) ?? 0) - Number(known?.in_step ?? 0));
    return added;
  }

  return {
    rows(to, by) {
      const cells = union('row_key', `rollup_rows WHERE dimension = '${by}' AND ${inCells}`, liveSlices(live?.edges ?? [], by), rowSketch);
      return rowsInCells(to, cells, groups, oneDay);
    },

    async series(to, gran) {
      const long = gran === 'week' || gran === 'month';
      const edges = edgesOf(range, gran);
      const reached = await reach(to, long ? edges : [range.start]);
      const merged = `${daySketch.name}Merge(${daySketch.precision})(visitor_state)`;
      const known = 'arrayElement({counts:Array(UInt64)}, indexOf({keys:Array(Int64)}, toInt64(key)))';
      const counts = { keys: [...(reached?.keys() ?? [])], counts: [...(reached?.values() ?? [])], buckets: edges };
      const whole = oneDay ? 'sum(visitors)' : reached ? known : merged;
      const ofStep = long ? whole : 'sum(visitors)';
      // The whole range stands at key 0, which no step begins at.
      const asked = async (cells: Sql, key: string, totals: boolean): Promise<(MeasureRow & { key: string; summed: number })[]> => {
        const once = totals && ofStep !== whole ? `if(grouping(key) = 1, ${whole}, ${ofStep})` : ofStep;
        return ask(
          to,
          `SELECT toInt64(${key}) AS key, ${totals ? 'toUInt8(grouping(key))' : '0'} AS summed, ${measureColumns({ sum: sumOfCells, daily, once: () => once }, groups)}
          FROM (${cells.sql})\nGROUP BY ${totals ? 'ROLLUP(key)' : 'key'}`,
          { ...cells.params, ...counts },
        );
      };
      const liveHours = live && gran === 'hour' ? edgesOf(live.range, 'hour').filter((edge) => edge < live.scan.end) : [];
      const [days, hours] = await Promise.all([
        asked(totalCells(false, live?.edges ?? []), long ? stepIn('buckets', 'step') : 'step', true),
        gran === 'hour' ? asked(totalCells(true, liveHours), 'step', false) : null,
      ]);
      const total = days.find((row) => row.summed === 1);
      const steps = hours ?? days.filter((row) => row.summed === 0);
      return {
        series: { totals: total ? valuesOf(total) : nothingOf(groups), byStep: new Map(steps.map((row) => [Number(row.key), valuesOf(row)])) },
        error: reached || oneDay ? null : daySketch.error,
      };
    },

    async coverage(to) {
      const counted = live ? await coverageOf(to, live.scan) : { freshTo: null, suspected: 0, bots: 0 };
      const newest = Math.max(counted.freshTo ?? 0, ...closed.map((one) => one.newest));
      const sum = (of: (one: Computed) => number): number => closed.reduce((total, one) => total + of(one), 0);
      return { freshTo: newest === 0 ? null : newest, suspected: counted.suspected + sum((one) => one.suspected), bots: counted.bots + sum((one) => one.bots) };
    },
  };
}

/** Days that begin at the given instants. */
function daysOf(beginnings: readonly number[], range: Range): Day[] {
  const byStart = new Map(daysBetween(range.from, range.to).map((day) => [dayStart(day, range.zone), day]));
  return beginnings.map((beginning) => byStart.get(beginning) ?? range.from);
}
