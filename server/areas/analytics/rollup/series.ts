import type { Granularity, Values } from '../../../../contract/analytics/schemas';
import { measureColumns, nothingOf, valuesOf, withVisitors } from '../measures';
import type { MeasureGroup, MeasureRow } from '../measures';
import { runQuery } from '../queries';
import type { QueryContext, Series } from '../queries';
import { edgesOf } from '../range';
import { stepIn } from '../slices';
import type { Sql } from '../slices';
import { totalCells } from './cells';
import type { Union } from './cells';
import { liveVisitors, reach } from './reach';
import type { VisitorDays } from './reach';
import { daily, sumOfCells } from './rows';
import { daySketch } from './schema';

/** `error`: relative standard error of the visitors; null where they are exact. */
export type RolledSeries = { readonly series: Series; readonly error: number | null };

/** `by`: SQL of the step; `once`: how visitors are counted; of a single day or hour they stand in its cell. */
type Counting = {
  readonly groups: readonly MeasureGroup[];
  readonly edges: readonly number[];
  readonly by: string;
  readonly withTotals: boolean;
  readonly once?: string | undefined;
};

const countedCells = (
  to: QueryContext,
  cells: Sql,
  { groups, edges, by, withTotals, once = 'sum(visitors)' }: Counting,
): Promise<(MeasureRow & { key: string; summed: number })[]> =>
  runQuery(
    to,
    `SELECT toInt64(${by}) AS key, ${withTotals ? 'toUInt8(grouping(key))' : '0'} AS summed, ${measureColumns({ sum: sumOfCells, daily, once: () => once }, groups)}
      FROM (${cells.sql})\nGROUP BY ${withTotals ? 'ROLLUP(key)' : 'key'}`,
    { ...cells.params, buckets: edges },
  );

export async function seriesOf(to: QueryContext, days: VisitorDays, groups: readonly MeasureGroup[], union: Union, gran: Granularity): Promise<RolledSeries> {
  const { range, closed, live } = days;
  const oneDay = closed.length === 1 && live === null;
  const totals = totalCells(union, groups);
  const long = gran === 'week' || gran === 'month';
  const edges = edgesOf(range, gran);
  const merged = `${daySketch.name}Merge(${daySketch.precision})(visitor_state)`;
  const countCells = (cells: Sql, by: string, withTotals: boolean, once?: string) => countedCells(to, cells, { groups, edges, by, withTotals, once });
  const key = long ? stepIn('buckets', 'step') : 'step';
  const liveEdges = live?.edges ?? [];
  const liveHours = live && gran === 'hour' ? edgesOf(live.range, 'hour').filter((edge) => edge < live.scan.end) : [];
  const beginnings = (long ? edges : [range.start]).map((step) => Math.max(step, range.start));
  // One live day of a series by days has its visitors in its own row.
  const inRow = !long && liveEdges.length === 1;
  const [others, counted, added, hours] = await Promise.all([
    oneDay ? null : reach(to, days, beginnings),
    oneDay || inRow ? null : liveVisitors(to, live, beginnings),
    countCells(totals(false, liveEdges, null), key, true),
    gran === 'hour' ? countCells(totals(true, liveHours, null), 'step', false) : null,
  ]);
  const exact = others !== null || oneDay;
  const byDay = exact
    ? added
    : await countCells(totals(false, liveEdges, daySketch), key, true, long ? merged : `if(grouping(key) = 1, ${merged}, sum(visitors))`);
  const ofLive = (at: number): number =>
    counted?.get(at) ?? (at === 0 ? (byDay.find((row) => row.summed === 0 && Number(row.key) === liveEdges[0])?.m_visitors ?? 0) : 0);
  const reached = (at: number, values: Values): Values => (others ? withVisitors(values, (others.get(at) ?? 0) + ofLive(at)) : values);
  // The whole range stands at key 0, which no step begins at.
  const total = byDay.find((row) => row.summed === 1);
  const steps = (hours ?? byDay.filter((row) => row.summed === 0)).map((row): [number, Values] => {
    const at = Number(row.key);
    return [at, long ? reached(at, valuesOf(row)) : valuesOf(row)];
  });
  return {
    series: { totals: total ? reached(0, valuesOf(total)) : nothingOf(groups), byStep: new Map(steps) },
    error: exact ? null : daySketch.error,
  };
}
