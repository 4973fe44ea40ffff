import { and, asc, count, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../account/schema';
import type { UserRecord } from './queries';
import { passkeyChallenges, passkeys, recoveryCodes, signTickets, totps } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type PasskeyRecord = typeof passkeys.$inferSelect;
export type TicketRecord = typeof signTickets.$inferSelect;
export type TotpRecord = typeof totps.$inferSelect;
export type ChallengePurpose = typeof passkeyChallenges.$inferSelect.purpose;

/** Prevents concurrent changes of this person's factors until the transaction ends. */
export const lockUser = async (db: Db, userId: string): Promise<UserRecord | null> =>
  (await db.select().from(users).where(eq(users.id, userId)).for('update'))[0] ?? null;

export const setSecondFactor = (db: Db, userId: string, secondFactor: boolean) => db.update(users).set({ secondFactor }).where(eq(users.id, userId));

// --- authenticator apps

export const findTotp = async (db: Db, userId: string): Promise<TotpRecord | null> =>
  (await db.select().from(totps).where(eq(totps.userId, userId)))[0] ?? null;

/** Stores a secret that awaits its first code; false if an app is already active. */
export const writePendingTotp = async (db: Db, row: { userId: string; secret: string; createdAt: Date }): Promise<boolean> =>
  (
    await db
      .insert(totps)
      .values(row)
      .onConflictDoUpdate({ target: totps.userId, set: { secret: row.secret, createdAt: row.createdAt, lastStep: 0 }, setWhere: isNull(totps.confirmedAt) })
      .returning({ userId: totps.userId })
  ).length > 0;

/** False if the app is already active, or if the secret is no longer the one whose code was verified. */
export const confirmTotp = async (db: Db, userId: string, secret: string, step: number, now: Date): Promise<boolean> =>
  (
    await db
      .update(totps)
      .set({ confirmedAt: now, lastStep: step })
      .where(and(eq(totps.userId, userId), eq(totps.secret, secret), isNull(totps.confirmedAt)))
      .returning({ userId: totps.userId })
  ).length > 0;

/** Uses up a step and all earlier ones; only one of two concurrent requests succeeds. */
export const useTotpStep = async (db: Db, userId: string, step: number): Promise<boolean> =>
  (
    await db
      .update(totps)
      .set({ lastStep: step })
      .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt), lt(totps.lastStep, step)))
      .returning({ userId: totps.userId })
  ).length > 0;

export const deleteConfirmedTotp = async (db: Db, userId: string): Promise<boolean> =>
  (
    await db
      .delete(totps)
      .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt)))
      .returning({ userId: totps.userId })
  ).length > 0;

// --- passkeys

export const passkeysOf = (db: Db, userId: string): Promise<PasskeyRecord[]> =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** Null if the credential is already registered, for any person. */
export const insertPasskey = async (db: Db, row: typeof passkeys.$inferInsert): Promise<PasskeyRecord | null> =>
  (await db.insert(passkeys).values(row).onConflictDoNothing({ target: passkeys.credentialId }).returning())[0] ?? null;

/** A passkey with its person, if they may sign in. */
export async function findPasskey(db: Db, credentialId: string): Promise<{ passkey: PasskeyRecord; user: UserRecord } | null> {
  const [row] = await db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(and(eq(passkeys.credentialId, credentialId), eq(users.disabled, false), isNull(users.deletedAt)));
  return row ?? null;
}

/** Advances the counter from the checked value; false if another response has advanced it in the meantime. Authenticators without a counter stay at 0. */
export const usePasskey = async (db: Db, id: string, use: { counter: number; newCounter: number; synced: boolean; now: Date }): Promise<boolean> =>
  (
    await db
      .update(passkeys)
      .set({ counter: use.newCounter, synced: use.synced, lastUsedAt: use.now })
      .where(and(eq(passkeys.id, id), eq(passkeys.counter, use.counter)))
      .returning({ id: passkeys.id })
  ).length > 0;

