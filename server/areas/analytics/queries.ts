import type { DimensionId, Granularity, MeasureId, Values } from '../../../contract/analytics';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { dimensionTable } from './dimensions';
import { populationSql, verdictBounds } from './filters';
import { measureColumns, nothing, valuesOf } from './measures';
import type { MeasureRow } from './measures';
import { dayEdges, edgesOf } from './range';
import type { Range } from './range';
import { slicesOf, visitsOf } from './slices';
import type { Scan, Time } from './slices';

/** Up to so many stored visits in a range, distinct counts are exact; beyond, a sketch answers. */
export const EXACT_VISITS = 5_000_000;
/** Relative standard error of uniqCombined64(17): 1.04 / √2¹⁷. */
export const SKETCH_ERROR = 0.0029;

export type Ask = { readonly clickhouse: ClickHouse; readonly signal?: AbortSignal };

/** Visits are keyed by their beginning, so that versions of one never lie in two partitions (months of `start`). */
const settings = { do_not_merge_across_partitions_select_final: 1, max_execution_time: 60 };

export async function ask<T>(to: Ask, sql: string, params: Readonly<Record<string, unknown>>): Promise<T[]> {
  return to.clickhouse.query<T>(sql, { params, settings, ...(to.signal ? { signal: to.signal } : {}) });
}

/** How distinct things are counted. */
export type Counting = 'exact' | 'sketch';
const uniqueBy = (counting: Counting) => (expression: string): string => `${counting === 'exact' ? 'uniqExactIf' : 'uniqCombined64If(17)'}(${expression}, active)`;

/** Stored visits (superseded versions included) that a scan has to read at most; from the index alone. */
export async function estimateVisits(to: Ask, scan: Scan): Promise<number> {
  const { params } = visitsOf(scan);
  const rows = await ask<{ rows: string | number }>(
    to,
    "EXPLAIN ESTIMATE SELECT count() FROM visits WHERE site_id = {site:String} AND start >= fromUnixTimestamp64Milli({scanStart:Int64}, 'UTC') AND start < fromUnixTimestamp64Milli({end:Int64}, 'UTC')",
    { site: params['site'], scanStart: params['scanStart'], end: params['end'] },
  );
  return rows.reduce((sum, row) => sum + Number(row.rows), 0);
}

/** Totals of a scan over a range; each is counted over the whole, never added up from parts. */
export async function totalsOf(to: Ask, scan: Scan, range: Range, counting: Counting): Promise<Values> {
  const days = dayEdges(range);
  const slices = slicesOf(scan, { steps: days, days }, null);
  const [row] = await ask<MeasureRow>(to, `SELECT ${measureColumns(uniqueBy(counting))}\nFROM (${slices.sql})`, slices.params);
  return row ? valuesOf(row) : nothing;
}

export type Series = { readonly totals: Values; readonly byStep: ReadonlyMap<number, Values> };

/** Totals and values by step (keyed by its beginning, steps without activity left out) in one pass. */
export async function seriesOf(to: Ask, scan: Scan, range: Range, gran: Granularity, counting: Counting): Promise<Series> {
  const days = dayEdges(range);
  const edges = edgesOf(range, gran);
  const coarse = gran === 'week' || gran === 'month';
  const time: Time = { steps: coarse ? days : edges, days };
  const slices = slicesOf(scan, time, null);
  const bucket = coarse && edges.length > 1 ? 'roundDown(step, {buckets:Array(Int64)})' : coarse ? '{start:Int64}' : 'step';
  const rows = await ask<MeasureRow & { bucket: string }>(
    to,
    `SELECT ${bucket} AS bucket, ${measureColumns(uniqueBy(counting))}\nFROM (${slices.sql})\nGROUP BY bucket WITH ROLLUP`,
    { ...slices.params, buckets: edges },
  );
  // The roll-up's own row has the default key: no range begins in 1970.
  const byStep = new Map(rows.map((row) => [Number(row.bucket), valuesOf(row)]));
  const totals = byStep.get(0) ?? nothing;
  byStep.delete(0);
  return { totals, byStep };
}

