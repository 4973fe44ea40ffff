import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context';
import { toFailure } from '../http/errors';
import { Failure } from '../http/failure';
import { JobInterrupted } from './job';
import type { JobHandler, RunningJob } from './job';
import * as queries from './queries';
import type { JobRecord } from './queries';

export { JobInterrupted, defineJob, enqueue } from './job';
export type { JobHandler, RunningJob } from './job';

/**
 * Something done again and again, by one process at a time. `every` in milliseconds, kept to half a minute; what is done more often than once a minute
 * is kept to five seconds, and waits for none of the others.
 */
export type Schedule = { readonly name: string; readonly every: number; readonly run: (ctx: Context) => Promise<void> };

export type Worker = {
  /** Stops taking jobs, interrupts the running ones (they go back into the queue) and waits for them. */ readonly close: () => Promise<void>;
};

export type WorkerOptions = {
  /** All in milliseconds. */
  readonly pollEvery?: number;
  readonly leaseFor?: number;
  readonly concurrency?: number;
};

const publishEvery = 500;
const mostAttempts = 4;
/** PostgreSQL that was killed is back within seconds: jobs go on soon after. */
const awayPause = 1000;
const defaultPoll = 1000;
/** In how many milliseconds of PostgreSQL's return, at the latest, a job that it was killed under is looked for: it is put down, becomes due, and is seen. */
export const resumesWithin = awayPause / 2 + awayPause + defaultPoll;
/** Ends early, and without an error, when the signal does. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined);
const isAway = (error: unknown): boolean => toFailure(error).code === 'unavailable';
const retryAfter = (attempts: number): number => 15_000 * 2 ** (attempts - 1);

/**
 * Runs jobs and schedules until it is closed. Any number of processes may do so on one database: rows are taken with
 * `SKIP LOCKED` and held by lease.
 *
 * Why not pg-boss: what runs on a schedule so far is an interval, for which one row and one UPDATE are enough, while
 * pg-boss keeps a schema and migrations of its own beside ours. Mail (`server/mail`) needs no more than a lease either.
 */
export function startWorker(ctx: Context, handlers: readonly JobHandler[], schedules: readonly Schedule[] = [], options: WorkerOptions = {}): Worker {
  const { pollEvery = defaultPoll, leaseFor = 30_000, concurrency = 2 } = options;
  const name = `${process.pid}-${randomUUID()}`;
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]));
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let currentPass: Promise<void> = Promise.resolve();
  let lookQueued = false;

  async function look(): Promise<void> {
    while (!stopping.signal.aborted && byKind.size > 0 && running.size < concurrency) {
      const now = ctx.now();
      const job = await queries.takeJob(ctx.postgres.db, [...byKind.keys()], name, new Date(now), new Date(now + leaseFor));
      if (!job) return;
      const work = runJob(ctx, job, byKind.get(job.kind), { worker: name, leaseFor, stopping: stopping.signal }).finally(() => {
        running.delete(work);
        wake();
      });
      running.add(work);
    }
  }
  function wake(): void {
    if (stopping.signal.aborted || lookQueued) return;
    // One look at a time; one more is queued behind it, because a job may have come in between.
    lookQueued = true;
    currentPass = currentPass
      .then(() => {
        lookQueued = false;
        return look();
      })
      .catch((error: unknown) => ctx.log.warn('The worker could not look for jobs', { error }));
  }
  async function tick(due: readonly Schedule[]): Promise<void> {
    for (const schedule of due) {
      if (stopping.signal.aborted) return;
      const now = ctx.now();
      await queries.addSchedule(ctx.postgres.db, schedule.name, new Date(now));
      if (!(await queries.takeSchedule(ctx.postgres.db, schedule.name, new Date(now), new Date(now + schedule.every)))) continue;
      await schedule.run(ctx).catch((error: unknown) => ctx.log.error('A scheduled task failed', { schedule: schedule.name, error }));
    }
  }
  /** Looks at some schedules again and again, one after the other; returns the way to stop. */
  function keepTicking(some: readonly Schedule[], every: number): () => Promise<void> {
    if (some.length === 0) return async () => undefined;
    let ticking: Promise<void> = Promise.resolve();
    let waiting = false;
    const start = (): void => {
      if (waiting) return;
      waiting = true;
      ticking = ticking
        .then(() => {
          waiting = false;
          return tick(some);
        })
        .catch((error: unknown) => ctx.log.warn('The schedules could not be looked at', { error }));
    };
    const timer = setInterval(start, every);
    start();
    return () => {
      clearInterval(timer);
      return ticking;
    };
  }

  const unsubscribe = ctx.live.subscribe((event) => event.type === 'job' && wake());
  const pollTimer = setInterval(wake, pollEvery);
  wake();
  const isPrompt = ({ every }: Schedule): boolean => every < 60_000;
  const stopTicking = [
    keepTicking(schedules.filter(isPrompt), 5000),
    keepTicking(
      schedules.filter((schedule) => !isPrompt(schedule)),
      30_000,
    ),
  ];

  return {
    async close() {
      stopping.abort();
      unsubscribe();
      clearInterval(pollTimer);
      const ticks = stopTicking.map((stop) => stop());
      await currentPass;
      await Promise.all(ticks);
      await Promise.allSettled(running);
    },
  };
}

