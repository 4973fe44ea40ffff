import { bucketKeys } from '../../../contract/analytics/schemas';
import type { DimensionId, Granularity, MeasureId, Values } from '../../../contract/analytics/schemas';
import { wasBuilding } from '../../collect/visitBuilds';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { eventKeys } from './events';
import { populationSql } from './filters';
import { isCounted, measureColumns, nothingOf, sumOfSlices, valuesOf, withDays } from './measures';
import type { Counted, DistinctColumn, MeasureGroup, MeasureRow } from './measures';
import { dayEdges, edgesOf } from './range';
import type { Range } from './range';
import { dimensionIn, slicesOf, stepIn, visitsOf } from './slices';
import type { Share } from './share';
import type { Scan, Sql, Steps } from './slices';

/** Distinct counts are exact up to this number of stored visits in a range; above it they are sketched. */
export const EXACT_VISITS = 5_000_000;
/** Relative standard error of uniqCombined64(17): 1.04 / √2¹⁷. */
export const SKETCH_ERROR = 0.0029;

export type QueryContext = {
  readonly clickhouse: ClickHouse;
  /** Aborts when the client disconnects. */ readonly signal?: AbortSignal;
  readonly share?: Share;
};

/** Visits are partitioned by month of `start`, which is part of their key, so that versions of one visit are never in two partitions. */
const settings = { do_not_merge_across_partitions_select_final: 1, max_execution_time: 60 };

export async function runQuery<T>(to: QueryContext, sql: string, params: Readonly<Record<string, unknown>>): Promise<T[]> {
  return to.clickhouse.query<T>(sql, { params, settings, ...(to.signal ? { signal: to.signal } : {}) });
}

/** How distinct values are counted. */
export type Counting = 'exact' | 'sketch';
const uniqueBy = (counting: Counting, column: DistinctColumn, expression: string = column): string =>
  `${counting === 'exact' ? 'uniqExactIf' : 'uniqCombined64If(17)'}(${expression}, ${isCounted[column]})`;
/** SQL functions for a conditional set state (`stateIf(expression, condition)`) and for merging states (`merge(set)`, `mergeIf(set, condition)`). */
export const setsOf = (counting: Counting): Readonly<Record<'stateIf' | 'merge' | 'mergeIf', string>> =>
  counting === 'exact'
    ? { stateIf: 'uniqExactStateIf', merge: 'uniqExactMerge', mergeIf: 'uniqExactMergeIf' }
    : { stateIf: 'uniqCombined64StateIf(17)', merge: 'uniqCombined64Merge(17)', mergeIf: 'uniqCombined64MergeIf(17)' };

/** Within one day, range and daily counts are equal; longer steps get their daily measures from their days (`withDays`). */
const withinDays = (counting: Counting): Counted => ({
  sum: sumOfSlices,
  once: (column) => uniqueBy(counting, column),
  daily: (column) => uniqueBy(counting, column),
});
/** For several days at once: ids are 64-bit hashes, so combining them with the day by XOR keeps them as distinct as before. */
export const countedOver = (counting: Counting, days: Steps): Counted => ({
  sum: sumOfSlices,
  once: (column) => uniqueBy(counting, column),
  daily: (column) => uniqueBy(counting, column, days.length <= 1 ? column : `bitXor(${column}, intHash64(step))`),
});

/** Upper bound of the stored visits (superseded versions included) that a scan reads; uses the index only. */
export async function estimateVisits(to: QueryContext, scan: Scan): Promise<number> {
  const { params } = visitsOf(scan);
  const rows = await runQuery<{ rows: string | number }>(
    to,
    "EXPLAIN ESTIMATE SELECT count() FROM visits WHERE site_id = {site:String} AND start >= fromUnixTimestamp64Milli({scanStart:Int64}, 'UTC') AND start < fromUnixTimestamp64Milli({end:Int64}, 'UTC')",
    { site: params['site'], scanStart: params['scanStart'], end: params['end'] },
  );
  return rows.reduce((sum, row) => sum + Number(row.rows), 0);
}

/** How distinct values are counted in a scan. */
export const countingOf = async (to: QueryContext, scan: Scan): Promise<Counting> => ((await estimateVisits(to, scan)) <= EXACT_VISITS ? 'exact' : 'sketch');

