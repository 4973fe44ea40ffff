import type { Online, Population, VisitRow } from '../../../contract/analytics/schemas';
import { deviceTypes, sourceTypes, verdictBounds } from '../../../contract/analytics/schemas';
import { maxSpanMs } from '../../collect/visits';
import type { ShownCities } from './cities';
import { populationSql } from './filters';
import type { Compiled } from './filters';
import { runQuery } from './queries';
import type { QueryContext } from './queries';
import { DAY, MINUTE } from '../../zone';

/** A visitor counts as online for this long after the last activity. */
export const ONLINE_MS = 5 * MINUTE;

const hex = (column: string): string => `lower(leftPad(hex(${column}), 16, '0'))`;
const millis = (column: string): string => `toFloat64(toUnixTimestamp64Milli(${column}))`;
const instant = (param: string): string => `fromUnixTimestamp64Milli({${param}:Int64}, 'UTC')`;
/** 16 hex digits as the decimal text of a UInt64 parameter. */
export const idParam = (hexId: string): string => BigInt(`0x${hexId}`).toString();

/** Columns of `visits` as one JSON row. The visitor's id itself is never exposed: its short form is a hash. */
const columnsWith = ({ score = 'bot_score', cities }: { readonly score?: string | undefined; readonly cities?: ShownCities | undefined }): string => `
  ${hex('visit_id')} AS visitId, substring(${hex("sipHash64(visitor_id, 'short')")}, 1, 8) AS visitor, ${millis('start')} AS start_ms, ${millis('last')} AS last_ms,
  is_new, visit_no, country, province, ${cities?.city ?? 'toString(city)'} AS shown_city, isp, ip_masked, source_type, source_name, keyword, ref_url, ref_host, ref_path, device_type, os, os_version, browser, browser_version,
  screen_w, screen_h, lang, entry_path, exit_path, events, engaged_ms, toUInt8(${score}) AS score, bot_reasons,
  arrayMap(id -> ${hex('id')}, visits.view_id) AS view_ids, view_at, view_path, view_title, view_engaged, view_scroll, view_events`;

type Stored = {
  visitId: string;
  visitor: string;
  start_ms: number;
  last_ms: number;
  is_new: number;
  visit_no: number;
  country: string;
  province: string;
  shown_city: string;
  isp: string;
  ip_masked: string;
  source_type: string;
  source_name: string;
  keyword: string;
  ref_url: string;
  ref_host: string;
  ref_path: string;
  device_type: string;
  os: string;
  os_version: string;
  browser: string;
  browser_version: string;
  screen_w: number;
  screen_h: number;
  lang: string;
  entry_path: string;
  exit_path: string;
  events: number;
  engaged_ms: number;
  score: number;
  bot_reasons: string[];
  view_ids: string[];
  view_at: number[];
  view_path: string[];
  view_title: string[];
  view_engaged: number[];
  view_scroll: number[];
  view_events: number[];
};

const oneOf = <T extends string>(known: readonly T[], value: string, other: T): T => ((known as readonly string[]).includes(value) ? (value as T) : other);
const versioned = (name: string, version: string): string => (version === '' ? name : `${name} ${version}`);

function visitOf(row: Stored, now: number): VisitRow {
  return {
    visitId: row.visitId,
    visitor: row.visitor,
    start: row.start_ms,
    last: row.last_ms,
    online: row.last_ms >= now - ONLINE_MS,
    isNew: row.is_new === 1,
    visitNo: row.visit_no,
    country: row.country,
    province: row.province,
    city: row.shown_city,
    isp: row.isp,
    address: row.ip_masked,
    sourceType: oneOf(sourceTypes, row.source_type, 'direct'),
    sourceName: row.source_name,
    keyword: row.keyword,
    referrer: row.ref_url || row.ref_host + row.ref_path,
    deviceType: oneOf(deviceTypes, row.device_type, 'unknown'),
    os: versioned(row.os, row.os_version),
    browser: versioned(row.browser, row.browser_version),
    screen: row.screen_w === 0 ? '' : `${row.screen_w}x${row.screen_h}`,
    language: row.lang,
    entryPath: row.entry_path,
    exitPath: row.exit_path,
    views: row.view_ids.length,
    events: row.events,
    durationMs: row.last_ms - row.start_ms,
    engagedMs: row.engaged_ms,
    verdict: row.score >= verdictBounds.bot ? 'bot' : row.score >= verdictBounds.suspected ? 'suspected' : 'human',
    botReasons: row.bot_reasons,
    pages: row.view_ids.map((pageId, i) => ({
      pageId,
      at: row.start_ms + (row.view_at[i] ?? 0),
      path: row.view_path[i] ?? '',
      title: row.view_title[i] ?? '',
      engagedMs: row.view_engaged[i] ?? 0,
      scroll: row.view_scroll[i] ?? 0,
      events: row.view_events[i] ?? 0,
    })),
  };
}

