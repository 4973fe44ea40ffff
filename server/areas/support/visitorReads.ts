import { and, count, desc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { placeOf } from '../../collect/classify';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { hashToken } from '../../kit/tokens';
import type { MessagePage } from './messages';
import * as queries from './queries';
import type { ConversationRow, MessageRow, VisitorRow } from './queries';
import { supportConversations, supportMessages, supportVisitors } from './schema';
import { findVisitor } from './visitors';
import type { NewVisitor } from './visitors';

/** Functions that only calls of visitors use. */

/** The conversation that the visitor started with a client id. */
export const findStartOf = ({ postgres }: Pick<Context, 'postgres'>, { id }: Pick<VisitorRow, 'id'>, clientId: string): Promise<ConversationRow | null> =>
  queries.findStart(postgres.db, id, clientId);

/** The conversation of the visitor with the latest message, and how many messages of agents the visitor has not read. */
export async function latestConversationOf(
  { postgres: { db } }: Pick<Context, 'postgres'>,
  { id }: Pick<VisitorRow, 'id'>,
): Promise<{ readonly row: ConversationRow; readonly unread: number } | null> {
  const c = supportConversations;
  const [row] = await db
    .select()
    .from(c)
    .where(and(eq(c.visitorId, id), eq(c.kind, 'chat'), isNull(c.mergedInto), isNull(c.removedAt)))
    .orderBy(desc(c.lastMessageAt), desc(c.id))
    .limit(1);
  if (!row) return null;
  const m = supportMessages;
  const [unread] = await db
    .select({ n: count() })
    .from(m)
    .where(and(eq(m.conversationId, row.id), eq(m.author, 'agent'), inArray(m.kind, ['text', 'file']), isNull(m.deletedAt), gt(m.seq, row.visitorReadSeq)));
  return { row, unread: unread?.n ?? 0 };
}

/** The newest messages before a place, latest first. */
export async function readBefore(db: queries.Db, { id }: Pick<ConversationRow, 'id'>, seq: number | null, size: number): Promise<Omit<MessagePage, 'version'>> {
  const found = await queries.messagesBefore(db, id, seq, size + 1);
  return { rows: found.slice(0, size), more: found.length > size };
}

/** Versions of conversations, by id. */
export async function conversationVersions({ postgres: { db } }: Pick<Context, 'postgres'>, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const c = supportConversations;
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: c.id, version: c.version })
          .from(c)
          .where(inArray(c.id, [...ids]));
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Visitors with an open stream are there. */
export async function seeVisitors({ postgres: { db }, now }: Pick<Context, 'postgres' | 'now'>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .update(supportVisitors)
      .set({ lastSeenAt: new Date(now()) })
      .where(inArray(supportVisitors.id, [...ids]));
}

/** The visitor types. */
export const visitorTypes = ({ live }: Pick<Context, 'live'>, { siteId, id }: Pick<ConversationRow, 'siteId' | 'id'>): void =>
  live.publish({ type: 'supportTyping', siteId, conversationId: id, userId: null });

/** The visitor of a token, who is created unless another call with the token was faster. Throws `unauthorized` for a token of another site. */
export async function addVisitor(ctx: Pick<Context, 'postgres' | 'now'>, visitor: NewVisitor, token: string): Promise<VisitorRow> {
  const at = new Date(ctx.now());
  const { country, province, city } = placeOf(visitor.address);
  const [row] = await ctx.postgres.db
    .insert(supportVisitors)
    .values({ ...visitor, tokenHash: hashToken(token), country, region: province, city, pageAt: at, firstSeenAt: at, lastSeenAt: at })
    .onConflictDoNothing({ target: supportVisitors.tokenHash })
    .returning();
  return row ?? (await findVisitor(ctx, visitor.siteId, token)) ?? fail('unauthorized');
}

/** The visitor's message with a client id. */
export const findSent = ({ postgres }: Pick<Context, 'postgres'>, { id }: Pick<ConversationRow, 'id'>, clientId: string): Promise<MessageRow | null> =>
  queries.findByClientId(postgres.db, id, 'visitor', clientId);
