import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { knownDevices, oneTimeLinks, passkeyChallenges, passkeys, recoveryCodes, sessions, signTickets, totps } from './schema';

type Db = Pick<NodePgDatabase, 'select' | '$count'>;

const openSessions = (db: Db, userId: string, now: Date) =>
  db
    .select({
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
      remember: sessions.remember,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.idleUntil, now), gt(sessions.absoluteUntil, now)))
    .orderBy(desc(sessions.lastSeenAt));

const knownBrowsers = (db: Db, userId: string) =>
  db
    .select({ createdAt: knownDevices.createdAt, lastSeenAt: knownDevices.lastSeenAt })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .orderBy(desc(knownDevices.lastSeenAt));

async function ownFactors(db: Db, userId: string) {
  const [totp] = await db.select({ since: totps.confirmedAt }).from(totps).where(eq(totps.userId, userId));
  return {
    authenticatorSince: totp?.since ?? null,
    passkeys: await db
      .select({ name: passkeys.name, synced: passkeys.synced, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(asc(passkeys.createdAt)),
    recoveryCodesLeft: await db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  };
}

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId, now) => ({
  secondFactor: await ownFactors(db, userId),
  sessions: await openSessions(db, userId, now),
  knownBrowsers: await knownBrowsers(db, userId),
});

/** All credentials of a person. `deletePerson` ends the sessions itself, because it notifies open tabs afterwards. */
export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId) => {
  for (const table of [knownDevices, totps, passkeys, recoveryCodes, signTickets, passkeyChallenges, oneTimeLinks])
    await tx.delete(table).where(eq(table.userId, userId));
};