export type LatestVisitsQuery = {
  readonly siteId: string;
  readonly who: Population;
  readonly filters: Compiled;
  readonly zone: string;
  /** SQL of the bot score under the site's own rules; absent: the stored score. */
  readonly score?: string | undefined;
  /** Which cities are hidden; absent: none. */
  readonly cities?: ShownCities | undefined;
  /** Only visits that began in this range; null: all. */
  readonly range?: { readonly start: number; readonly end: number } | null;
  readonly cursor: Cursor | null;
  readonly size: number;
  readonly now: number;
};
/** The last row of the previous page: its last activity (epoch ms) and its visit. */
export type Cursor = { readonly last: number; readonly visitId: string };

/** How far back a page of the newest visits is searched, step by step; null: without a limit. */
const windows = [DAY, 31 * DAY, null] as const;

/**
 * Visits by their last activity, newest first, and whether there are more.
 *
 * `visits` is ordered by start, not by end. A visit lasts `maxSpanMs` at most, so the visits begun since T include all that ended after T + `maxSpanMs`: if
 * those fill the page it is final, otherwise the window grows.
 */
export async function latestVisits(to: QueryContext, query: LatestVisitsQuery): Promise<{ rows: VisitRow[]; more: boolean }> {
  const { range } = query;
  const newest = query.cursor?.last ?? Math.min(query.now + DAY, (range?.end ?? Infinity) + maxSpanMs);
  const oldest = Math.max(0, range?.start ?? 0);
  let found: Stored[] = [];
  for (const window of windows) {
    const since = window === null ? oldest : Math.max(oldest, newest - window - maxSpanMs);
    found = await runQuery<Stored>(
      to,
      `SELECT ${columnsWith(query)} FROM visits FINAL
      WHERE site_id = {site:String} AND deleted = 0 AND start >= ${instant('since')} AND start <= ${instant('newest')}
        ${range ? `AND start < ${instant('end')}` : ''} ${query.cursor ? `AND (last, visit_id) < (${instant('newest')}, {visit:UInt64})` : ''}
        AND ${populationSql(query.who, query.score)} AND ${query.filters.visit} ${query.filters.mask ? `AND has(${query.filters.mask}, 1)` : ''}
      ORDER BY last DESC, visits.visit_id DESC LIMIT {limit:UInt32}`,
      {
        site: query.siteId,
        zone: query.zone,
        since,
        newest,
        limit: query.size + 1,
        ...(range ? { end: range.end } : {}),
        ...(query.cursor ? { visit: idParam(query.cursor.visitId) } : {}),
        ...query.filters.params,
      },
    );
    if (since === oldest || (found.length > query.size && (found.at(-1)?.last_ms ?? 0) >= since + maxSpanMs)) break;
  }
  return { rows: found.slice(0, query.size).map((row) => visitOf(row, query.now)), more: found.length > query.size };
}

/**
 * Visitors of the last five minutes; page views and visitors by minute for thirty minutes, the current minute last. A page filter keeps only the page views
 * that match it.
 */
