import { binEnds, thresholds, vitalDimensions } from '../../../../contract/vitals/terms';
import type { VitalDimension, VitalMetric } from '../../../../contract/vitals/terms';
import type { VitalFigures } from '../../../../contract/vitals/schemas';
import type { QueryContext } from '../../analytics';
import { addDays, dayAt, dayCount, dayStart } from '../../../zone';
import type { Day } from '../../../zone';
import { binSql, countsSql, valuesOf } from '../values';
import type { Source, Span } from '../values';
import { ranksStateSql } from './schema';
import { readState, settleMs as usualSettleMs } from './state';

/** So many days at the end of a range may be read from values while the others come from cells. */
const mostLiveDays = 4;

/** Cells that answer for the beginning of a range, and what is left for values. `by` and `key`: the dimension of the cells; '' for all values. */
export type Rolled = {
  readonly first: Day;
  readonly last: Day;
  readonly generations: readonly string[];
  readonly by: VitalDimension | '';
  readonly key: string | null;
  readonly live: Span | null;
};

/**
 * What can answer a question from cells; null when values must: by pages' names, under several conditions, and where most of the range is not computed or has changed
 * since. `by`: the dimension of a breakdown.
 */
export async function rolledOf(
  to: QueryContext,
  { siteId, span, limits }: Source,
  zone: string,
  { by = null, now, settleMs = usualSettleMs }: { readonly by?: VitalDimension | null; readonly now: number; readonly settleMs?: number },
): Promise<Rolled | null> {
  const set = vitalDimensions.filter((one) => limits[one] !== undefined);
  const [only] = set;
  // Only the most frequent pages of a day have cells.
  if (limits.like !== undefined || only === 'path' || set.length > (by === null ? 1 : 0)) return null;
  const state = await readState(to.clickhouse, siteId, zone, settleMs);
  if (state.days.size === 0) return null;
  const first = dayAt(span.start, zone);
  let next = first;
  const generations: string[] = [];
  for (; dayStart(addDays(next, 1), zone) <= span.end && state.isFresh(next); next = addDays(next, 1)) generations.push(state.days.get(next)?.generation ?? '');
  if (generations.length === 0 || dayStart(first, zone) !== span.start) return null;
  const start = dayStart(next, zone);
  const begun = Math.min(span.end, now + 1);
  if (start < begun && dayCount(next, dayAt(begun - 1, zone)) > mostLiveDays) return null;
  const live = start < span.end ? { start, end: span.end } : null;
  return { first, last: addDays(next, -1), generations, by: by ?? only ?? '', key: only === undefined ? null : (limits[only] ?? null), live };
}

/** Cells, and those that the values of the rest make by step (`edges`), as a relation with `metric`, `cell_key`, `start`, `n`, `good`, `poor`, `views`, `bins` and `ranks`. */
export function cellsOf(rolled: Rolled, source: Source, edges: readonly number[]): { readonly sql: string; readonly params: Record<string, unknown> } {
  const { first, last, generations, by, key, live } = rolled;
  const { metric } = source.limits;
  const conditions = [
    'site_id = {site:String} AND dimension = {cellsBy:String} AND day BETWEEN {first:Date} AND {last:Date} AND generation IN {generations:Array(UInt64)}',
    ...(key === null ? [] : ['cell_key = {cellKey:String}']),
    ...(metric === undefined ? [] : ['metric = {metric:String}']),
  ];
  const cells = `SELECT toString(metric) AS metric, cell_key, start, n, good, poor, views, bins, ranks FROM vital_cells WHERE ${conditions.join(' AND ')}`;
  const { from, params } = valuesOf({ ...source, ...(live && { span: live }) });
  const bins =
    metric === undefined ? "CAST([], 'Array(UInt64)')" : `sumForEach(arrayMap(k -> toUInt64(k = ${binSql(metric)}), range(${binEnds[metric].length + 1})))`;
  const values = `SELECT toString(web_vitals.metric) AS metric, ${by === '' ? "''" : `toString(${by})`} AS cell_key,
    toInt64(roundDown(toUnixTimestamp64Milli(at), {liveEdges:Array(Int64)})) AS start, ${countsSql}, uniqExact(view_id) AS views, ${bins} AS bins,
    ${ranksStateSql} AS ranks ${from} GROUP BY metric, cell_key, start`;
  return {
    sql: live ? `(${cells} UNION ALL ${values})` : `(${cells})`,
    params: {
      ...params,
      first,
      last,
      generations: generations.map(BigInt),
      cellsBy: by,
      ...(key !== null && { cellKey: key }),
      liveEdges: edges.length > 0 ? edges : [source.span.start],
    },
  };
}

/** Percentiles from merged states, within the ratings that the counts prove. */
export function withinRatings(metric: VitalMetric, { n, good, poor }: Pick<VitalFigures, 'n' | 'good' | 'poor'>, ranks: readonly number[]): number[] {
  const [best, worst] = thresholds[metric];
  return [50, 75, 90, 95, 99].map((percentile, at) => {
    const value = ranks[at] ?? 0;
    const rank = Math.min(n - 1, Math.floor((n * percentile) / 100));
    if (rank < good) return Math.min(value, best);
    const above = best * (1 + Number.EPSILON * 4);
    return rank < n - poor ? Math.min(Math.max(value, above), worst) : Math.max(value, worst * (1 + Number.EPSILON * 4));
  });
}
