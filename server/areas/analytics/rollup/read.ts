import type { DimensionId, Granularity, MeasureId, Values } from '../../../../contract/analytics/schemas';
import { isAxis } from '../../../../contract/measuring/buckets';
import { addDays, dayNumber, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { dimensionTable, hasFewKeys } from '../dimensions';
import type { Dimension } from '../dimensions';
import { measureColumns, measuresWith, nothingOf, valuesOf, withVisitors } from '../measures';
import type { MeasureGroup, MeasureRow } from '../measures';
import { runQuery, coverageOf } from '../queries';
import type { QueryContext, Coverage, Series } from '../queries';
import { dayEdges, edgesOf } from '../range';
import type { Range } from '../range';
import { activeVisitors, slicesOf, stepIn } from '../slices';
import type { Scan, Sql } from '../slices';
import { cellColumns, cellNames } from './compute';
import { definitionOf, isStored } from './definition';
import { daily, rowsInCells, storedSumsOf, sumOfCells } from './rows';
import type { CellRows, Cells } from './rows';
import { daySketch, rowSketch } from './schema';
import type { Sketch, StoredSum } from './schema';
import { SETTLE_MS, daysBetween, readState } from './state';
import type { Computed, State } from './state';

/** So many days at the end of a range may be counted from visits while the others come from cells. */
const MOST_LIVE_DAYS = 4;

export type RollupOptions = { /** `SETTLE_MS`; tests lower it. */ readonly settleMs?: number };

export type Rolled = {
  /** Names the stored days that answer: two questions with the same have the same to go by. */
  readonly basis: string;
  /** Rows by a dimension. */
  readonly rows: (to: QueryContext, by: DimensionId, only?: readonly MeasureId[]) => CellRows;
  readonly series: (to: QueryContext, gran: Granularity) => Promise<RolledSeries>;
  readonly coverage: (to: QueryContext) => Promise<Coverage>;
};
/** `error`: relative standard error of the visitors; null where they are exact. */
export type RolledSeries = { readonly series: Series; readonly error: number | null };

/** Days from cells, and behind them days that are counted now: today, and what has just changed. */
type Parts = { readonly closed: readonly Computed[]; readonly live: { readonly scan: Scan; readonly range: Range; readonly edges: readonly number[] } | null };

/**
 * What can answer a question from cells, or null when visits must: under filters, for other populations than people, by minutes, for conversions,
 * and where most of the range is not computed or has changed since.
 */
export async function rolledOf(
  to: QueryContext,
  scan: Scan,
  range: Range,
  request: { readonly groups: readonly MeasureGroup[]; readonly by?: DimensionId | undefined; readonly gran?: Granularity | undefined; readonly now: number },
  options: RollupOptions = {},
): Promise<Rolled | null> {
  const { groups, by, gran, now } = request;
  if (scan.who !== 'humans' || scan.filters.visit !== '1' || scan.filters.mask !== null) return null;
  // Which cities are hidden depends on the range.
  if (by === 'city' && scan.cities) return null;
  // Cells are of the usual buckets.
  if (by !== undefined && isAxis(by) && scan.buckets) return null;
  // Events are counted in totals and in rows of events, see `storedSums`.
  const counts = groups.includes('goals');
  if (gran === 'minute' || (counts && scan.goals?.some === true) || (by !== undefined && !(isStored(by) && counts === (by === 'event')))) return null;
  const definition = definitionOf(scan.zone, scan.score);
  const read = (clickhouse: QueryContext['clickhouse']): Promise<State> =>
    readState(clickhouse, scan.siteId, definition, scan.zone, options.settleMs ?? SETTLE_MS);
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
  /** Cells of the closed days, and those of the live ones counted now. `sketch`: null where nobody merges visitors; `where`: of both. */
  function union(
    key: 'step' | 'row_key',
    stored: string,
    edges: readonly number[],
    by: Dimension | null,
    sums: readonly StoredSum[],
    sketch: Sketch | null,
    where = '1',
  ): Sql {
    const slices = live && slicesOf(live.scan, edges, by, groups);
    const grouping = key === 'step' ? 'step' : `${key}, step`;
    const now = slices ? `\nUNION ALL\nSELECT ${key}, ${cellColumns(sketch, sums)} FROM (${slices.sql}) WHERE ${where} GROUP BY ${grouping}` : '';
    return { sql: `SELECT ${key}, ${cellNames(sketch !== null, sums)} FROM ${stored} AND ${where}${now}`, params: { ...slices?.params, ...params } };
  }

  const allSums = storedSumsOf(measuresWith(groups));
  const totalCells = (hourly: boolean, edges: readonly number[], sketch: Sketch | null): Sql =>
    union('step', `rollup_totals WHERE hourly = ${hourly ? 1 : 0} AND ${inCells}`, edges, null, allSums, sketch);

  /** What is to be added to the visitors of live days alone to have those of the range (key 0) and of its steps (by their beginning), exactly; null while the links of a day are missing. */
  async function reach(to: QueryContext, beginnings: readonly number[]): Promise<ReadonlyMap<number, number> | null> {
    const stepDays = daysOf(beginnings, range);
    const [links, known] = await Promise.all([
      runQuery<{ one_day: Day; total: string; in_step: string }>(
        to,
        `SELECT toString(day) AS one_day, sumIf(n, prev < {firstDay:Date}) AS total, sumIf(n, toUInt16(prev) < roundDown(toUInt16(day), {stepDays:Array(UInt16)})) AS in_step
        FROM (SELECT day, prev, any(visitors) AS n FROM rollup_links
          WHERE site_id = {site:String} AND day BETWEEN {firstDay:Date} AND {lastDay:Date} AND basis IN {bases:Array(UInt64)} GROUP BY day, basis, prev)
        GROUP BY day`,
        { ...params, bases: closed.map((one) => BigInt(one.basis)), stepDays: stepDays.map((day) => dayNumber(day)) },
      ),
      knownBefore(to, beginnings, stepDays),
    ]);
    if (links.length !== closed.length) return null;
    const reached = new Map<number, number>(known);
    const add = (key: number, n: number): void => void reached.set(key, (reached.get(key) ?? 0) + n);
    for (const { one_day: day, total, in_step: inStep } of links) {
      add(0, Number(total));
      const at = dayStart(day, range.zone);
      const step = beginnings.findLast((beginning) => beginning <= at);
      if (step !== undefined) add(step, Number(inStep));
    }
    return reached;
  }

  /** Visitors of the live days who were there on the computed days of the range, or of their step, already: taken off (below 0). */
  async function knownBefore(to: QueryContext, beginnings: readonly number[], stepDays: readonly Day[]): Promise<ReadonlyMap<number, number>> {
    if (!live) return new Map();
    const visitors = activeVisitors(live.scan);
    const straddles = beginnings.findLastIndex((beginning) => beginning <= live.scan.start);
    const straddled = beginnings[straddles];
    // Names are spread evenly: looking them up in the index takes time and leaves nothing out.
    const [known] = await runQuery<{ total: string; in_step: string }>(
      to,
      `SELECT uniqExact(visitor_id) AS total, uniqExactIf(visitor_id, day >= {stepDay:Date}) AS in_step FROM rollup_visitors
      WHERE ${inCells} AND visitor_id IN (${visitors.sql})
      SETTINGS use_index_for_in_with_subqueries = 0`,
      { ...visitors.params, ...params, stepDay: stepDays[straddles] ?? first },
    );
    const alreadyCounted = new Map([[0, -Number(known?.total ?? 0)]]);
    if (straddled !== undefined) alreadyCounted.set(straddled, -Number(known?.in_step ?? 0));
    return alreadyCounted;
  }

  /** Distinct visitors of the live days by the step they fall into, and of all of them (key 0). */
  async function liveVisitors(to: QueryContext, beginnings: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (!live) return new Map();
    const slices = slicesOf(live.scan, live.edges, null);
    const rows = await runQuery<{ key: string; n: string }>(
      to,
      `SELECT ${stepIn('buckets', 'step')} AS key, uniqExact(visitor_id) AS n FROM (${slices.sql}) WHERE active GROUP BY ROLLUP(key)`,
      { ...slices.params, buckets: beginnings },
    );
    return new Map(rows.map((row) => [Number(row.key), Number(row.n)]));
  }

  return {
    basis: `${first} ${last} ${closed.at(-1)?.basis ?? ''}`,

    rows(to, by, only) {
      const dimension = dimensionTable[by];
      const stored = `rollup_rows WHERE dimension = '${by}' AND ${inCells}`;
      const cells: Cells = ({ sums, withState, keys }) => {
        const { sql, params: of } = union(
          'row_key',
          stored,
          live?.edges ?? [],
          dimension,
          sums,
          withState ? rowSketch : null,
          keys ? 'row_key IN {keys:Array(String)}' : '1',
        );
        return { sql, params: keys ? { ...of, keys } : of };
      };
      return rowsInCells(to, cells, groups, { few: hasFewKeys(by), exact: oneDay, only });
    },

    async series(to, gran) {
      const long = gran === 'week' || gran === 'month';
      const edges = edgesOf(range, gran);
      const merged = `${daySketch.name}Merge(${daySketch.precision})(visitor_state)`;
      /** `once`: how visitors are counted; of a single day or hour they stand in its cell. */
      const countCells = (cells: Sql, key: string, totals: boolean, once = 'sum(visitors)'): Promise<(MeasureRow & { key: string; summed: number })[]> =>
        runQuery(
          to,
          `SELECT toInt64(${key}) AS key, ${totals ? 'toUInt8(grouping(key))' : '0'} AS summed, ${measureColumns({ sum: sumOfCells, daily, once: () => once }, groups)}
          FROM (${cells.sql})\nGROUP BY ${totals ? 'ROLLUP(key)' : 'key'}`,
          { ...cells.params, buckets: edges },
        );
      const key = long ? stepIn('buckets', 'step') : 'step';
      const liveEdges = live?.edges ?? [];
      const liveHours = live && gran === 'hour' ? edgesOf(live.range, 'hour').filter((edge) => edge < live.scan.end) : [];
      const beginnings = (long ? edges : [range.start]).map((step) => Math.max(step, range.start));
      // One live day of a series by days has its visitors in its own row.
      const inRow = !long && liveEdges.length === 1;
      const [others, counted, added, hours] = await Promise.all([
        oneDay ? null : reach(to, beginnings),
        oneDay || inRow ? null : liveVisitors(to, beginnings),
        countCells(totalCells(false, liveEdges, null), key, true),
        gran === 'hour' ? countCells(totalCells(true, liveHours, null), 'step', false) : null,
      ]);
      const exact = others !== null || oneDay;
      const days = exact
        ? added
        : await countCells(totalCells(false, liveEdges, daySketch), key, true, long ? merged : `if(grouping(key) = 1, ${merged}, sum(visitors))`);
      const ofLive = (at: number): number =>
        counted?.get(at) ?? (at === 0 ? (days.find((row) => row.summed === 0 && Number(row.key) === liveEdges[0])?.m_visitors ?? 0) : 0);
      const reached = (at: number, values: Values): Values => (others ? withVisitors(values, (others.get(at) ?? 0) + ofLive(at)) : values);
      // The whole range stands at key 0, which no step begins at.
      const total = days.find((row) => row.summed === 1);
      const steps = (hours ?? days.filter((row) => row.summed === 0)).map((row): [number, Values] => {
        const at = Number(row.key);
        return [at, long ? reached(at, valuesOf(row)) : valuesOf(row)];
      });
      return {
        series: { totals: total ? reached(0, valuesOf(total)) : nothingOf(groups), byStep: new Map(steps) },
        error: exact ? null : daySketch.error,
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
