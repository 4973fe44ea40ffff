import type { z } from 'zod';
import type { EventDetail, EventsReport, ScrollReport, SearchesReport } from '../../../contract/insights/reports';
import { scrollMarks } from '../../../contract/insights/reports';
import { decimal } from '../../../contract/insights/schemas';
import type { ClickHouse } from '../../stores/clickhouse/types';
import { runQuery, countedEvent, visitsOf } from '../analytics';
import type { QueryContext, Scan } from '../analytics';

type Paged = { readonly page: number; readonly size: number };
type Sql = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };
const number = (value: string | number | null | undefined): number => Number(value ?? 0);
const paged = ({ page, size }: Paged) => ({ size, skip: (page - 1) * size });
const within = (at: string): string => `${at} >= {start:Int64} AND ${at} < {end:Int64}`;
const mostProperties = 30;
const mostValues = 50;

/** The earliest start of a visit of a site, epoch ms; the order of the table makes it the first row read. */
export async function firstHitOf(clickhouse: ClickHouse, siteId: string): Promise<number | null> {
  const [row] = await clickhouse.query<{ at: number }>(
    'SELECT toFloat64(toUnixTimestamp64Milli(start)) AS at FROM visits WHERE site_id = {site:String} AND deleted = 0 ORDER BY start LIMIT 1',
    { params: { site: siteId } },
  );
  return row?.at ?? null;
}

/** `FROM …` with one row per event of the scan: `visit_id`, `visitor_id`, `at` (epoch ms), `name`, `props`. */
function eventsIn(scan: Scan): Sql {
  const { mask } = scan.filters;
  const visits = visitsOf(scan);
  return {
    sql: `FROM (
      SELECT visit_id, visitor_id, toUnixTimestamp64Milli(start) AS start_ms, event_at, event_name, event_props, event_view${mask ? `, ${mask} AS mask` : ''} ${visits.sql}
    ) ARRAY JOIN event_at AS offset, event_name AS name, event_props AS props, event_view AS view, arrayMap(t -> start_ms + t, event_at) AS at
    WHERE ${within('at')} AND ${countedEvent('name')}${mask ? ' AND view > 0 AND mask[view]' : ''}`,
    params: visits.params,
  };
}

const people = 'toFloat64(count()) AS count, toFloat64(uniqExact(visit_id)) AS visits, toFloat64(uniqExact(visitor_id)) AS visitors';
type People = { readonly count: number; readonly visits: number; readonly visitors: number };

/** The site's own events by name, and the numbers of outbound links and downloads. */
export async function eventsReport(to: QueryContext, scan: Scan, page: Paged): Promise<z.input<typeof EventsReport>> {
  const events = eventsIn(scan);
  const own = "NOT startsWith(name, '$')";
  const [rows, [totals]] = await Promise.all([
    runQuery<People & { name: string; lastAt: number }>(
      to,
      `SELECT toString(name) AS name, ${people}, toFloat64(max(at)) AS lastAt ${events.sql} AND ${own}
      GROUP BY name ORDER BY count DESC, name LIMIT {size:UInt32} OFFSET {skip:UInt32}`,
      { ...events.params, ...paged(page) },
    ),
    runQuery<People & { names: number; lastAt: number | null; outbound: number; downloads: number }>(
      to,
      `SELECT toFloat64(countIf(${own})) AS count, toFloat64(uniqExactIf(visit_id, ${own})) AS visits, toFloat64(uniqExactIf(visitor_id, ${own})) AS visitors,
        toFloat64(uniqExactIf(name, ${own})) AS names, toFloat64(maxOrNullIf(at, ${own})) AS lastAt,
        toFloat64(countIf(name = '$outbound')) AS outbound, toFloat64(countIf(name = '$download')) AS downloads ${events.sql}`,
      events.params,
    ),
  ]);
  return {
    totals: { count: number(totals?.count), visits: number(totals?.visits), visitors: number(totals?.visitors), lastAt: totals?.lastAt ?? null },
    rows,
    rowCount: number(totals?.names),
    outbound: number(totals?.outbound),
    downloads: number(totals?.downloads),
  };
}

