import type { ClickHouse } from '../stores/clickhouse/types';

/**
 * Tells the roll-ups of reports that visits of a site have changed. Every process that deletes or rewrites rows of `visits` other than by inserting them (mutations,
 * lightweight deletes, dropped partitions) calls this when the change has been made; inserts, tombstones included, are noticed by themselves.
 * All days of the site are computed anew, and until then visits answer.
 */
export const touchDays = (ch: ClickHouse, siteId: string): Promise<void> =>
  ch.command("INSERT INTO rollup_changes SELECT {siteId:String}, toDateTime(0, 'UTC'), now64(6, 'UTC')", { params: { siteId } });

/** The same for every site that has roll-ups. */
export const touchAllDays = (ch: ClickHouse): Promise<void> =>
  ch.command("INSERT INTO rollup_changes SELECT DISTINCT site_id, toDateTime(0, 'UTC'), now64(6, 'UTC') FROM rollup_days");
