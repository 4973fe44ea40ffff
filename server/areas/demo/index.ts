import { z } from 'zod';
import { createBuilder } from '../../collect/builder';
import { insertHits } from '../../collect/queries';
import type { HitRow } from '../../collect/row';
import { insertVitals } from '../../collect/vitals/row';
import type { Context } from '../../context';
import { defineJob, enqueue } from '../../worker';
import type { Area } from '../area';
import { systemActor } from '../audit';
import { createSite } from '../sites';
import { demoHost } from './audience';
import { demoContent, ensureContent } from './content';
import { findDemoSite, hasDemoJob } from './queries';
import { demoDays, demoHits, demoZone } from './traffic';
import { demoVitals } from './vitals';

export { demoVisits } from './visits';

const Input = z.object({ until: z.number() });
/** Days written per step. */
const step = 5;
const Saved = z.object({ nextDay: z.int() });

/**
 * `--demo`: one clearly labelled site with ninety days of generated traffic, and content as soon as there is an owner. Idempotent: the site is found by its
 * flag, and traffic and content are generated once (an interrupted job resumes by itself).
 */
export async function startDemo(ctx: Context): Promise<void> {
  await ctx.postgres.withLock('demo', async () => {
    const site =
      (await findDemoSite(ctx.postgres.db)) ??
      (await createSite(
        ctx,
        { name: '演示站点 Demo', purpose: 'external', url: `https://${demoHost}/`, defaultLang: 'zh-Hans', timeZone: demoZone, identity: 'first_party' },
        { actor: systemActor, demo: true },
      ));
    if (await hasDemoJob(ctx.postgres.db, 'demo.traffic', site.id)) return;
    await enqueue(ctx, 'demo.traffic', { siteId: site.id, label: site.name, input: { until: ctx.now() }, once: true });
  });
}

/**
 * Writes the demo site's hits a few days at a time, as the collector would, and builds their visits. Progress is in days. Days that are written twice (after a
 * crash) contain the same hits with the same ids and insert tokens, so nothing is duplicated.
 */
export const demoTraffic = defineJob('demo.traffic', async (job, ctx) => {
  const { until } = Input.parse(job.input);
  if (job.siteId === null) throw new Error('the demo job has no site');
  const builder = createBuilder(ctx.clickhouse);
  const from = Saved.safeParse(job.saved).data?.nextDay ?? 0;
  for (let day = from; day < demoDays; day += step) {
    await job.progress(day, demoDays);
    const hits: HitRow[] = [];
    for (let one = day; one < Math.min(day + step, demoDays); one += 1) hits.push(...demoHits(job.siteId, one, until));
    await insertHits(ctx.clickhouse, hits, `demo ${job.siteId} ${day}`);
    await insertVitals(ctx.clickhouse, demoVitals(hits), `demo vitals ${job.siteId} ${day}`);
    await builder.apply(hits);
    await job.save({ nextDay: day + step });
  }
  await job.progress(demoDays, demoDays);
  ctx.live.publish({ type: 'als', siteId: job.siteId, visitIds: [], at: ctx.now() });
});

export const area: Area = {
  register: () => undefined,
  jobs: [demoTraffic, demoContent],
  schedules: [{ name: 'demo.content', every: 10_000, run: ensureContent }],
};
