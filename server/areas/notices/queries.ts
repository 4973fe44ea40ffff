import { and, desc, eq, inArray, isNull, lt, or } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { NoticeKind } from '../../../contract/notices/schemas';
import { notices } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete'>;
export type NoticeRecord = typeof notices.$inferSelect;
/** By kind of notice: the sites whose notices a person may see. */
export type VisibleSites = Readonly<Record<NoticeKind, readonly string[]>>;

export const insertNotices = (db: Pick<Db, 'insert'>, rows: readonly (typeof notices.$inferInsert)[]) => db.insert(notices).values([...rows]);

/** Conditions of the person's notices about sites that they may see; undefined if there is no such site. */
const visible = (userId: string, sites: VisibleSites) => {
  const ofKinds = (Object.entries(sites) as [NoticeKind, readonly string[]][])
    .filter(([, ids]) => ids.length > 0)
    .map(([kind, ids]) => and(eq(notices.kind, kind), inArray(notices.siteId, [...ids])));
  return ofKinds.length === 0 ? undefined : and(eq(notices.userId, userId), or(...ofKinds));
};

/** The person's latest notices, newest first. */
export async function noticesOf(db: Db, userId: string, sites: VisibleSites, limit: number): Promise<NoticeRecord[]> {
  const where = visible(userId, sites);
  if (where === undefined) return [];
  return db.select().from(notices).where(where).orderBy(desc(notices.at), desc(notices.id)).limit(limit);
}

/** Marks unread notices of the person as read: those with these ids, or all. */
export const setRead = (db: Db, userId: string, ids: readonly string[] | undefined, at: Date) =>
  db
    .update(notices)
    .set({ readAt: at })
    .where(and(eq(notices.userId, userId), isNull(notices.readAt), ids === undefined ? undefined : inArray(notices.id, [...ids])));

/** How many of the ids are notices of the person. */
export const countOwn = async (db: Db, userId: string, ids: readonly string[]): Promise<number> =>
  (
    await db
      .select({ id: notices.id })
      .from(notices)
      .where(and(eq(notices.userId, userId), inArray(notices.id, [...ids])))
  ).length;

export const allNoticesOf = (db: Pick<Db, 'select'>, userId: string): Promise<NoticeRecord[]> =>
  db.select().from(notices).where(eq(notices.userId, userId)).orderBy(desc(notices.at));
/** Deletes the notices of a person and those to others that name them. */
export const eraseNoticesOf = (db: Pick<Db, 'delete'>, userId: string) => db.delete(notices).where(or(eq(notices.userId, userId), eq(notices.actorId, userId)));
/** Deletes the notices of a comment: those of these people, or all. Returns whose they were. */
export const deleteOfComment = async (db: Pick<Db, 'delete'>, commentId: string, people: readonly string[] | undefined): Promise<string[]> => {
  const ofPeople = people && inArray(notices.userId, [...people]);
  const deleted = await db
    .delete(notices)
    .where(and(eq(notices.commentId, commentId), ofPeople))
    .returning({ userId: notices.userId });
  return deleted.map(({ userId }) => userId);
};
export const deleteBefore = (db: Db, at: Date) => db.delete(notices).where(lt(notices.at, at));
