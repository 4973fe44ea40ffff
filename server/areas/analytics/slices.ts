import type { DimensionId, Population } from '../../../contract/analytics/schemas';
import { axisKeys, defaultBucketEnds, isAxis } from '../../../contract/measuring/buckets';
import type { BucketEnds } from '../../../contract/measuring/buckets';
import { maxSpanMs } from '../../collect/visits';
import { bucketSql } from './bucketSql';
import type { ShownCities } from './cities';
import { dimensionTable } from './dimensions';
import type { Dimension } from './dimensions';
import { countedEvent, eventKeys, noKeys } from './events';
import type { GoalSql } from './events';
import { populationSql } from './filters';
import type { Compiled } from './filters';
import type { MeasureGroup } from './measures';

/** Parameters of a scan of `visits`. */
export type Scan = {
  readonly siteId: string;
  /** Epoch ms, [start, end). */
  readonly start: number;
  readonly end: number;
  readonly who: Population;
  readonly filters: Compiled;
  /** The site's time zone, for dimensions that count its days (`{zone:String}`). */
  readonly zone: string;
  /** SQL of the bot score under the site's own rules; absent: the stored score. */
  readonly score?: string;
  /** Limits of the buckets; absent: the default limits. */
  readonly buckets?: BucketEnds;
  /** Which cities are named; all by default. */
  readonly cities?: ShownCities;
  /** The goals that conversions refer to; absent: no conversions. */
  readonly goals?: GoalSql;
};

/** A dimension with the scan's city visibility and buckets applied. */
export function dimensionIn({ cities, buckets }: Scan, id: DimensionId): Dimension {
  if (id === 'city' && cities) return { ...dimensionTable.city, sql: cities.row };
  return isAxis(id) && buckets ? { ...dimensionTable[id], sql: bucketSql(id, buckets) } : dimensionTable[id];
}
/** The buckets of a dimension in order; undefined if it has none. */
export const axisIn = ({ buckets = defaultBucketEnds }: Pick<Scan, 'buckets'>, id: DimensionId): readonly string[] | undefined =>
  isAxis(id) ? axisKeys(id, buckets) : undefined;

export type Sql = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

const instant = (param: string): string => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;

/** The condition of a scan on `visits`: visits that begin in the range or reach into it. */
function conditionOf(scan: Scan, population: string): string {
  return `site_id = {site:String} AND deleted = 0
      AND start >= ${instant('scanStart')} AND start < ${instant('end')} AND last >= ${instant('start')}
      AND ${population} AND ${scan.filters.visit}${scan.filters.mask ? ` AND has(${scan.filters.mask}, 1)` : ''}`;
}

/** A visit that reaches into a range began at most the maximum visit length before it. */
const scanParams = (scan: Scan): Record<string, unknown> => ({
  site: scan.siteId,
  start: scan.start,
  scanStart: scan.start - maxSpanMs,
  end: scan.end,
  zone: scan.zone,
  ...scan.goals?.params,
  ...scan.filters.params,
});

/** `FROM … WHERE …` over the visits of a scan; `population` can differ from the scan's. */
export const visitsOf = (scan: Scan, population = populationSql(scan.who, scan.score)): Sql => ({
  sql: `FROM visits FINAL
    WHERE ${conditionOf(scan, population)}`,
  params: scanParams(scan),
});

/**
 * Active visitors (`visitor_id`, with repetitions) of a scan without page filters: the visitors of its slices, without computing slices. With `by`, also their
 * `row_key` in a visit dimension.
 */
export function activeVisitors(scan: Scan, by: Dimension | null = null): Sql {
  const key = by ? `, ${by.sql} AS row_key` : '';
  const active = `(${start} >= {start:Int64} OR arrayExists(offset -> ${within(`${start} + offset`)}, view_at))`;
  return { sql: `SELECT visitor_id${key} ${rowsOfVisits(scan)} AND ${active}`, params: scanParams(scan) };
}
const start = 'toUnixTimestamp64Milli(start)';

