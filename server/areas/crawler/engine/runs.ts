import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { RunState } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { violatedConstraint } from '../../../stores/postgres/conflict';
import { enqueue } from '../../../worker';
import { emptyCounters } from '../counters';
import { crawlFamilies, crawlRuns, crawlers } from '../schema';
import { isVerified } from './ownership';
import type { EnqueueOptions, Starter } from './terms';

export type RunRow = typeof crawlRuns.$inferSelect;
type Transaction = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];

export const announceRun = (ctx: Context, { siteId, id }: Pick<RunRow, 'siteId' | 'id'>): void => ctx.live.publish({ type: 'crawl', siteId, runId: id });

/** A job for a run that is to go on; the run knows it by its id, and earlier jobs of the run do nothing. */
export async function addJob(ctx: Context, tx: Transaction, run: Pick<RunRow, 'id' | 'siteId'>, name: string, who: Starter, runAfter?: number): Promise<void> {
  const job = await enqueue(
    ctx,
    'crawler.run',
    { siteId: run.siteId, label: name, input: { runId: run.id }, createdBy: who?.userId ?? null, ...(runAfter === undefined ? {} : { runAfter }) },
    tx,
  );
  await tx.update(crawlRuns).set({ jobId: job.id }).where(eq(crawlRuns.id, run.id));
}

/** Creates a run of a crawler and its job. Throws `not_found`, or `bad_transition` if one is open. */
export async function enqueueRun(ctx: Context, crawlerId: string, { trigger, who }: EnqueueOptions): Promise<RunRow> {
  const { db } = ctx.postgres;
  const [crawler] = await db.select().from(crawlers).where(eq(crawlers.id, crawlerId));
  if (!crawler) return fail('not_found');
  const { siteId, config, name } = crawler;
  const origins = [...new Set(config.seeds.map((seed) => new URL(seed).origin))];
  const proofs = await Promise.all(origins.slice(0, 20).map((origin) => isVerified(ctx, siteId, origin)));
  const verified = origins.length <= 20 && proofs.every(Boolean);
  try {
    const run = await db.transaction(async (tx) => {
      await tx.select({ id: crawlers.id }).from(crawlers).where(eq(crawlers.id, crawlerId)).for('update');
      const [last] = await tx
        .select({ number: crawlRuns.number })
        .from(crawlRuns)
        .where(eq(crawlRuns.crawlerId, crawlerId))
        .orderBy(desc(crawlRuns.number))
        .limit(1);
      const [base] = await tx
        .select({ id: crawlRuns.id })
        .from(crawlRuns)
        .where(and(eq(crawlRuns.crawlerId, crawlerId), inArray(crawlRuns.state, ['completed', 'limited'])))
        .orderBy(desc(crawlRuns.number))
        .limit(1);
      const row = { crawlerId, siteId, number: (last?.number ?? 0) + 1, trigger, state: 'queued' as const, baseRunId: base?.id ?? null, config, verified };
      const [created] = await tx
        .insert(crawlRuns)
        .values({ ...row, counters: emptyCounters, createdBy: who?.userId ?? null, createdAt: new Date(ctx.now()) })
        .returning();
      if (!created) throw new Error('PostgreSQL returned no row');
      await addJob(ctx, tx, created, name, who);
      return created;
    });
    announceRun(ctx, run);
    return run;
  } catch (error) {
    if (violatedConstraint(error) === 'crawl_runs_open_key') return fail('bad_transition');
    throw error;
  }
}

type Change = { readonly state: RunState; readonly needsJob: boolean };
/** What each wish does to a run in a state; absent: it is refused. */
const changes = {
  pause: { running: { state: 'pausing', needsJob: false }, queued: { state: 'paused', needsJob: false }, waiting: { state: 'paused', needsJob: false } },
  // A run that waits for robots.txt is tried at once.
  resume: { paused: { state: 'queued', needsJob: true }, waiting: { state: 'queued', needsJob: true }, pausing: { state: 'running', needsJob: true } },
  stop: {
    running: { state: 'stopping', needsJob: false },
    pausing: { state: 'stopping', needsJob: false },
    queued: { state: 'stopping', needsJob: true },
    waiting: { state: 'stopping', needsJob: true },
    paused: { state: 'stopping', needsJob: true },
  },
} as const satisfies Record<string, Partial<Record<RunState, Change>>>;

async function change(ctx: Context, runId: string, wish: keyof typeof changes, who: Starter): Promise<RunRow> {
  const run = await ctx.postgres.db.transaction(async (tx) => {
    const [row] = await tx.select().from(crawlRuns).where(eq(crawlRuns.id, runId)).for('update');
    if (!row) return fail('not_found');
    const next = (changes[wish] as Partial<Record<RunState, Change>>)[row.state];
    if (next === undefined) return fail('bad_transition');
    const [changed] = await tx.update(crawlRuns).set({ state: next.state }).where(eq(crawlRuns.id, runId)).returning();
    if (next.needsJob) {
      const [crawler] = await tx.select({ name: crawlers.name }).from(crawlers).where(eq(crawlers.id, row.crawlerId));
      await addJob(ctx, tx, row, crawler?.name ?? '', who);
    }
    return changed ?? row;
  });
  announceRun(ctx, run);
  return run;
}

/** Each throws `not_found`, or `bad_transition`. The state is that of the row at once; the process follows within a second. */
export const pauseRun = (ctx: Context, runId: string, who: Starter): Promise<RunRow> => change(ctx, runId, 'pause', who);
export const resumeRun = (ctx: Context, runId: string, who: Starter): Promise<RunRow> => change(ctx, runId, 'resume', who);
export const stopRun = (ctx: Context, runId: string, who: Starter): Promise<RunRow> => change(ctx, runId, 'stop', who);

/** Excludes a family of addresses from a run, or allows it beyond its budget; acts at once if the run is going on. */
export async function setFamily(
  ctx: Context,
  { runId, host, family }: { readonly runId: string; readonly host: string; readonly family: string },
  state: 'allowed' | 'excluded',
): Promise<void> {
  const { db } = ctx.postgres;
  const [run] = await db.select().from(crawlRuns).where(eq(crawlRuns.id, runId));
  if (!run) return fail('not_found');
  await db
    .insert(crawlFamilies)
    .values({ runId, host, family, pages: 0, waiting: 0, state, reason: null })
    .onConflictDoUpdate({ target: [crawlFamilies.runId, crawlFamilies.host, crawlFamilies.family], set: { state } });
  // Addresses that were put aside because of the family wait again, if the run goes on.
  if (state === 'allowed')
    await db.execute(sql`UPDATE crawl_frontier f SET state = 0, skip_reason = NULL FROM crawl_urls u
      WHERE f.run_id = ${runId}::uuid AND f.skip_reason = 'family' AND u.site_id = ${run.siteId} AND u.id = f.url_id AND u.host = ${host} AND u.family = ${family}`);
  announceRun(ctx, run);
}
