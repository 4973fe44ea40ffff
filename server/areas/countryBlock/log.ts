import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { BlockedRequest, BlockedSummary, countryBlockEndpoints as endpoints } from '../../../contract/countryBlock/schemas';
import { torExits, unknownCountry } from '../../../contract/countryBlock/codes';
import type { RuleAction } from '../../../contract/countryBlock/terms';
import { countryName } from '../../../contract/places';
import type { Context } from '../../context';
import { byteOrderMark, csvLine } from '../../csv';
import { asDownload } from '../../http/download';
import type { CallOf, ResponseOf } from '../../http/route';
import type { Migration } from '../../stores/clickhouse/migrate';
import { DAY, addDays, dayAt, dayStart, labelAt } from '../../zone';

/**
 * Requests that a country rule refused, challenged or would have refused. `country` is empty where it is not known. A row stands for `weight` requests, and is deleted
 * when it `expires`, so that each version of a rule decides how long its rows are stored.
 */
export const blockedMigrations: readonly Migration[] = [
  {
    id: 'country_block_0001_blocked_requests',
    statements: [
      `CREATE TABLE IF NOT EXISTS blocked_requests (
        site_id LowCardinality(String),
        at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        expires DateTime('UTC'),
        id UUID,
        host LowCardinality(String),
        country LowCardinality(String),
        address String CODEC(ZSTD(1)),
        version UInt32,
        action LowCardinality(String),
        path String CODEC(ZSTD(1)),
        user_agent String CODEC(ZSTD(1)),
        weight UInt32
      ) ENGINE = MergeTree
      PARTITION BY toYYYYMM(at)
      ORDER BY (site_id, at)
      TTL expires
      SETTINGS index_granularity = 2048`,
    ],
  },
];

export type LoggedRequest = {
  readonly siteId: string;
  /** Epoch ms. */
  readonly at: number;
  readonly days: number;
  /** The id of the request, which visitors see on the page that refuses them. */
  readonly id: string;
  readonly host: string;
  readonly country: string | null;
  /** As the site stores addresses. */
  readonly address: string;
  readonly version: number;
  readonly action: RuleAction;
  readonly path: string;
  readonly userAgent: string;
  readonly weight: number;
};

const timeOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

export const storeBlocked = (ctx: Pick<Context, 'clickhouse'>, requests: readonly LoggedRequest[]): Promise<void> =>
  ctx.clickhouse.insert(
    'blocked_requests',
    requests.map(({ siteId, at, days, country, userAgent, ...request }) => ({
      ...request,
      site_id: siteId,
      at: timeOf(at),
      expires: timeOf(at + days * DAY).slice(0, 19),
      country: country ?? '',
      user_agent: userAgent,
    })),
    { columns: ['site_id', 'at', 'expires', 'id', 'host', 'country', 'address', 'version', 'action', 'path', 'user_agent', 'weight'] },
  );

type Stored = {
  readonly id: string;
  readonly ms: number;
  readonly host: string;
  readonly country: string;
  readonly address: string;
  readonly version: number;
  readonly action: RuleAction;
  readonly path: string;
  readonly user_agent: string;
  readonly weight: number;
};
const columns = 'toString(id) AS id, toFloat64(toUnixTimestamp64Milli(at)) AS ms, host, country, address, version, action, path, user_agent, weight';

type LogCall = CallOf<typeof endpoints.blockedSummary>;
type Selection = { readonly where: string; readonly params: Readonly<Record<string, unknown>> };

/** Rows of a site in a range of its days. Rows that have expired may still be there until ClickHouse merges them away. */
function selectionOf(ctx: Context, { site, query }: Pick<LogCall, 'site' | 'query'>): Selection {
  const { timeZone } = site.row;
  const conditions = ['site_id = {site:String}', 'expires > fromUnixTimestamp64Milli({now:Int64})'];
  const params: Record<string, unknown> = { site: site.id, now: ctx.now() };
  const add = (condition: string, name: string, value: unknown): void => {
    conditions.push(condition);
    params[name] = value;
  };
  if (query.from !== undefined) add('at >= fromUnixTimestamp64Milli({from:Int64})', 'from', dayStart(query.from, timeZone));
  if (query.to !== undefined) add('at < fromUnixTimestamp64Milli({until:Int64})', 'until', dayStart(addDays(query.to, 1), timeZone));
  if (query.country !== undefined) add('country = {country:String}', 'country', query.country === unknownCountry ? '' : query.country);
  if (query.address !== undefined) add('startsWith(address, {address:String})', 'address', query.address.trim());
  return { where: `FROM blocked_requests WHERE ${conditions.join(' AND ')}`, params };
}

