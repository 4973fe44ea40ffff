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
const scanParams = (scan: Scan): Record<string, unknown> => ({ site: scan.siteId, start: scan.start, scanStart: scan.start - maxSpanMs, end: scan.end, ...scan.filters.params });

/** `FROM … WHERE …` over the visits of a scan; another population than the scan's can be asked for. */
export const visitsOf = (scan: Scan, population = populationSql(scan.who)): Sql => ({
  sql: `FROM visits FINAL
    WHERE ${conditionOf(scan, population)}`,
  params: scanParams(scan),
});

/** How the time of a slice is told apart. */
export type Time = {
  /** Beginnings of the finest steps needed, epoch ms; a day never spans two of them. */
  readonly steps: readonly number[];
  /** Beginnings of days in the site's zone. */
  readonly days: readonly number[];
};

/**
 * Cuts the visits of a scan into slices, one for each step in which something happened: columns `step` (its beginning,
 * epoch ms), `row_key` (when grouped), what `measures.ts` names, and those of the visit.
 *
 * Three shapes, because most questions need no look at single page views:
 * whole   no page filter, rows not of pages: a visit inside one step is one slice, others are cut at their views
 * masked  page filters: a slice for each matching view, and one without activity that carries the visit at its beginning
 * keyed   rows of pages: a slice for each matching view; the first of each key carries the visit for that row
 */
export function slicesOf(scan: Scan, time: Time, by: Dimension | null): Sql {
  const condition = conditionOf(scan, populationSql(scan.who));
  const keyed = by?.level === 'view';
  const oneStep = time.steps.length <= 1;
  const step = (expression: string): string => (oneStep ? '{start:Int64}' : `roundDown(${expression}, {steps:Array(Int64)})`);
  const inside = (expression: string): string => `(${expression} >= {start:Int64} AND ${expression} < {end:Int64})`;
  const begins = 'start_ms >= {start:Int64}';
  const mask = scan.filters.mask;
  const columns = `visitor_id, ip_key, is_new, bounce, engaged_ms, toInt64(length(view_at)) AS pages,
    toUnixTimestamp64Milli(start) AS start_ms, toUnixTimestamp64Milli(last) - start_ms AS span`;
  const viewStep = step('start_ms + view_at[i]');

  let cut: string;
  if (keyed) {
    const picked = mask ? `arrayFilter((i, m) -> m, arrayEnumerate(view_at), ${mask})` : 'arrayEnumerate(view_at)';
    cut = `SELECT ${columns}, row_key, ${inside('start_ms + view_at[i]')} AS active, ${viewStep} AS step,
      active AS views, nth = 1 AND ${begins} AS starts, i = 1 AND ${begins} AS enters
    FROM (SELECT *, ${picked} AS picked, arrayMap(i -> toString(${by.sql}[i]), picked) AS row_keys FROM visits FINAL WHERE ${condition})
    ARRAY JOIN picked AS i, row_keys AS row_key, arrayEnumerateUniq(row_keys) AS nth
    WHERE active OR starts`;
  } else {
    const key = by ? `, ${by.sql} AS row_key` : '';
    const carried = `if(${begins}, [(${step('start_ms')}, 0, 1, ${mask ? 0 : 1})], [])`;
    const picked = mask ? `arrayFilter((at, m) -> m AND ${inside('start_ms + at')}, view_at, mask)` : `arrayFilter(at -> ${inside('start_ms + at')}, view_at)`;
    const parts = `arrayConcat(${carried}, arrayMap(at -> (${step('start_ms + at')}, 1, 0, 1), ${picked}))`;
    const single = `${begins} AND start_ms + span < {end:Int64} AND ${step('start_ms')} = ${step('start_ms + span')}`;
    const slices = mask ? parts : `if(${single}, [(${step('start_ms')}, toInt64(length(view_at)), 1, 1)], ${parts})`;
    cut = `SELECT ${columns}${key}${mask ? `, ${mask} AS mask` : ''}, slice.1 AS step, slice.2 AS views, slice.3 AS starts, slice.4 AS active,
      ${mask ? 'starts AND mask[1]' : 'starts'} AS enters
    FROM visits FINAL
    ARRAY JOIN CAST(${slices}, 'Array(Tuple(Int64, Int64, UInt8, UInt8))') AS slice
    WHERE ${condition}`;
  }
  const day = time.days.length <= 1 ? '0' : time.days.length === time.steps.length ? 'step' : 'roundDown(step, {days:Array(Int64)})';
  return {
    sql: `SELECT *, ${day} AS day, ${perDay('visitor_id', time)} AS visitor_day, ${perDay('ip_key', time)} AS ip_day FROM (${cut})`,
    params: { ...scanParams(scan), steps: time.steps, days: time.days },
  };
}

/** A number for (id, day): ids are 64-bit hashes themselves, so that mixing the day in keeps them apart as well as before. */
const perDay = (id: string, time: Time): string => (time.days.length <= 1 ? id : `bitXor(${id}, intHash64(day))`);
