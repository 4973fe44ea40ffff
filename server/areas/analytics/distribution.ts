import { axisKeys, defaultBucketEnds } from '../../../contract/measuring/buckets';
import type { Distribution, KnownShares } from '../../../contract/analytics/schemas';
import { bucketSql } from './bucketSql';
import { dimensionTable } from './dimensions';
import { runQuery } from './queries';
import type { QueryContext } from './queries';
import { slicesOf, visitsOf } from './slices';
import type { Scan } from './slices';

/**
 * Visitors by how much each of them did in the range. Every visitor of the range is in exactly one bucket, so that buckets add up to the visitors, visits and
 * page views of a report; a visitor whose visit began earlier, or who saw no page, is in the first bucket. That bucket can therefore have more visitors than
 * visits, because visits count where they begin. Visitors are counted exactly.
 */
export async function distributionOf(to: QueryContext, scan: Scan, of: Distribution['of']): Promise<Distribution> {
  const { sql, params } = slicesOf(scan, [scan.start], null);
  const axis = of === 'visits' ? 'visitNumber' : 'pages';
  const ends = scan.buckets ?? defaultBucketEnds;
  const keys = axisKeys(axis, ends);
  const bucket = bucketSql(axis, ends, of === 'visits' ? 'greatest(own_visits, 1)' : 'own_views');
  const rows = await runQuery<{ key: string; visitors: number; visits: number; views: number }>(
    to,
    `SELECT ${bucket} AS key, toFloat64(countIf(seen)) AS visitors, toFloat64(sum(own_visits)) AS visits, toFloat64(sum(own_views)) AS views FROM (
      SELECT toUInt64(sum(starts)) AS own_visits, toUInt64(sum(views)) AS own_views, max(active) AS seen FROM (${sql}) GROUP BY visitor_id
    ) GROUP BY key`,
    params,
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const visitors = rows.reduce((sum, row) => sum + row.visitors, 0);
  return {
    of,
    visitors,
    buckets: keys.map((key) => {
      const row = byKey.get(key) ?? { visitors: 0, visits: 0, views: 0 };
      return { key, visitors: row.visitors, visits: row.visits, views: row.views, share: visitors === 0 ? null : row.visitors / visitors };
    }),
  };
}

/** For visits that begin in the range: how many have a known search term or a known referring page. */
export async function knownShares(to: QueryContext, scan: Scan): Promise<KnownShares> {
  const visits = visitsOf(scan);
  const search = "source_type = 'search'";
  // The same source types as on the screens of referring sites.
  const referred = "source_type IN ('external', 'social', 'ai', 'email')";
  // No alias may have the name of a column of `visits`: filters on that column would refer to the alias.
  const [row] = await runQuery<{ n_search: number; n_keyword: number; n_referred: number; n_path: number }>(
    to,
    `SELECT toFloat64(countIf(${search})) AS n_search, toFloat64(countIf(${search} AND ${dimensionTable.keyword.sql} != '')) AS n_keyword,
      toFloat64(countIf(${referred})) AS n_referred, toFloat64(countIf(${referred} AND ${dimensionTable.referrerPath.sql} != '')) AS n_path
    ${visits.sql} AND start >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')`,
    visits.params,
  );
  return { search: row?.n_search ?? 0, keyword: row?.n_keyword ?? 0, referred: row?.n_referred ?? 0, referrerPath: row?.n_path ?? 0 };
}