const requestOf = ({ ms, country, user_agent: userAgent, ...row }: Stored): BlockedRequest => ({
  ...row,
  at: new Date(ms).toISOString(),
  country: country === '' ? null : country,
  userAgent,
});

/** The newest first. */
export async function listBlocked(ctx: Context, call: CallOf<typeof endpoints.blockedRequests>): Promise<ResponseOf<typeof endpoints.blockedRequests>> {
  const { where, params } = selectionOf(ctx, call);
  const { page, size } = call.query;
  const [rows, [counted]] = await Promise.all([
    ctx.clickhouse.query<Stored>(`SELECT ${columns} ${where} ORDER BY blocked_requests.at DESC, id LIMIT {size:UInt32} OFFSET {offset:UInt64}`, {
      params: { ...params, size, offset: (page - 1) * size },
    }),
    ctx.clickhouse.query<{ total: string }>(`SELECT count() AS total ${where}`, { params }),
  ]);
  return { rows: rows.map(requestOf), total: Number(counted?.total ?? 0) };
}

/** Requests, sampled ones counted by their weight. */
export async function summarizeBlocked(ctx: Context, call: LogCall): Promise<BlockedSummary> {
  const { where, params } = selectionOf(ctx, call);
  const top = async (column: 'country' | 'address' | 'path') =>
    (
      await ctx.clickhouse.query<{ value: string; requests: string }>(
        `SELECT toString(${column}) AS value, sum(weight) AS requests ${where} GROUP BY value ORDER BY requests DESC, value LIMIT 10`,
        { params },
      )
    ).map(({ value, requests }) => ({ value, requests: Number(requests) }));
  const [countries, addresses, paths, days] = await Promise.all([
    top('country'),
    top('address'),
    top('path'),
    ctx.clickhouse.query<{ day: string; requests: string }>(
      `SELECT toString(toDate(at, {zone:String})) AS day, sum(weight) AS requests ${where} GROUP BY day ORDER BY day`,
      { params: { ...params, zone: call.site.row.timeZone } },
    ),
  ]);
  return {
    requests: days.reduce((sum, { requests }) => sum + Number(requests), 0),
    countries,
    addresses,
    paths,
    days: days.map(({ day, requests }) => ({ day, requests: Number(requests) })),
  };
}

/** Requests of a site that its rule refused in [start, end), epoch ms; sampled ones are counted by their weight. */
export async function blockedBetween(ctx: Pick<Context, 'clickhouse'>, siteId: string, start: number, end: number): Promise<number> {
  const [row] = await ctx.clickhouse.query<{ requests: string }>(
    `SELECT sum(weight) AS requests FROM blocked_requests WHERE site_id = {site:String} AND action != 'log_only'
      AND at >= fromUnixTimestamp64Milli({start:Int64}) AND at < fromUnixTimestamp64Milli({end:Int64})`,
    { params: { site: siteId, start, end } },
  );
  return Number(row?.requests ?? 0);
}

const heads = {
  'zh-CN': ['时间', '主机名', '国家/地区代码', '国家/地区', 'IP 地址', '规则版本', '处理', '路径', '浏览器标识', '请求数', '请求编号'],
  en: ['Time', 'Host', 'Country code', 'Country or region', 'IP address', 'Rule version', 'Action', 'Path', 'User agent', 'Requests', 'Request ID'],
} as const;
const tor = { 'zh-CN': 'Tor 网络', en: 'Tor network' } as const;
const mostExported = 100_000;

/** The log as CSV, at most 100 000 rows, the newest first. */
export function exportBlocked(ctx: Context, call: CallOf<typeof endpoints.downloadBlocked>): FastifyReply {
  const { site, locale, reply } = call;
  const { where, params } = selectionOf(ctx, call);
  const { timeZone } = site.row;
  const rows = ctx.clickhouse.stream<Stored>(`SELECT ${columns} ${where} ORDER BY blocked_requests.at DESC LIMIT ${String(mostExported)}`, { params });
  async function* lines(): AsyncGenerator<string> {
    const [time, ...rest] = heads[locale];
    yield byteOrderMark + csvLine([`${time} (${timeZone})`, ...rest]);
    for await (const batch of rows)
      yield batch
        .map((row) =>
          csvLine([
            labelAt(row.ms, timeZone).replace('T', ' '),
            row.host,
            row.country,
            row.country === torExits ? tor[locale] : countryName(row.country, locale),
            row.address,
            row.version,
            row.action,
            row.path,
            row.user_agent,
            row.weight,
            row.id,
          ]),
        )
        .join('');
  }
  return asDownload(reply, `blocked-${site.row.slug}-${dayAt(ctx.now(), timeZone)}.csv`, 'text/csv; charset=utf-8').send(Readable.from(lines()));
}
