import { and, asc, count, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Locale } from '../../../http/access';
import { defineRemoval } from '../../../kit/removals';
import { users } from '../../account/schema';
import { noticesOfComment } from '../../notices';
import { contentComments } from './schema';

type Db = Pick<NodePgDatabase, 'select' | 'insert' | 'update' | 'delete' | 'execute'>;
export type CommentRecord = typeof contentComments.$inferSelect;
/** With the author's name; '' if the account was deleted. */
export type WrittenComment = { readonly row: CommentRecord; readonly by: string };

export const removal = defineRemoval('comment', contentComments, [noticesOfComment]);

const of = (tableId: string, recordId: string) => and(eq(contentComments.tableId, tableId), eq(contentComments.recordId, recordId));

export const commentsOf = (db: Pick<Db, 'select'>, tableId: string, recordId: string, id?: string): Promise<WrittenComment[]> =>
  db
    .select({ row: contentComments, by: sql<string>`coalesce(${users.displayName}, '')` })
    .from(contentComments)
    .leftJoin(users, eq(users.id, contentComments.author))
    .where(and(of(tableId, recordId), id === undefined ? undefined : eq(contentComments.id, id)))
    .orderBy(asc(contentComments.at), asc(contentComments.id));
/** Names of people by id; '' if the account was deleted. Ids that belong to nobody are missing. */
export async function namesOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const people = await db
    .select({ id: users.id, name: users.displayName })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(people.map(({ id, name }) => [id, name]));
}
export type MailRecipient = { readonly email: string; readonly locale: Locale };
/** Those of the people who have a confirmed address and want mails about mentions. */
export async function recipientsOf(db: Db, ids: readonly string[]): Promise<(MailRecipient & { readonly id: string })[]> {
  if (ids.length === 0) return [];
  const people = await db
    .select({ id: users.id, email: users.email, locale: users.locale, notices: users.notices })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNotNull(users.emailVerifiedAt)));
  return people.flatMap(({ notices, email, ...person }) => (email === null || notices.mention === false ? [] : [{ ...person, email }]));
}
export const countComments = async (db: Db, tableId: string, recordId: string): Promise<number> =>
  (await db.select({ n: count() }).from(contentComments).where(of(tableId, recordId)))[0]?.n ?? 0;
export const insertComment = async (db: Pick<Db, 'insert'>, row: typeof contentComments.$inferInsert): Promise<string> => {
  const [created] = await db.insert(contentComments).values(row).returning({ id: contentComments.id });
  if (!created) throw new Error('PostgreSQL returned no row');
  return created.id;
};
/** `text.revision`: the revision that the new text is based on. Returns false if the text has changed meanwhile. */
export const updateComment = async (
  db: Pick<Db, 'update'>,
  id: string,
  change: { readonly resolvedAt?: Date | null; readonly text?: { readonly text: string; readonly revision: number } },
): Promise<boolean> => {
  const { resolvedAt, text } = change;
  const changed = await db
    .update(contentComments)
    .set({ ...(resolvedAt === undefined ? {} : { resolvedAt }), ...(text ? { text: text.text, revision: text.revision + 1 } : {}) })
    .where(and(eq(contentComments.id, id), text ? eq(contentComments.revision, text.revision) : undefined))
    .returning({ id: contentComments.id });
  return changed.length > 0;
};
export const deleteComment = (db: Pick<Db, 'delete'>, id: string) => db.delete(contentComments).where(eq(contentComments.id, id));
/** Runs when the records themselves are deleted. */
export const deleteCommentsOf = (db: Db, tableId: string, recordIds: readonly string[]) =>
  db.delete(contentComments).where(and(eq(contentComments.tableId, tableId), inArray(contentComments.recordId, [...recordIds])));
