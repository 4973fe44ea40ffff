import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { supportLimits } from '../../../contract/support/terms';
import { agentAuthor, edit, systemAuthor, visitorAuthor } from './editing';
import type { Author, Editor } from './editing';
import * as queries from './queries';
import type { MessageRow } from './queries';

/** A message as it is sent. The sender chooses its client id: sending it again returns the stored message. */
export type Outgoing = {
  readonly clientId: string;
  readonly kind: 'text' | 'file' | 'note';
  readonly body: string;
  readonly fileId?: string | undefined;
};
/** `repeated`: it had been stored before. */
export type Sent = { readonly row: MessageRow; readonly repeated: boolean };

const stored = async (editor: Editor, seq: number): Promise<MessageRow> => {
  const row = await queries.findMessage(editor.tx, editor.row.id, seq);
  if (!row) throw new Error('a message that was just stored is missing');
  return row;
};

/** A message that the side has sent already under this client id. */
const repetition = (editor: Editor, author: Author, { clientId }: Outgoing): Promise<MessageRow | null> =>
  queries.findByClientId(editor.tx, editor.row.id, author.side, clientId);

async function checkFile(editor: Editor, { kind, body, fileId }: Outgoing, author: Author): Promise<void> {
  if (kind !== 'file') return body === '' ? failField('body', 'required') : undefined;
  const file = fileId === undefined ? null : await queries.findFile(editor.tx, editor.row.siteId, fileId);
  if (!file || file.conversationId !== editor.row.id || file.author !== author.side) failField('fileId', 'unknown');
}

/** `delaySeconds`: until contacts are notified. `blocked`: of somebody who is blocked, whose conversation becomes spam and looks to them like any other. */
export type Reception = { readonly delaySeconds: number; readonly blocked: boolean };

/** What a message of the visitor changes, besides adding it. */
export function receive(editor: Editor, at: Date, { delaySeconds, blocked }: Reception): void {
  const { row } = editor;
  if (row.state === 'spam') return;
  if (row.state === 'resolved') editor.addEvent(systemAuthor, 'reopened');
  if (row.state === 'snoozed') editor.addEvent(systemAuthor, 'awoken');
  if (blocked)
    return editor.set({
      state: 'spam',
      snoozedUntil: null,
      resolvedAt: null,
      resolvedBy: null,
      removedAt: null,
      waitingSince: null,
      unread: 0,
      notifyAt: null,
    });
  editor.set({
    state: 'open',
    snoozedUntil: null,
    resolvedAt: null,
    resolvedBy: null,
    removedAt: null,
    waitingSince: row.waitingSince ?? at,
    unread: row.unread + 1,
    notifyAt: row.notifyAt ?? (row.unread === 0 ? new Date(at.getTime() + delaySeconds * 1000) : null),
  });
}

/** What an answer changes, besides adding it. `readSeq`: the last place that its author has seen; what the visitor wrote after it waits for another answer. */
async function answered(editor: Editor, agentId: string, at: Date, readSeq: number): Promise<void> {
  const { row } = editor;
  const agentReadSeq = Math.max(readSeq, row.agentReadSeq);
  const { unread, since } =
    row.unread === 0 || agentReadSeq >= row.version ? { unread: 0, since: null } : await queries.unreadAfter(editor.tx, row.id, agentReadSeq);
  if (row.assigneeId === null) {
    editor.set({ assigneeId: agentId });
    editor.addEvent(agentAuthor(agentId), 'assigned', agentId);
  }
  editor.set({
    snoozedUntil: null,
    resolvedAt: null,
    resolvedBy: null,
    removedAt: null,
    firstReplyAt: row.firstReplyAt ?? at,
    ...(unread === 0
      ? { state: 'waiting', waitingSince: null, notifyAt: null, unread, agentReadSeq: editor.row.version }
      : { state: 'open', waitingSince: since, unread, agentReadSeq }),
  });
}

/**
 * Stores a message of the visitor. It is committed when this resolves. Throws `conflict` if the conversation is full, `not_found`, and `invalid_fields`.
 */
export async function appendFromVisitor(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  { siteId, conversationId, delaySeconds, blocked, ...message }: Outgoing & Reception & { readonly siteId: string; readonly conversationId: string },
): Promise<Sent> {
  return append(ctx, siteId, conversationId, visitorAuthor, message, (editor, at) => receive(editor, at, { delaySeconds, blocked }));
}

