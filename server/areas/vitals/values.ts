import { binEnds, thresholds, vitalDimensions, vitalMetrics } from '../../../contract/vitals/terms';
import type { VitalMetric } from '../../../contract/vitals/terms';
import type { VitalsQuery } from '../../../contract/vitals/schemas';
import type { QueryContext } from '../analytics';

/** Instants [start, end) in epoch ms. */
export type Span = { readonly start: number; readonly end: number };
export type Limits = Omit<VitalsQuery, 'from' | 'to'> & {
  readonly metric?: VitalMetric | undefined;
  /** SQL LIKE pattern of paths. */ readonly like?: string | undefined;
};
export type Source = { readonly siteId: string; readonly span: Span; readonly limits: Limits };

export const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
const settings = { max_execution_time: 60 };

/**
 * Values of instants [start, end), each once. A value that is sent again has another time, so its former row may be in another part of the table, also of another month: those that begin or end
 * within an hour of the range are read too, and what decides refers to a second column, because ClickHouse would leave them out otherwise.
 */
export const inRange = `at >= ${instant('start')} - INTERVAL 1 HOUR AND at < ${instant('end')} + INTERVAL 1 HOUR
    AND toUnixTimestamp64Milli(at) + version * 0 >= {start:Int64} AND toUnixTimestamp64Milli(at) + version * 0 < {end:Int64}`;

export const ask = <T>(to: QueryContext, sql: string, params: Readonly<Record<string, unknown>>): Promise<T[]> =>
  to.clickhouse.query<T>(sql, { params, settings, ...(to.signal ? { signal: to.signal } : {}) });

/** The values of a site, each once, as `FROM … WHERE …`. Columns come from fixed lists; everything else is a parameter. */
export function valuesOf({ siteId, span, limits }: Source): { readonly from: string; readonly params: Record<string, unknown> } {
  const params: Record<string, unknown> = { site: siteId, start: span.start, end: span.end };
  const conditions = ['site_id = {site:String}', inRange];
  for (const column of [...vitalDimensions, 'metric'] as const) {
    if (limits[column] === undefined) continue;
    conditions.push(`${column} = {${column}:String}`);
    params[column] = limits[column];
  }
  if (limits.like !== undefined) {
    conditions.push('path LIKE {like:String}');
    params['like'] = limits.like;
  }
  return { from: `FROM web_vitals FINAL WHERE ${conditions.join(' AND ')}`, params };
}

/** An end of the good (0) and the needing (1) values of the metric of a row. */
const bound = (index: 0 | 1): string =>
  `transform(toString(metric), [${vitalMetrics.map((metric) => `'${metric}'`).join(', ')}], [${vitalMetrics.map((metric) => String(thresholds[metric][index])).join(', ')}], 0.)`;
/** `n`, `good` and `poor` of a group of values. */
export const countsSql = `count() AS n, countIf(value <= ${bound(0)}) AS good, countIf(value > ${bound(1)}) AS poor`;
/** Index of the bin of a value; the last one is open. */
export const binSql = (metric: VitalMetric): string => {
  const ends = binEnds[metric];
  return `(arrayFirstIndex(one -> value <= one, [${ends.join(', ')}]) + ${ends.length}) % ${ends.length + 1}`;
};