export type Series = { readonly totals: Values; readonly byStep: ReadonlyMap<number, Values> };
/** One row of a grouping by `levels`: how many levels it is summed over, and the values of the others. */
type Level = MeasureRow & { readonly summed: number; readonly key0: string; readonly key1?: string };

/**
 * Totals, and values by step (keyed by its start, steps without activity omitted), in one pass. Days are always one of the grouped levels: hours within days,
 * or days within weeks and months. ClickHouse merges the distinct visitors of a level from the level below, they are never added; daily counts are added.
 */
export async function seriesOf(
  to: QueryContext,
  scan: Scan,
  range: Range,
  gran: Granularity,
  counting: Counting,
  groups: readonly MeasureGroup[] = [],
): Promise<Series> {
  const days = dayEdges(range);
  const edges = edgesOf(range, gran);
  const fine = gran === 'hour' || gran === 'minute';
  const levels = gran === 'day' ? ['step'] : fine ? [stepIn('days', 'step'), 'step'] : [stepIn('buckets', 'step'), 'step'];
  const keys = levels.map((_level, index) => `key${index}`);
  const slices = slicesOf(scan, fine ? edges : days, null, groups);
  const rows = await runQuery<Level>(
    to,
    `SELECT ${levels.map((level, index) => `${level} AS key${index}`).join(', ')}, toUInt8(${keys.map((key) => `grouping(${key})`).join(' + ')}) AS summed, ${measureColumns(withinDays(counting), groups)}
    FROM (${slices.sql})\nGROUP BY ROLLUP(${keys.join(', ')})`,
    { ...slices.params, days, buckets: edges },
  );
  const read = (summed: number) =>
    rows.filter((row) => row.summed === summed).map((row) => ({ outer: Number(row.key0), inner: Number(row.key1 ?? 0), values: valuesOf(row) }));
  const whole = read(levels.length)[0]?.values ?? nothingOf(groups);
  const [upper, lower] = [read(levels.length - 1), read(0)];
  if (fine || gran === 'day') {
    return {
      totals: withDays(
        whole,
        upper.map((row) => row.values),
      ),
      byStep: new Map(fine ? lower.map((row) => [row.inner, row.values]) : upper.map((row) => [row.outer, row.values])),
    };
  }
  const daysOf = (bucket: number): Values[] => lower.filter((row) => row.outer === bucket).map((row) => row.values);
  return {
    totals: withDays(
      whole,
      lower.map((row) => row.values),
    ),
    byStep: new Map(upper.map((row) => [row.outer, withDays(row.values, daysOf(row.outer))])),
  };
}

/** Totals of a scan over a range; each is counted over the whole range and never summed from parts, except for daily measures. */
export const totalsOf = async (to: QueryContext, scan: Scan, range: Range, counting: Counting, groups: readonly MeasureGroup[] = []): Promise<Values> =>
  (await seriesOf(to, scan, range, 'day', counting, groups)).totals;

export type RowsQuery = {
  readonly by: DimensionId;
  readonly sort: MeasureId;
  readonly dir: 'asc' | 'desc';
  readonly page: number;
  readonly size: number;
  /** Sorts by the keys themselves, in the direction of `dir`; buckets are always in the order of their axis. */
  readonly byKey: boolean;
  /** The buckets of `by` in order, if they differ from the default ones. */
  readonly axis?: readonly string[] | undefined;
  readonly groups: readonly MeasureGroup[];
  /** The measures shown, including that of `sort`; absent: all. */
  readonly only?: readonly MeasureId[] | undefined;
};
/** The source of grouped rows: SQL with a `row_key`, and how its columns are counted. `only`: the measures to compute, if not all. */
export type RowSource = Sql & { readonly counted: Counted; readonly only?: readonly MeasureId[] | undefined };
export function rowsInVisits(
  scan: Scan,
  range: Range,
  by: DimensionId,
  groups: readonly MeasureGroup[],
  counting: Counting,
  only?: readonly MeasureId[],
): RowSource {
  const days = dayEdges(range);
  return { ...slicesOf(scan, days, dimensionIn(scan, by), groups), counted: countedOver(counting, days), only };
}

export type KeyedRow = { readonly key: string; readonly values: Values };

function orderOf({ by, sort, dir, byKey, axis: ownAxis }: RowsQuery): string {
  const direction = dir === 'asc' ? 'ASC' : 'DESC';
  if (!byKey) return `m_${sort} IS NULL, m_${sort} ${direction}, row_key`;
  const axis = ownAxis ?? (by in bucketKeys ? bucketKeys[by as keyof typeof bucketKeys] : null);
  return axis ? `indexOf([${axis.map((key) => `'${key}'`).join(', ')}], row_key), row_key` : `row_key ${direction}`;
}

