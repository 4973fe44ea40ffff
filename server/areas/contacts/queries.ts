import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ContactTopic } from '../../../contract/contacts/schemas';
import { contactLinks, contacts } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type ContactRecord = typeof contacts.$inferSelect;
export type ContactValues = Omit<ContactRecord, 'id' | 'createdAt' | 'updatedAt' | 'revision' | 'emailVerifiedAt'>;

export const allContacts = (db: Db): Promise<ContactRecord[]> => db.select().from(contacts).orderBy(asc(contacts.name), asc(contacts.id));
export const findContact = async (db: Db, id: string): Promise<ContactRecord | null> =>
  (await db.select().from(contacts).where(eq(contacts.id, id)))[0] ?? null;

/** Locked until the transaction ends; in the order of ids, so that two transactions cannot deadlock. */
export const lockContacts = (db: Db, ids: readonly string[]): Promise<ContactRecord[]> =>
  db
    .select()
    .from(contacts)
    .where(inArray(contacts.id, [...ids]))
    .orderBy(asc(contacts.id))
    .for('update');

export const findByEmail = async (db: Db, email: string): Promise<ContactRecord | null> =>
  (
    await db
      .select()
      .from(contacts)
      .where(sql`lower(${contacts.email}) = lower(${email})`)
  )[0] ?? null;

/** Contacts who subscribe to a topic through any channel. */
export const subscribersOf = (db: Db, topic: ContactTopic): Promise<ContactRecord[]> =>
  db
    .select()
    .from(contacts)
    .where(sql`${contacts.subscriptions} ? ${topic}::text`)
    .orderBy(asc(contacts.id));

export async function insertContact(db: Db, values: ContactValues, now: Date): Promise<ContactRecord> {
  const [row] = await db
    .insert(contacts)
    .values({ ...values, createdAt: now, updatedAt: now })
    .returning();
  if (!row) throw new Error('PostgreSQL returned no row');
  return row;
}

/** Null if another contact has the address. */
export async function insertIfNew(db: Db, values: ContactValues, now: Date): Promise<ContactRecord | null> {
  const [row] = await db
    .insert(contacts)
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** Whether there already is a contact with the same name, company and phone; used for contacts without an address. */
export async function hasNamesake(db: Db, { name, company, phone }: ContactValues): Promise<boolean> {
  const rows = await db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.name, name), eq(contacts.company, company), sql`${contacts.phone} is not distinct from ${phone}`))
    .limit(1);
  return rows.length > 0;
}

/** Null if the row has another revision in the meantime or was removed. A new address is unverified. */
export async function updateContact(
  db: Db,
  id: string,
  revision: number,
  change: Partial<ContactValues & Pick<ContactRecord, 'emailVerifiedAt'>>,
  now: Date,
): Promise<ContactRecord | null> {
  const verified =
    change.email === undefined || change.emailVerifiedAt !== undefined
      ? {}
      : { emailVerifiedAt: sql`case when lower(${contacts.email}) is not distinct from lower(${change.email}) then ${contacts.emailVerifiedAt} end` };
  const [row] = await db
    .update(contacts)
    .set({ ...change, ...verified, updatedAt: now, revision: revision + 1 })
    .where(and(eq(contacts.id, id), eq(contacts.revision, revision)))
    .returning();
  return row ?? null;
}

export const deleteContact = async (db: Db, id: string): Promise<ContactRecord | null> =>
  (await db.delete(contacts).where(eq(contacts.id, id)).returning())[0] ?? null;

const bumped = (now: Date) => ({ updatedAt: now, revision: sql`${contacts.revision} + 1` });

/** Marks the address as confirmed; increments the revision, so that an open form elsewhere becomes stale. */
export async function verifyEmail(db: Db, id: string, now: Date): Promise<ContactRecord> {
  const [row] = await db
    .update(contacts)
    .set({ emailVerifiedAt: now, ...bumped(now) })
    .where(eq(contacts.id, id))
    .returning();
  if (!row) throw new Error('a link without its contact');
  return row;
}

/** Removes mail from one topic; false if the topic was not subscribed by mail. */
export async function stopMail(db: Db, id: string, topic: ContactTopic, now: Date): Promise<boolean> {
  const rest = sql`(${contacts.subscriptions} -> ${topic}::text) - 'mail'`;
  const rows = await db
    .update(contacts)
    .set({
      subscriptions: sql`case when jsonb_array_length(${rest}) = 0 then ${contacts.subscriptions} - ${topic}::text
        else jsonb_set(${contacts.subscriptions}, array[${topic}::text], ${rest}) end`,
      ...bumped(now),
    })
    .where(and(eq(contacts.id, id), sql`${contacts.subscriptions} -> ${topic}::text ? 'mail'`))
    .returning({ id: contacts.id });
  return rows.length > 0;
}

export const insertLink = (db: Db, row: typeof contactLinks.$inferInsert) => db.insert(contactLinks).values(row);

/** A valid link: not expired, and the contact still has the address it was created for. `lock`: only one of two concurrent requests gets it. */
export async function findLink(db: Db, tokenHash: string, now: Date, lock: boolean): Promise<typeof contactLinks.$inferSelect | null> {
  const query = db
    .select({ link: contactLinks })
    .from(contactLinks)
    .innerJoin(contacts, eq(contacts.id, contactLinks.contactId))
    .where(and(eq(contactLinks.tokenHash, tokenHash), gt(contactLinks.expiresAt, now), sql`lower(${contacts.email}) = lower(${contactLinks.email})`));
  const [row] = lock ? await query.for('update') : await query;
  return row?.link ?? null;
}

export const deleteLinks = (db: Db, contactId: string) => db.delete(contactLinks).where(eq(contactLinks.contactId, contactId));
export const deleteLinksBefore = (db: Db, before: Date) => db.delete(contactLinks).where(lt(contactLinks.expiresAt, before));
