import { and, eq, or } from 'drizzle-orm';
import { z } from 'zod';
import { isOpenRun } from '../../../../contract/crawler/terms';
import type { RunState } from '../../../../contract/crawler/terms';
import type { Context } from '../../../context';
import { defineJob, JobInterrupted, startWorker } from '../../../worker';
import type { JobHandler, RunningJob, Schedule, Worker, WorkerOptions } from '../../../worker';
import { DAY } from '../../../zone';
import { crawlFamilies, crawlLeases, crawlRuns, crawlers } from '../schema';
import { readGzip, sweepBodies } from './bodies';
import { answerOf, startCrawlProcess } from './crawlProcess';
import type { CrawlProcess } from './crawlProcess';
import { storeIssueCounts } from '../rules/counts';
import { admitNearer } from './depthLimit';
import { removeUncommittedLinks, storedFrontier, writeBatch } from './journal';
import type { ApplyFindings, JournalRun } from './journal';
import { startHelper } from './helper';
import { LeaseBook, reclaimLeases } from './leases';
import type { ReturnedLease } from './leases';
import type { CrawlEnd } from './protocol';
import { followUse } from './pace';
import { rankPages } from './ranking';
import { addJob, announceRun } from './runs';
import type { RunRow } from './runs';
import { basePages, startOf, stateOf } from './start';
import type { OpenHeaders } from './start';

/** What the rules do for the engine; `server/areas/crawler/index.ts` joins both. */
export type CrawlAudit = {
  readonly applyFindings: ApplyFindings;
  /** Rules of the whole site, what is fixed, score. May be repeated. */
  readonly auditRun: (ctx: Context, runId: string, options: { readonly isComplete: boolean }) => Promise<unknown>;
  readonly openHeaders: OpenHeaders;
};

const Input = z.object({ runId: z.uuid() });
/** Live events are at most this frequent, in ms. */
const publishEvery = 250;
const watchEvery = 1000;
/** Milliseconds after which a process that says nothing counts as stuck, such as in a page that takes it forever. */
const longestSilence = 120_000;
/** Runs that one worker leads. */
const places = 2;

const readRun = async (ctx: Context, runId: string): Promise<RunRow | null> =>
  (await ctx.postgres.db.select().from(crawlRuns).where(eq(crawlRuns.id, runId)))[0] ?? null;
const setRun = (ctx: Context, runId: string, values: Partial<RunRow>) => ctx.postgres.db.update(crawlRuns).set(values).where(eq(crawlRuns.id, runId));

/** The job of a run: starts its process, writes what it sends, and ends the run. `leading` has the ids of the runs that it works on. */
export const crawlJob = (audit: CrawlAudit, leading: Set<string>): JobHandler =>
  defineJob('crawler.run', async (job, ctx) => {
    const { runId } = Input.parse(job.input);
    for (let isOver = false; !isOver;) {
      const run = await beginRun(ctx, runId, job.id);
      if (run === null) return;
      if (run.state === 'pausing') {
        await reclaimLeases(ctx, run.id, job);
        return pauseEnded(ctx, run);
      }
      announceRun(ctx, run);
      const child = startCrawlProcess();
      leading.add(run.id);
      try {
        isOver = await new Attempt(ctx, job, audit, run, child).run();
      } catch (error) {
        // A run that was resumed before it had paused goes on with another job, which ends this one.
        if (await isOf(ctx, run.id, job.id)) throw error;
        isOver = true;
      } finally {
        child.kill();
        leading.delete(run.id);
        announceRun(ctx, run);
      }
    }
  });

const isOf = async (ctx: Context, runId: string, jobId: string): Promise<boolean> => (await readRun(ctx, runId))?.jobId === jobId;

/** The run as its job finds it: running, unless it is to pause or stop. Null: it has ended or is paused, or another job has taken over. */
async function beginRun(ctx: Context, runId: string, jobId: string): Promise<RunRow | null> {
  for (;;) {
    const run = await readRun(ctx, runId);
    if (run === null || run.jobId !== jobId || !isOpenRun(run) || run.state === 'paused') return null;
    if (run.state === 'pausing' || run.state === 'stopping') return run;
    // Somebody may pause or stop it at this moment.
    const [begun] = await ctx.postgres.db
      .update(crawlRuns)
      .set({ state: 'running', startedAt: run.startedAt ?? new Date(ctx.now()) })
      .where(and(eq(crawlRuns.id, runId), eq(crawlRuns.jobId, jobId), eq(crawlRuns.state, run.state)))
      .returning();
    if (begun) return begun;
  }
}

