import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Conversation, ConversationMessage } from '../../../contract/support/conversations';
import type { supportEndpoints as endpoints } from '../../../contract/support/schemas';
import { supportLimits } from '../../../contract/support/terms';
import type { ConversationState } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import type { CallOf, ResponseOf } from '../../http/route';
import { actorOf, record } from '../audit';
import { isAgent } from './agents';
import { useCanned } from './canned';
import { agentAuthor, edit, editorOf, wake } from './editing';
import type { Editor } from './editing';
import { readConversation } from './lists';
import { appendFromAgent } from './messages';
import * as queries from './queries';
import type { ConversationRow } from './queries';
import { messageResponse } from './responses';
import { writtenSince } from './texts';
import { supportConversations, supportFiles, supportMessages } from './schema';

type Change = CallOf<typeof endpoints.changeSupportConversation>['body'];

/** Ends what waits in a conversation that nobody has to answer any more. */
const nothingWaits = { snoozedUntil: null, waitingSince: null, notifyAt: null } as const;

/** Moves a conversation to a state, and adds the event that records it. */
function moveTo(editor: Editor, agentId: string, state: Exclude<ConversationState, 'waiting'>, now: Date, snoozedUntil: Date | null = null): void {
  const author = agentAuthor(agentId);
  const { row } = editor;
  if (row.state === state && state !== 'snoozed') return;
  if (state === 'spam') editor.addEvent(author, 'spam');
  else if (state === 'resolved') editor.addEvent(author, 'resolved');
  else if (state === 'snoozed') editor.addEvent(author, 'snoozed', snoozedUntil?.toISOString() ?? '');
  else editor.addEvent(author, row.state === 'spam' ? 'not_spam' : row.state === 'snoozed' ? 'awoken' : 'reopened');
  switch (state) {
    case 'resolved':
      return editor.set({ ...nothingWaits, state, resolvedAt: now, resolvedBy: agentId, unread: 0, agentReadSeq: editor.row.version });
    case 'spam':
      return editor.set({ ...nothingWaits, state, unread: 0 });
    case 'snoozed':
      return editor.set({ state, snoozedUntil, notifyAt: null, unread: 0, agentReadSeq: editor.row.version });
    default:
      return editor.set({ state, snoozedUntil: null, resolvedAt: null, resolvedBy: null });
  }
}

function assign(editor: Editor, agentId: string, assigneeId: string | null): void {
  if (editor.row.assigneeId === assigneeId) return;
  editor.addEvent(agentAuthor(agentId), assigneeId === null ? 'unassigned' : 'assigned', assigneeId ?? '');
  editor.set({ assigneeId });
}

/**
 * Whether the visitor has written something that neither the caller nor another agent has seen, so that the wait must not end. `readSeq`: the last place of the
 * conversation `id` that the caller has seen; absent: everything.
 */
async function hasUnseen({ tx, row }: Editor, id: string, readSeq: number | undefined): Promise<boolean> {
  if (readSeq === undefined || row.unread === 0) return false;
  // A place of a conversation that was merged meanwhile is another message here.
  return (await queries.unreadAfter(tx, row.id, row.id === id ? readSeq : 0)).unread > 0;
}

export async function changeConversation(
  ctx: Context,
  { site, session, params, body }: CallOf<typeof endpoints.changeSupportConversation>,
): Promise<Conversation> {
  const now = new Date(ctx.now());
  const { state, assignee, expectedAssignee, priority, tags, subject, readSeq }: Change = body;
  const until = body.snoozedUntil === undefined ? null : new Date(body.snoozedUntil);
  if (state === 'snoozed' && (until === null || until <= now)) failField('snoozedUntil', until === null ? 'required' : 'too_soon');
  if (assignee !== undefined && assignee !== null && !(await isAgent(ctx.postgres.db, site.id, assignee))) failField('assignee', 'unknown');
  await edit(ctx, site.id, params.id, async (editor) => {
    if (expectedAssignee !== undefined && editor.row.assigneeId !== expectedAssignee) fail('conflict');
    if ((state === 'resolved' || state === 'snoozed') && (await hasUnseen(editor, params.id, readSeq))) fail('conflict', { message: writtenSince });
    if (assignee !== undefined) assign(editor, session.userId, assignee);
    if (state !== undefined) moveTo(editor, session.userId, state, now, until);
    const plain = {
      ...(priority !== undefined && { priority }),
      ...(tags !== undefined && { tags: [...new Set(tags)] }),
      ...(subject !== undefined && { subject }),
    };
    if (Object.keys(plain).length > 0) editor.set(plain);
  });
  return readConversation(ctx, site.id, params.id);
}