export async function onlineNow(to: QueryContext, { siteId, who, filters, zone, score, now }: Omit<LatestVisitsQuery, 'cursor' | 'size'>): Promise<Online> {
  const minutes = 30;
  const first = Math.floor(now / MINUTE) * MINUTE - (minutes - 1) * MINUTE;
  const recent = `FROM visits FINAL WHERE site_id = {site:String} AND deleted = 0 AND ${populationSql(who, score)} AND ${filters.visit} ${filters.mask ? `AND has(${filters.mask}, 1)` : ''} AND start >= ${instant('scanStart')} AND last >= ${instant('since')}`;
  const views = filters.mask ? `arrayFilter((one_at, one_on) -> one_on = 1, view_at, ${filters.mask})` : 'view_at';
  const params = { site: siteId, zone, first, scanStart: first - maxSpanMs, ...filters.params };
  const [[count], rows] = await Promise.all([
    runQuery<{ online: number }>(to, `SELECT toFloat64(uniqExact(visitor_id)) AS online ${recent}`, { ...params, since: now - ONLINE_MS }),
    runQuery<{ minute: number; views: number; visitors: number }>(
      to,
      `SELECT toFloat64(intDiv(at - {first:Int64}, ${MINUTE})) AS minute, toFloat64(count()) AS views, toFloat64(uniqExact(visitor_id)) AS visitors
      FROM (SELECT visitor_id, toUnixTimestamp64Milli(start) + arrayJoin(${views}) AS at ${recent}) WHERE at >= {first:Int64} GROUP BY minute`,
      { ...params, since: first },
    ),
  ]);
  const byMinute = new Map(rows.map((row) => [row.minute, row]));
  return {
    online: count?.online ?? 0,
    perMinute: Array.from({ length: minutes }, (_, i) => ({
      at: first + i * MINUTE,
      views: byMinute.get(i)?.views ?? 0,
      visitors: byMinute.get(i)?.visitors ?? 0,
    })),
  };
}

export type HitResponse = {
  seq: number;
  at: number;
  kind: 'view' | 'event' | 'engage';
  name: string;
  url: string;
  title: string;
  engagedMs: number;
  scroll: number;
  props: string;
};

/** Every hit of a page view in order, without copies (the first received is kept). */
export async function hitsOfView(to: QueryContext, siteId: string, pageId: string): Promise<HitResponse[]> {
  return runQuery<HitResponse>(
    to,
    `SELECT seq, ${millis('at')} AS at, kind, name, concat(if(host = '', '', concat('//', host)), path, if(query = '', '', concat('?', query))) AS url, title, engaged_ms AS engagedMs, scroll, props
    FROM (SELECT * FROM hits WHERE site_id = {site:String} AND view_id = {view:UInt64} ORDER BY received_at LIMIT 1 BY visitor_id, view_id, seq)
    ORDER BY seq, at LIMIT 5000`,
    { site: siteId, view: idParam(pageId) },
  );
}

/** The visit that contains a page view; `at`: when something happened on it (epoch ms). Null if no visit contains it. */
export async function visitOfView(
  to: QueryContext,
  siteId: string,
  pageId: string,
  at: number,
  { now, score, cities }: Pick<LatestVisitsQuery, 'now' | 'score' | 'cities'>,
): Promise<VisitRow | null> {
  const [row] = await runQuery<Stored>(
    to,
    `SELECT ${columnsWith({ score, cities })} FROM visits FINAL
    WHERE site_id = {site:String} AND deleted = 0 AND start >= ${instant('since')} AND start <= ${instant('at')} AND has(visits.view_id, {view:UInt64})
    ORDER BY start LIMIT 1`,
    { site: siteId, view: idParam(pageId), since: at - maxSpanMs, at },
  );
  return row ? visitOf(row, now) : null;
}

export type Arrived = { readonly firstHitAt: number | null; readonly lastHitAt: number | null; readonly hosts: { host: string; lastAt: number }[] };

/** First and last activity of a site and its hosts, bots included; shows whether the tag works. */
export async function arrivedAt(to: QueryContext, siteId: string): Promise<Arrived> {
  const rows = await runQuery<{ host: string; firstAt: number; lastAt: number }>(
    to,
    `SELECT view_host_name AS host, ${millis('min(start)')} AS firstAt, ${millis('max(last)')} AS lastAt
    FROM (SELECT toString(host) AS view_host_name, start, last FROM visits WHERE site_id = {site:String} AND deleted = 0)
    GROUP BY host ORDER BY lastAt DESC LIMIT 50`,
    { site: siteId },
  );
  return {
    firstHitAt: rows.length === 0 ? null : Math.min(...rows.map((row) => row.firstAt)),
    lastHitAt: rows.length === 0 ? null : Math.max(...rows.map((row) => row.lastAt)),
    hosts: rows.map(({ host, lastAt }) => ({ host, lastAt })),
  };
}