type Hold = { readonly worker: string; readonly leaseFor: number; readonly stopping: AbortSignal };

async function runJob(ctx: Context, record: JobRecord, handler: JobHandler | undefined, { worker, leaseFor, stopping }: Hold): Promise<void> {
  const { db } = ctx.postgres;
  const { id, kind, attempts } = record;
  const log = ctx.log.child({ jobId: id, kind });
  const interrupt = new AbortController();
  const end: { why: 'cancel' | 'stop' | 'lost' | null } = { why: null };
  const stop = (reason: NonNullable<(typeof end)['why']>): void => {
    end.why ??= reason;
    interrupt.abort();
  };
  const announce = (): void => ctx.live.publish({ type: 'job', jobId: id });
  const onStopping = (): void => stop('stop');
  stopping.addEventListener('abort', onStopping);
  if (record.cancelAsked) stop('cancel');

  async function beat(): Promise<void> {
    const lease = await queries.renewLease(db, id, worker, new Date(ctx.now() + leaseFor));
    if (!lease) stop('lost');
    else if (lease.cancelAsked) stop('cancel');
  }
  // A heartbeat that fails (PostgreSQL away) is tried again; if it stays away the lease runs out, as it should.
  const heart = setInterval(() => void beat().catch((error: unknown) => log.warn('A heartbeat failed', { error })), leaseFor / 3);
  const unsubscribe = ctx.live.subscribe((event) => event.type === 'job' && event.jobId === id && void beat().catch(() => undefined));

  let latest = { done: record.done, total: record.total };
  let written = 0;
  const writeProgress = async (): Promise<void> => {
    written = ctx.now();
    await queries.writeProgress(db, id, worker, latest);
    announce();
  };
  const job: RunningJob = {
    id,
    kind,
    siteId: record.siteId,
    input: record.input,
    saved: record.stateData,
    get cancelled() {
      return interrupt.signal.aborted;
    },
    signal: interrupt.signal,
    async progress(done, total) {
      latest = { done: Math.round(done), total: total === null ? null : Math.round(total) };
      if (ctx.now() - written >= publishEvery) await writeProgress();
      if (interrupt.signal.aborted) throw new JobInterrupted(end.why ?? 'stop');
    },
    save: async (state) => void (await queries.writeState(db, id, worker, state)),
  };

  try {
    if (!handler) throw new Error(`no handler for ${kind}`);
    if (attempts > mostAttempts) throw new Error(`gave up after ${mostAttempts} attempts`);
    if (end.why !== 'cancel') await handler.run(job, ctx);
    await writeProgress();
    await queries.finishJob(db, id, worker, { state: end.why === 'cancel' ? 'cancelled' : 'done', error: null }, new Date(ctx.now()));
  } catch (error) {
    await settleOnceBack(error).catch((failure: unknown) => log.error('The end of a job could not be written; its lease will run out', { error: failure }));
  } finally {
    clearInterval(heart);
    unsubscribe();
    stopping.removeEventListener('abort', onStopping);
    announce();
  }

  /** While PostgreSQL is away nothing can be written: otherwise the job would wait for its lease to run out. */
  async function settleOnceBack(error: unknown): Promise<void> {
    for (;;) {
      try {
        return await settle(error);
      } catch (failure) {
        if (!isAway(failure) || stopping.aborted) throw failure;
        await pause(awayPause / 2, stopping);
      }
    }
  }

  async function settle(error: unknown): Promise<void> {
    const now = ctx.now();
    if (end.why === 'lost') return;
    if (end.why === 'cancel') return void (await queries.finishJob(db, id, worker, { state: 'cancelled', error: null }, new Date(now)));
    if (end.why === 'stop') return void (await queries.returnJob(db, id, worker, new Date(now), false));
    // No failure of the job, and no attempt of its few: it goes on from what it has saved.
    if (isAway(error)) return void (await queries.returnJob(db, id, worker, new Date(now + awayPause), false));
    // A refusal (a file that cannot be read, a right that is gone) is the same the next time; what is broken or away may not be.
    const refused = error instanceof Failure && error.status < 500;
    if (refused) log.info('A job was refused', { code: error.code });
    else log.error('A job failed', { attempts, error });
    if (!refused && attempts < mostAttempts) return void (await queries.returnJob(db, id, worker, new Date(now + retryAfter(attempts)), true));
    // The code alone: what went wrong inside is for the log.
    await queries.finishJob(db, id, worker, { state: 'failed', error: toFailure(error).code }, new Date(now));
  }
}