/** Starts of the steps that divide visits into slices, epoch ms; a step never spans two days of the site. */
export type Steps = readonly number[];

/** SQL for the start of the step that contains an instant (epoch ms); `param` holds the starts. */
export const stepIn = (param: string, expression: string): string => `roundDown(${expression}, {${param}:Array(Int64)})`;

/**
 * Cuts the visits of a scan into slices, one for each step in which something happened: columns `step` (its start, epoch ms), `row_key` (when grouped), those
 * named in `measures.ts`, and those of the visit. Columns needed only by a group of measures are present only if `groups` names it, so that other queries do
 * not read them.
 *
 * Four forms, because most queries need no single page views:
 * whole no page filter, no page rows: a visit inside one step is one slice, others are cut at their views (and events)
 * oneStep like `whole`, with only one step and no events: nothing is cut, each visit active in the step is one slice
 * masked page filters: a slice for each matching view (and event on one), and one without activity that carries the visit at its start
 * keyed page rows: a slice for each matching view (and event on one); the first of each key carries the visit for that row
 */
export function slicesOf(scan: Scan, steps: Steps, by: Dimension | null, groups: readonly MeasureGroup[] = []): Sql {
  const needs: Needs = { pages: groups.includes('pages'), goals: groups.includes('goals') };
  const [only, ...others] = steps;
  const uncut = only !== undefined && others.length === 0 && !needs.goals;
  const sql =
    by?.level === 'view'
      ? keyed(scan, by, needs)
      : scan.filters.mask
        ? masked(scan, scan.filters.mask, by, needs)
        : uncut
          ? oneStep(scan, by, needs)
          : whole(scan, by, needs);
  return { sql, params: { ...scanParams(scan), steps } };
}

type Needs = { readonly pages: boolean; readonly goals: boolean };

const within = (expression: string): string => `(${expression} >= {start:Int64} AND ${expression} < {end:Int64})`;
const begins = 'start_ms >= {start:Int64}';
/** Start and length of a visit, ms. */
export const visitTimes = 'toUnixTimestamp64Milli(start) AS start_ms, toUnixTimestamp64Milli(last) - start_ms AS span';

/** Columns of a visit that its slices carry. */
const ofVisit = (scan: Scan, { pages, goals }: Needs, by: Dimension | null = null): string =>
  [
    'visitor_id, ip_key, is_new, bounce, engaged_ms, toInt64(length(view_at)) AS pages',
    ...(pages ? ['view_engaged, view_scroll'] : []),
    ...(goals ? ['event_name, event_at, event_view'] : []),
    // Each row of a goal counts only that goal.
    ...(goals && by?.of !== 'goal' ? [`${scan.goals?.converted ?? '0'} AS converted, ${scan.goals?.worth ?? '0'} AS conversion_worth`] : []),
  ].join(', ');

/** `i` numbers what happened in a visit: 0 is its start, positive numbers its page views, negative numbers its events. */
const beginning = `if(${begins}, [toUInt32(0)], CAST([], 'Array(UInt32)'))`;
const viewNumbers = 'arrayEnumerate(view_at)';
const eventNumbers = 'arrayMap(i -> -toInt32(i), arrayEnumerate(event_at))';
/** Numbers of the views inside the range that match `mask`; needs `view_at` and `start_ms`. */
export const viewsWithin = (mask: string | null): string =>
  mask
    ? `arrayFilter((i, offset, m) -> m AND ${within('start_ms + offset')}, ${viewNumbers}, view_at, ${mask})`
    : `arrayFilter((i, offset) -> ${within('start_ms + offset')}, ${viewNumbers}, view_at)`;
