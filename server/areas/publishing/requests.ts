import type { DeliveredDay, RequestKind, previewEndpoints as endpoints } from '../../../contract/publishing/preview';
import type { Context } from '../../context';
import type { CallOf } from '../../http/route';
import type { Migration } from '../../stores/clickhouse/migrate';
import { addDays, dayAt, dayStart } from '../../zone';

/**
 * Requests to delivered sites, one row each, without anything about the person: neither address nor user agent. `score`: of the bot signals, as for hits. `crawler`: the search engine that the program says it
 * belongs to; empty: none. `path` has no query.
 */
export const requestMigrations: readonly Migration[] = [
  {
    id: 'publishing_0001_delivered_requests',
    statements: [
      `CREATE TABLE IF NOT EXISTS delivered_requests (
        site_id LowCardinality(String),
        at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        kind LowCardinality(String),
        path String CODEC(ZSTD(1)),
        status UInt16,
        score UInt8,
        ms UInt32,
        bytes UInt64
      ) ENGINE = MergeTree
      PARTITION BY toYYYYMM(at)
      ORDER BY (site_id, at)
      TTL toDateTime(at) + INTERVAL 180 DAY
      SETTINGS index_granularity = 2048`,
    ],
  },
  {
    id: 'publishing_0002_request_crawlers',
    statements: [`ALTER TABLE delivered_requests ADD COLUMN IF NOT EXISTS crawler LowCardinality(String) DEFAULT ''`],
  },
];

export type DeliveredRequest = {
  readonly siteId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: RequestKind;
  readonly path: string;
  readonly status: number;
  readonly score: number;
  readonly crawler: string;
  readonly ms: number;
  readonly bytes: number;
};

export const storeRequests = (ctx: Pick<Context, 'clickhouse'>, requests: readonly DeliveredRequest[]): Promise<void> =>
  ctx.clickhouse.insert(
    'delivered_requests',
    requests.map(({ siteId, at, ...request }) => ({ site_id: siteId, at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''), ...request })),
    { columns: ['site_id', 'at', 'kind', 'path', 'status', 'score', 'crawler', 'ms', 'bytes'] },
  );

type Row = { readonly day: string; readonly [column: string]: string | number | null };
const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`;
/** Requests of pages since a time (epoch ms) by the crawlers that asked for them, the most active first. */
export async function crawlersSince(ctx: Pick<Context, 'clickhouse'>, siteId: string, since: number): Promise<{ name: string; requests: number }[]> {
  const rows = await ctx.clickhouse.query<{ name: string; requests: string }>(
    `SELECT toString(crawler) AS name, count() AS requests FROM delivered_requests
    WHERE site_id = {site:String} AND at >= ${instant('since')} AND crawler != '' GROUP BY name ORDER BY requests DESC, name`,
    { params: { site: siteId, since } },
  );
  return rows.map(({ name, requests }) => ({ name, requests: Number(requests) }));
}

/** All requests since a time (epoch ms), and those that ended in an error of the server. */
export async function failuresSince(
  ctx: Pick<Context, 'clickhouse'>,
  siteId: string,
  since: number,
): Promise<{ requests: number; failed: number; first: number }> {
  const [row] = await ctx.clickhouse.query<{ requests: string; failed: string; first: number }>(
    `SELECT count() AS requests, countIf(status >= 500 AND status != 503) AS failed, toFloat64(toUnixTimestamp64Milli(minIf(at, status >= 500 AND status != 503))) AS first
    FROM delivered_requests WHERE site_id = {site:String} AND at >= ${instant('since')}`,
    { params: { site: siteId, since } },
  );
  return { requests: Number(row?.requests ?? 0), failed: Number(row?.failed ?? 0), first: row?.first ?? 0 };
}

/** As in reports: below is a person, from here on it may be a program. */
const suspected = 50;

/** Pages that people requested, and what else was delivered, by day; beside it the page views that the tag reported, which blocked scripts lack. */
export async function deliveredDays(ctx: Context, { site, query }: CallOf<typeof endpoints.deliveredDays>): Promise<DeliveredDay[]> {
  const { timeZone } = site.row;
  const today = dayAt(ctx.now(), timeZone);
  const first = addDays(today, 1 - query.days);
  const params = { site: site.id, zone: timeZone, start: dayStart(first, timeZone), end: dayStart(addDays(today, 1), timeZone) };
  const [delivered, measured] = await Promise.all([
    ctx.clickhouse.query<Row>(
      `SELECT toString(toDate(at, {zone:String})) AS day,
        countIf(kind = 'page' AND status IN (200, 304) AND score < ${suspected}) AS pages,
        countIf(score >= ${suspected}) AS programs,
        countIf(kind = 'page' AND status = 404) AS notFound,
        countIf(status >= 500) AS errors,
        sum(bytes) AS bytes,
        if(countIf(kind = 'page') = 0, NULL, quantileIf(0.5)(ms, kind = 'page')) AS medianMs
      FROM delivered_requests WHERE site_id = {site:String} AND at >= ${instant('start')} AND at < ${instant('end')} GROUP BY day`,
      { params },
    ),
    ctx.clickhouse.query<Row>(
      `SELECT toString(toDate(start, {zone:String})) AS day, sum(pv) AS views FROM visits FINAL
      WHERE site_id = {site:String} AND deleted = 0 AND origin = 'script' AND bot_score < ${suspected} AND start >= ${instant('start')} AND start < ${instant('end')} GROUP BY day`,
      { params },
    ),
  ]);
  return Array.from({ length: query.days }, (_, ago): DeliveredDay => {
    const day = addDays(today, -ago);
    const own = delivered.find((row) => row.day === day);
    const number = (column: string): number => Number(own?.[column] ?? 0);
    return {
      day,
      pages: number('pages'),
      measured: Number(measured.find((row) => row.day === day)?.views ?? 0),
      programs: number('programs'),
      notFound: number('notFound'),
      errors: number('errors'),
      bytes: number('bytes'),
      medianMs: own?.medianMs === null || own?.medianMs === undefined ? null : Math.round(Number(own.medianMs)),
    };
  });
}