export const lockPasskey = async (db: Db, userId: string, id: string): Promise<PasskeyRecord | null> =>
  (
    await db
      .select()
      .from(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .for('update')
  )[0] ?? null;

export const renamePasskey = async (db: Db, userId: string, id: string, name: string): Promise<PasskeyRecord | null> =>
  (
    await db
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning()
  )[0] ?? null;

export const deletePasskey = async (db: Db, userId: string, id: string): Promise<PasskeyRecord | null> =>
  (
    await db
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning()
  )[0] ?? null;

/** Number of factors that protect an account. */
export async function countFactors(db: Db, userId: string): Promise<{ totp: number; passkeys: number }> {
  const [apps] = await db
    .select({ n: count() })
    .from(totps)
    .where(and(eq(totps.userId, userId), isNotNull(totps.confirmedAt)));
  const [keys] = await db.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return { totp: apps?.n ?? 0, passkeys: keys?.n ?? 0 };
}

export async function deleteFactors(db: Db, userId: string): Promise<void> {
  await db.delete(totps).where(eq(totps.userId, userId));
  await db.delete(passkeys).where(eq(passkeys.userId, userId));
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

// --- recovery codes

export const deleteRecoveryCodes = (db: Db, userId: string) => db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
export const insertRecoveryCodes = (db: Db, userId: string, hashes: readonly string[], now: Date) =>
  db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash, createdAt: now })));

export async function recoveryLeft(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.n ?? 0;
}

/** Only one of two concurrent requests succeeds. */
export const useRecoveryCode = async (db: Db, userId: string, codeHash: string, now: Date): Promise<boolean> =>
  (
    await db
      .update(recoveryCodes)
      .set({ usedAt: now })
      .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.usedAt)))
      .returning({ userId: recoveryCodes.userId })
  ).length > 0;

// --- tickets and challenges

export const insertTicket = (db: Db, row: typeof signTickets.$inferInsert) => db.insert(signTickets).values(row);

const goodTicket = (tokenHash: string, mostAttempts: number, now: Date) =>
  and(eq(signTickets.tokenHash, tokenHash), gt(signTickets.expiresAt, now), lt(signTickets.attempts, mostAttempts));

/** A ticket with its person, if both are still valid. */
export async function findTicket(db: Db, tokenHash: string, mostAttempts: number, now: Date): Promise<{ ticket: TicketRecord; user: UserRecord } | null> {
  const [row] = await db
    .select({ ticket: signTickets, user: users })
    .from(signTickets)
    .innerJoin(users, eq(users.id, signTickets.userId))
    .where(and(goodTicket(tokenHash, mostAttempts, now), eq(users.disabled, false), isNull(users.deletedAt)));
  return row ?? null;
}

/** Counts an attempt before it is verified; false if none is left. */
export const countAttempt = async (db: Db, tokenHash: string, mostAttempts: number, now: Date): Promise<boolean> =>
  (
    await db
      .update(signTickets)
      .set({ attempts: sql`${signTickets.attempts} + 1` })
      .where(goodTicket(tokenHash, mostAttempts, now))
      .returning({ userId: signTickets.userId })
  ).length > 0;

/** Uses up the ticket; only one of two concurrent requests succeeds. */
export const deleteTicket = async (db: Db, tokenHash: string): Promise<boolean> =>
  (await db.delete(signTickets).where(eq(signTickets.tokenHash, tokenHash)).returning({ userId: signTickets.userId })).length > 0;

export const deleteTicketsOf = (db: Db, userId: string) => db.delete(signTickets).where(eq(signTickets.userId, userId));

export async function insertChallenge(db: Db, row: typeof passkeyChallenges.$inferInsert): Promise<string> {
  const [created] = await db.insert(passkeyChallenges).values(row).returning({ id: passkeyChallenges.id });
  if (!created) throw new Error('PostgreSQL returned no row');
  return created.id;
}

/** Deletes and returns a challenge: regardless of the result, it cannot be answered again. */
export async function takeChallenge(db: Db, challenge: { id: string; purpose: ChallengePurpose; userId: string | null }, now: Date): Promise<string | null> {
  const owner = challenge.userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, challenge.userId);
  const [row] = await db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.id, challenge.id), eq(passkeyChallenges.purpose, challenge.purpose), owner, gt(passkeyChallenges.expiresAt, now)))
    .returning({ challenge: passkeyChallenges.challenge });
  return row?.challenge ?? null;
}

/** Deletes expired tickets and challenges, and app secrets that were never confirmed. */
export async function sweepFactors(db: Db, before: Date): Promise<void> {
  await db.delete(signTickets).where(lt(signTickets.expiresAt, before));
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, before));
  await db.delete(totps).where(and(isNull(totps.confirmedAt), lt(totps.createdAt, before)));
}
