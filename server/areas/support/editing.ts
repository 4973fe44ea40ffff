import type { ConversationEvent } from '../../../contract/support/terms';
import { supportLimits } from '../../../contract/support/terms';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import * as queries from './queries';
import type { ConversationRow, Db, NewMessage } from './queries';

/** Who changes a conversation: an agent by id, or null for the visitor and the program. */
export type Author = { readonly side: NewMessage['author']; readonly agentId: string | null };
export const visitorAuthor: Author = { side: 'visitor', agentId: null };
export const systemAuthor: Author = { side: 'system', agentId: null };
export const agentAuthor = (agentId: string): Author => ({ side: 'agent', agentId });

type Content = Pick<NewMessage, 'kind' | 'body'> & Partial<Pick<NewMessage, 'fileId' | 'event' | 'eventSubject' | 'clientId'>>;

/** A conversation that is locked by the caller's transaction. Changes are written together by `commit`. */
export type Editor = {
  readonly tx: Db;
  /** With the changes so far. */
  readonly row: ConversationRow;
  readonly set: (change: Partial<ConversationRow>) => void;
  /** Takes the next place of the conversation. Returns it. */
  readonly add: (author: Author, content: Content) => number;
  readonly addEvent: (author: Author, event: ConversationEvent, subject?: string) => void;
  /** The next version, for a change of a message that is stored. */
  readonly nextVersion: () => number;
};

/** Throws `conflict` if the conversation is full. */
export function editorOf(tx: Db, stored: ConversationRow, now: Date): { readonly editor: Editor; readonly commit: () => Promise<ConversationRow | null> } {
  let row = stored;
  const added: NewMessage[] = [];
  const set = (change: Partial<ConversationRow>): void => void (row = { ...row, ...change });
  const nextVersion = (): number => {
    set({ version: row.version + 1 });
    return row.version;
  };
  const add = (author: Author, content: Content): number => {
    if (content.kind !== 'event' && row.messages >= supportLimits.messages) fail('conflict');
    const seq = nextVersion();
    added.push({
      ...content,
      conversationId: row.id,
      siteId: row.siteId,
      seq,
      version: seq,
      author: author.side,
      agentId: author.agentId,
      at: now,
    });
    set({ messages: row.messages + 1, ...(content.kind !== 'event' && { lastMessageAt: now }) });
    return seq;
  };
  const editor: Editor = {
    tx,
    get row() {
      return row;
    },
    set,
    add,
    addEvent: ({ agentId }, event, subject = '') => void add({ side: 'system', agentId }, { kind: 'event', body: '', event, eventSubject: subject }),
    nextVersion,
  };
  async function commit(): Promise<ConversationRow | null> {
    if (row === stored) return null;
    if (added.length > 0) await queries.insertMessages(tx, added);
    set({ change: await queries.nextChange(tx, row.siteId) });
    const { id: _id, siteId: _siteId, ...values } = row;
    await queries.updateConversation(tx, row.id, values);
    return row;
  }
  return { editor, commit };
}

/** Wakes readers of a conversation and of the site's lists. */
export const wake = (ctx: Pick<Context, 'live'>, { siteId, id, version, change }: ConversationRow): void =>
  ctx.live.publish({ type: 'support', siteId, conversationId: id, version, change });

/**
 * Changes a conversation in a transaction that locks it, and wakes readers after the commit. Leads to the conversation into which it was merged. Throws
 * `not_found`.
 */
export async function edit<T>(
  ctx: Pick<Context, 'postgres' | 'live' | 'now'>,
  siteId: string,
  id: string,
  work: (editor: Editor) => Promise<T> | T,
): Promise<T> {
  const { result, changed } = await ctx.postgres.db.transaction(async (tx) => {
    const stored = (await queries.lockTarget(tx, siteId, id)) ?? fail('not_found');
    const { editor, commit } = editorOf(tx, stored, new Date(ctx.now()));
    const done = await work(editor);
    return { result: done, changed: await commit() };
  });
  if (changed) wake(ctx, changed);
  return result;
}
