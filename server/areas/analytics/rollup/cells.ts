import type { Dimension } from '../dimensions';
import { measuresWith } from '../measures';
import type { MeasureGroup } from '../measures';
import type { Range } from '../range';
import { slicesOf } from '../slices';
import type { Scan, Sql } from '../slices';
import { cellColumns, cellNames } from './compute';
import { storedSumsOf } from './rows';
import type { Sketch, StoredSum } from './schema';
import type { Computed } from './state';

/** Days from cells, and behind them days that are counted now: today, and what has just changed. */
export type Parts = { readonly closed: readonly Computed[]; readonly live: LivePart | null };
export type LivePart = { readonly scan: Scan; readonly range: Range; readonly edges: readonly number[] };

/** A condition on tables of cells: those of the closed days, as they were last computed. Goes with `cellParams`. */
export const inCells = 'site_id = {site:String} AND day BETWEEN {firstDay:Date} AND {lastDay:Date} AND generation IN {generations:Array(UInt64)}';

export const cellParams = (siteId: string, range: Range, closed: Parts['closed']) => ({
  site: siteId,
  firstDay: closed[0]?.day ?? range.from,
  lastDay: closed.at(-1)?.day ?? range.from,
  // Whole numbers in arrays travel without quotes.
  generations: closed.map((one) => BigInt(one.generation)),
});
export type CellParams = ReturnType<typeof cellParams>;

export type Union = (
  key: 'step' | 'row_key',
  stored: string,
  edges: readonly number[],
  by: Dimension | null,
  sums: readonly StoredSum[],
  sketch: Sketch | null,
  where?: string,
) => Sql;

/** Cells of the closed days, and those of the live ones counted now. `sketch`: null where nobody merges visitors; `where`: of both. */
export function unionOf(live: LivePart | null, groups: readonly MeasureGroup[], params: CellParams): Union {
  return (key, stored, edges, by, sums, sketch, where = '1') => {
    const slices = live && slicesOf(live.scan, edges, by, groups);
    const grouping = key === 'step' ? 'step' : `${key}, step`;
    const now = slices ? `\nUNION ALL\nSELECT ${key}, ${cellColumns(sketch, sums)} FROM (${slices.sql}) WHERE ${where} GROUP BY ${grouping}` : '';
    return { sql: `SELECT ${key}, ${cellNames(sketch !== null, sums)} FROM ${stored} AND ${where}${now}`, params: { ...slices?.params, ...params } };
  };
}

/** The cells of totals, by hours or by days. */
export function totalCells(union: Union, groups: readonly MeasureGroup[]): (hourly: boolean, edges: readonly number[], sketch: Sketch | null) => Sql {
  const sums = storedSumsOf(measuresWith(groups));
  return (hourly, edges, sketch) => union('step', `rollup_totals WHERE hourly = ${hourly ? 1 : 0} AND ${inCells}`, edges, null, sums, sketch);
}
