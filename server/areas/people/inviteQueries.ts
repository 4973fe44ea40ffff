import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { InstanceRole } from '../../../contract/permissions';
import { users } from '../account/schema';
import type { Db, UserRecord } from './queries';
import { invites } from './schema';

export type InviteRecord = typeof invites.$inferSelect;
/** `by`: the person who sent the invitation, or sent it again last; null after their account was deleted. */
export type InviteWithMaker = { readonly invite: InviteRecord; readonly by: UserRecord | null };

const mostListed = 200;

/** Newest first. */
export const allInvites = (db: Db): Promise<InviteWithMaker[]> =>
  db
    .select({ invite: invites, by: users })
    .from(invites)
    .leftJoin(users, and(eq(users.id, invites.createdBy), isNull(users.deletedAt)))
    .orderBy(desc(invites.createdAt), invites.id)
    .limit(mostListed);

export async function findInvite(db: Db, tokenHash: string): Promise<InviteWithMaker | null> {
  const [row] = await db
    .select({ invite: invites, by: users })
    .from(invites)
    .leftJoin(users, and(eq(users.id, invites.createdBy), isNull(users.deletedAt)))
    .where(eq(invites.tokenHash, tokenHash));
  return row ?? null;
}

export const lockInvite = async (db: Db, id: string): Promise<InviteRecord | null> =>
  (await db.select().from(invites).where(eq(invites.id, id)).for('update'))[0] ?? null;

const open = (now: Date) => and(isNull(invites.acceptedAt), isNull(invites.revokedAt), gt(invites.expiresAt, now));

export const hasOpenInvite = async (db: Db, email: string, now: Date): Promise<boolean> =>
  (
    await db
      .select({ id: invites.id })
      .from(invites)
      .where(and(eq(invites.email, email), open(now)))
      .limit(1)
  ).length > 0;

export async function insertInvite(db: Db, row: typeof invites.$inferInsert): Promise<InviteRecord> {
  const [created] = await db.insert(invites).values(row).returning();
  if (!created) throw new Error('PostgreSQL returned no row');
  return created;
}

export async function renewInvite(db: Db, id: string, by: string, tokenHash: string, expiresAt: Date): Promise<InviteRecord> {
  const [row] = await db
    .update(invites)
    .set({ tokenHash, expiresAt, createdBy: by, resent: sql`${invites.resent} + 1` })
    .where(eq(invites.id, id))
    .returning();
  if (!row) throw new Error('PostgreSQL returned no row');
  return row;
}

export const revokeInvite = (db: Db, id: string, now: Date) => db.update(invites).set({ revokedAt: now }).where(eq(invites.id, id));

/** Revokes a person's open invitations for roles that they may no longer assign. */
export const revokeInvitesBy = (db: Db, userId: string, roles: readonly InstanceRole[], now: Date) =>
  db
    .update(invites)
    .set({ revokedAt: now })
    .where(and(eq(invites.createdBy, userId), inArray(invites.role, [...roles]), open(now)));

export const markAccepted = (db: Db, id: string, by: string, now: Date) =>
  db.update(invites).set({ acceptedAt: now, acceptedBy: by }).where(eq(invites.id, id));
