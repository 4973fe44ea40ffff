import { and, eq, gt, lt, ne, or, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { siteGrants } from '../sites/schema';
import { heldNames, users } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type UserRecord = typeof users.$inferSelect;

export const findUser = async (db: Db, id: string): Promise<UserRecord | null> => (await db.select().from(users).where(eq(users.id, id)))[0] ?? null;

/** Whether two people have a grant on the same site. */
export async function shareSite(db: Db, a: string, b: string): Promise<boolean> {
  const theirs = db.select({ siteId: siteGrants.siteId }).from(siteGrants).where(eq(siteGrants.userId, b));
  return (
    (
      await db
        .select({ siteId: siteGrants.siteId })
        .from(siteGrants)
        .where(and(eq(siteGrants.userId, a), sql`${siteGrants.siteId} in ${theirs}`))
        .limit(1)
    ).length > 0
  );
}

/** Null when the row has another revision by now. */
export async function updateUser(db: Db, id: string, revision: number, change: Partial<UserRecord>): Promise<UserRecord | null> {
  const [row] = await db
    .update(users)
    .set({ ...change, revision: revision + 1 })
    .where(and(eq(users.id, id), eq(users.revision, revision)))
    .returning();
  return row ?? null;
}

export const setLoginName = async (db: Db, id: string, loginName: string): Promise<UserRecord | null> =>
  (
    await db
      .update(users)
      .set({ loginName, revision: sql`${users.revision} + 1` })
      .where(eq(users.id, id))
      .returning()
  )[0] ?? null;

export const setPassword = (db: Db, id: string, password: Pick<UserRecord, 'passwordHash' | 'passwordLong' | 'passwordChangedAt'>) =>
  db.update(users).set(password).where(eq(users.id, id));

/** Whether somebody else signs in by `name`, as a login name, as the local part's whole e-mail, or as a name held for them. */
export async function isNameTaken(db: Db, name: string, byOtherThan: string, now: Date): Promise<boolean> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(or(eq(users.loginName, name), eq(users.email, name)), ne(users.id, byOtherThan)))
    .limit(1);
  if (user) return true;
  const [held] = await db
    .select({ name: heldNames.loginName })
    .from(heldNames)
    .where(and(eq(heldNames.loginName, name), ne(heldNames.userId, byOtherThan), gt(heldNames.until, now)));
  return held !== undefined;
}

export const holdName = (db: Db, loginName: string, userId: string, until: Date) =>
  db.insert(heldNames).values({ loginName, userId, until }).onConflictDoUpdate({ target: heldNames.loginName, set: { userId, until } });
export const releaseName = (db: Db, loginName: string) => db.delete(heldNames).where(eq(heldNames.loginName, loginName));
export const releaseNamesBefore = (db: Db, now: Date) => db.delete(heldNames).where(lt(heldNames.until, now));
