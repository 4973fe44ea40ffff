import { and, count, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { outbox } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type OutboxRecord = typeof outbox.$inferSelect;
type Channel = OutboxRecord['channel'];

const waiting = and(isNull(outbox.sentAt), isNull(outbox.failedAt));
const free = (now: Date) => or(isNull(outbox.leaseUntil), lte(outbox.leaseUntil, now));

export async function addMessage(db: Db, values: typeof outbox.$inferInsert): Promise<void> {
  await db.insert(outbox).values(values);
  // NOTIFY takes effect at the commit of the transaction.
  await db.execute(sql`select pg_notify('outbox', '')`);
}

/** Leases due messages, the oldest first, exclusively until `leaseUntil`. */
export async function takeDue(db: Db, channels: readonly Channel[], most: number, now: Date, leaseUntil: Date): Promise<OutboxRecord[]> {
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(waiting, lte(outbox.notBefore, now), free(now), inArray(outbox.channel, [...channels])))
    .orderBy(outbox.notBefore)
    .limit(most)
    .for('update', { skipLocked: true });
  return db
    .update(outbox)
    .set({ leaseUntil, attempts: sql`${outbox.attempts} + 1` })
    .where(inArray(outbox.id, due))
    .returning();
}

/** Sent messages are retained for statistics, without their content. */
export async function markSent(db: Db, id: string, now: Date): Promise<void> {
  await db.update(outbox).set({ sentAt: now, failedAt: null, lastError: null, leaseUntil: null, message: '' }).where(eq(outbox.id, id));
}

export async function markFailed(db: Db, { id, attempts }: OutboxRecord, lastError: string, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ failedAt: now, lastError, leaseUntil: null, message: '' })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts), waiting));
}

/** Not to be leased again before `again`. */
export async function markRetry(db: Db, { id, attempts }: OutboxRecord, lastError: string, again: Date): Promise<void> {
  await db
    .update(outbox)
    .set({ leaseUntil: again, lastError })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts), waiting));
}

/** Releases the message as if it had not been leased. */
export async function giveBack(db: Db, { id, attempts }: OutboxRecord): Promise<void> {
  await db
    .update(outbox)
    .set({ leaseUntil: null, attempts: attempts - 1 })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts), waiting));
}

/** Gives up messages not sent by `before`, such as mails of an installation whose mail server was removed. Returns the number given up. */
export async function expire(db: Db, before: Date, now: Date): Promise<number> {
  const rows = await db
    .update(outbox)
    .set({ failedAt: now, lastError: sql`coalesce(${outbox.lastError}, 'not sent within a day')`, leaseUntil: null, message: '' })
    .where(and(waiting, lt(outbox.notBefore, before), free(now)))
    .returning({ id: outbox.id });
  return rows.length;
}

/** Deletes messages that were sent, or given up, before `before`. */
export async function sweep(db: Db, before: Date): Promise<void> {
  await db.delete(outbox).where(or(lt(outbox.sentAt, before), lt(outbox.failedAt, before)));
}

/** Deletes the waiting messages of a contact. */
export async function dropWaiting(db: Db, contactId: string, channel?: Channel): Promise<void> {
  await db.delete(outbox).where(and(eq(outbox.contactId, contactId), waiting, ...(channel ? [eq(outbox.channel, channel)] : [])));
}

/** Numbers of messages waiting for contacts, and of those given up since `since`. */
export async function countForContacts(db: Db, since: Date): Promise<{ waiting: number; failed: number }> {
  const [row] = await db
    .select({ waiting: count(sql`case when ${outbox.failedAt} is null then 1 end`), failed: count(outbox.failedAt) })
    .from(outbox)
    .where(and(isNotNull(outbox.contactId), isNull(outbox.sentAt), or(isNull(outbox.failedAt), gte(outbox.failedAt, since))));
  return { waiting: row?.waiting ?? 0, failed: row?.failed ?? 0 };
}

/** Assigns the waiting messages of one contact to another. */
export async function moveWaiting(db: Db, from: string, to: string): Promise<void> {
  await db
    .update(outbox)
    .set({ contactId: to })
    .where(and(eq(outbox.contactId, from), waiting));
}
