import { and, asc, eq, isNull } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Area } from '../area';
import { invites } from './schema';

type Db = Pick<NodePgDatabase, 'select'>;

const ownInvites = (db: Db, userId: string) =>
  db
    .select({ email: invites.email, role: invites.role, message: invites.message, createdAt: invites.createdAt, expiresAt: invites.expiresAt })
    .from(invites)
    .where(eq(invites.createdBy, userId))
    .orderBy(asc(invites.createdAt));

export const exportPerson: NonNullable<Area['exportPerson']> = async (db, userId) => ({ invitations: await ownInvites(db, userId) });

/** Revokes the person's unaccepted invitations: their links would still grant access. */
export const erasePerson: NonNullable<Area['erasePerson']> = async (tx, userId, now) => {
  await tx
    .update(invites)
    .set({ revokedAt: now })
    .where(and(eq(invites.createdBy, userId), isNull(invites.acceptedAt), isNull(invites.revokedAt)));
};
