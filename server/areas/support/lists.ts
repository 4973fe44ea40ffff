import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Conversation } from '../../../contract/support/conversations';
import { activeStates, conversationLists } from '../../../contract/support/terms';
import type { ConversationList, ConversationPriority } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './queries';
import type { Db } from './queries';
import { conversationResponse } from './responses';
import { supportConversations } from './schema';
import { contains, searchedOf, withinTime } from './search';
import { isIndexed } from './searchIndexes';
import { completeSettings } from './settings';

const c = supportConversations;
const present = and(isNull(c.removedAt), isNull(c.mergedInto));
const active = inArray(c.state, [...activeStates]);

export type ListFilter = {
  readonly siteId: string;
  readonly userId: string;
  readonly list: ConversationList;
  readonly assignee?: string | undefined;
  readonly tag?: string | undefined;
  readonly priority?: ConversationPriority | undefined;
  readonly visitor?: string | undefined;
  readonly q?: string | undefined;
};

/** The conversations of a list. */
function inList(list: ConversationList, userId: string): SQL | undefined {
  switch (list) {
    case 'mine':
      return and(active, eq(c.assigneeId, userId));
    case 'unassigned':
      return and(active, isNull(c.assigneeId));
    case 'all':
      return active;
    case 'forms':
      return and(active, eq(c.kind, 'form'));
    default:
      return eq(c.state, list);
  }
}

function conditionOf({ siteId, userId, list, assignee, tag, priority, visitor, q = '' }: ListFilter, indexed: boolean): SQL | undefined {
  const searches = q !== '' && list !== 'spam';
  return and(
    eq(c.siteId, siteId),
    present,
    searches ? sql`${c.state} <> 'spam'` : inList(list, userId),
    q === '' ? undefined : contains(siteId, q, indexed),
    assignee === undefined ? undefined : eq(c.assigneeId, assignee),
    tag === undefined ? undefined : sql`${tag} = any(${c.tags})`,
    priority === undefined ? undefined : eq(c.priority, priority),
    visitor === undefined ? undefined : eq(c.visitorId, visitor),
  );
}

/** All of one site. */
async function responsesOf(ctx: Pick<Context, 'now'>, db: Db, rows: readonly queries.ListedConversation[]): Promise<Conversation[]> {
  const siteId = rows[0]?.row.siteId;
  if (siteId === undefined) return [];
  const last = await queries.lastMessages(
    db,
    rows.map(({ row }) => row.id),
  );
  // Without stored settings the site is always open, in any time zone.
  const target = completeSettings((await queries.findSettings(db, siteId))?.settings ?? null, 'UTC');
  return rows.map((row) => conversationResponse(row, last, ctx.now(), target));
}

function readCursor(text: string): { readonly at: Date; readonly id: string } {
  const match = /^(\d{1,15})\.([\da-f-]{36})$/.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? { at: new Date(Number(match[1])), id: match[2] } : fail('bad_request');
}

/** A page of a list, latest activity first. */
export async function listConversations(
  ctx: Pick<Context, 'postgres' | 'now'>,
  filter: ListFilter,
  { before, size }: { readonly before?: string | undefined; readonly size: number },
): Promise<{ rows: Conversation[]; next: string | null; searched: number | null }> {
  const { db } = ctx.postgres;
  const cursor = before === undefined ? null : readCursor(before);
  const older = cursor === null ? undefined : or(lt(c.lastMessageAt, cursor.at), and(eq(c.lastMessageAt, cursor.at), lt(c.id, cursor.id)));
  const { q = '' } = filter;
  const indexed = q !== '' && (await isIndexed(db));
  const find = (by: Pick<Db, 'select'>) =>
    queries
      .listed(by)
      .where(and(conditionOf(filter, indexed), older))
      .orderBy(desc(c.lastMessageAt), desc(c.id))
      .limit(size + 1);
  const found = await (q === '' ? find(db) : withinTime(db, find));
  const rows = found.slice(0, size);
  const end = rows.at(-1)?.row;
  return {
    rows: await responsesOf(ctx, db, rows),
    next: found.length > size && end ? `${end.lastMessageAt.getTime()}.${end.id}` : null,
    searched: q === '' ? null : searchedOf(q),
  };
}

/** Conversations that changed after a counter of the site, removed and merged ones too. */
export async function listChanges(
  ctx: Pick<Context, 'postgres' | 'now'>,
  siteId: string,
  { after, size }: { readonly after: number; readonly size: number },
): Promise<{ rows: Conversation[]; change: number; more: boolean }> {
  const { db } = ctx.postgres;
  // Read first: what is committed meanwhile has later counters and may be among the rows, which does no harm.
  const current = await queries.currentChange(db, siteId);
  const found = await queries
    .listed(db)
    .where(and(eq(c.siteId, siteId), gt(c.change, after)))
    .orderBy(asc(c.change))
    .limit(size + 1);
  const rows = found.slice(0, size);
  const last = rows.at(-1)?.row.change ?? after;
  const more = found.length > size;
  return { rows: await responsesOf(ctx, db, rows), change: more ? last : Math.max(last, current), more };
}

/** One conversation; one that was merged leads to the other. Throws `not_found`. */
export async function readConversation(ctx: Pick<Context, 'postgres' | 'now'>, siteId: string, id: string): Promise<Conversation> {
  const { db } = ctx.postgres;
  const row = (await queries.findConversation(db, siteId, id)) ?? fail('not_found');
  const found = await queries.listed(db).where(and(eq(c.siteId, siteId), eq(c.id, row.mergedInto ?? row.id)));
  return (await responsesOf(ctx, db, found))[0] ?? fail('not_found');
}

/** Number of conversations of each list, and of those with messages that nobody has read. */
export async function countLists(db: Db, siteId: string, userId: string): Promise<{ counts: Record<ConversationList, number>; unread: number }> {
  const counted = (condition: SQL | undefined) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const columns = Object.fromEntries(conversationLists.map((list) => [list, counted(inList(list, userId))])) as Record<ConversationList, SQL<number>>;
  const [row] = await db
    .select({ ...columns, unread: counted(and(gt(c.unread, 0), sql`${c.state} <> 'spam'`)) })
    .from(c)
    .where(and(eq(c.siteId, siteId), present));
  if (!row) throw new Error('PostgreSQL returned no row');
  const { unread, ...counts } = row;
  return { counts, unread };
}

/** Number of conversations with messages that nobody has read, by site, without spam. Sites without any are absent. */
export async function unreadOfSites({ postgres }: Pick<Context, 'postgres'>, siteIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (siteIds.length === 0) return new Map();
  const rows = await postgres.db
    .select({ siteId: c.siteId, unread: sql<number>`count(*)::int` })
    .from(c)
    .where(and(inArray(c.siteId, [...siteIds]), gt(c.unread, 0), sql`${c.state} <> 'spam'`, present))
    .groupBy(c.siteId);
  return new Map(rows.map(({ siteId, unread }) => [siteId, unread]));
}

/** Tags that conversations of the site have, most used first. */
export async function tagsOf(db: Db, siteId: string): Promise<string[]> {
  const rows = await db.execute<{ tag: string }>(
    sql`select tag from ${c} cross join lateral unnest(${c.tags}) as tag where ${c.siteId} = ${siteId} group by tag order by count(*) desc, tag limit 200`,
  );
  return rows.rows.map(({ tag }) => tag);
}
