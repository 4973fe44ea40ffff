import type { Context } from '../../context';
import { enqueue } from '../../worker';
import { sitesById } from './queries';

/**
 * Visits built before events were stored in them (ClickHouse migration 0002) contain only the number of events. This rebuilds them from their hits, once per
 * affected site. Runs on a schedule, and finds nothing after that.
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
