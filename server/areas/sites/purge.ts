import type { Context } from '../../context';
import { defineJob, enqueue } from '../../worker';
import type { JobHandler, RunningJob } from '../../worker';
import { record, systemActor } from '../audit';
import type { Area } from '../area';
import * as queries from './queries';
import { about, announce } from './sites';

/** How long a deleted site can be taken back, in milliseconds (30 days). */
export const binFor = 30 * 24 * 3_600_000;

/**
 * Forgets a site for good: what was measured first, so that a crash in between leaves something that names the rest. `areas` erase what they store besides
 * rows that go with the site's own.
 */
export const sitePurge = (areas: () => readonly Area[]): JobHandler => defineJob('site.purge', (job, ctx) => purge(job, ctx, areas()));

async function purge(job: RunningJob, ctx: Context, areas: readonly Area[]): Promise<void> {
  const { siteId } = job;
  if (siteId === null) return;
  const site = await queries.findSite(ctx.postgres.db, siteId);
  // Taken back, or deleted again later: not yet.
  if (!site || site.state !== 'deleted' || site.deletedAt === null || ctx.now() - site.deletedAt.getTime() < binFor) return;
  const measuredTables = await queries.measuredTables(ctx.clickhouse);
  await job.progress(0, measuredTables.length + 1);
  for (const [done, table] of measuredTables.entries()) {
    await queries.eraseMeasured(ctx.clickhouse, table, siteId);
    await job.progress(done + 1, measuredTables.length + 1);
  }
  const erased = await ctx.postgres.db.transaction(async (tx) => {
    if (!(await queries.eraseSite(tx, siteId))) return false;
    for (const { eraseSite } of areas) await eraseSite?.(tx, siteId);
    await record(ctx, tx, systemActor, { action: 'site.moved', ...about(site), before: { state: site.state }, after: { state: 'erased' } });
    return true;
  });
  if (erased) announce(ctx, siteId, 'removed');
  await job.progress(measuredTables.length + 1, measuredTables.length + 1);
}

/** Queues a purge for every site whose time in the bin is over. Runs on a schedule. */
export async function purgeSites(ctx: Context): Promise<void> {
  for (const site of await queries.expiredSites(ctx.postgres.db, new Date(ctx.now() - binFor))) {
    await enqueue(ctx, 'site.purge', { siteId: site.id, label: site.name, cancellable: false, once: true });
  }
}