const pauseEnded = async (ctx: Context, run: RunRow): Promise<void> => {
  await ctx.postgres.db
    .update(crawlRuns)
    .set({ state: 'paused' })
    .where(and(eq(crawlRuns.id, run.id), eq(crawlRuns.state, 'pausing')));
  announceRun(ctx, run);
};

/** One process of a run, from its start to its end or interruption. */
class Attempt {
  private readonly journal: JournalRun;
  private isEnding = false;
  private published = 0;
  private leases: LeaseBook | null = null;

  private readonly ctx: Context;
  private readonly job: RunningJob;
  private readonly audit: CrawlAudit;
  private readonly row: RunRow;
  private readonly child: CrawlProcess;
  /** Decisions about families that the process knows. */
  private readonly decided = new Set<string>();

  constructor(ctx: Context, job: RunningJob, audit: CrawlAudit, row: RunRow, child: CrawlProcess) {
    this.ctx = ctx;
    this.job = job;
    this.audit = audit;
    this.row = row;
    this.child = child;
    const { id, siteId, crawlerId, number } = row;
    this.journal = { id, siteId, crawlerId, number, jobId: job.id, session: String(ctx.now()) };
  }

  /** False: there is more to read, by another process. */
  async run(): Promise<boolean> {
    const { row, ctx } = this;
    await answerOf(this.child, 'ready');
    const returned = await reclaimLeases(ctx, row.id, this.job);
    if (row.state === 'stopping' && returned.length === 0) {
      await this.finish('stopped', null, null);
      return true;
    }
    await this.begin(returned);
    // What was returned is counted first.
    this.endIf(row.state);
    const watch = setInterval(() => void this.look().catch(() => undefined), watchEvery);
    const unfollow = followUse(ctx.live, (perSecond) => this.child.send({ type: 'pace', perSecond }));
    const unsubscribe = ctx.live.subscribe((event) => event.type === 'crawl' && event.runId === row.id && void this.follow().catch(() => undefined));
    try {
      const end = await this.receive();
      if (end.kind === 'done' && end.reason === null && (await admitNearer(ctx, row, this.job, this.child)) > 0) return false;
      await this.conclude(end);
      return true;
    } finally {
      clearInterval(watch);
      unfollow();
      unsubscribe();
    }
  }

  private async begin(returned: readonly ReturnedLease[]): Promise<void> {
    const { ctx, row, child } = this;
    await removeUncommittedLinks(ctx, this.journal);
    const start = await startOf(ctx, row, this.audit.openHeaders);
    child.send({ type: 'start', start: { ...start, ...(await stateOf(ctx, row)) } });
    for await (const entries of storedFrontier(ctx, this.journal)) child.send({ type: 'frontier', entries });
    if (row.baseRunId !== null) for await (const pages of basePages(ctx, row.baseRunId)) child.send({ type: 'base', pages });
    for (const lease of returned) child.send({ type: 'returned', ...lease });
    this.leases = new LeaseBook(ctx, this.journal, this.job, child, returned);
    child.send({ type: 'go' });
  }

  private async receive(): Promise<CrawlEnd> {
    for (;;) {
      const message = await this.child.next();
      switch (message.type) {
        case 'batch': {
          const state = await writeBatch(this.ctx, this.journal, message.batch, { applyFindings: this.audit.applyFindings, job: this.job });
          this.child.send({ type: 'written', number: message.batch.number });
          this.endIf(state);
          this.publish();
          await this.report(message.batch.counters);
          break;
        }
        case 'body': {
          const gzip = await readGzip(this.ctx, this.row.siteId, message.sha);
          this.child.send({ type: 'body', sha: message.sha, gzip });
          break;
        }
        case 'end':
          return message.end;
        case 'failed':
          throw new Error(`the crawl failed: ${message.message}`);
        case 'lend':
          await this.leases?.lend(message.id, message.batch);
          break;
        case 'recall':
          await this.leases?.recall(message.ids);
          break;
        case 'ready':
        case 'read':
        case 'ranked':
        case 'depths':
        case 'rendered':
        case 'extracted':
          throw new Error(`unexpected message ${message.type}`);
      }
    }
  }

