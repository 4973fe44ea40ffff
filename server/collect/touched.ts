import type { ClickHouse } from '../stores/clickhouse/types';

/**
 * Notifies the rollups of reports that visits or web vitals of a site have changed. Every process that deletes or rewrites rows of `visits` other than by inserting them
 * (mutations, lightweight deletes, dropped partitions) calls this after the change; inserts, tombstones included, are detected automatically. All days of the
 * site are recomputed, and until then reports read visits.
 */
export async function touchDays(ch: ClickHouse, siteId: string): Promise<void> {
  for (const table of ['rollup_changes', 'vital_changes'])
    await ch.command(`INSERT INTO ${table} SELECT {siteId:String}, toDateTime(0, 'UTC'), now64(6, 'UTC')`, { params: { siteId } });
}

/** Like `touchDays`, for every site that has rollups. */
export const touchAllDays = (ch: ClickHouse): Promise<void> =>
  ch.command("INSERT INTO rollup_changes SELECT DISTINCT site_id, toDateTime(0, 'UTC'), now64(6, 'UTC') FROM rollup_days");
