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

/**
 * Takes the oldest job that waits, or one whose worker let its lease run out. `SKIP LOCKED`: workers never wait for each
 * other and never take the same row.
 */
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

/** Keeps the lease. Null when it is lost; otherwise whether somebody asked the job to stop. */
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

/** Gives a job back for another worker, not before `runAfter`. `counts`: whether this was an attempt that failed. */
export const returnJob = (db: Db, id: string, worker: string, runAfter: Date, counts: boolean) =>
  db
    .update(jobs)
    .set({ state: 'queued', leaseBy: null, leaseUntil: null, runAfter, ...(counts ? {} : { attempts: sql`greatest(0, ${jobs.attempts} - 1)` }) })
    .where(held(id, worker));

/**
 * Open jobs and those that ended after `since`, newest first: those of `siteIds`, but for those whose labels name content tables, which are told of `tableSiteIds` only; own ones in any case.
 * `mine` null: all.
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

export const findJob = async (db: Db, id: string): Promise<JobRecord | null> => (await db.select().from(jobs).where(eq(jobs.id, id)))[0] ?? null;

/** A waiting job ends at once; a running one is asked. Null when it has ended already or may not be cancelled. */
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

/** Moves a due schedule on. True for exactly one of any number of callers. */
export const takeSchedule = async (db: Db, name: string, now: Date, nextRun: Date): Promise<boolean> =>
  (
    await db
      .update(schedules)
      .set({ nextRun, lastRun: now })
      .where(and(eq(schedules.name, name), lte(schedules.nextRun, now)))
      .returning({ name: schedules.name })
  ).length > 0;
