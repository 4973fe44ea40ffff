import { and, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm';
import { users } from '../../../account/schema';
import { jobs } from '../../../../worker/schema';
import type { Db } from '../../core/ddl';
import { contentChanges, contentConversions } from '../../core/schema';
import type { ConversionProgress, ConversionSpec } from '../../core/schema';

export type ConversionRecord = typeof contentConversions.$inferSelect;

export const addConversion = async (db: Db, row: typeof contentConversions.$inferInsert): Promise<void> =>
  void (await db.insert(contentConversions).values(row));
export const setConversion = async (db: Db, id: string, parts: Partial<ConversionRecord>): Promise<void> =>
  void (await db.update(contentConversions).set(parts).where(eq(contentConversions.id, id)));
export const findConversion = async (db: Db, id: string): Promise<ConversionRecord | null> =>
  (await db.select().from(contentConversions).where(eq(contentConversions.id, id)))[0] ?? null;

export const conversionsOf = (db: Db, fieldId: string): Promise<ConversionRecord[]> =>
  db
    .select()
    .from(contentConversions)
    .where(eq(contentConversions.fieldId, fieldId))
    .orderBy(desc(contentConversions.at), desc(contentConversions.id))
    .limit(50);
/** Completed conversions of a table whose old column still exists, newest first. */
export const endedOf = (db: Db, tableId: string): Promise<ConversionRecord[]> =>
  db
    .select()
    .from(contentConversions)
    .where(and(eq(contentConversions.tableId, tableId), eq(contentConversions.state, 'done')))
    .orderBy(desc(contentConversions.at), desc(contentConversions.id));

export const runningOf = async (db: Db, fieldId: string): Promise<ConversionRecord | null> =>
  (
    await db
      .select()
      .from(contentConversions)
      .where(and(eq(contentConversions.fieldId, fieldId), eq(contentConversions.state, 'running')))
  )[0] ?? null;
/** Running ones, with the state of their job (null: no job). */
export const runningWithJobs = (db: Db, fieldId?: string) =>
  db
    .select({ conversion: contentConversions, job: { state: jobs.state, error: jobs.error } })
    .from(contentConversions)
    .leftJoin(jobs, eq(jobs.id, contentConversions.jobId))
    .where(and(eq(contentConversions.state, 'running'), fieldId === undefined ? undefined : eq(contentConversions.fieldId, fieldId)));

/**
 * Stores the progress of a conversion, if it is at the expected position and its job is still active: a run that has unknowingly lost its lease writes
 * nothing and gets false.
 */
export async function moveOn(db: Db, { id, jobId, progress }: ConversionRecord, next: ConversionProgress, spec?: ConversionSpec): Promise<boolean> {
  const moved = await db
    .update(contentConversions)
    .set({ progress: next, ...(spec ? { spec } : {}) })
    .where(
      and(
        eq(contentConversions.id, id),
        eq(contentConversions.state, 'running'),
        sql`${contentConversions.progress} = ${JSON.stringify(progress)}::jsonb`,
        sql`exists (select 1 from ${jobs} where ${jobs.id} = ${jobId} and ${jobs.state} = 'running')`,
      ),
    )
    .returning({ id: contentConversions.id });
  return moved.length > 0;
}

/** The history entry of a conversion. */
export const changeOf = async (db: Db, conversion: Pick<ConversionRecord, 'id' | 'fieldId'>): Promise<number | null> =>
  (
    await db
      .select({ id: contentChanges.id })
      .from(contentChanges)
      .where(
        and(
          eq(contentChanges.fieldId, conversion.fieldId),
          eq(contentChanges.op, 'field_converted'),
          sql`${contentChanges.before}->>'$conversion' = ${conversion.id}`,
        ),
      )
  )[0]?.id ?? null;

export const makerOf = async (db: Db, userId: string | null): Promise<string> =>
  userId === null ? '' : ((await db.select({ name: users.displayName }).from(users).where(eq(users.id, userId)))[0]?.name ?? '');

/** Conversions whose kept columns have expired. */
export const overdue = (db: Db, before: Date, siteId?: string): Promise<ConversionRecord[]> =>
  db
    .select()
    .from(contentConversions)
    .where(
      and(
        isNotNull(contentConversions.keepUntil),
        lt(contentConversions.keepUntil, before),
        inArray(contentConversions.state, ['done', 'undone']),
        siteId === undefined ? undefined : eq(contentConversions.siteId, siteId),
      ),
    );
