import type { Job as JobShape } from '../../contract/jobs/schemas';
import type { Context } from '../context';
import * as queries from './queries';
import type { JobRecord } from './queries';

export type JobKind = JobShape['kind'];

/** The job as seen by its handler. */
export type RunningJob = {
  readonly id: string;
  readonly kind: JobKind;
  readonly siteId: string | null;
  /** The input passed to `enqueue`; validate it before use, because an older release may have written it. */
  readonly input: unknown;
  /** State saved by an earlier, interrupted run of this job, or null. */
  readonly saved: unknown;
  /** Cancellation of the job was requested, or the program is stopping. */
  readonly cancelled: boolean;
  /** Aborts together with `cancelled`; for queries and requests. */
  readonly signal: AbortSignal;
  /** Reports the progress in the job's own units (integers), and is the point of interruption: throws `JobInterrupted` if the job must stop. */
  readonly progress: (done: number, total: number | null) => Promise<void>;
  /** Stores the state that the next run needs to continue after a crash. */
  readonly save: (state: unknown) => Promise<void>;
  /**
   * Whether this attempt still holds the job. In a transaction: nobody else takes the job before it ends, so that what is written there is not written by two attempts, such
   * as after this machine was suspended for longer than the lease.
   */
  readonly isHeld: (tx: queries.Db) => Promise<boolean>;
  /** The same, for a transaction that brings the job forward: only attempts after it count as failed, so that a long job may be killed as often as it makes progress. */
  readonly isAdvancing: (tx: queries.Db) => Promise<boolean>;
};

export type JobHandler = { readonly kind: JobKind; readonly run: (job: RunningJob, ctx: Context) => Promise<void> };

export const defineJob = (kind: JobKind, run: JobHandler['run']): JobHandler => ({ kind, run });

/** Thrown by `progress`. Handlers must not catch it. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';
}

export type NewJob = {
  readonly siteId?: string | null;
  /** Label in the job list: usually the site's name. */
  readonly label: string;
  readonly input?: unknown;
  readonly cancellable?: boolean;
  readonly createdBy?: string | null;
  readonly runAfter?: number;
  /** Returns the open job of this kind and site, if there is one, instead of creating another. */
  readonly once?: boolean;
};

/** Adds a job to the queue; any process with the worker role may run it. `db`: a transaction that the job belongs to. */
export async function enqueue(ctx: Context, kind: JobKind, job: NewJob, db: queries.Db = ctx.postgres.db): Promise<JobRecord> {
  const siteId = job.siteId ?? null;
  const add = async (): Promise<JobRecord> => {
    const now = ctx.now();
    const existing = job.once ? await queries.findOpenJob(db, kind, siteId) : null;
    if (existing) return existing;
    const created = await queries.insertJob(db, {
      kind,
      siteId,
      label: job.label,
      input: job.input ?? {},
      cancellable: job.cancellable ?? true,
      createdBy: job.createdBy ?? null,
      createdAt: new Date(now),
      runAfter: new Date(job.runAfter ?? now),
    });
    ctx.live.publish({ type: 'job', jobId: created.id });
    return created;
  };
  return job.once ? ctx.postgres.withLock(`enqueue ${kind} ${siteId ?? ''}`, add) : add();
}