export type RowsAsked = { readonly by: DimensionId; readonly sort: MeasureId; readonly dir: 'asc' | 'desc'; readonly page: number; readonly size: number };
export type KeyedRow = { readonly key: string; readonly values: Values };

/** One page of rows by a dimension, and how many there are. Rows of which the measure cannot be said come last; equal ones by key. */
export async function rowsOf(to: Ask, scan: Scan, range: Range, asked: RowsAsked, counting: Counting): Promise<{ rows: KeyedRow[]; count: number }> {
  const days = dayEdges(range);
  const slices = slicesOf(scan, { steps: days, days }, dimensionTable[asked.by]);
  const order = `m_${asked.sort} IS NULL, m_${asked.sort} ${asked.dir === 'asc' ? 'ASC' : 'DESC'}, row_key`;
  const rows = await ask<MeasureRow & { row_key: string; row_count: string }>(
    to,
    `SELECT row_key, count() OVER () AS row_count, ${measureColumns(uniqueBy(counting))}\nFROM (${slices.sql})\nGROUP BY row_key\nORDER BY ${order}\nLIMIT {size:UInt32} OFFSET {offset:UInt32}`,
    { ...slices.params, size: asked.size, offset: (asked.page - 1) * asked.size },
  );
  let count = Number(rows[0]?.row_count ?? 0);
  if (rows.length === 0 && asked.page > 1) {
    const [counted] = await ask<{ n: string }>(to, `SELECT uniqExact(row_key) AS n FROM (${slices.sql})`, slices.params);
    count = Number(counted?.n ?? 0);
  }
  return { rows: rows.map((row) => ({ key: row.row_key, values: valuesOf(row) })), count };
}

/** The values of some rows in another period. */
export async function rowsByKey(to: Ask, scan: Scan, range: Range, by: DimensionId, keys: readonly string[], counting: Counting): Promise<ReadonlyMap<string, Values>> {
  if (keys.length === 0) return new Map();
  const days = dayEdges(range);
  const slices = slicesOf(scan, { steps: days, days }, dimensionTable[by]);
  const rows = await ask<MeasureRow & { row_key: string }>(
    to,
    `SELECT row_key, ${measureColumns(uniqueBy(counting))}\nFROM (${slices.sql})\nWHERE has({keys:Array(String)}, row_key)\nGROUP BY row_key`,
    { ...slices.params, keys },
  );
  return new Map(rows.map((row) => [row.row_key, valuesOf(row)]));
}

export type Coverage = { readonly freshTo: number | null; readonly suspected: number; readonly bots: number };

/** The newest sign of life among the visits counted, and visits beginning in the range that are not people's. */
export async function coverageOf(to: Ask, scan: Scan): Promise<Coverage> {
  const visits = visitsOf(scan, '1');
  const begins = "start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')";
  const [row] = await ask<{ newest: string | null; suspected: string; bots: string }>(
    to,
    `SELECT toUnixTimestamp64Milli(maxOrNullIf(last, ${populationSql(scan.who)})) AS newest,
      countIf(${begins} AND ${populationSql('suspected')}) AS suspected, countIf(${begins} AND bot_score >= ${verdictBounds.bot}) AS bots\n${visits.sql}`,
    visits.params,
  );
  return { freshTo: row?.newest == null ? null : Number(row.newest), suspected: Number(row?.suspected ?? 0), bots: Number(row?.bots ?? 0) };
}

/** Values of a dimension in a range that contain `part` (case does not matter), those of most visits first. */
export async function valuesOfDimension(to: Ask, scan: Scan, by: DimensionId, part: string, limit: number): Promise<string[]> {
  const { level, sql } = dimensionTable[by];
  const visits = visitsOf(scan);
  const value = level === 'view' ? `toString(arrayJoin(arrayDistinct(${sql})))` : sql;
  const rows = await ask<{ value: string }>(
    to,
    `SELECT ${value} AS value ${visits.sql}\nGROUP BY value\nHAVING value != '' AND positionCaseInsensitiveUTF8(value, {part:String}) > 0\nORDER BY count() DESC, value LIMIT {limit:UInt32}`,
    { ...visits.params, part, limit },
  );
  return rows.map((row) => row.value);
}
