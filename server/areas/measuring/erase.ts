import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { completeMeasuring, EraseWhat } from '../../../contract/measuring/schemas';
import type { ErasePreview } from '../../../contract/measuring/schemas';
import { VisitDefinition } from '../../../contract/measuring/visitDefinition';
import { markChannel } from '../../collect/marks';
import { askForVisits, isDone } from '../../collect/visitTasks';
import type { Context } from '../../context';
import { Failure } from '../../http/failure';
import { defineJob } from '../../worker';
import type { RunningJob } from '../../worker';
import { addDays, dayAt, dayStart } from '../../zone';
import { touchDays } from '../../collect/touched';
import { record, systemActor } from '../audit';
import { storedId } from '../../collect/row';
import * as queries from './queries';

type Site = { readonly id: string; readonly timeZone: string };

/** A range that contains all possible data. */
const everStart = 0;
const everEnd = Date.UTC(2200, 0);

const rangeOf = (site: Site, what: Extract<EraseWhat, { kind: 'range' }>) => ({
  start: dayStart(what.from, site.timeZone),
  end: dayStart(addDays(what.to, 1), site.timeZone),
});

/** What erasing would delete, as far as it is stored. */
export async function previewErase(ctx: Context, site: Site, what: EraseWhat): Promise<ErasePreview> {
  const ids = what.kind === 'visitor' ? (await queries.visitorsNamed(ctx.clickhouse, site.id, what.visitor)).map(storedId) : null;
  const found =
    ids?.length === 0
      ? { visitors: 0, visits: 0, hits: 0, first: null, last: null }
      : await queries.extentOf(ctx.clickhouse, site.id, { ids, ...(what.kind === 'range' ? rangeOf(site, what) : { start: everStart, end: everEnd }) });
  const date = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return { ...found, first: date(found.first), last: date(found.last) };
}

const input = EraseWhat;
/** A collector without a heartbeat for this long counts as gone, in milliseconds. */
export const aliveFor = 90_000;
const waitMs = 300;

/**
 * Waits until everything received before a given time is stored and its visits are built: hits still in a journal would otherwise reappear after being erased.
 * Fails (and is retried later) if a collector is gone with hits in its journal.
 */
export async function everythingStored(ctx: Context, job: RunningJob, before: number): Promise<void> {
  for (;;) {
    await ctx.postgres.notify(markChannel, '');
    const [all, queued] = await Promise.all([queries.collectors(ctx.postgres.db), queries.oldestQueued(ctx.postgres.db)]);
    const behind = all.filter((one) => one.drainedTo.getTime() < before && (one.waiting || ctx.now() - one.seenAt.getTime() < aliveFor));
    if (behind.some((one) => ctx.now() - one.seenAt.getTime() >= aliveFor)) throw new Failure('unavailable');
    if (behind.length === 0 && (queued === null || queued.getTime() >= before)) return;
    await job.progress(0, null);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Waits for the process that builds the visits of a site. */
export async function visitsRemade(
  ctx: Context,
  job: RunningJob,
  siteId: string,
  visitors: readonly string[] | null,
  steps: { done: number; total: number },
): Promise<void> {
  const task = await askForVisits(ctx.postgres, siteId, visitors, ctx.now());
  while (!(await isDone(ctx.postgres, task))) {
    await job.progress(steps.done, steps.total);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  await touchDays(ctx.clickhouse, siteId);
}

type Saved = { readonly until: number; readonly ids: readonly string[] | null };
const isSaved = (value: unknown): value is Saved => typeof value === 'object' && value !== null && 'until' in value;

/** Erases a visitor or a range: hits, visits, visitors and rollups. Can be restarted at any point. */
export const eraseJob = defineJob('analytics.erase', async (job, ctx) => {
  const site = job.siteId === null ? null : await queries.findSite(ctx.postgres.db, job.siteId);
  if (!site) return;
  const what = input.parse(job.input);
  const total = 4;
  let saved = isSaved(job.saved) ? job.saved : null;
  if (saved === null) {
    const until = ctx.now();
    await everythingStored(ctx, job, until);
    // Resolved once: after the visits are deleted, the short id can no longer be resolved.
    saved = { until, ids: what.kind === 'visitor' ? await queries.visitorsNamed(ctx.clickhouse, site.id, what.visitor) : null };
    await job.save(saved);
  }
  await job.progress(1, total);
  if (what.kind === 'visitor') {
    const ids = saved.ids ?? [];
    if (ids.length > 0) {
      await queries.eraseVitalsOf(ctx.clickhouse, site.id, ids.map(storedId));
      await queries.eraseHitsOf(ctx.clickhouse, site.id, ids.map(storedId));
      await job.progress(2, total);
      await visitsRemade(ctx, job, site.id, ids, { done: 2, total });
    }
  } else {
    const { start, end } = rangeOf(site, what);
    await queries.eraseHitsBetween(ctx.clickhouse, site.id, start, end);
    await job.progress(2, total);
    await visitsRemade(ctx, job, site.id, null, { done: 2, total });
  }
  await job.progress(3, total);
  await record(ctx, ctx.postgres.db, systemActor, {
    action: 'measuring.erased',
    siteId: site.id,
    target: { kind: 'site', id: site.id, name: site.name },
    after: what.kind === 'range' ? { from: what.from, to: what.to } : { visitors: saved.ids?.length ?? 0 },
  });
  ctx.live.publish({ type: 'als', siteId: site.id, visitIds: [], at: ctx.now() });
  await job.progress(total, total);
});

const RebuildInput = z.object({ visits: VisitDefinition.optional() });

/** Rebuilds all visits of a site from its hits after the visit settings (`visits`) have changed. A later change starts another job. */
export const rebuildJob = defineJob('analytics.rebuild', async (job, ctx) => {
  if (job.siteId === null || !(await queries.findSite(ctx.postgres.db, job.siteId))) return;
  const { visits } = RebuildInput.parse(job.input);
  if (visits !== undefined && !isDeepStrictEqual(visits, await visitsOfSite(ctx, job.siteId))) return;
  await everythingStored(ctx, job, ctx.now());
  await visitsRemade(ctx, job, job.siteId, null, { done: 0, total: 1 });
  await job.progress(1, 1);
});

const visitsOfSite = async (ctx: Context, siteId: string): Promise<VisitDefinition> =>
  completeMeasuring((await queries.findSettings(ctx.postgres.db, siteId))?.settings).visits;

/** Deletes data beyond the retention of its site: whole months if no other site has data in them, otherwise row by row. Runs on a schedule. */
export async function sweepRetention(ctx: Context): Promise<void> {
  const limits = (await queries.limitedSites(ctx.postgres.db)).map(({ id, timeZone, days }) => ({
    id,
    before: dayStart(addDays(dayAt(ctx.now(), timeZone), -days), timeZone),
  }));
  if (limits.length === 0) return;
  for (const table of ['hits', 'visits', 'web_vitals'] as const)
    for (const month of await queries.expiredMonths(ctx.clickhouse, table, limits)) await queries.dropMonth(ctx.clickhouse, table, month);
  for (const { id, before } of limits) {
    if (await queries.hasBefore(ctx.clickhouse, id, before)) await queries.eraseBefore(ctx.clickhouse, id, before);
    await touchDays(ctx.clickhouse, id);
  }
}
