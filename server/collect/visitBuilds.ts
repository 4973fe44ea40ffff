import type { ClickHouse } from '../stores/clickhouse/types';

/**
 * Records that a build of a site's visits from past hits has begun or ended. During a build each visitor is counted either as before or as after it, so the
 * site's totals keep changing. `name` identifies the build; an interrupted one counts as open until it is repeated, for a day at most.
 */
export const noteBuild = (ch: Pick<ClickHouse, 'insert'>, siteId: string, name: string, open: boolean): Promise<void> =>
  ch.insert('visit_builds', [{ site_id: siteId, name, open: Number(open) }]);

/** SQL: whether a build of `{site:String}` is open, or was within the last `{within:UInt32}` milliseconds. */
export const wasBuilding = `SELECT toUInt8(countIf((open = 1 AND changed > now64(6, 'UTC') - toIntervalDay(1)) OR changed >= now64(6, 'UTC') - toIntervalMillisecond({within:UInt32})) > 0) AS building
  FROM visit_builds FINAL WHERE site_id = {site:String}`;
