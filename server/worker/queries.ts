import { and, asc, desc, eq, gt, inArray, notLike, isNull, lte, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { jobs, schedules } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type JobRecord = typeof jobs.$inferSelect;

const open = inArray(jobs.state, ['queued', 'running']);

export async function insertJob(db: Db, row: typeof jobs.$inferInsert): Promise<JobRecord> {
  const [created] = await db.insert(jobs).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

export async function findOpenJob(db: Db, kind: JobRecord['kind'], siteId: string | null): Promise<JobRecord | null> {
  const [row] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, kind), siteId === null ? isNull(jobs.siteId) : eq(jobs.siteId, siteId), open))
    .limit(1);
  return row ?? null;
}

/** Claims the oldest waiting job, or one whose lease has expired. `SKIP LOCKED`: workers never wait for each other and never claim the same row. */
export async function takeJob(db: Db, kinds: readonly JobRecord['kind'][], worker: string, now: Date, leaseUntil: Date): Promise<JobRecord | null> {
  const next = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(inArray(jobs.kind, [...kinds]), lte(jobs.runAfter, now), or(eq(jobs.state, 'queued'), and(eq(jobs.state, 'running'), lte(jobs.leaseUntil, now)))),
    )
    .orderBy(asc(jobs.createdAt), asc(jobs.id))
    .limit(1)
    .for('update', { skipLocked: true });
  const [row] = await db
    .update(jobs)
    .set({
      state: 'running',
      leaseBy: worker,
      leaseUntil,
      attempts: sql`${jobs.attempts} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(eq(jobs.id, next))
    .returning();
  return row ?? null;
}

const held = (id: string, worker: string) => and(eq(jobs.id, id), eq(jobs.leaseBy, worker), eq(jobs.state, 'running'));

/** Whether an attempt still holds a job; the row is locked until the transaction ends. */
export const holdsJob = async (db: Db, id: string, worker: string): Promise<boolean> =>
  (await db.select({ id: jobs.id }).from(jobs).where(held(id, worker)).for('share')).length > 0;

/** Counts attempts from here on, if the job is still held; the row is locked until the transaction ends. */
export const restartAttempts = async (db: Db, id: string, worker: string): Promise<boolean> =>
  (await db.update(jobs).set({ attempts: 1 }).where(held(id, worker)).returning({ id: jobs.id })).length > 0;

/** Renews the lease. Null if it was lost; otherwise whether cancellation was requested. */
export async function renewLease(db: Db, id: string, worker: string, leaseUntil: Date): Promise<{ cancelAsked: boolean } | null> {
  const [row] = await db.update(jobs).set({ leaseUntil }).where(held(id, worker)).returning({ cancelAsked: jobs.cancelAsked });
  return row ?? null;
}

export type Progress = { readonly done: number; readonly total: number | null };
export const writeProgress = (db: Db, id: string, worker: string, { done, total }: Progress) => db.update(jobs).set({ done, total }).where(held(id, worker));
export const writeState = (db: Db, id: string, worker: string, stateData: unknown) => db.update(jobs).set({ stateData }).where(held(id, worker));

export const finishJob = (db: Db, id: string, worker: string, end: { state: 'done' | 'failed' | 'cancelled'; error: string | null }, now: Date) =>
  db
    .update(jobs)
    .set({ ...end, finishedAt: now, leaseBy: null, leaseUntil: null })
    .where(held(id, worker));

/** Returns a job to the queue, not before `runAfter`. `counts`: whether this was a failed attempt. */
export const returnJob = (db: Db, id: string, worker: string, runAfter: Date, counts: boolean) =>
  db
    .update(jobs)
    .set({ state: 'queued', leaseBy: null, leaseUntil: null, runAfter, ...(counts ? {} : { attempts: sql`greatest(0, ${jobs.attempts} - 1)` }) })
    .where(held(id, worker));

/**
 * Open jobs and those that ended after `since`, newest first: those of `siteIds` (jobs whose labels name content tables: only those of `tableSiteIds`) and the
 * person's own jobs. `mine` null: all.
 */
export const recentJobs = (
  db: Db,
  since: Date,
  mine: { siteIds: readonly string[]; tableSiteIds: readonly string[]; userId: string } | null,
): Promise<JobRecord[]> =>
  db
    .select()
    .from(jobs)
    .where(
      and(
        or(open, gt(jobs.finishedAt, since)),
        mine === null
          ? undefined
          : or(
              eq(jobs.createdBy, mine.userId),
              and(inArray(jobs.siteId, [...mine.siteIds]), notLike(jobs.kind, 'tables.%')),
              inArray(jobs.siteId, [...mine.tableSiteIds]),
            ),
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(100);

/** Jobs of a site that failed after `since`, unless a later one of the same kind has been done, the newest of each kind. */
export async function failedJobs(
  db: Pick<NodePgDatabase, 'selectDistinctOn'>,
  siteId: string,
  since: Date,
): Promise<Pick<JobRecord, 'id' | 'kind' | 'label' | 'finishedAt'>[]> {
  const ended = await db
    .selectDistinctOn([jobs.kind], { id: jobs.id, kind: jobs.kind, label: jobs.label, state: jobs.state, finishedAt: jobs.finishedAt })
    .from(jobs)
    .where(and(eq(jobs.siteId, siteId), inArray(jobs.state, ['done', 'failed']), gt(jobs.finishedAt, since)))
    .orderBy(jobs.kind, desc(jobs.finishedAt), desc(jobs.id));
  return ended.filter(({ state }) => state === 'failed');
}

/** The job of a kind that was created last; null: there was none. */
export const latestJob = async (db: Db, kind: JobRecord['kind']): Promise<JobRecord | null> =>
  (await db.select().from(jobs).where(eq(jobs.kind, kind)).orderBy(desc(jobs.createdAt)).limit(1))[0] ?? null;

export const findJob = async (db: Db, id: string): Promise<JobRecord | null> => (await db.select().from(jobs).where(eq(jobs.id, id)))[0] ?? null;

/** Cancels a waiting job at once; requests cancellation of a running one. Null if it has already ended or cannot be cancelled. */
export async function cancelJob(db: Db, id: string, now: Date): Promise<JobRecord | null> {
  const [row] = await db
    .update(jobs)
    .set({
      cancelAsked: true,
      state: sql`case when ${jobs.state} = 'queued' then 'cancelled' else ${jobs.state} end`,
      finishedAt: sql`case when ${jobs.state} = 'queued' then ${now.toISOString()}::timestamptz end`,
    })
    .where(and(eq(jobs.id, id), eq(jobs.cancellable, true), open))
    .returning();
  return row ?? null;
}

export const addSchedule = (db: Db, name: string, nextRun: Date) => db.insert(schedules).values({ name, nextRun }).onConflictDoNothing();

/** Advances a due schedule. True for exactly one of several concurrent callers. */
export const takeSchedule = async (db: Db, name: string, now: Date, nextRun: Date): Promise<boolean> =>
  (
    await db
      .update(schedules)
      .set({ nextRun, lastRun: now })
      .where(and(eq(schedules.name, name), lte(schedules.nextRun, now)))
      .returning({ name: schedules.name })
  ).length > 0;
