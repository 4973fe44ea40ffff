import type { Context } from '../../context';
import { defineJob, enqueue } from '../../worker';
import type { JobHandler, RunningJob } from '../../worker';
import { record, systemActor } from '../audit';
import type { Area } from '../area';
import * as queries from './queries';
import { about, announce } from './sites';

/** How long a deleted site can be restored, in milliseconds (30 days). */
export const binFor = 30 * 24 * 3_600_000;

/**
 * Erases a site permanently: its measured data first, so that after a crash the site's row still identifies the rest. `areas` erase data that is not deleted
 * together with the site's row.
 */
export const sitePurge = (areas: () => readonly Area[]): JobHandler => defineJob('site.purge', (job, ctx) => purge(job, ctx, areas()));

async function purge(job: RunningJob, ctx: Context, areas: readonly Area[]): Promise<void> {
  const { siteId } = job;
  if (siteId === null) return;
  const site = await queries.findSite(ctx.postgres.db, siteId);
  // The site was restored, or deleted again later: not due yet.
  if (!site || site.state !== 'deleted' || site.deletedAt === null || ctx.now() - site.deletedAt.getTime() < binFor) return;
  const measuredTables = await queries.measuredTables(ctx.clickhouse);
  await job.progress(0, measuredTables.length + 1);
  for (const [done, table] of measuredTables.entries()) {
    await queries.eraseMeasured(ctx.clickhouse, table, siteId);
    await job.progress(done + 1, measuredTables.length + 1);
  }
  const erased = await ctx.postgres.db.transaction(async (tx) => {
    if ((await queries.lockSite(tx, siteId))?.state !== 'deleted') return false;
    // Before the site's row, with which foreign keys delete what an area may still have to read, such as its hostnames.
    for (const { eraseSite } of areas) await eraseSite?.(tx, siteId);
    await queries.eraseSite(tx, siteId);
    await record(ctx, tx, systemActor, { action: 'site.moved', ...about(site), before: { state: site.state }, after: { state: 'erased' } });
    return true;
  });
  if (erased) announce(ctx, siteId, 'removed');
  await job.progress(measuredTables.length + 1, measuredTables.length + 1);
}

/** Queues a purge for every site whose retention in the bin has ended. Runs on a schedule. */
export async function purgeSites(ctx: Context): Promise<void> {
  for (const site of await queries.expiredSites(ctx.postgres.db, new Date(ctx.now() - binFor))) {
    await enqueue(ctx, 'site.purge', { siteId: site.id, label: site.name, cancellable: false, once: true });
  }
}
