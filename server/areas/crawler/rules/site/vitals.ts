import { coreMetrics, thresholds } from '../../../../../contract/vitals/terms';
import type { VitalMetric } from '../../../../../contract/vitals/terms';
import { ClickHouseAway } from '../../../../stores/clickhouse/types';
import { DAY } from '../../../../zone';
import type { Finding } from '../finding';
import { normalizeUrl } from '../../engine/normalize';
import { urlId } from '../../engine/urlId';
import { finding, isPage, rowsOf } from './audit';
import type { SiteAudit, SiteRuleGroup } from './audit';

type Row = { readonly metric: VitalMetric; readonly host: string; readonly family: string; readonly n: number; readonly value: number };

/** Days of measurements, as many as search engines judge by. */
const days = 28;
const mostFamilies = 1000;

const measured = (audit: SiteAudit, hosts: readonly string[]): Promise<Row[]> =>
  audit.ctx.clickhouse.query<Row>(
    `SELECT metric, host, family, toFloat64(count()) AS n, quantileExact(0.75)(v.value) AS value FROM web_vitals AS v FINAL
     WHERE v.site_id = {site:String} AND v.at >= fromUnixTimestamp64Milli({start:Int64}, 'UTC') AND v.metric IN {metrics:Array(String)} AND v.host IN {hosts:Array(String)}
     GROUP BY metric, host, family HAVING n >= {least:UInt32} ORDER BY n DESC LIMIT ${mostFamilies}`,
    {
      params: {
        site: audit.run.siteId,
        start: audit.ctx.now() - days * DAY,
        metrics: [...coreMetrics],
        hosts: [...hosts],
        least: audit.rules.parameter('vitals_poor', 'samples'),
      },
    },
  );

const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

/** Pages of the run that a family consists of, by host and family: most families are a single page. */
async function pagesOf(audit: SiteAudit, hosts: readonly string[], rows: readonly Row[]): Promise<Map<string, number>> {
  const names = new Map<number, string>();
  for (const { host, family } of rows)
    for (const own of hosts.filter((one) => one === host || withoutPort(one) === host))
      for (const scheme of ['https', 'http']) {
        const url = normalizeUrl(`${scheme}://${own}${family}`);
        if (url !== null) names.set(urlId(audit.run.siteId, url), host + family);
      }
  const found = await rowsOf<{ id: string }>(
    audit,
    `SELECT u.id FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id WHERE p.run_id = $1 AND ${isPage} AND u.id = ANY($3::bigint[])`,
    [[...names.keys()]],
  );
  return new Map(found.map(({ id }) => [names.get(Number(id)) ?? '', Number(id)]));
}

/** Families of pages whose visitors measured poor values at the 75th percentile. */
async function* poor(audit: SiteAudit): AsyncIterable<Finding> {
  const own = await rowsOf<{ host: string }>(
    audit,
    `SELECT DISTINCT u.host FROM crawl_pages p JOIN crawl_urls u ON u.site_id = $2 AND u.id = p.url_id WHERE p.run_id = $1 AND ${isPage}`,
  );
  const hosts = own.map(({ host }) => host);
  let rows: readonly Row[] = [];
  try {
    rows = await measured(audit, [...new Set(hosts.flatMap((host) => [host, withoutPort(host)]))]);
  } catch (error) {
    // Without the store, an audit goes on without measurements.
    if (!(error instanceof ClickHouseAway)) throw error;
  }
  const slow = rows.filter(({ metric, value }) => value > thresholds[metric][1]);
  const pages = await pagesOf(audit, hosts, slow);
  for (const { metric, host, family, n, value } of slow) {
    const text = metric === 'cls' ? value.toFixed(2) : `${String(Math.round(value))} ms`;
    yield finding(
      audit,
      'vitals_poor',
      pages.get(host + family) ?? null,
      { family: host + family, metric: metric.toUpperCase(), value: text, count: n },
      { subject: `${host}${family} ${metric}` },
    );
  }
}

export const vitalGroups: readonly SiteRuleGroup[] = [{ of: ['vitals_poor'], run: poor }];
