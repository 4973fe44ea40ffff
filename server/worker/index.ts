import { randomUUID } from 'node:crypto';
import type { Context } from '../context';
import type { JobHandler } from './job';
import * as queries from './queries';
import { awayPause, runJob } from './runJob';
import { runSchedules } from './schedules';
import type { Schedule } from './schedules';

export { JobInterrupted, defineJob, enqueue } from './job';
export type { JobHandler, JobKind, RunningJob } from './job';
export type { Schedule } from './schedules';

export type Worker = {
  /** Stops taking jobs, interrupts the running ones (they go back into the queue) and waits for them. */ readonly close: () => Promise<void>;
};

export type WorkerOptions = {
  /** All in milliseconds. */
  readonly pollEvery?: number;
  readonly leaseFor?: number;
  readonly concurrency?: number;
};

const defaultPoll = 1000;
/** In how many milliseconds of PostgreSQL's return, at the latest, a job that it was killed under is looked for: it is put down, becomes due, and is seen. */
export const resumesWithin = awayPause / 2 + awayPause + defaultPoll;

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
  let leased = 0;

  async function look(): Promise<void> {
    while (!stopping.signal.aborted && byKind.size > 0 && running.size < concurrency) {
      const now = ctx.now();
      // Each attempt has a name of its own: this worker may lose a job, such as while the machine sleeps, and take it again.
      leased += 1;
      const worker = `${name}-${leased}`;
      const job = await queries.takeJob(ctx.postgres.db, [...byKind.keys()], worker, new Date(now), new Date(now + leaseFor));
      if (!job) return;
      const work = runJob(ctx, job, byKind.get(job.kind), { worker, leaseFor, stopping: stopping.signal }).finally(() => {
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

  const unsubscribe = ctx.live.subscribe((event) => event.type === 'job' && wake());
  const pollTimer = setInterval(wake, pollEvery);
  wake();
  const stopSchedules = runSchedules(ctx, schedules, stopping.signal);

  return {
    async close() {
      stopping.abort();
      unsubscribe();
      clearInterval(pollTimer);
      const ticks = stopSchedules();
      await currentPass;
      await ticks;
      await Promise.allSettled(running);
    },
  };
}
