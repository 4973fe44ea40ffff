import { isNull } from 'drizzle-orm';
import type { Context } from '../../../context';
import { sites } from '../../sites/schema';
import { scopeFor } from '../scope';
import { auditSite } from './audit';
import type { RollupSite } from './compute';
import { recomputeSite, sweepSite } from './recompute';

/** Sites with more stored visits than this have rollups; smaller sites are counted from visits within a few milliseconds. */
export const ROLLUP_VISITS = 200_000;
/** One run stops after this many ms, so that other schedules run as well; the next run continues. */
const RUN_MS = 20_000;

/** Sites above the threshold, with their zone and rules. */
async function largeSites(ctx: Context): Promise<RollupSite[]> {
  const large = await ctx.clickhouse.query<{ id: string }>('SELECT toString(site_id) AS id FROM visits GROUP BY site_id HAVING count() > {least:UInt64}', {
    params: { least: ROLLUP_VISITS },
  });
  if (large.length === 0) return [];
  const known = await ctx.postgres.db.select({ id: sites.id, timeZone: sites.timeZone }).from(sites).where(isNull(sites.deletedAt));
  const zones = new Map(known.map((site) => [site.id, site.timeZone]));
  const found: RollupSite[] = [];
  for (const { id } of large) {
    const timeZone = zones.get(id);
    if (timeZone === undefined) continue;
    const { score } = await scopeFor(ctx, { id, timeZone }, { filter: [], who: 'humans', segment: [] }, null);
    found.push({ id, zone: timeZone, ...(score === undefined ? {} : { score }) });
  }
  return found;
}

/** Keeps the rollups of large sites up to date. */
export async function recomputeRollups(ctx: Context): Promise<void> {
  const end = performance.now() + RUN_MS;
  for (const site of await largeSites(ctx)) await recomputeSite(ctx.clickhouse, site, { now: ctx.now(), goOn: () => performance.now() < end });
}

/** Compares one day of every large site with its visits, and deletes cells that are no longer read. */
export async function auditRollups(ctx: Context): Promise<void> {
  for (const site of await largeSites(ctx)) {
    const drift = await auditSite(ctx.clickhouse, site);
    if (drift) ctx.log.error('Stored figures differed from the visits below them and were replaced', { siteId: site.id, ...drift });
    await sweepSite(ctx.clickhouse, site);
  }
}

/** Tables whose partitions are merged when their month is over. */
const monthly = ['visits', 'rollup_rows', 'rollup_totals', 'rollup_visitors'] as const;

/**
 * Merges the visits of past months, and their cells, into one part per month: reading visits with FINAL then has no extra cost, and the rows of a key are
 * contiguous. A late visit creates another small part, which the next run merges. `whole`: ignore the time limit.
 */
export async function settleMonths(ctx: Pick<Context, 'clickhouse'>, { whole = false }: { readonly whole?: boolean } = {}): Promise<void> {
  const months = await ctx.clickhouse.query<{ name: string; id: string }>(
    `SELECT table AS name, partition_id AS id FROM system.parts WHERE database = currentDatabase() AND table IN {monthly:Array(String)} AND active AND partition_id < toString(toYYYYMM(now('UTC')))
    GROUP BY name, id HAVING count() > 1 ORDER BY id, name`,
    { params: { monthly } },
  );
  const end = performance.now() + (whole ? Number.POSITIVE_INFINITY : RUN_MS);
  for (const { name, id } of months) {
    if (performance.now() > end) return;
    const table = monthly.find((one) => one === name);
    if (table !== undefined && /^\d{6}$/.test(id)) {
      await ctx.clickhouse.command(`OPTIMIZE TABLE ${table} PARTITION ID '${id}' FINAL`, { settings: { max_execution_time: 600 } });
    }
  }
}
