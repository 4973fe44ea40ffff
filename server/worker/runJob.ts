import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context';
import { toFailure } from '../http/errors';
import { Failure } from '../http/failure';
import { JobInterrupted } from './job';
import type { JobHandler, RunningJob } from './job';
import * as queries from './queries';
import type { JobRecord } from './queries';

const publishEvery = 500;
const mostAttempts = 4;
/** PostgreSQL that was killed is back within seconds: jobs go on soon after. */
export const awayPause = 1000;
/** Ends early, and without an error, when the signal does. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined);
const isAway = (error: unknown): boolean => toFailure(error).code === 'unavailable';
const retryAfter = (attempts: number): number => 15_000 * 2 ** (attempts - 1);

type Hold = { readonly worker: string; readonly leaseFor: number; readonly stopping: AbortSignal };
type Reason = 'cancel' | 'stop' | 'lost';

/** The lease of a running job, renewed by heartbeats; `reason` is null until the job is to end early. */
type Lease = { readonly signal: AbortSignal; readonly reason: () => Reason | null; readonly release: () => void };

function holdLease(ctx: Context, { id, kind, cancelAsked }: JobRecord, { worker, leaseFor, stopping }: Hold): Lease {
  const log = ctx.log.child({ jobId: id, kind });
  const interrupt = new AbortController();
  let why: Reason | null = null;
  const stop = (reason: Reason): void => {
    why ??= reason;
    interrupt.abort();
  };
  const onStopping = (): void => stop('stop');
  stopping.addEventListener('abort', onStopping);
  if (cancelAsked) stop('cancel');

  async function beat(): Promise<void> {
    const lease = await queries.renewLease(ctx.postgres.db, id, worker, new Date(ctx.now() + leaseFor));
    if (!lease) stop('lost');
    else if (lease.cancelAsked) stop('cancel');
  }
  // A heartbeat that fails (PostgreSQL away) is tried again; if it stays away the lease runs out, as it should.
  const heart = setInterval(() => void beat().catch((error: unknown) => log.warn('A heartbeat failed', { error })), leaseFor / 3);
  const unsubscribe = ctx.live.subscribe((event) => event.type === 'job' && event.jobId === id && void beat().catch(() => undefined));

  return {
    signal: interrupt.signal,
    reason: () => why,
    release() {
      clearInterval(heart);
      unsubscribe();
      stopping.removeEventListener('abort', onStopping);
    },
  };
}

const announce = (ctx: Context, jobId: string): void => ctx.live.publish({ type: 'job', jobId });

type Attempt = { readonly job: RunningJob; readonly writeProgress: () => Promise<void> };
/** What a handler gets, and the way to write its progress whenever that was last done. */
function jobOf(ctx: Context, record: JobRecord, worker: string, lease: Lease): Attempt {
  const { db } = ctx.postgres;
  const { id, kind } = record;
  let latest = { done: record.done, total: record.total };
  let written = 0;
  const writeProgress = async (): Promise<void> => {
    written = ctx.now();
    await queries.writeProgress(db, id, worker, latest);
    announce(ctx, id);
  };
  const job: RunningJob = {
    id,
    kind,
    siteId: record.siteId,
    input: record.input,
    saved: record.stateData,
    get cancelled() {
      return lease.signal.aborted;
    },
    signal: lease.signal,
    async progress(done, total) {
      latest = { done: Math.round(done), total: total === null ? null : Math.round(total) };
      if (ctx.now() - written >= publishEvery) await writeProgress();
      if (lease.signal.aborted) throw new JobInterrupted(lease.reason() ?? 'stop');
    },
    save: async (state) => void (await queries.writeState(db, id, worker, state)),
    isHeld: (tx) => queries.holdsJob(tx, id, worker),
    isAdvancing: (tx) => queries.restartAttempts(tx, id, worker),
  };
  return { job, writeProgress };
}

/** Runs one job that is held by lease, and writes how it ended. */
export async function runJob(ctx: Context, record: JobRecord, handler: JobHandler | undefined, hold: Hold): Promise<void> {
  const { id, kind } = record;
  const lease = holdLease(ctx, record, hold);
  const { job, writeProgress } = jobOf(ctx, record, hold.worker, lease);
  try {
    if (!handler) throw new Error(`no handler for ${kind}`);
    if (record.attempts > mostAttempts) throw new Error(`gave up after ${mostAttempts} attempts`);
    if (lease.reason() !== 'cancel') await handler.run(job, ctx);
    await writeProgress();
    const state = lease.reason() === 'cancel' ? 'cancelled' : 'done';
    await queries.finishJob(ctx.postgres.db, id, hold.worker, { state, error: null }, new Date(ctx.now()));
  } catch (error) {
    await settleOnceBack(ctx, record, hold, lease, error).catch((failure: unknown) =>
      ctx.log.child({ jobId: id, kind }).error('The end of a job could not be written; its lease will run out', { error: failure }),
    );
  } finally {
    lease.release();
    announce(ctx, id);
  }
}

/** While PostgreSQL is away nothing can be written: otherwise the job would wait for its lease to run out. */
async function settleOnceBack(ctx: Context, record: JobRecord, hold: Hold, lease: Lease, error: unknown): Promise<void> {
  for (;;) {
    try {
      return await settle(ctx, record, hold.worker, lease.reason(), error);
    } catch (failure) {
      if (!isAway(failure) || hold.stopping.aborted) throw failure;
      await pause(awayPause / 2, hold.stopping);
    }
  }
}

async function settle(ctx: Context, { id, kind }: JobRecord, worker: string, reason: Reason | null, error: unknown): Promise<void> {
  const { db } = ctx.postgres;
  const log = ctx.log.child({ jobId: id, kind });
  const now = ctx.now();
  if (reason === 'lost') return;
  if (reason === 'cancel') return void (await queries.finishJob(db, id, worker, { state: 'cancelled', error: null }, new Date(now)));
  if (reason === 'stop') return void (await queries.returnJob(db, id, worker, new Date(now), false));
  // No failure of the job, and no attempt of its few: it goes on from what it has saved.
  if (isAway(error)) return void (await queries.returnJob(db, id, worker, new Date(now + awayPause), false));
  // A refusal (a file that cannot be read, a right that is gone, a full disk) is the same the next time; what is broken or away may not be.
  const refused = error instanceof Failure && (error.status < 500 || error.code === 'disk_full');
  // As stored: transactions that brought the job forward started the count anew, unless they were rolled back.
  const attempts = (await queries.findJob(db, id))?.attempts ?? mostAttempts;
  if (refused) log.info('A job was refused', { code: error.code });
  else log.error('A job failed', { attempts, error });
  if (!refused && attempts < mostAttempts) return void (await queries.returnJob(db, id, worker, new Date(now + retryAfter(attempts)), true));
  // The code alone: what went wrong inside is for the log.
  await queries.finishJob(db, id, worker, { state: 'failed', error: toFailure(error).code }, new Date(now));
}