/** `mask`: an array of 0/1 over views; if present, only events on matching views are selected. */
const eventsWithin = (mask: string | null, by: Dimension | null = null): string =>
  `arrayFilter((i, offset, name, view) -> ${within('start_ms + offset')} AND ${ofRow(by)}${mask ? ` AND view > 0 AND ${mask}[view]` : ''}, ${eventNumbers}, event_at, event_name, event_view)`;
/** Events that count in a row: in rows of events only those with its name. */
const ofRow = (by: Dimension | null): string => `${countedEvent('name')}${by?.of === 'event' ? ' AND name = row_key' : ''}`;
/** A negative index would count from the end of an array; `abs` prevents that. */
const at = ({ goals }: Needs): string => (goals ? 'start_ms + if(i < 0, event_at[abs(i)], view_at[abs(i)])' : 'start_ms + view_at[i]');

/** Columns of the groups of measures; `view`: SQL whether the slice is a counted page view, `single`: whether it is a whole visit. */
function grouped({ pages, goals }: Needs, view: string, single: string | null, by: Dimension | null = null): string {
  const either = (all: string, part: string): string => (single ? `if(${single}, ${all}, ${part})` : part);
  const ofViews = [
    `${either('toInt64(pages > 0)', `toInt64(${view} AND i = 1)`)} AS view_entries`,
    `${either('toInt64(pages > 0)', `toInt64(${view} AND i = pages)`)} AS view_exits`,
    `${either('arraySum(view_engaged)', `toUInt64(if(${view}, view_engaged[abs(i)], 0))`)} AS view_engaged_ms`,
    `${either('arraySum(view_scroll)', `toUInt64(if(${view}, view_scroll[abs(i)], 0))`)} AS view_scroll_sum`,
  ];
  const ofEvents = [`${either(`toInt64(arrayCount(name -> ${ofRow(by)}, event_name))`, 'toInt64(i < 0)')} AS event_count`];
  return [...(pages ? ofViews : []), ...(goals ? ofEvents : [])].map((column) => `, ${column}`).join('');
}

const rowsOfVisits = (scan: Scan): string => `FROM visits FINAL WHERE ${conditionOf(scan, populationSql(scan.who, scan.score))}`;

/** Visits with `columns`; by events or goals, one row for each that the visit contains. */
function visitsBy(scan: Scan, by: Dimension | null, columns: string, needs: Needs): string {
  if (by === null) return `SELECT ${columns} ${rowsOfVisits(scan)}`;
  if (by.of === undefined) return `SELECT ${columns}, ${by.sql} AS row_key ${rowsOfVisits(scan)}`;
  if (by.of === 'event') return `SELECT *, row_key FROM (SELECT ${columns}, ${eventKeys} AS row_keys ${rowsOfVisits(scan)}) ARRAY JOIN row_keys AS row_key`;
  const worths = needs.goals ? `, ${scan.goals?.worths ?? "CAST([], 'Array(Float64)')"} AS row_worths` : '';
  const worth = needs.goals ? ', toUInt8(1) AS converted, row_worth AS conversion_worth' : '';
  return `SELECT *, row_key${worth} FROM (SELECT ${columns}, ${scan.goals?.keys ?? noKeys} AS row_keys${worths} ${rowsOfVisits(scan)})
    ARRAY JOIN row_keys AS row_key${needs.goals ? ', row_worths AS row_worth' : ''}`;
}

function whole(scan: Scan, by: Dimension | null, needs: Needs): string {
  const parts = [beginning, viewsWithin(null), ...(needs.goals ? [eventsWithin(null, by)] : [])];
  const columns = `${ofVisit(scan, needs, by)}, view_at, ${visitTimes}, ${stepIn('steps', 'start_ms')} AS first_step,
        ${begins} AND start_ms + span < {end:Int64} AND first_step = ${stepIn('steps', 'start_ms + span')} AS single`;
  return `SELECT *, if(i = 0, first_step, ${stepIn('steps', at(needs))}) AS step, if(single, pages, toInt64(i > 0)) AS views, i = 0 AS starts, starts AS enters, i >= 0 AS active${grouped(needs, 'i > 0', 'single', by)}
    FROM (${visitsBy(scan, by, columns, needs)})
    ARRAY JOIN if(single, [toUInt32(0)], arrayConcat(${parts.join(', ')})) AS i`;
}

