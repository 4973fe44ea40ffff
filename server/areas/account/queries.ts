import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { avatars, heldNames, users } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type UserRecord = typeof users.$inferSelect;

/** Deleted people count as not found. */
const living = (id: string) => and(eq(users.id, id), isNull(users.deletedAt));

export const findUser = async (db: Db, id: string): Promise<UserRecord | null> => (await db.select().from(users).where(living(id)))[0] ?? null;
/** Like `findUser`, with the row locked until the transaction ends. */
export const lockUser = async (db: Db, id: string): Promise<UserRecord | null> => (await db.select().from(users).where(living(id)).for('update'))[0] ?? null;

/** Null if the row has another revision in the meantime. */
export async function updateUser(db: Db, id: string, revision: number, change: Partial<UserRecord>): Promise<UserRecord | null> {
  const [row] = await db
    .update(users)
    .set({ ...change, revision: revision + 1 })
    .where(and(eq(users.id, id), eq(users.revision, revision)))
    .returning();
  return row ?? null;
}

export const setLoginName = async (db: Db, id: string, loginName: string, now: Date): Promise<UserRecord | null> =>
  (
    await db
      .update(users)
      .set({ loginName, loginNameChangedAt: now, revision: sql`${users.revision} + 1` })
      .where(eq(users.id, id))
      .returning()
  )[0] ?? null;

export const setPassword = (db: Db, id: string, values: Pick<UserRecord, 'passwordHash' | 'passwordLong' | 'passwordChangedAt'>) =>
  db.update(users).set(values).where(eq(users.id, id));

/** Does not increment the revision: these columns are not part of the profile form, so an open form does not become stale. */
export const setEmail = (db: Db, id: string, values: Partial<Pick<UserRecord, 'email' | 'emailVerifiedAt' | 'pendingEmail'>>) =>
  db.update(users).set(values).where(eq(users.id, id));

export const isEmailInUse = async (db: Db, email: string, byOtherThan: string): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), ne(users.id, byOtherThan)))
  ).length > 0;

export const setAvatarVersion = async (db: Db, id: string, avatarVersion: string | null): Promise<UserRecord | null> =>
  (await db.update(users).set({ avatarVersion }).where(living(id)).returning())[0] ?? null;
export const putAvatar = (db: Db, userId: string, png: Buffer) =>
  db.insert(avatars).values({ userId, png }).onConflictDoUpdate({ target: avatars.userId, set: { png } });
export const deleteAvatar = (db: Db, userId: string) => db.delete(avatars).where(eq(avatars.userId, userId));

export async function findAvatar(db: Db, userId: string): Promise<{ version: string; png: Buffer } | null> {
  const [row] = await db
    .select({ version: users.avatarVersion, png: avatars.png })
    .from(users)
    .innerJoin(avatars, eq(avatars.userId, users.id))
    .where(living(userId));
  return row?.version ? { version: row.version, png: row.png } : null;
}

/** Serializes transactions that claim login names until the transaction ends. */
export const lockNames = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended('login-names', 0))`);

/** What other people sign in with: login names, e-mail addresses and names reserved for them. */
export async function namesOfOthers(db: Db, userId: string | null, now: Date): Promise<string[]> {
  const people = await db
    .select({ name: users.loginName, email: users.email })
    .from(users)
    .where(and(isNull(users.deletedAt), userId === null ? undefined : ne(users.id, userId)));
  const held = await db
    .select({ name: heldNames.loginName })
    .from(heldNames)
    .where(and(gt(heldNames.until, now), userId === null ? undefined : ne(heldNames.userId, userId)));
  return [...people.flatMap(({ name, email }) => (email === null ? [name] : [name, email])), ...held.map(({ name }) => name)];
}

export const holdName = (db: Db, loginName: string, userId: string, until: Date) =>
  db.insert(heldNames).values({ loginName, userId, until }).onConflictDoUpdate({ target: heldNames.loginName, set: { userId, until } });
export const releaseName = (db: Db, loginName: string) => db.delete(heldNames).where(eq(heldNames.loginName, loginName));
export const releaseNamesBefore = (db: Db, now: Date) => db.delete(heldNames).where(lt(heldNames.until, now));