/** Passes a conversation on; the note is for the next agent. Repeating it with the same client id does not repeat the note. */
export async function transferConversation(
  ctx: Context,
  { site, session, params, body }: CallOf<typeof endpoints.transferSupportConversation>,
): Promise<Conversation> {
  if (!(await isAgent(ctx.postgres.db, site.id, body.to))) failField('to', 'unknown');
  const author = agentAuthor(session.userId);
  await edit(ctx, site.id, params.id, async (editor) => {
    if (await queries.findByClientId(editor.tx, editor.row.id, 'agent', body.clientId)) return;
    if (body.note !== '') editor.add(author, { kind: 'note', body: body.note, clientId: body.clientId });
    if (editor.row.assigneeId === body.to) return;
    editor.addEvent(author, 'transferred', body.to);
    editor.set({ assigneeId: body.to });
  });
  return readConversation(ctx, site.id, params.id);
}

const earliest = (...times: readonly (Date | null)[]): Date | null =>
  times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;

/** Moves the messages of `from` behind those of the conversation, in their order. Throws `conflict` if either was merged or removed, or if there are too many. */
export async function mergeConversations(ctx: Context, call: CallOf<typeof endpoints.mergeSupportConversations>): Promise<Conversation> {
  const { site, session, params, body } = call;
  if (params.id === body.from) failField('from', 'duplicate');
  const changed = await ctx.postgres.db.transaction(async (tx) => {
    // In the order of their ids, so that two merges do not wait for each other.
    const locked = new Map<string, ConversationRow>();
    for (const id of [params.id, body.from].toSorted()) locked.set(id, (await queries.lockConversation(tx, site.id, id)) ?? fail('not_found'));
    const [to, from] = [locked.get(params.id) ?? fail('not_found'), locked.get(body.from) ?? fail('not_found')];
    if (to.visitorId !== from.visitorId) failField('from', 'unknown');
    for (const { mergedInto, removedAt } of [to, from]) if (mergedInto !== null || removedAt !== null) fail('conflict');
    if (to.messages + from.messages >= supportLimits.messages) fail('conflict');
    const now = new Date(ctx.now());
    const target = editorOf(tx, to, now);
    target.editor.addEvent(agentAuthor(session.userId), 'merged', `#${from.number}`);
    const offset = target.editor.row.version;
    const [moved] = await moveMessages(tx, from.id, to.id, offset);
    target.editor.set({
      version: offset + (moved?.count ?? 0),
      messages: target.editor.row.messages + from.messages,
      unread: to.unread + from.unread,
      lastMessageAt: new Date(Math.max(to.lastMessageAt.getTime(), from.lastMessageAt.getTime())),
      startedAt: earliest(to.startedAt, from.startedAt) ?? to.startedAt,
      waitingSince: earliest(to.waitingSince, from.waitingSince),
      notifiedWait: to.waitingSince !== null && to.waitingSince === earliest(to.waitingSince, from.waitingSince) ? to.notifiedWait : from.notifiedWait,
      firstReplyAt: earliest(to.firstReplyAt, from.firstReplyAt),
      notifyAt: earliest(to.notifyAt, from.notifyAt),
      ...(to.rating === null && { rating: from.rating, ratingComment: from.ratingComment }),
      tags: [...new Set([...to.tags, ...from.tags])].slice(0, supportLimits.tags),
      ...(from.state === 'open' && { state: 'open', snoozedUntil: null, resolvedAt: null, resolvedBy: null }),
    });
    const source = editorOf(tx, from, now);
    source.editor.set({ ...nothingWaits, mergedInto: to.id, state: 'resolved', unread: 0, messages: 0, version: from.version + 1 });
    await record(ctx, tx, actorOf(call), { action: 'support.merged', siteId: site.id, target: aboutConversation(to), after: { from: `#${from.number}` } });
    return [await target.commit(), await source.commit()];
  });
  for (const row of changed) if (row) wake(ctx, row);
  return readConversation(ctx, site.id, params.id);
}

