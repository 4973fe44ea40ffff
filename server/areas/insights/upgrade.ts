import type { Context } from '../../context';
import { enqueue } from '../../worker';
import { sitesById } from './queries';

/**
 * Visits that were built before events stood inside them (ClickHouse step 0002) know only how many they had: they are made again from their
 * hits, once for each site that has such. Runs on a schedule, and finds nothing as soon as that is done.
 */
export async function rebuildOldVisits(ctx: Context): Promise<void> {
  const rows = await ctx.clickhouse.query<{ site: string }>(
    'SELECT DISTINCT toString(site_id) AS site FROM visits FINAL WHERE deleted = 0 AND events > 0 AND event_at.size0 = 0',
    { settings: { do_not_merge_across_partitions_select_final: 1 } },
  );
  if (rows.length === 0) return;
  const old = await sitesById(
    ctx.postgres.db,
    rows.map(({ site }) => site),
  );
  for (const { id, name } of old) await enqueue(ctx, 'analytics.rebuild', { siteId: id, label: name, once: true });
}