function oneStep(scan: Scan, by: Dimension | null, needs: Needs): string {
  const inside = within('start_ms + offset');
  const ofPages = [
    `toInt64(pages > 0 AND ${within('start_ms + view_at[1]')}) AS view_entries`,
    `toInt64(pages > 0 AND ${within('start_ms + view_at[pages]')}) AS view_exits`,
    `arraySum((offset, ms) -> if(${inside}, ms, 0), view_at, view_engaged) AS view_engaged_ms`,
    `arraySum((offset, depth) -> if(${inside}, depth, 0), view_at, view_scroll) AS view_scroll_sum`,
  ];
  const columns = [
    `${ofVisit(scan, needs, by)}, view_at, ${visitTimes}, {steps:Array(Int64)}[1] AS step`,
    `toInt64(arrayCount(offset -> ${inside}, view_at)) AS views, ${begins} AS starts, starts AS enters, starts OR views > 0 AS active`,
    ...(needs.pages ? ofPages : []),
  ].join(', ');
  return `SELECT * FROM (${visitsBy(scan, by, columns, needs)}) WHERE active`;
}

function masked(scan: Scan, mask: string, by: Dimension | null, needs: Needs): string {
  const parts = [beginning, viewsWithin('mask'), ...(needs.goals ? [eventsWithin('mask', by)] : [])];
  const columns = `${ofVisit(scan, needs, by)}, view_at, ${mask} AS mask, ${visitTimes}`;
  return `SELECT *, ${stepIn('steps', `if(i = 0, start_ms, ${at(needs)})`)} AS step, i > 0 AS views, i = 0 AS starts, starts AND mask[1] AS enters, i > 0 AS active${grouped(needs, 'i > 0', null)}
    FROM (${visitsBy(scan, by, columns, needs)})
    ARRAY JOIN arrayConcat(${parts.join(', ')}) AS i`;
}

function keyed(scan: Scan, by: Dimension, needs: Needs): string {
  const { mask } = scan.filters;
  const picked = mask ? `arrayFilter((i, m) -> m, ${viewNumbers}, ${mask})` : viewNumbers;
  // Events come after all views, so that none of them is the first of its key.
  const events = needs.goals
    ? `, arrayFilter(i -> has(picked, event_view[abs(i)]) AND ${countedEvent('event_name[abs(i)]')}, ${eventNumbers}) AS picked_events`
    : '';
  const numbers = needs.goals ? 'arrayConcat(picked, picked_events)' : 'picked';
  const viewOf = needs.goals ? 'if(i < 0, toInt32(event_view[abs(i)]), i)' : 'i';
  return `SELECT *, row_key${by.detail ? ', view_details[abs(i)] AS detail' : ''}, i > 0 AND ${within(at(needs))} AS active, ${stepIn('steps', at(needs))} AS step, active AS views, i > 0 AND nth = 1 AND ${begins} AS starts, i = 1 AND ${begins} AS enters${grouped(needs, 'active', null)}
    FROM (
      SELECT ${ofVisit(scan, needs)}, view_at, ${visitTimes}, ${by.sql} AS view_keys${by.detail ? `, ${by.detail} AS view_details` : ''}, ${picked} AS picked${events}, ${numbers} AS numbers,
        arrayMap(i -> toString(view_keys[${viewOf}]), numbers) AS row_keys
      ${rowsOfVisits(scan)}
    )
    ARRAY JOIN numbers AS i, row_keys AS row_key, arrayEnumerateUniq(row_keys) AS nth
    WHERE active OR starts${needs.goals ? ` OR (i < 0 AND ${within(at(needs))})` : ''}`;
}