/** A client id of a side that both have (which random ones do not) is dropped. */
async function moveMessages(tx: queries.Db, from: string, to: string, offset: number): Promise<{ readonly count: number }[]> {
  const m = supportMessages;
  const moved = await tx.execute<{ count: number }>(sql`
    with numbered as (select seq, row_number() over (order by seq) as place from ${m} where conversation_id = ${from}),
    moved as (
      update ${m} as m set conversation_id = ${to}, seq = ${offset}::int + numbered.place, version = ${offset}::int + numbered.place,
        client_id = case when exists (select from ${m} o where o.conversation_id = ${to} and o.author = m.author and o.client_id = m.client_id) then null else m.client_id end
      from numbered where m.conversation_id = ${from} and m.seq = numbered.seq returning 1
    )
    select count(*)::int as count from moved`);
  await tx.update(supportFiles).set({ conversationId: to }).where(eq(supportFiles.conversationId, from));
  // What was merged into it before leads on.
  await tx.update(supportConversations).set({ mergedInto: to }).where(eq(supportConversations.mergedInto, from));
  return moved.rows;
}

export const aboutConversation = ({ id, number }: Pick<ConversationRow, 'id' | 'number'>) => ({ kind: 'conversation', id, name: `#${number}` });

/** One action on several conversations, each in a transaction of its own; unknown ones are skipped. */
export async function changeSeveral(
  ctx: Context,
  call: CallOf<typeof endpoints.changeSupportConversations>,
): Promise<ResponseOf<typeof endpoints.changeSupportConversations>> {
  const { site, session, body } = call;
  const { action, assignee, readSeqs = {} } = body;
  const { db } = ctx.postgres;
  if (action === 'assign' && assignee === undefined) failField('assignee', 'required');
  if (action === 'assign' && assignee !== null && !(await isAgent(db, site.id, assignee ?? ''))) failField('assignee', 'unknown');
  const changed: string[] = [];
  const unseen: { id: string; number: number }[] = [];
  const now = new Date(ctx.now());
  for (const id of new Set(body.ids)) {
    const row = await queries.findConversation(db, site.id, id);
    if (!row || row.mergedInto !== null) continue;
    const isUnseen = await edit(ctx, site.id, id, async (editor) => {
      if (action === 'resolve' && (await hasUnseen(editor, id, readSeqs[id]))) return true;
      if (action === 'assign') assign(editor, session.userId, assignee ?? null);
      else if (action === 'resolve') moveTo(editor, session.userId, 'resolved', now);
      else if (action === 'spam') moveTo(editor, session.userId, 'spam', now);
      else if (action === 'not_spam' || action === 'reopen') {
        if (action === 'reopen' || editor.row.state === 'spam') moveTo(editor, session.userId, 'open', now);
      } else if (action === 'remove') editor.set({ removedAt: editor.row.removedAt ?? now, notifyAt: null });
      else if (editor.row.removedAt !== null) editor.set({ removedAt: null });
      return false;
    });
    if (isUnseen) unseen.push({ id, number: row.number });
    else changed.push(id);
  }
  if ((action === 'remove' || action === 'restore') && changed.length > 0)
    await record(ctx, db, actorOf(call), {
      action: action === 'remove' ? 'support.removed' : 'support.restored',
      siteId: site.id,
      after: { conversations: changed.length },
    });
  return { changed, unseen };
}

/** Answers, or adds a note or a file. */
export async function sendMessage(ctx: Context, { site, session, params, body }: CallOf<typeof endpoints.sendSupportMessage>): Promise<ConversationMessage> {
  const { cannedId, ...message } = body;
  const sent = await appendFromAgent(ctx, { ...message, siteId: site.id, conversationId: params.id, agentId: session.userId });
  if (!sent.repeated && cannedId !== undefined) await useCanned(ctx, site.id, session.userId, cannedId);
  return messageResponse(sent.row);
}

/** Conversations of a visitor other than one, latest first. */
export const otherConversations = (db: queries.Db, visitorId: string, id: string): Promise<ConversationRow[]> =>
  db
    .select()
    .from(supportConversations)
    .where(
      and(
        eq(supportConversations.visitorId, visitorId),
        sql`${supportConversations.id} <> ${id}`,
        isNull(supportConversations.mergedInto),
        isNull(supportConversations.removedAt),
      ),
    )
    .orderBy(sql`${supportConversations.startedAt} desc`)
    .limit(20);
