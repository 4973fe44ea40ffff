import { verdictBounds } from '../../../contract/analytics/terms';
import { binEnds, leastForVerdict, subParts } from '../../../contract/vitals/terms';
import type { Percentile, SubPart, VitalDimension, VitalMetric } from '../../../contract/vitals/terms';
import type { VitalFigures } from '../../../contract/vitals/schemas';
import type { QueryContext } from '../analytics';
import { DAY } from '../../zone';
import { cellsOf, withinRatings } from './rollup/read';
import type { Rolled } from './rollup/read';
import { ranksSql } from './rollup/schema';
import { ask, binSql, countsSql, instant, valuesOf } from './values';
import type { Source } from './values';

const figuresSql = `${countsSql}, quantilesExact(0.5, 0.75, 0.9, 0.95, 0.99)(value) AS ranks`;

type FiguresRow = { readonly n: string; readonly good: string; readonly poor: string; readonly ranks: readonly number[] };
export const noFigures: VitalFigures = { n: 0, good: 0, needs: 0, poor: 0, p50: null, p75: null, p90: null, p95: null, p99: null };
function figuresOf({ n, good, poor, ranks }: FiguresRow): VitalFigures {
  const [p50 = null, p75 = null, p90 = null, p95 = null, p99 = null] = ranks;
  return { n: Number(n), good: Number(good), needs: Number(n) - Number(good) - Number(poor), poor: Number(poor), p50, p75, p90, p95, p99 };
}

/** The same columns from cells. */
const cellFiguresSql = `sum(c.n) AS n, sum(c.good) AS good, sum(c.poor) AS poor, ${ranksSql} AS ranks`;
const rolledFigures = (metric: VitalMetric, row: FiguresRow): VitalFigures => {
  const counts = figuresOf(row);
  return figuresOf({ ...row, ranks: withinRatings(metric, counts, row.ranks) });
};

export type MetricRow = {
  readonly figures: VitalFigures;
  readonly views: number;
  /** All values in ascending order, if they are too few for a verdict. */ readonly few: readonly number[];
};

async function rolledByMetric(to: QueryContext, source: Source, rolled: Rolled): Promise<Map<VitalMetric, MetricRow> | null> {
  const { sql, params } = cellsOf(rolled, source, []);
  const rows = await ask<FiguresRow & { metric: VitalMetric; views: string }>(
    to,
    `SELECT metric, ${cellFiguresSql}, sum(c.views) AS views FROM ${sql} AS c GROUP BY metric`,
    params,
  );
  // Too few values are listed one by one.
  if (rows.some((row) => Number(row.n) < leastForVerdict)) return null;
  return new Map(rows.map((row) => [row.metric, { figures: rolledFigures(row.metric, row), views: Number(row.views), few: [] }]));
}

/** Figures of every metric that has values. */
export async function figuresByMetric(to: QueryContext, source: Source, rolled: Rolled | null = null): Promise<Map<VitalMetric, MetricRow>> {
  const stored = rolled && (await rolledByMetric(to, source, rolled));
  if (stored) return stored;
  const { from, params } = valuesOf(source);
  const rows = await ask<FiguresRow & { metric: VitalMetric; views: string; few: number[] }>(
    to,
    `SELECT metric, ${figuresSql}, uniqExact(view_id) AS views, if(count() < ${leastForVerdict}, arraySort(groupArray(${leastForVerdict})(value)), []) AS few
    ${from} GROUP BY metric`,
    params,
  );
  return new Map(rows.map((row) => [row.metric, { figures: figuresOf(row), views: Number(row.views), few: row.few }]));
}

/** Figures by step, keyed by its start; `edges`: the starts of all steps. */
export async function figuresByStep(
  to: QueryContext,
  source: Source,
  edges: readonly number[],
  rolled: Rolled | null = null,
): Promise<Map<number, VitalFigures>> {
  const { metric } = source.limits;
  if (rolled && metric !== undefined) {
    const { sql, params: of } = cellsOf(rolled, source, edges);
    const stored = await ask<FiguresRow & { step: string }>(
      to,
      `SELECT roundDown(c.start, {edges:Array(Int64)}) AS step, ${cellFiguresSql} FROM ${sql} AS c GROUP BY step`,
      { ...of, edges },
    );
    return new Map(stored.map((row) => [Number(row.step), rolledFigures(metric, row)]));
  }
  const { from, params } = valuesOf(source);
  const rows = await ask<FiguresRow & { step: string }>(
    to,
    `SELECT roundDown(toUnixTimestamp64Milli(at), {edges:Array(Int64)}) AS step, ${figuresSql} ${from} GROUP BY step`,
    { ...params, edges },
  );
  return new Map(rows.map((row) => [Number(row.step), figuresOf(row)]));
}

