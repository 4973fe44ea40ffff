import type { VisitorConversation, VisitorMessage } from '../contract/support/visitors';
import type { OutboxItem } from './outbox';

/** Adds messages by their place; one that is known is replaced, because it may have changed. */
export function mergeMessages(known: readonly VisitorMessage[], added: readonly VisitorMessage[]): VisitorMessage[] {
  const byPlace = new Map([...known, ...added].map((message) => [message.seq, message]));
  return [...byPlace.values()].sort((a, b) => a.seq - b.seq);
}

/** Items that are not among the stored messages, so that a message is never visible twice. */
export function unsentOf(outbox: readonly OutboxItem[], messages: readonly VisitorMessage[]): OutboxItem[] {
  const stored = new Set(messages.map(({ clientId }) => clientId));
  return outbox.filter(({ clientId }) => !stored.has(clientId));
}

/** The later of two states of a conversation: responses may arrive in another order than they were sent. */
export const newerConversation = (known: VisitorConversation | null, received: VisitorConversation): VisitorConversation =>
  known?.id === received.id && known.version > received.version ? known : received;

/** Whether two times are on different days of this browser. */
export const isOtherDay = (before: string | undefined, at: string): boolean =>
  before === undefined || new Date(before).toDateString() !== new Date(at).toDateString();