  private publish(): void {
    const now = this.ctx.now();
    if (now - this.published < publishEvery) return;
    this.published = now;
    announceRun(this.ctx, this.row);
  }

  private endIf(state: RunState): void {
    if (this.isEnding || (state !== 'pausing' && state !== 'stopping' && state !== 'paused')) return;
    this.isEnding = true;
    this.child.send({ type: 'end' });
  }

  /** Progress of the job; a cancelled job stops its run, which then ends in order. */
  private async report({ pages, discovered }: { readonly pages: number; readonly discovered: number }): Promise<void> {
    if (this.isEnding && this.job.cancelled) return;
    try {
      await this.job.progress(pages, Math.max(pages, discovered));
    } catch (error) {
      if (!(error instanceof JobInterrupted) || error.message !== 'cancel') throw error;
      await setRun(this.ctx, this.row.id, { state: 'stopping' });
      this.endIf('stopping');
    }
  }

  /** Reads what others did to the run. */
  private async look(): Promise<void> {
    // The job fails, and its next attempt begins with what was written.
    if (this.child.silence() > longestSilence) return this.child.kill();
    const run = await readRun(this.ctx, this.row.id);
    if (run === null || run.jobId !== this.job.id) return this.child.kill();
    this.endIf(run.state);
    await this.leases?.look();
    // An interruption is noticed even if nothing is being written.
    if (this.job.cancelled && !this.isEnding) await this.report(run.counters).catch(() => this.child.kill());
  }

  private async follow(): Promise<void> {
    await this.look();
    const decided = await this.ctx.postgres.db
      .select()
      .from(crawlFamilies)
      .where(and(eq(crawlFamilies.runId, this.row.id), or(eq(crawlFamilies.state, 'allowed'), eq(crawlFamilies.state, 'excluded'))));
    for (const { host, family, state } of decided) {
      const key = `${host} ${family} ${state}`;
      if (this.decided.has(key) || (state !== 'allowed' && state !== 'excluded')) continue;
      this.decided.add(key);
      this.child.send({ type: 'family', host, family, state });
    }
  }
  private async conclude(end: CrawlEnd): Promise<void> {
    const { ctx, row } = this;
    const run = await readRun(ctx, row.id);
    // It was resumed before it had paused, and goes on with another job.
    if (run?.jobId !== this.job.id) return;
    if (end.kind === 'waiting') return this.wait(end.retryAt ?? ctx.now() + 60_000);
    if (end.kind === 'ended') {
      if (run.state === 'pausing' || run.state === 'paused') return pauseEnded(ctx, row);
      return this.finish('stopped', null, end);
    }
    // What robots.txt of every host forbids or cannot say is no result.
    if (end.reason === 'robots') return this.finish('failed', 'robots', end);
    return this.finish(end.kind === 'done' ? 'completed' : 'limited', end.reason, end);
  }

  /** The job ends; another one begins when robots.txt is to be requested again. */
  private async wait(retryAt: number): Promise<void> {
    const { ctx, row } = this;
    await ctx.postgres.db.transaction(async (tx) => {
      const changed = await tx
        .update(crawlRuns)
        .set({ state: 'waiting' })
        .where(and(eq(crawlRuns.id, row.id), eq(crawlRuns.jobId, this.job.id), eq(crawlRuns.state, 'running')))
        .returning({ id: crawlRuns.id });
      if (changed.length > 0) await addJob(ctx, tx, row, await nameOf(ctx, row.crawlerId), row.createdBy === null ? null : { userId: row.createdBy }, retryAt);
    });
    const run = await readRun(ctx, row.id);
    if (run?.state === 'pausing') await pauseEnded(ctx, row);
    else if (run?.state === 'stopping') await this.finish('stopped', null, null);
  }

