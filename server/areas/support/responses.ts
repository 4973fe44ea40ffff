import type { Conversation, ConversationMessage, SupportFile } from '../../../contract/support/conversations';
import { isActive } from '../../../contract/support/terms';
import type { FileRow, ListedConversation, lastMessages, MessageRow } from './queries';
import { answerDueAt } from './replyTime';
import type { Target } from './replyTime';
import { isVisitorOnline } from './visitors';

export const fileResponse = ({ id, name, contentType, size, width, height }: FileRow): SupportFile => ({ id, name, contentType, size, width, height });

/** A message as agents see it. */
export function messageResponse({ message, file, agentName }: MessageRow): ConversationMessage {
  const { seq, version, author, kind, body, event, eventSubject, agentId, clientId, at, editedAt, deletedAt } = message;
  return {
    seq,
    version,
    author,
    kind,
    body,
    file: file && fileResponse(file),
    event: event && { type: event, subject: eventSubject },
    agent: agentId === null ? null : { id: agentId, name: agentName ?? '' },
    clientId,
    at: at.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
  };
}

export function conversationResponse(
  { row, visitor, assigneeName }: ListedConversation,
  last: Awaited<ReturnType<typeof lastMessages>>,
  now: number,
  target: Target,
): Conversation {
  const dueAt = row.waitingSince === null || !isActive(row.state) ? null : answerDueAt(target, row.waitingSince.getTime());
  const message = last.get(row.id);
  const { id, number, kind, state, priority, tags, subject, language, unread, agentReadSeq, visitorReadSeq, rating, ratingComment, version, change } = row;
  return {
    id,
    number,
    kind,
    state,
    priority,
    tags,
    subject,
    language,
    unread,
    agentReadSeq,
    visitorReadSeq,
    rating,
    ratingComment,
    version,
    change,
    visitor: { id: visitor.id, name: visitor.name, email: visitor.email, country: visitor.country, online: isVisitorOnline(visitor, now) },
    assignee: row.assigneeId === null ? null : { id: row.assigneeId, name: assigneeName ?? '' },
    startedAt: row.startedAt.toISOString(),
    firstReplyAt: row.firstReplyAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    waitingSince: row.waitingSince?.toISOString() ?? null,
    answerDueAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    lastMessageAt: row.lastMessageAt.toISOString(),
    lastMessage: message ? { author: message.author, kind: message.kind, text: message.kind === 'file' ? (message.fileName ?? '') : message.body } : null,
    removed: row.removedAt !== null || row.mergedInto !== null,
  };
}
