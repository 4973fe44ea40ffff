import { and, asc, count, desc, eq, gt, inArray, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { Placeholder } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { prepared } from '../../stores/postgres/prepared';
import { users } from '../account/schema';
import { instanceSettings, knownDevices, rateLimits, sessions } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type SessionRecord = typeof sessions.$inferSelect;
export type UserRecord = typeof users.$inferSelect;

/** Disabled or deleted people cannot sign in by any method. */
const maySignIn = and(eq(users.disabled, false), isNull(users.deletedAt));
const alive = (now: Date | Placeholder) => and(gt(sessions.idleUntil, now), gt(sessions.absoluteUntil, now));

const sessionFound = prepared((db) => {
  const [hash, now] = [sql.placeholder('tokenHash'), sql.placeholder('now')];
  return db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(or(eq(sessions.tokenHash, hash), and(eq(sessions.previousHash, hash), gt(sessions.previousUntil, now))), alive(now), maySignIn))
    .prepare('find_session');
});
export async function findSession(db: Db, tokenHash: string, now: Date): Promise<{ session: SessionRecord; user: UserRecord } | null> {
  const [row] = await sessionFound(db).execute({ tokenHash, now });
  return row ?? null;
}

export async function findSessionById(db: Db, id: string, now: Date): Promise<{ session: SessionRecord; user: UserRecord } | null> {
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, id), alive(now), maySignIn));
  return row ?? null;
}

export const touchSession = (db: Db, id: string, use: { lastSeenAt: Date; idleUntil: Date; address: string }) =>
  db.update(sessions).set(use).where(eq(sessions.id, id));

export async function insertSession(db: Db, row: typeof sessions.$inferInsert): Promise<SessionRecord> {
  const [created] = await db.insert(sessions).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** Replaces the presented token, which stays valid until `previousUntil`; false if it is no longer the current one. */
export const rotateSession = async (db: Db, id: string, presentedHash: string, tokenHash: string, previousUntil: Date): Promise<boolean> =>
  (
    await db
      .update(sessions)
      .set({ previousHash: sessions.tokenHash, previousUntil, tokenHash, rotateDue: false })
      .where(and(eq(sessions.id, id), eq(sessions.tokenHash, presentedHash)))
      .returning({ id: sessions.id })
  ).length > 0;

export const setProven = (db: Db, id: string, provenAt: Date) => db.update(sessions).set({ provenAt }).where(eq(sessions.id, id));

/** Sets a new token and invalidates all earlier ones. */
export const replaceToken = (db: Db, id: string, tokenHash: string, provenAt: Date) =>
  db.update(sessions).set({ previousHash: null, previousUntil: null, tokenHash, rotateDue: false, provenAt }).where(eq(sessions.id, id));

/** Like `rotateSession`, if rotation is due; false otherwise. */
export const rotateDueSession = async (db: Db, id: string, presentedHash: string, tokenHash: string, previousUntil: Date): Promise<boolean> =>
  (
    await db
      .update(sessions)
      .set({ previousHash: sessions.tokenHash, previousUntil, tokenHash, rotateDue: false })
      .where(and(eq(sessions.id, id), eq(sessions.tokenHash, presentedHash), eq(sessions.rotateDue, true)))
      .returning({ id: sessions.id })
  ).length > 0;

export const markForRotation = (db: Db, userId: string) => db.update(sessions).set({ rotateDue: true }).where(eq(sessions.userId, userId));

export const sessionsOf = (db: Db, userId: string, now: Date) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), alive(now)))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.id));

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map((row) => row.id);

export const deleteSession = async (db: Db, userId: string, id: string): Promise<string[]> =>
  idsOf(
    await db
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
      .returning({ id: sessions.id }),
  );

export const deleteSessionsOf = async (db: Db, userId: string, except: string | null): Promise<string[]> =>
  idsOf(
    await db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), except === null ? undefined : ne(sessions.id, except)))
      .returning({ id: sessions.id }),
  );

