import { useTranslation } from 'react-i18next';
import type { Conversation, ConversationMessage } from '@contract/support/conversations';
import { useFormat } from '@/lib/format';

type Person = { readonly id: string; readonly name: string };
type Event = NonNullable<ConversationMessage['event']>;

/** Names and one-line texts of conversations. */
export function useConversationLabels() {
  const { t } = useTranslation('support');
  const format = useFormat();
  const name = ({ visitor, number }: Pick<Conversation, 'visitor' | 'number'>): string =>
    visitor.name !== '' ? visitor.name : visitor.email !== '' ? visitor.email : t('visitor.nameless', { number });
  return {
    name,
    /** What the initials beside the name are of. */
    face: (conversation: Pick<Conversation, 'visitor' | 'number'>): string =>
      conversation.visitor.name === '' && conversation.visitor.email === '' ? t('visitor.title') : name(conversation),
    lastMessage({ lastMessage, subject }: Conversation): string {
      if (lastMessage === null) return subject === '' ? t('list.noMessage') : subject;
      const text = lastMessage.kind === 'file' && lastMessage.text === '' ? t('message.file') : lastMessage.text;
      if (lastMessage.kind === 'note') return t('list.note', { text });
      return lastMessage.author === 'agent' ? t('list.ownMessage', { text }) : text;
    },
    /** What happened, in a sentence; `who`: the agent who did it, null for the visitor or the program; `agents`: whom it may concern. */
    event({ type, subject }: Event, who: Person | null, agents: readonly Person[]): string {
      const by = who?.name ?? t('event.somebody');
      const named = (): string => agents.find(({ id }) => id === subject)?.name ?? t('message.formerAgent');
      switch (type) {
        case 'snoozed':
          return t('event.snoozed', { by, until: Number.isNaN(Date.parse(subject)) ? subject : format.dateTime(subject) });
        case 'rated':
          return t('event.rated', { rating: subject });
        case 'reopened':
          return who === null ? t('event.reopenedByVisitor') : t('event.reopened', { by });
        case 'resolved':
          return who === null ? t('event.resolvedByProgram') : t('event.resolved', { by });
        case 'assigned':
          return subject === who?.id ? t('event.assignedSelf', { by }) : t('event.assigned', { by, subject: named() });
        case 'transferred':
          return t('event.transferred', { by, subject: named() });
        case 'unassigned':
          return who === null ? t('event.unassignedByProgram') : t('event.unassigned', { by });
        case 'awoken':
          return t('event.awoken');
        default:
          return t(`event.${type}`, { by, subject });
      }
    },
  };
}
