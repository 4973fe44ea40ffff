import type { ConversationKind } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { edit, editorOf, systemAuthor, visitorAuthor, wake } from './editing';
import { receive } from './messages';
import type { Reception } from './messages';
import * as queries from './queries';
import type { ConversationRow, VisitorRow } from './queries';
import type { VisitorPage } from './schema';

type Ctx = Pick<Context, 'postgres' | 'live' | 'now'>;

export type Start = Reception & {
  /** Repeating it returns the conversation that it started. */
  readonly clientId: string;
  readonly kind: ConversationKind;
  /** Client id of the first message. */
  readonly messageId: string;
  readonly body: string;
  readonly subject: string;
  readonly language: string;
  readonly page: VisitorPage;
};
export type Started = { readonly conversation: ConversationRow; readonly repeated: boolean };

/** Starts a conversation with its first message, in one transaction. It is committed when this resolves. */
export async function startConversation(ctx: Ctx, visitor: Pick<VisitorRow, 'id' | 'siteId'>, start: Start): Promise<Started> {
  const at = new Date(ctx.now());
  const started = await ctx.postgres.db.transaction(async (tx) => {
    const before = await queries.findStart(tx, visitor.id, start.clientId);
    if (before) return { conversation: before, repeated: true };
    // The visitor first and the counter last, in the order of every other transaction. A visitor who was just erased is unknown: sending it again stores both.
    if (!(await queries.lockVisitor(tx, visitor.id))) fail('unavailable', { retryAfter: 1 });
    const { number, change } = await queries.nextNumber(tx, visitor.siteId);
    const { clientId, kind, subject, language, page } = start;
    const values = { siteId: visitor.siteId, visitorId: visitor.id, clientId, kind, subject, language, page, number, change };
    const row = await queries.insertConversation(tx, {
      ...values,
      startedAt: at,
      lastMessageAt: at,
    });
    // Sent twice at the same time: the other one was committed, and this number stays unused.
    if (!row) return { conversation: (await queries.findStart(tx, visitor.id, clientId)) ?? fail('conflict'), repeated: true };
    const { editor, commit } = editorOf(tx, row, at);
    editor.add(visitorAuthor, { kind: 'text', body: start.body, clientId: start.messageId });
    receive(editor, at, start);
    return { conversation: (await commit()) ?? row, repeated: false };
  });
  if (!started.repeated) wake(ctx, started.conversation);
  return started;
}

/**
 * A conversation of the visitor; those of others do not exist. Leads to the one into which it was merged. One that agents removed can still be restored, and
 * is once the visitor writes.
 */
export async function findConversationOf(
  ctx: Pick<Context, 'postgres'>,
  visitor: Pick<VisitorRow, 'id' | 'siteId'>,
  id: string,
): Promise<ConversationRow | null> {
  const { db } = ctx.postgres;
  const row = await queries.findConversation(db, visitor.siteId, id);
  if (!row || row.visitorId !== visitor.id) return null;
  return row.mergedInto === null ? row : queries.findConversation(db, visitor.siteId, row.mergedInto);
}

/** Moves the mark up to which the visitor has read; never back. */
export async function markVisitorRead(ctx: Ctx, { siteId, id, visitorReadSeq }: ConversationRow, seq: number): Promise<void> {
  if (seq <= visitorReadSeq) return;
  await edit(ctx, siteId, id, (editor) => {
    const to = Math.min(seq, editor.row.version);
    if (to > editor.row.visitorReadSeq) editor.set({ visitorReadSeq: to });
  });
}

/** Moves the mark up to which agents have read; never back. Returns the number of messages that are still unread. */
export async function markAgentRead(ctx: Ctx, siteId: string, id: string, seq: number): Promise<number> {
  return edit(ctx, siteId, id, async (editor) => {
    // A place of a conversation that was merged meanwhile is another message here.
    if (editor.row.id !== id) return editor.row.unread;
    const to = Math.min(seq, editor.row.version);
    if (to <= editor.row.agentReadSeq) return editor.row.unread;
    const unread = editor.row.unread === 0 ? 0 : (await queries.unreadAfter(editor.tx, editor.row.id, to)).unread;
    editor.set({ agentReadSeq: to, unread, ...(unread === 0 && { notifyAt: null }) });
    return unread;
  });
}

/** Rates the conversation; a later rating replaces it. */
export const rateConversation = (ctx: Ctx, { siteId, id }: ConversationRow, rating: number, comment: string): Promise<void> =>
  edit(ctx, siteId, id, (editor) => {
    if (editor.row.rating === rating && editor.row.ratingComment === comment) return;
    if (editor.row.rating === null) editor.addEvent(systemAuthor, 'rated', String(rating));
    editor.set({ rating, ratingComment: comment });
  });
