import { desc, eq, inArray } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { guestbookEntries } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'delete'>;
export type EntryRecord = typeof guestbookEntries.$inferSelect;

export const newestEntries = (db: Db, siteId: string, limit: number): Promise<EntryRecord[]> =>
  db.select().from(guestbookEntries).where(eq(guestbookEntries.siteId, siteId)).orderBy(desc(guestbookEntries.id)).limit(limit);

export async function insertEntry(db: Db, entry: Omit<EntryRecord, 'id'>): Promise<EntryRecord> {
  const [created] = await db.insert(guestbookEntries).values(entry).returning();
  if (!created) throw new Error('the entry was not inserted');
  return created;
}

export const deleteEntries = async (db: Db, ids: readonly number[]): Promise<void> => {
  await db.delete(guestbookEntries).where(inArray(guestbookEntries.id, [...ids]));
};