export type BreakdownRow = { readonly key: string; readonly metric: VitalMetric; readonly n: number; readonly value: number };

/** The keys of a dimension with the most values of a metric, and how many there are. */
export async function topKeys(
  to: QueryContext,
  source: Source,
  by: VitalDimension,
  page: { readonly page: number; readonly size: number },
  rolled: Rolled | null = null,
): Promise<{ keys: string[]; total: number }> {
  const { from, params } = valuesOf(source);
  const cells = rolled && cellsOf(rolled, source, []);
  const rows = await ask<{ key: string; total: string }>(
    to,
    `SELECT ${cells ? 'cell_key' : `toString(${by})`} AS key, count() OVER () AS total ${cells ? `FROM ${cells.sql} AS c` : from} GROUP BY key
    ORDER BY ${cells ? 'sum(n)' : 'count()'} DESC, key LIMIT {size:UInt32} OFFSET {offset:UInt32}`,
    { ...(cells ? cells.params : params), size: page.size, offset: (page.page - 1) * page.size },
  );
  return { keys: rows.map(({ key }) => key), total: Number(rows[0]?.total ?? 0) };
}

/** A percentile of every metric for some keys of a dimension. */
export async function breakdownOf(
  to: QueryContext,
  source: Source,
  by: VitalDimension,
  keys: readonly string[],
  percentile: Percentile,
  rolled: Rolled | null = null,
): Promise<BreakdownRow[]> {
  if (keys.length === 0) return [];
  if (rolled) {
    const { sql, params: of } = cellsOf(rolled, source, []);
    const stored = await ask<FiguresRow & { key: string; metric: VitalMetric }>(
      to,
      `SELECT cell_key AS key, metric, ${cellFiguresSql} FROM ${sql} AS c WHERE has({keys:Array(String)}, cell_key) GROUP BY key, metric`,
      { ...of, keys },
    );
    return stored.map((row) => ({ key: row.key, metric: row.metric, n: Number(row.n), value: rolledFigures(row.metric, row)[`p${percentile}`] ?? 0 }));
  }
  const { from, params } = valuesOf(source);
  const rows = await ask<{ key: string; metric: VitalMetric; n: string; value: number }>(
    to,
    `SELECT toString(${by}) AS key, metric, count() AS n, quantileExact(${percentile / 100})(value) AS value ${from} AND has({keys:Array(String)}, toString(${by})) GROUP BY key, metric`,
    { ...params, keys },
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Counts by bin of `binEnds`; the last one is open. */
export async function binsOf(to: QueryContext, source: Source, metric: VitalMetric, rolled: Rolled | null = null): Promise<number[]> {
  const count = binEnds[metric].length + 1;
  // Cells of single keys have no bins.
  if (rolled?.by === '') {
    const { sql, params: of } = cellsOf(rolled, source, []);
    const [row] = await ask<{ bins: readonly string[] }>(to, `SELECT sumForEach(c.bins) AS bins FROM ${sql} AS c`, of);
    return Array.from({ length: count }, (_, bin) => Number(row?.bins[bin] ?? 0));
  }
  const { from, params } = valuesOf(source);
  const rows = await ask<{ bin: number; n: string }>(to, `SELECT toUInt32(${binSql(metric)}) AS bin, count() AS n ${from} GROUP BY bin`, params);
  const counts = new Map(rows.map(({ bin, n }) => [bin, Number(n)]));
  return Array.from({ length: count }, (_, bin) => counts.get(bin) ?? 0);
}

/** 75th percentile of each part of a metric; null if no browser reports it. */
export async function partsOf(to: QueryContext, source: Source, metric: VitalMetric): Promise<{ part: SubPart; p75: number | null }[]> {
  const parts: readonly SubPart[] = subParts[metric];
  if (parts.length === 0) return [];
  const { from, params } = valuesOf(source);
  const columns = parts.map(
    (part) =>
      `if(countIf(JSONHas(attribution, '${part}')) = 0, NULL, quantileExactIf(0.75)(JSONExtractFloat(attribution, '${part}'), JSONHas(attribution, '${part}'))) AS ${part}`,
  );
  const [row] = await ask<Record<string, number | null>>(to, `SELECT ${columns.join(', ')} ${from}`, params);
  return parts.map((part) => ({ part, p75: row?.[part] ?? null }));
}

const causes = {
  lcp: { elements: ['target', 'url'], scripts: null },
  inp: { elements: ['interactionTarget', 'interactionType'], scripts: ['scriptUrl', 'scriptFunction'] },
  cls: { elements: ['largestShiftTarget', 'loadState'], scripts: null },
  fcp: { elements: null, scripts: null },
  ttfb: { elements: null, scripts: null },
} as const;
export type Cause = { readonly name: string; readonly detail: string; readonly n: number; readonly p75: number };
const mostCauses = 10;

/** What values of a metric name as their cause most often; `detail`: the most frequent further text. */
export async function causesOf(to: QueryContext, source: Source, metric: VitalMetric, kind: 'elements' | 'scripts'): Promise<Cause[]> {
  const keys = causes[metric][kind];
  if (keys === null) return [];
  const { from, params } = valuesOf(source);
  const rows = await ask<{ name: string; detail: string; n: string; p75: number }>(
    to,
    `SELECT JSONExtractString(attribution, '${keys[0]}') AS name, topK(1)(JSONExtractString(attribution, '${keys[1]}'))[1] AS detail, count() AS n, quantileExact(0.75)(value) AS p75
    ${from} AND name != '' GROUP BY name ORDER BY n DESC, name LIMIT ${mostCauses}`,
    params,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Page views of people in a range; null where they have no such property. */
export async function viewsOf(to: QueryContext, { siteId, span, limits }: Source): Promise<number | null> {
  if (limits.family !== undefined || limits.connection !== undefined || limits.navigation !== undefined || limits.like !== undefined) return null;
  const params: Record<string, unknown> = { site: siteId, ...span, scanStart: span.start - DAY };
  const conditions: string[] = [];
  for (const [name, column] of [
    ['device', 'device_type'],
    ['country', 'country'],
    ['browser', 'browser'],
  ] as const) {
    if (limits[name] === undefined) continue;
    conditions.push(` AND ${column} = {${name}:String}`);
    params[name] = limits[name];
  }
  const onPath = limits.path === undefined ? '' : ' AND page = {path:String}';
  if (limits.path !== undefined) params['path'] = limits.path;
  const [row] = await ask<{ n: string }>(
    to,
    `SELECT sum(arrayCount((ms, page) -> toUnixTimestamp64Milli(start) + ms >= {start:Int64} AND toUnixTimestamp64Milli(start) + ms < {end:Int64}${onPath}, view_at, view_path)) AS n
    FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0 AND origin = 'script' AND bot_score < ${verdictBounds.suspected}
      AND start >= ${instant('scanStart')} AND start < ${instant('end')}${conditions.join('')}`,
    params,
  );
  return Number(row?.n ?? 0);
}

export async function hasValues(to: QueryContext, siteId: string): Promise<boolean> {
  return (await ask<{ one: number }>(to, 'SELECT 1 AS one FROM web_vitals WHERE site_id = {site:String} LIMIT 1', { site: siteId })).length > 0;
}

/** A real page view has a handful of values, but anybody can send more. */
const mostOfView = 100;
export type ViewRow = { readonly metric: VitalMetric; readonly value: number; readonly navigation: string; readonly at: number; readonly attribution: string };
export const valuesOfView = (to: QueryContext, siteId: string, view: string): Promise<ViewRow[]> =>
  ask(
    to,
    `SELECT metric, argMax(value, version) AS value, argMax(navigation, version) AS navigation, toFloat64(toUnixTimestamp64Milli(argMax(at, version))) AS at, argMax(attribution, version) AS attribution
    FROM web_vitals WHERE site_id = {site:String} AND view_id = {view:UInt64} GROUP BY metric, metric_id ORDER BY metric, metric_id LIMIT ${mostOfView}`,
    { site: siteId, view: BigInt(`0x${view}`) },
  );