/** Ends the longest-unused sessions beyond `most`. */
export const trimSessions = async (db: Db, userId: string, most: number): Promise<string[]> =>
  idsOf(
    await db
      .delete(sessions)
      .where(
        inArray(
          sessions.id,
          db
            .select({ id: sessions.id })
            .from(sessions)
            .where(eq(sessions.userId, userId))
            .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt))
            .offset(most),
        ),
      )
      .returning({ id: sessions.id }),
  );

/** Which of `ids` are still open. */
export const openAmong = async (db: Db, ids: readonly string[], now: Date): Promise<Set<string>> =>
  new Set(
    idsOf(
      await db
        .select({ id: sessions.id })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(inArray(sessions.id, [...ids]), alive(now), maySignIn)),
    ),
  );

/** Deletes expired rows. `before`: sessions that ended, and counters that expired, earlier than this. */
export async function sweep(db: Db, before: Date): Promise<void> {
  await db.delete(sessions).where(or(lt(sessions.idleUntil, before), lt(sessions.absoluteUntil, before)));
  await db.delete(rateLimits).where(lte(rateLimits.expire, before.getTime()));
}

/** By login name, or by a verified e-mail address. */
export async function findUserToSignIn(db: Db, login: string): Promise<UserRecord | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(or(eq(users.loginName, login), and(eq(users.email, login), sql`${users.emailVerifiedAt} is not null`)), maySignIn));
  return row ?? null;
}

export const findUser = async (db: Db, id: string): Promise<UserRecord | null> => (await db.select().from(users).where(eq(users.id, id)))[0] ?? null;

/** Stores a new hash of the same password; does nothing if the password has changed in the meantime. */
export const renewHash = (db: Db, { id, passwordHash }: UserRecord, newHash: string) =>
  db
    .update(users)
    .set({ passwordHash: newHash })
    .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash)));

/**
 * Whether a person may still sign in, with the password that `user` was read with. The shared row lock makes concurrent changes wait until the transaction
 * ends, and waits for those already in progress.
 */
export const isAsChecked = async (db: Db, { id, passwordHash }: UserRecord): Promise<boolean> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash), maySignIn))
      .for('share')
  ).length > 0;

export async function hasOwner(db: Db): Promise<boolean> {
  const [row] = await db
    .select({ n: count() })
    .from(users)
    .where(and(eq(users.role, 'owner'), isNull(users.deletedAt)));
  return (row?.n ?? 0) > 0;
}

export async function insertUser(db: Db, row: typeof users.$inferInsert): Promise<UserRecord> {
  const [created] = await db.insert(users).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

/** The owner of a browser, if it was used since `since`. */
export const ownerOfDevice = async (db: Db, tokenHash: string, since: Date): Promise<string | null> =>
  (
    await db
      .select({ userId: knownDevices.userId })
      .from(knownDevices)
      .where(and(eq(knownDevices.tokenHash, tokenHash), gt(knownDevices.lastSeenAt, since)))
  )[0]?.userId ?? null;

export const rememberDevice = (db: Db, userId: string, tokenHash: string, now: Date) =>
  db
    .insert(knownDevices)
    .values({ userId, tokenHash, createdAt: now, lastSeenAt: now })
    .onConflictDoUpdate({ target: knownDevices.tokenHash, set: { lastSeenAt: now } });

export const forgetDevices = (db: Db, userId: string, except: string | null) =>
  db.delete(knownDevices).where(and(eq(knownDevices.userId, userId), except === null ? undefined : ne(knownDevices.tokenHash, except)));
export const sweepDevices = (db: Db, before: Date) => db.delete(knownDevices).where(lt(knownDevices.lastSeenAt, before));

export async function readSetting(db: Db, name: string): Promise<unknown> {
  return (await db.select({ value: instanceSettings.value }).from(instanceSettings).where(eq(instanceSettings.name, name)))[0]?.value ?? null;
}
export const writeSetting = (db: Db, name: string, value: unknown, now: Date) =>
  db
    .insert(instanceSettings)
    .values({ name, value, updatedAt: now })
    .onConflictDoUpdate({ target: instanceSettings.name, set: { value, updatedAt: now } });
export const deleteSetting = (db: Db, name: string) => db.delete(instanceSettings).where(eq(instanceSettings.name, name));
