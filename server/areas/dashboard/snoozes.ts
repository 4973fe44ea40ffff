import { and, desc, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { dashboardSnoozes as s } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'delete'>;
export type Snooze = { readonly key: string; readonly until: Date; readonly forAll: boolean };

/** The key under which the list of steps is hidden; keys of matters contain a colon. */
export const setupKey = 'setup';
/** A person hides at most this many matters of a site; earlier ones return. */
const mostSnoozed = 500;
const ownOf = (siteId: string, userId: string | null) => and(eq(s.siteId, siteId), userId === null ? isNull(s.userId) : eq(s.userId, userId));

/** What is hidden from a person at a time, for them or for all. */
export async function snoozesFor(db: Db, siteId: string, userId: string, now: Date): Promise<Snooze[]> {
  const rows = await db
    .select()
    .from(s)
    .where(and(eq(s.siteId, siteId), or(isNull(s.userId), eq(s.userId, userId)), gt(s.until, now)));
  return rows.map(({ key, until, userId: owner }) => ({ key, until, forAll: owner === null }));
}

/** Hides a matter until a time, instead of an earlier decision of the same person (null: for all); `until` null shows it again. */
export async function putSnooze(db: Db, row: { siteId: string; userId: string | null; key: string; until: Date | null; now: Date }): Promise<void> {
  const { siteId, userId, key, until, now } = row;
  await db.delete(s).where(and(ownOf(siteId, userId), or(eq(s.key, key), lte(s.until, now))));
  if (until === null) return;
  await db.insert(s).values({ siteId, userId, key, until, createdAt: now }).onConflictDoNothing();
  const surplus = db.select({ key: s.key }).from(s).where(ownOf(siteId, userId)).orderBy(desc(s.createdAt), s.key).offset(mostSnoozed);
  await db.delete(s).where(and(ownOf(siteId, userId), inArray(s.key, surplus)));
}

export const eraseSnoozesOf = (db: Pick<Db, 'delete'>, userId: string) => db.delete(s).where(eq(s.userId, userId));
export const allSnoozesOf = (db: Pick<Db, 'select'>, userId: string) =>
  db.select({ siteId: s.siteId, key: s.key, until: s.until }).from(s).where(eq(s.userId, userId));
