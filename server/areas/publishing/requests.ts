import type { DeliveredDay, RequestKind, previewEndpoints as endpoints } from '../../../contract/publishing/preview';
import type { Context } from '../../context';
import type { CallOf } from '../../http/route';
import type { Migration } from '../../stores/clickhouse/migrate';
import { addDays, dayAt, dayStart } from '../../zone';

/**
 * Requests to delivered sites, one row each, without anything about the person: neither address nor user agent. `score`: of the bot signals, as for hits. `path` has no
 * query.
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
];

export type DeliveredRequest = {
  readonly siteId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly kind: RequestKind;
  readonly path: string;
  readonly status: number;
  readonly score: number;
  readonly ms: number;
  readonly bytes: number;
};

export const storeRequests = (ctx: Pick<Context, 'clickhouse'>, requests: readonly DeliveredRequest[]): Promise<void> =>
  ctx.clickhouse.insert(
    'delivered_requests',
    requests.map(({ siteId, at, ...request }) => ({ site_id: siteId, at: new Date(at).toISOString().replace('T', ' ').replace('Z', ''), ...request })),
    { columns: ['site_id', 'at', 'kind', 'path', 'status', 'score', 'ms', 'bytes'] },
  );

type Row = { readonly day: string; readonly [column: string]: string | number | null };
const instant = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`;
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
