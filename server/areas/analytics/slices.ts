import type { Population } from '../../../contract/analytics';
import { maxSpanMs } from '../../collect/visits';
import type { Dimension } from './dimensions';
import { populationSql } from './filters';
import type { Compiled } from './filters';

/** What a scan of `visits` is about. */
export type Scan = {
  readonly siteId: string;
  /** Epoch ms, [start, end). */
  readonly start: number;
  readonly end: number;
  readonly who: Population;
  readonly filters: Compiled;
  /** The site's time zone, for dimensions that count its days (`{zone:String}`). */
  readonly zone: string;
  /** SQL of the bot score under the site's own rules; absent: the stored one. */
  readonly score?: string;
};

export type Sql = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

const instant = (param: string): string => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;

/** The condition of a scan on `visits`: visits that begin in it or reach into it. */
function conditionOf(scan: Scan, population: string): string {
  return `site_id = {site:String} AND deleted = 0
      AND start >= ${instant('scanStart')} AND start < ${instant('end')} AND last >= ${instant('start')}
      AND ${population} AND ${scan.filters.visit}${scan.filters.mask ? ` AND has(${scan.filters.mask}, 1)` : ''}`;
}

/** A visit that reaches into a range began no longer than the longest visit before it. */
const scanParams = (scan: Scan): Record<string, unknown> => ({
  site: scan.siteId,
  start: scan.start,
  scanStart: scan.start - maxSpanMs,
  end: scan.end,
  zone: scan.zone,
  ...scan.filters.params,
});

/** `FROM … WHERE …` over the visits of a scan; another population than the scan's can be asked for. */
export const visitsOf = (scan: Scan, population = populationSql(scan.who, scan.score)): Sql => ({
  sql: `FROM visits FINAL
    WHERE ${conditionOf(scan, population)}`,
  params: scanParams(scan),
});

/** Beginnings of the steps that slices are told apart by, epoch ms; a step never spans two days of the site. */
export type Steps = readonly number[];

/** SQL for the beginning of the step that an instant (epoch ms) falls into; `param` holds the beginnings. */
export const stepIn = (param: string, expression: string): string => `roundDown(${expression}, {${param}:Array(Int64)})`;

/**
 * Cuts the visits of a scan into slices, one for each step in which something happened: columns `step` (its beginning,
 * epoch ms), `row_key` (when grouped), what `measures.ts` names, and those of the visit.
 *
 * Three shapes, because most questions need no look at single page views:
 * whole   no page filter, rows not of pages: a visit inside one step is one slice, others are cut at their views
 * masked  page filters: a slice for each matching view, and one without activity that carries the visit at its beginning
 * keyed   rows of pages: a slice for each matching view; the first of each key carries the visit for that row
 */
export function slicesOf(scan: Scan, steps: Steps, by: Dimension | null): Sql {
  const sql = by?.level === 'view' ? keyed(scan, by) : scan.filters.mask ? masked(scan, scan.filters.mask, by) : whole(scan, by);
  return { sql, params: { ...scanParams(scan), steps } };
}

const within = (expression: string): string => `(${expression} >= {start:Int64} AND ${expression} < {end:Int64})`;
const begins = 'start_ms >= {start:Int64}';
const times = 'toUnixTimestamp64Milli(start) AS start_ms, toUnixTimestamp64Milli(last) - start_ms AS span';
const ofVisit = 'visitor_id, ip_key, is_new, bounce, engaged_ms, toInt64(length(view_at)) AS pages';
const at = 'start_ms + view_at[i]';

/** `i` numbers what happened in a visit: 0 its beginning, from 1 on its page views. */
const beginning = `if(${begins}, [toUInt32(0)], CAST([], 'Array(UInt32)'))`;
const viewsWithin = (mask: string | null): string =>
  mask
    ? `arrayFilter((i, offset, m) -> m AND ${within('start_ms + offset')}, arrayEnumerate(view_at), view_at, mask)`
    : `arrayFilter((i, offset) -> ${within('start_ms + offset')}, arrayEnumerate(view_at), view_at)`;

function whole(scan: Scan, by: Dimension | null): string {
  const key = by ? `, ${by.sql} AS row_key` : '';
  return `SELECT *, if(i = 0, first_step, ${stepIn('steps', at)}) AS step, if(single, pages, toInt64(i > 0)) AS views, i = 0 AS starts, starts AS enters, 1 AS active
    FROM (
      SELECT ${ofVisit}${key}, view_at, ${times}, ${stepIn('steps', 'start_ms')} AS first_step,
        ${begins} AND start_ms + span < {end:Int64} AND first_step = ${stepIn('steps', 'start_ms + span')} AS single
      FROM visits FINAL WHERE ${conditionOf(scan, populationSql(scan.who, scan.score))}
    )
    ARRAY JOIN if(single, [toUInt32(0)], arrayConcat(${beginning}, ${viewsWithin(null)})) AS i`;
}

function masked(scan: Scan, mask: string, by: Dimension | null): string {
  const key = by ? `, ${by.sql} AS row_key` : '';
  return `SELECT *, ${stepIn('steps', `if(i = 0, start_ms, ${at})`)} AS step, i > 0 AS views, i = 0 AS starts, starts AND mask[1] AS enters, i > 0 AS active
    FROM (SELECT ${ofVisit}${key}, view_at, ${mask} AS mask, ${times} FROM visits FINAL WHERE ${conditionOf(scan, populationSql(scan.who, scan.score))})
    ARRAY JOIN arrayConcat(${beginning}, ${viewsWithin(mask)}) AS i`;
}

function keyed(scan: Scan, by: Dimension): string {
  const { mask } = scan.filters;
  const picked = mask ? `arrayFilter((i, m) -> m, arrayEnumerate(view_at), ${mask})` : 'arrayEnumerate(view_at)';
  return `SELECT *, row_key, ${within(at)} AS active, ${stepIn('steps', at)} AS step, active AS views, nth = 1 AND ${begins} AS starts, i = 1 AND ${begins} AS enters
    FROM (SELECT ${ofVisit}, view_at, ${times}, ${picked} AS picked, arrayMap(i -> toString(${by.sql}[i]), picked) AS row_keys FROM visits FINAL WHERE ${conditionOf(scan, populationSql(scan.who, scan.score))})
    ARRAY JOIN picked AS i, row_keys AS row_key, arrayEnumerateUniq(row_keys) AS nth
    WHERE active OR starts`;
}
