import { and, asc, count, desc, eq, gt, inArray, lt, min, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { MessageAuthor } from '../../../contract/support/terms';
import { users } from '../account/schema';
import { supportConversations, supportCounters, supportFiles, supportMessages, supportSettings, supportVisitors } from './schema';

export type Db = Pick<NodePgDatabase, 'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | 'execute'>;
export type ConversationRow = typeof supportConversations.$inferSelect;
export type VisitorRow = typeof supportVisitors.$inferSelect;
export type FileRow = typeof supportFiles.$inferSelect;
export type NewMessage = typeof supportMessages.$inferInsert;
/** A message with its file and the name of its agent. */
export type MessageRow = {
  readonly message: typeof supportMessages.$inferSelect;
  readonly file: FileRow | null;
  readonly agentName: string | null;
};

const c = supportConversations;
const m = supportMessages;
const assignees = alias(users, 'assignees');

/** The next change of a site. Locks its counter until the end of the transaction, so it comes last. */
export async function nextChange(db: Db, siteId: string): Promise<number> {
  const [row] = await db
    .insert(supportCounters)
    .values({ siteId, change: 1 })
    .onConflictDoUpdate({ target: supportCounters.siteId, set: { change: sql`${supportCounters.change} + 1` } })
    .returning({ change: supportCounters.change });
  if (!row) throw new Error('PostgreSQL returned no row');
  return row.change;
}

/** The next number of a conversation, with the next change. Locks the counter like `nextChange`. */
export async function nextNumber(db: Db, siteId: string): Promise<{ readonly number: number; readonly change: number }> {
  const [row] = await db
    .insert(supportCounters)
    .values({ siteId, change: 1, number: 1 })
    .onConflictDoUpdate({
      target: supportCounters.siteId,
      set: { change: sql`${supportCounters.change} + 1`, number: sql`${supportCounters.number} + 1` },
    })
    .returning({ change: supportCounters.change, number: supportCounters.number });
  if (!row) throw new Error('PostgreSQL returned no row');
  return row;
}

export const currentChange = async (db: Db, siteId: string): Promise<number> =>
  (await db.select({ change: supportCounters.change }).from(supportCounters).where(eq(supportCounters.siteId, siteId)))[0]?.change ?? 0;

/** Keeps the visitor from being erased until the caller's transaction ends. false: there is no such visitor. */
export const lockVisitor = async (db: Db, id: string): Promise<boolean> =>
  (await db.select({ id: supportVisitors.id }).from(supportVisitors).where(eq(supportVisitors.id, id)).for('key share')).length > 0;

/** Locks the conversation until the caller's transaction ends. */
export const lockConversation = async (db: Db, siteId: string, id: string): Promise<ConversationRow | null> =>
  (
    await db
      .select()
      .from(c)
      .where(and(eq(c.siteId, siteId), eq(c.id, id)))
      .for('update')
  )[0] ?? null;

/** Locks the conversation, or that into which it was merged, and only that one: merging locks several, and would wait for a caller who waits for it. */
export async function lockTarget(db: Db, siteId: string, id: string): Promise<ConversationRow | null> {
  const named = await db
    .select()
    .from(c)
    .where(and(eq(c.siteId, siteId), eq(c.id, sql`(select coalesce(o.merged_into, o.id) from ${c} o where o.id = ${id})`)))
    .for('update');
  const row = named[0] ?? null;
  // Merged while this waited for the lock.
  return row === null || row.mergedInto === null ? row : lockTarget(db, siteId, row.mergedInto);
}

export const findConversation = async (db: Db, siteId: string, id: string): Promise<ConversationRow | null> =>
  (
    await db
      .select()
      .from(c)
      .where(and(eq(c.siteId, siteId), eq(c.id, id)))
  )[0] ?? null;

export const findStart = async (db: Db, visitorId: string, clientId: string): Promise<ConversationRow | null> =>
  (
    await db
      .select()
      .from(c)
      .where(and(eq(c.visitorId, visitorId), eq(c.clientId, clientId)))
  )[0] ?? null;

/** null: the visitor has started one with this client id already. */
export const insertConversation = async (db: Db, row: typeof c.$inferInsert): Promise<ConversationRow | null> =>
  (
    await db
      .insert(c)
      .values(row)
      .onConflictDoNothing({ target: [c.visitorId, c.clientId] })
      .returning()
  )[0] ?? null;

export const updateConversation = (db: Db, id: string, change: Partial<ConversationRow>) => db.update(c).set(change).where(eq(c.id, id));

const messages = (db: Db) =>
  db
    .select({ message: m, file: supportFiles, agentName: users.displayName })
    .from(m)
    .leftJoin(supportFiles, eq(supportFiles.id, m.fileId))
    .leftJoin(users, eq(users.id, m.agentId));

export const findByClientId = async (db: Db, conversationId: string, author: MessageAuthor, clientId: string): Promise<MessageRow | null> =>
  (await messages(db).where(and(eq(m.conversationId, conversationId), eq(m.author, author), eq(m.clientId, clientId))))[0] ?? null;

export const findMessage = async (db: Db, conversationId: string, seq: number): Promise<MessageRow | null> =>
  (await messages(db).where(and(eq(m.conversationId, conversationId), eq(m.seq, seq))))[0] ?? null;

/** Messages that were added or changed after a version, in the order of their changes. */
export const messagesAfter = (db: Db, conversationId: string, version: number, size: number): Promise<MessageRow[]> =>
  messages(db)
    .where(and(eq(m.conversationId, conversationId), gt(m.version, version)))
    .orderBy(asc(m.version))
    .limit(size);

/** Messages before a place, latest first. */
export const messagesBefore = (db: Db, conversationId: string, seq: number | null, size: number): Promise<MessageRow[]> =>
  messages(db)
    .where(and(eq(m.conversationId, conversationId), seq === null ? undefined : lt(m.seq, seq)))
    .orderBy(desc(m.seq))
    .limit(size);

export const insertMessages = (db: Db, rows: readonly NewMessage[]) => db.insert(m).values([...rows]);
export const updateMessage = (db: Db, conversationId: string, seq: number, change: Partial<NewMessage>) =>
  db
    .update(m)
    .set(change)
    .where(and(eq(m.conversationId, conversationId), eq(m.seq, seq)));

/** The last message of each conversation that is neither an event nor deleted. */
export async function lastMessages(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<MessageRow['message'], 'author' | 'kind' | 'body'> & { readonly fileName: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.execute<{ conversation_id: string; author: MessageAuthor; kind: MessageRow['message']['kind']; body: string; name: string | null }>(sql`
    select c.id as conversation_id, l.author, l.kind, l.body, l.name
    from ${c} c cross join lateral (
      select m.author, m.kind, left(m.body, 200) as body, f.name
      from ${m} m left join ${supportFiles} f on f.id = m.file_id
      where m.conversation_id = c.id and m.kind <> 'event' and m.deleted_at is null
      order by m.seq desc limit 1
    ) l
    where c.id in ${[...ids]}`);
  return new Map(rows.rows.map(({ conversation_id: id, author, kind, body, name }) => [id, { author, kind, body, fileName: name }]));
}

/** The last message of the visitor. */
export const lastOfVisitor = async (db: Db, conversationId: string): Promise<MessageRow | null> =>
  (
    await messages(db)
      .where(and(eq(m.conversationId, conversationId), eq(m.author, 'visitor')))
      .orderBy(desc(m.seq))
      .limit(1)
  )[0] ?? null;

/** Number of the visitor's messages after a place, and the time of the first. */
export async function unreadAfter(db: Db, conversationId: string, seq: number): Promise<{ readonly unread: number; readonly since: Date | null }> {
  const [row] = await db
    .select({ unread: count(), since: min(m.at) })
    .from(m)
    .where(and(eq(m.conversationId, conversationId), eq(m.author, 'visitor'), inArray(m.kind, ['text', 'file']), gt(m.seq, seq)));
  return row ?? { unread: 0, since: null };
}

export const findFile = async (db: Db, siteId: string, id: string): Promise<FileRow | null> =>
  (
    await db
      .select()
      .from(supportFiles)
      .where(and(eq(supportFiles.siteId, siteId), eq(supportFiles.id, id)))
  )[0] ?? null;

export const removeFile = (db: Db, id: string) => db.delete(supportFiles).where(eq(supportFiles.id, id));

/** With the visitor and the assignee's name. */
export type ListedConversation = { readonly row: ConversationRow; readonly visitor: VisitorRow; readonly assigneeName: string | null };
export const listed = (db: Pick<Db, 'select'>) =>
  db
    .select({ row: c, visitor: supportVisitors, assigneeName: assignees.displayName })
    .from(c)
    .innerJoin(supportVisitors, eq(supportVisitors.id, c.visitorId))
    .leftJoin(assignees, eq(assignees.id, c.assigneeId));

/** '' for a person who was deleted. */
export const nameOf = async (db: Db, userId: string): Promise<string> =>
  (await db.select({ name: users.displayName }).from(users).where(eq(users.id, userId)))[0]?.name ?? '';

export type SettingsRow = typeof supportSettings.$inferSelect;
export const findSettings = async (db: Db, siteId: string): Promise<SettingsRow | null> =>
  (await db.select().from(supportSettings).where(eq(supportSettings.siteId, siteId)))[0] ?? null;
