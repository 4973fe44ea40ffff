import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { users } from '../../account/schema';
import { contentComments } from '../schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type CommentRecord = typeof contentComments.$inferSelect;
/** With the name of whoever wrote it; '' once the account is gone. */
export type WrittenComment = { readonly row: CommentRecord; readonly by: string };

const of = (tableId: string, recordId: string) => and(eq(contentComments.tableId, tableId), eq(contentComments.recordId, recordId));

export const commentsOf = (db: Db, tableId: string, recordId: string, id?: string): Promise<WrittenComment[]> =>
  db
    .select({ row: contentComments, by: sql<string>`coalesce(${users.displayName}, '')` })
    .from(contentComments)
    .leftJoin(users, eq(users.id, contentComments.author))
    .where(and(of(tableId, recordId), id === undefined ? undefined : eq(contentComments.id, id)))
    .orderBy(asc(contentComments.at), asc(contentComments.id));
export const countComments = async (db: Db, tableId: string, recordId: string): Promise<number> =>
  (await db.select({ n: count() }).from(contentComments).where(of(tableId, recordId)))[0]?.n ?? 0;
export const insertComment = async (db: Db, row: typeof contentComments.$inferInsert): Promise<string> => {
  const [made] = await db.insert(contentComments).values(row).returning({ id: contentComments.id });
  if (!made) throw new Error('PostgreSQL returned no row');
  return made.id;
};
export const updateComment = (db: Db, id: string, change: Partial<Pick<CommentRecord, 'text' | 'resolvedAt'>>) =>
  db.update(contentComments).set(change).where(eq(contentComments.id, id));
export const deleteComment = (db: Db, id: string) => db.delete(contentComments).where(eq(contentComments.id, id));
/** With the records themselves. */
export const deleteCommentsOf = (db: Db, tableId: string, recordIds: readonly string[]) =>
  db.delete(contentComments).where(and(eq(contentComments.tableId, tableId), inArray(contentComments.recordId, [...recordIds])));
