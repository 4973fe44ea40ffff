import { and, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../account/schema';
import type { UserRecord } from './queries';
import { oneTimeLinks } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type LinkRecord = typeof oneTimeLinks.$inferSelect;
export type LinkKind = LinkRecord['kind'];

/** Prevents concurrent creation of links for this person until the transaction ends. */
export const lockUser = (db: Db, userId: string) => db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');

export const insertLink = (db: Db, row: typeof oneTimeLinks.$inferInsert) => db.insert(oneTimeLinks).values(row);

const isGood = (tokenHash: string, kind: LinkKind, now: Date) =>
  and(eq(oneTimeLinks.tokenHash, tokenHash), eq(oneTimeLinks.kind, kind), isNull(oneTimeLinks.usedAt), gt(oneTimeLinks.expiresAt, now));

/** A usable link with its person; links of disabled or deleted people are not usable. */
export async function findLink(db: Db, tokenHash: string, kind: LinkKind, now: Date): Promise<{ link: LinkRecord; user: UserRecord } | null> {
  const [row] = await db
    .select({ link: oneTimeLinks, user: users })
    .from(oneTimeLinks)
    .innerJoin(users, eq(users.id, oneTimeLinks.userId))
    .where(and(isGood(tokenHash, kind, now), eq(users.disabled, false), isNull(users.deletedAt)));
  return row ?? null;
}

/** Of two concurrent requests, the second waits for the first and then finds the link used. */
export const markUsed = async (db: Db, tokenHash: string, kind: LinkKind, now: Date): Promise<boolean> =>
  (
    await db
      .update(oneTimeLinks)
      .set({ usedAt: now })
      .where(isGood(tokenHash, kind, now))
      .returning({ kind: oneTimeLinks.kind })
  ).length > 0;

export const deleteLinks = (db: Db, userId: string, kind: LinkKind) =>
  db.delete(oneTimeLinks).where(and(eq(oneTimeLinks.userId, userId), eq(oneTimeLinks.kind, kind)));

/** Links that ended before the given time, used or not. */
export const deleteLinksBefore = (db: Db, before: Date) =>
  db.delete(oneTimeLinks).where(or(lt(oneTimeLinks.expiresAt, before), and(isNotNull(oneTimeLinks.usedAt), lt(oneTimeLinks.usedAt, before))));
