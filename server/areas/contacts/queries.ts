import { and, asc, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { contacts } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type ContactRecord = typeof contacts.$inferSelect;
export type ContactValues = Omit<ContactRecord, 'id' | 'createdAt' | 'updatedAt' | 'revision' | 'emailVerifiedAt' | 'webhookSecret'>;

export const allContacts = (db: Db): Promise<ContactRecord[]> => db.select().from(contacts).orderBy(asc(contacts.name), asc(contacts.id));
export const findContact = async (db: Db, id: string): Promise<ContactRecord | null> =>
  (await db.select().from(contacts).where(eq(contacts.id, id)))[0] ?? null;

export async function insertContact(db: Db, values: ContactValues, now: Date): Promise<ContactRecord> {
  const [row] = await db
    .insert(contacts)
    .values({ ...values, createdAt: now, updatedAt: now })
    .returning();
  if (!row) throw new Error('PostgreSQL returned no row');
  return row;
}

/** Null when the row has another revision by now, or is gone. A new address has not been verified. */
export async function updateContact(db: Db, id: string, revision: number, change: Partial<ContactValues>, now: Date): Promise<ContactRecord | null> {
  const verified =
    change.email === undefined
      ? {}
      : { emailVerifiedAt: sql`case when ${contacts.email} is not distinct from ${change.email} then ${contacts.emailVerifiedAt} end` };
  const [row] = await db
    .update(contacts)
    .set({ ...change, ...verified, updatedAt: now, revision: revision + 1 })
    .where(and(eq(contacts.id, id), eq(contacts.revision, revision)))
    .returning();
  return row ?? null;
}

export const deleteContact = async (db: Db, id: string): Promise<boolean> =>
  (await db.delete(contacts).where(eq(contacts.id, id)).returning({ id: contacts.id })).length > 0;
