import { and, eq, isNull, max, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { invites } from '../people/schema';
import { knownDevices, oneTimeLinks, passkeyChallenges, passkeys, recoveryCodes, sessions, signTickets, totps } from '../session/schema';
import { siteGrants, sitePins } from '../sites/schema';
import { apiTokens } from '../tokens/schema';
import { tradeTitles } from '../trades/schema';
import type { UserRecord } from './queries';
import { avatars, users } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;

/** Until the transaction ends. */
const lock = (db: Db, name: string) => db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);

export const lockOwners = (db: Db) => lock(db, 'owners');

/** Owners who may sign in. */
export const activeOwners = async (db: Db): Promise<string[]> =>
  (
    await db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, 'owner'), eq(users.disabled, false), isNull(users.deletedAt)))
  ).map((row) => row.id);

export const lockPerson = async (db: Db, id: string): Promise<UserRecord | null> =>
  (
    await db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
      .for('update')
  )[0] ?? null;

/**
 * Everything by which somebody gets in, or that concerns them alone. Returns the ids of the sessions that ended. Invitations that they
 * made and nobody accepted yet are taken back: their links would open a way in again.
 */
export async function removeWhatOpens(db: Db, userId: string, now: Date): Promise<string[]> {
  for (const table of [
    knownDevices,
    totps,
    passkeys,
    recoveryCodes,
    signTickets,
    passkeyChallenges,
    oneTimeLinks,
    apiTokens,
    siteGrants,
    sitePins,
    avatars,
    tradeTitles,
  ])
    await db.delete(table).where(eq(table.userId, userId));
  await db
    .update(invites)
    .set({ revokedAt: now })
    .where(and(eq(invites.createdBy, userId), isNull(invites.acceptedAt), isNull(invites.revokedAt)));
  return (await db.delete(sessions).where(eq(sessions.userId, userId)).returning({ id: sessions.id })).map((row) => row.id);
}

/** The next n of “deleted user n”: they count up without a gap, and never again. */
export async function nextNumber(db: Db): Promise<number> {
  await lock(db, 'deleted-users');
  const [row] = await db.select({ last: max(users.deletedNumber) }).from(users);
  return (row?.last ?? 0) + 1;
}

export const emptyPerson = (db: Db, id: string, values: Partial<UserRecord>) =>
  db
    .update(users)
    .set({ ...values, revision: sql`${users.revision} + 1` })
    .where(eq(users.id, id));