/** One event: its properties, most frequent first, with their values and numeric statistics. */
export async function eventDetail(to: QueryContext, scan: Scan, name: string): Promise<z.input<typeof EventDetail>> {
  const events = eventsIn(scan);
  const params = { ...events.params, name };
  const one = `${events.sql} AND name = {name:String}`;
  const wholly = decimal.source.replaceAll('\\', '\\\\');
  const pairs = `FROM (
      SELECT visit_id, visitor_id, pair.1 AS property, pair.2 AS raw, if(startsWith(raw, '"'), JSONExtractString(raw), raw) AS value,
        multiIf(match(raw, '^-?[0-9]'), toFloat64OrNull(raw), startsWith(raw, '"') AND match(value, '${wholly}'), toFloat64OrNull(value), NULL) AS num
      FROM (SELECT visit_id, visitor_id, props ${one})
      ARRAY JOIN JSONExtractKeysAndValuesRaw(props) AS pair
    )`;
  type Property = {
    property: string;
    count: number;
    kinds: number;
    nums: number;
    total: number | null;
    mean: number | null;
    least: number | null;
    most: number | null;
  };
  const [[totals], properties, values] = await Promise.all([
    runQuery<People & { lastAt: number | null }>(to, `SELECT ${people}, toFloat64(maxOrNull(at)) AS lastAt ${one}`, params),
    runQuery<Property>(
      to,
      `SELECT property, toFloat64(count()) AS count, toFloat64(uniqExact(value)) AS kinds, toFloat64(countIf(isNotNull(num))) AS nums,
        sum(num) AS total, avg(num) AS mean, min(num) AS least, max(num) AS most ${pairs}
      GROUP BY property ORDER BY count DESC, property LIMIT ${mostProperties}`,
      params,
    ),
    runQuery<People & { property: string; value: string }>(
      to,
      `SELECT property, value, ${people} ${pairs} GROUP BY property, value ORDER BY property, count DESC, value LIMIT ${mostValues} BY property`,
      params,
    ),
  ]);
  const count = number(totals?.count);
  return {
    name,
    count,
    visits: number(totals?.visits),
    visitors: number(totals?.visitors),
    lastAt: totals?.lastAt ?? null,
    properties: properties.map((of) => ({
      name: of.property,
      count: of.count,
      distinct: of.kinds,
      values: values.filter(({ property }) => property === of.property).map(({ property: _of, ...row }) => ({ ...row, share: row.count / count })),
      numbers: of.nums === 0 ? null : { count: of.nums, sum: number(of.total), mean: number(of.mean), min: number(of.least), max: number(of.most) },
    })),
  };
}

/** `FROM …` with one row per page view of the scan: the columns of its visit, and `i`, its number from 1. */
function viewsIn(scan: Scan, columns: string): Sql {
  const { mask } = scan.filters;
  const visits = visitsOf(scan);
  return {
    sql: `FROM (SELECT visit_id, visitor_id, toUnixTimestamp64Milli(start) AS start_ms, view_at, view_path, ${columns}${mask ? `, ${mask} AS mask` : ''} ${visits.sql})
      ARRAY JOIN arrayEnumerate(view_at) AS i
      WHERE ${within('start_ms + view_at[i]')}${mask ? ' AND mask[i]' : ''}`,
    params: visits.params,
  };
}

/** Terms of the site's own search, and what visitors did next. */
export async function searchesReport(
  to: QueryContext,
  scan: Scan,
  query: Paged & { readonly term?: string | undefined },
): Promise<z.input<typeof SearchesReport>> {
  const views = viewsIn(scan, 'view_search');
  const searched = `${views.sql} AND view_search[i] != ''`;
  const last = 'i = length(view_at)';
  const [rows, [totals], next] = await Promise.all([
    runQuery<People & { term: string; followed: number; again: number; ended: number }>(
      to,
      `SELECT view_search[i] AS term, ${people}, toFloat64(countIf(NOT ${last} AND view_search[i + 1] = '')) AS followed,
        toFloat64(countIf(NOT ${last} AND view_search[i + 1] != '')) AS again, toFloat64(countIf(${last})) AS ended ${searched}
      GROUP BY term ORDER BY count DESC, term LIMIT {size:UInt32} OFFSET {skip:UInt32}`,
      { ...views.params, ...paged(query) },
    ),
    runQuery<People & { terms: number }>(to, `SELECT ${people}, toFloat64(uniqExact(view_search[i])) AS terms ${searched}`, views.params),
    query.term === undefined
      ? null
      : runQuery<{ path: string; views: number }>(
          to,
          `SELECT view_path[i + 1] AS path, toFloat64(count()) AS views ${searched} AND view_search[i] = {term:String} AND NOT ${last} AND view_search[i + 1] = ''
          GROUP BY path ORDER BY views DESC, path LIMIT 10`,
          { ...views.params, term: query.term },
        ),
  ]);
  return {
    searches: number(totals?.count),
    visits: number(totals?.visits),
    visitors: number(totals?.visitors),
    rows: rows.map(({ count, ended, ...row }) => ({ ...row, searches: count, left: ended })),
    rowCount: number(totals?.terms),
    next,
  };
}

/** Scroll depth of pages, ordered by views. */
export async function scrollReport(to: QueryContext, scan: Scan, page: Paged): Promise<z.input<typeof ScrollReport>> {
  const views = viewsIn(scan, 'view_scroll');
  const depth = `toFloat64(count()) AS views, avgOrNull(view_scroll[i]) / 100 AS average, [${scrollMarks
    .map((mark) => `toFloat64(countIf(view_scroll[i] >= ${mark}))`)
    .join(', ')}] AS reached`;
  type Depth = { views: number; average: number | null; reached: number[] };
  const [rows, [totals]] = await Promise.all([
    runQuery<Depth & { path: string }>(
      to,
      `SELECT view_path[i] AS path, ${depth} ${views.sql} GROUP BY path ORDER BY views DESC, path LIMIT {size:UInt32} OFFSET {skip:UInt32}`,
      { ...views.params, ...paged(page) },
    ),
    runQuery<Depth & { paths: number }>(to, `SELECT ${depth}, toFloat64(uniqExact(view_path[i])) AS paths ${views.sql}`, views.params),
  ]);
  return {
    totals: { views: number(totals?.views), average: totals?.average ?? null, reached: totals?.reached ?? scrollMarks.map(() => 0) },
    rows,
    rowCount: number(totals?.paths),
  };
}