  /** Ranks, rules of the site, then the final state; repeated as a whole if it is interrupted. */
  private async finish(state: 'completed' | 'limited' | 'stopped' | 'failed', reason: string | null, end: CrawlEnd | null): Promise<void> {
    const { ctx, row } = this;
    if (end?.observations) await setRun(ctx, row.id, { observations: end.observations });
    await rankPages(ctx, this.journal, this.child);
    await this.audit.auditRun(ctx, row.id, { isComplete: state === 'completed' });
    await ctx.postgres.db.transaction(async (tx) => {
      if (!(await this.job.isHeld(tx))) throw new Error('the job was lost to another worker');
      const own = and(eq(crawlRuns.id, row.id), eq(crawlRuns.jobId, this.job.id));
      await tx
        .update(crawlRuns)
        .set({ state, reason, finishedAt: new Date(ctx.now()) })
        .where(own);
      await tx.delete(crawlLeases).where(eq(crawlLeases.runId, row.id));
    });
    await this.job.progress(row.counters.pages, null).catch(() => undefined);
  }
}

const nameOf = async (ctx: Context, crawlerId: string): Promise<string> =>
  (await ctx.postgres.db.select({ name: crawlers.name }).from(crawlers).where(eq(crawlers.id, crawlerId)))[0]?.name ?? '';

/** Crawls have places of their own: one of them may take hours, and must not keep other jobs waiting. */
export const crawlerWorker =
  (audit: CrawlAudit, options: Pick<WorkerOptions, 'pollEvery' | 'leaseFor'> = {}) =>
  (ctx: Context): Worker => {
    const leading = new Set<string>();
    const worker = startWorker(ctx, [crawlJob(audit, leading)], [], { concurrency: places, ...options });
    const helper = startHelper(ctx, audit, leading, places);
    return { close: async () => void (await Promise.all([worker.close(), helper.close()])) };
  };

/** Runs whose job ended without them, because it failed too often without a page in between, or was cancelled while it waited. */
async function tendRuns(ctx: Context): Promise<void> {
  const { rows } = await ctx.postgres.pool.query<{
    id: string;
    site_id: string;
    crawler_id: string;
    name: string;
    state: RunState;
    job_id: string;
    job_state: string;
  }>(
    `SELECT r.id, r.site_id, r.crawler_id, c.name, r.state, r.job_id, j.state AS job_state
     FROM crawl_runs r JOIN crawlers c ON c.id = r.crawler_id JOIN jobs j ON j.id = r.job_id
     WHERE r.state IN ('queued', 'running', 'waiting', 'pausing', 'stopping') AND j.state IN ('done', 'failed', 'cancelled')`,
  );
  for (const row of rows) {
    // It was not audited, but its pages have issues.
    if (row.job_state === 'failed') await ctx.postgres.db.transaction((tx) => storeIssueCounts(tx, row.crawler_id));
    await ctx.postgres.db.transaction(async (tx) => {
      const same = and(eq(crawlRuns.id, row.id), eq(crawlRuns.jobId, row.job_id), eq(crawlRuns.state, row.state));
      // Somebody resumed or stopped it meanwhile.
      if ((await tx.select({ id: crawlRuns.id }).from(crawlRuns).where(same).for('update')).length === 0) return;
      if (row.job_state === 'cancelled') await tx.update(crawlRuns).set({ state: 'stopping' }).where(eq(crawlRuns.id, row.id));
      else if (row.job_state === 'failed') {
        await tx
          .update(crawlRuns)
          .set({ state: 'failed', reason: 'process', finishedAt: new Date(ctx.now()) })
          .where(eq(crawlRuns.id, row.id));
        return;
      }
      await addJob(ctx, tx, { id: row.id, siteId: row.site_id }, row.name, null);
    });
    announceRun(ctx, { id: row.id, siteId: row.site_id });
  }
}

/** Bodies that no run has any more, and those of erased sites. */
async function sweepFiles(ctx: Context): Promise<void> {
  for (const siteId of await ctx.files.folders('crawls')) {
    const { rowCount } = await ctx.postgres.pool.query('SELECT 1 FROM sites WHERE id = $1', [siteId]);
    if (rowCount === 0) await ctx.files.removeAll(`crawls/${siteId}`);
    else await sweepBodies(ctx, siteId);
  }
}

export const crawlerSchedules: readonly Schedule[] = [
  { name: 'crawler.tend', every: 30_000, run: tendRuns },
  { name: 'crawler.sweep', every: DAY, run: sweepFiles },
];
