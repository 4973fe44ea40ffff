import type { Job as JobShape } from '../../contract/jobs/schemas';
import type { Context } from '../context';
import * as queries from './queries';
import type { JobRecord } from './queries';

export type JobKind = JobShape['kind'];

/** What a handler gets of its job. */
export type RunningJob = {
  readonly id: string;
  readonly kind: JobKind;
  readonly siteId: string | null;
  /** What `enqueue` was given; check it before use, an older release may have written it. */
  readonly input: unknown;
  /** What an earlier run of this job saved before it was interrupted, or null. */
  readonly saved: unknown;
  /** Somebody asked the job to stop, or the program is stopping. */
  readonly cancelled: boolean;
  /** Aborts together with `cancelled`; for queries and requests. */
  readonly signal: AbortSignal;
  /** Says how far it is, in the job's own units (whole numbers), and is the place to stop: throws `JobInterrupted` when it should. */
  readonly progress: (done: number, total: number | null) => Promise<void>;
  /** Keeps what the next run needs to go on from here after a crash. */
  readonly save: (state: unknown) => Promise<void>;
};

export type JobHandler = { readonly kind: JobKind; readonly run: (job: RunningJob, ctx: Context) => Promise<void> };

export const defineJob = (kind: JobKind, run: JobHandler['run']): JobHandler => ({ kind, run });

/** Thrown out of a handler by `progress`. Handlers let it pass. */
export class JobInterrupted extends Error {
  override readonly name = 'JobInterrupted';
}

export type NewJob = {
  readonly siteId?: string | null;
  /** Free words for the tray: usually the site's name. */
  readonly label: string;
  readonly input?: unknown;
  readonly cancellable?: boolean;
  readonly createdBy?: string | null;
  readonly runAfter?: number;
  /** Take the open job of this kind and site, where there is one, instead of a second. */
  readonly once?: boolean;
};

/** Puts a job into the queue. Any process with a worker takes it. `db`: a transaction, where the job belongs to what else it writes. */
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