/** Stores an answer or a note of an agent. Throws `conflict` for answers to spam, besides what `appendFromVisitor` throws. */
export async function appendFromAgent(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  {
    siteId,
    conversationId,
    agentId,
    resolve,
    readSeq,
    ...message
  }: Outgoing & {
    readonly siteId: string;
    readonly conversationId: string;
    readonly agentId: string;
    readonly resolve: boolean;
    /** The last place that the agent has seen; absent: everything. */
    readonly readSeq?: number | undefined;
  },
): Promise<Sent> {
  const author = agentAuthor(agentId);
  return append(ctx, siteId, conversationId, author, message, async (editor, at) => {
    if (message.kind !== 'note') {
      if (editor.row.state === 'spam') fail('conflict');
      // A place of a conversation that was merged meanwhile is another message here.
      await answered(editor, agentId, at, readSeq === undefined ? editor.row.version : editor.row.id === conversationId ? readSeq : 0);
    }
    if (!resolve || editor.row.unread > 0) return;
    editor.set({ state: 'resolved', resolvedAt: at, resolvedBy: agentId, snoozedUntil: null, waitingSince: null, notifyAt: null });
    editor.addEvent(author, 'resolved');
  });
}

async function append(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  siteId: string,
  conversationId: string,
  author: Author,
  message: Outgoing,
  effect: (editor: Editor, at: Date) => Promise<void> | void,
): Promise<Sent> {
  const sent = await edit(ctx, siteId, conversationId, async (editor) => {
    const before = await repetition(editor, author, message);
    if (before) return { before, id: editor.row.id, seq: 0 };
    await checkFile(editor, message, author);
    const { clientId, kind, body, fileId = null } = message;
    const seq = editor.add(author, { clientId, kind, body, fileId: kind === 'file' ? fileId : null });
    await effect(editor, new Date(ctx.now()));
    return { before: null, id: editor.row.id, seq };
  });
  if (sent.before) return { row: sent.before, repeated: true };
  // Its conversation may have been merged, or erased, since.
  const row =
    (await queries.findMessage(ctx.postgres.db, sent.id, sent.seq)) ??
    (await edit(ctx, siteId, conversationId, (editor) => repetition(editor, author, message)));
  return { row: row ?? fail('not_found'), repeated: false };
}

/**
 * Edits a message of the agent, or deletes it (`body: null`). Throws `forbidden` for those of others, `immutable` once the time for it is over, and `not_found`
 * if the conversation was merged meanwhile: its places are other messages there.
 */
export async function changeMessage(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  { siteId, conversationId, seq, agentId, body }: { siteId: string; conversationId: string; seq: number; agentId: string; body: string | null },
): Promise<MessageRow> {
  return edit(ctx, siteId, conversationId, async (editor) => {
    if (editor.row.id !== conversationId) fail('not_found');
    const { message } = (await queries.findMessage(editor.tx, editor.row.id, seq)) ?? fail('not_found');
    if (message.author !== 'agent' || message.agentId !== agentId) fail('forbidden');
    if (message.deletedAt !== null && body === null) return stored(editor, seq);
    const isOld = ctx.now() - message.at.getTime() > supportLimits.editFor * 1000;
    if (message.deletedAt !== null || isOld || (message.kind === 'file' && body !== null)) fail('immutable');
    const now = new Date(ctx.now());
    const change = body === null ? { body: '', fileId: null, deletedAt: now } : { body, editedAt: now };
    if (body === message.body) return stored(editor, seq);
    await queries.updateMessage(editor.tx, editor.row.id, seq, { ...change, version: editor.nextVersion() });
    // Nobody can download it any more; the sweep removes the bytes.
    if (body === null && message.fileId !== null) await queries.removeFile(editor.tx, message.fileId);
    return stored(editor, seq);
  });
}

export type MessagePage = { readonly rows: MessageRow[]; readonly version: number; readonly more: boolean };

/**
 * Messages that were added or changed after a version, in the order of their changes; `version` continues from there. Commits of a conversation are in that
 * order, so nothing is missed.
 */
export async function readAfter(
  db: queries.Db,
  conversation: Pick<queries.ConversationRow, 'id' | 'version'>,
  after: number,
  size: number,
): Promise<MessagePage> {
  const found = await queries.messagesAfter(db, conversation.id, after, size + 1);
  const rows = found.slice(0, size);
  const last = rows.at(-1)?.message.version ?? after;
  const more = found.length > size;
  return { rows, version: more ? last : Math.max(last, conversation.version, after), more };
}
