import { and, asc, count, eq } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../../account/schema';
import { seoVerifications } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type VerificationRow = typeof seoVerifications.$inferSelect;
export type FoundVerification = { readonly row: VerificationRow; readonly author: string | null };

const v = seoVerifications;

export const listVerifications = (db: Db, siteId: string): Promise<FoundVerification[]> =>
  db
    .select({ row: v, author: users.displayName })
    .from(v)
    .leftJoin(users, eq(users.id, v.createdBy))
    .where(eq(v.siteId, siteId))
    .orderBy(asc(v.createdAt), asc(v.id));

export const findVerification = async (db: Db, siteId: string, id: string): Promise<FoundVerification | null> =>
  (
    await db
      .select({ row: v, author: users.displayName })
      .from(v)
      .leftJoin(users, eq(users.id, v.createdBy))
      .where(and(eq(v.siteId, siteId), eq(v.id, id)))
  )[0] ?? null;

export const countVerifications = async (db: Db, siteId: string): Promise<number> =>
  (await db.select({ rows: count() }).from(v).where(eq(v.siteId, siteId)))[0]?.rows ?? 0;

/** Null if the site has the file or the element already. */
export const insertVerification = async (db: Db, row: typeof v.$inferInsert): Promise<VerificationRow | null> =>
  (await db.insert(v).values(row).onConflictDoNothing().returning())[0] ?? null;

export const removeVerification = async (db: Db, siteId: string, id: string): Promise<VerificationRow | null> =>
  (
    await db
      .delete(v)
      .where(and(eq(v.siteId, siteId), eq(v.id, id)))
      .returning()
  )[0] ?? null;

export const storeCheck = (db: Db, siteId: string, id: string, delivered: boolean | null, checkedAt: Date) =>
  db
    .update(v)
    .set({ delivered, checkedAt })
    .where(and(eq(v.siteId, siteId), eq(v.id, id)));