/** One page of rows by a dimension, and the number of rows. Rows with a null measure come last; ties are sorted by key. */
export async function rowsOf(to: QueryContext, source: RowSource, query: RowsQuery): Promise<{ rows: KeyedRow[]; count: number }> {
  const order = orderOf(query);
  const rows = await runQuery<MeasureRow & { row_key: string; row_count: string }>(
    to,
    `SELECT row_key, count() OVER () AS row_count, ${measureColumns(source.counted, query.groups, source.only)}\nFROM (${source.sql})\nGROUP BY row_key\nORDER BY ${order}\nLIMIT {size:UInt32} OFFSET {offset:UInt32}`,
    { ...source.params, size: query.size, offset: (query.page - 1) * query.size },
  );
  let count = Number(rows[0]?.row_count ?? 0);
  if (rows.length === 0 && query.page > 1) {
    const [counted] = await runQuery<{ n: string }>(to, `SELECT uniqExact(row_key) AS n FROM (${source.sql})`, source.params);
    count = Number(counted?.n ?? 0);
  }
  return { rows: rows.map((row) => ({ key: row.row_key, values: valuesOf(row) })), count };
}

/** The values of the given rows. */
export async function rowsByKey(
  to: QueryContext,
  source: RowSource,
  keys: readonly string[],
  groups: readonly MeasureGroup[],
): Promise<ReadonlyMap<string, Values>> {
  if (keys.length === 0) return new Map();
  const rows = await runQuery<MeasureRow & { row_key: string }>(
    to,
    `SELECT row_key, ${measureColumns(source.counted, groups, source.only)}\nFROM (${source.sql})\nWHERE row_key IN {keys:Array(String)}\nGROUP BY row_key`,
    { ...source.params, keys },
  );
  return new Map(rows.map((row) => [row.row_key, valuesOf(row)]));
}

/** Whether visits of a site were being rebuilt at any time within the last `withinMs`. */
export async function wasBuilt(to: QueryContext, siteId: string, withinMs: number): Promise<boolean> {
  const [row] = await runQuery<{ building: number }>(to, wasBuilding, { site: siteId, within: Math.ceil(withinMs) });
  return row?.building === 1;
}

export type Coverage = { readonly freshTo: number | null; readonly suspected: number; readonly bots: number };

/** The latest activity among the counted visits, and the numbers of suspected and bot visits that begin in the range. */
export async function coverageOf(to: QueryContext, scan: Scan): Promise<Coverage> {
  const visits = visitsOf(scan, '1');
  const begins = "start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')";
  const [row] = await runQuery<{ newest: string | null; suspected: string; bots: string }>(
    to,
    `SELECT toUnixTimestamp64Milli(maxOrNullIf(last, ${populationSql(scan.who, scan.score)})) AS newest,
      countIf(${begins} AND ${populationSql('suspected', scan.score)}) AS suspected, countIf(${begins} AND ${populationSql('bots', scan.score)}) AS bots\n${visits.sql}`,
    visits.params,
  );
  return { freshTo: row?.newest == null ? null : Number(row.newest), suspected: Number(row?.suspected ?? 0), bots: Number(row?.bots ?? 0) };
}

/** Values of a dimension in a range that contain `part` (case-insensitive), ordered by number of visits. */
export async function valuesOfDimension(to: QueryContext, scan: Scan, by: DimensionId, part: string, limit: number): Promise<string[]> {
  const { level, sql } = dimensionIn(scan, by);
  // Goals are searched by name; visits contain only their ids.
  if (by === 'goal') return [];
  const visits = visitsOf(scan);
  const value = level === 'view' ? `toString(arrayJoin(arrayDistinct(${sql})))` : level === 'event' ? `arrayJoin(${eventKeys})` : sql;
  const rows = await runQuery<{ value: string }>(
    to,
    `SELECT ${value} AS value ${visits.sql}\nGROUP BY value\nHAVING value != '' AND positionCaseInsensitiveUTF8(value, {part:String}) > 0\nORDER BY count() DESC, value LIMIT {limit:UInt32}`,
    { ...visits.params, part, limit },
  );
  return rows.map((row) => row.value);
}
