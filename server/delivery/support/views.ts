import { visitorSizes } from '../../../contract/support/visitors';
import type { ConversationResponse, VisitorConversation, VisitorMessage } from '../../../contract/support/visitors';
import { visitorEvents } from '../../../contract/support/terms';
import { findConversationOf, readAfter, readBefore } from '../../areas/support';
import type { ConversationRow, MessagePage, MessageRow, VisitorRow } from '../../areas/support';
import type { Context } from '../../context';
import { filePath } from './fileAddress';

/** What visitors see of conversations and messages: no notes, no names of agents, and of spam nothing that says so. */

export const conversationView = ({ id, kind, state, version, agentReadSeq, visitorReadSeq, rating }: ConversationRow): VisitorConversation => ({
  id,
  kind,
  isResolved: state === 'resolved',
  version,
  agentReadSeq,
  visitorReadSeq,
  unread: 0,
  rating,
});

const isEvent = (event: string | null): event is NonNullable<VisitorMessage['event']> => event !== null && (visitorEvents as readonly string[]).includes(event);

/** null: visitors do not see it. */
export function messageView(ctx: Pick<Context, 'secrets' | 'now'>, { message, file }: MessageRow): VisitorMessage | null {
  const { seq, author, kind, body, clientId, at, editedAt, deletedAt, event } = message;
  const visible = kind === 'event' ? isEvent(event) : kind !== 'note';
  if (!visible) return null;
  return {
    seq,
    clientId: author === 'visitor' ? clientId : null,
    from: author,
    text: body,
    file: file && {
      name: file.name,
      size: file.size,
      contentType: file.contentType,
      width: file.width,
      height: file.height,
      path: filePath(ctx, file.id),
    },
    event: kind === 'event' && isEvent(event) ? event : null,
    at: at.toISOString(),
    isEdited: editedAt !== null,
    isDeleted: deletedAt !== null,
  };
}

const views = (ctx: Pick<Context, 'secrets' | 'now'>, rows: readonly MessageRow[]): VisitorMessage[] =>
  rows.map((row) => messageView(ctx, row)).filter((message) => message !== null);

type Found = { readonly row: ConversationRow; readonly page: MessagePage; readonly messages: readonly VisitorMessage[] };

type Size = { readonly messages: number; readonly characters: number };

/** As many rows of a page as have some characters in total, and one at least. */
function shortened(page: MessagePage, characters: number): MessagePage {
  let total = 0;
  const end = page.rows.findIndex(({ message }) => (total += message.body.length) > characters);
  const rows = end < 0 ? page.rows : page.rows.slice(0, Math.max(1, end));
  return rows.length === page.rows.length ? page : { rows, version: rows.at(-1)?.message.version ?? page.version, more: true };
}

/** Messages of the visitor's conversation that changed after a version; null: there is no such conversation of this visitor. */
export async function messagesAfter(
  ctx: Context,
  visitor: VisitorRow,
  id: string,
  version: number,
  { messages, characters }: Size = { messages: visitorSizes.page, characters: Infinity },
): Promise<Found | null> {
  const row = await findConversationOf(ctx, visitor, id);
  if (row === null) return null;
  const page = shortened(await readAfter(ctx.postgres.db, row, version, messages), characters);
  return { row, page, messages: views(ctx, page.rows) };
}

/** The newest messages, or those before a place. */
export async function messagesBefore(ctx: Context, visitor: VisitorRow, id: string, seq: number | null, size: number): Promise<ConversationResponse | null> {
  const row = await findConversationOf(ctx, visitor, id);
  if (row === null) return null;
  const page = await readBefore(ctx.postgres.db, row, seq, size);
  return { conversation: conversationView(row), messages: views(ctx, page.rows).toReversed(), version: row.version, more: page.more };
}

export const responseOf = ({ row, page, messages }: Found): ConversationResponse => ({
  conversation: conversationView(row),
  messages,
  version: page.version,
  more: page.more,
});
