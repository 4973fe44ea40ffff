import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, Conversation } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { isFailure } from '@/lib/failure';
import { EmptyState } from '@/ui/EmptyState';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { Bone } from '@/ui/skeletons';
import { useCannedRepliesQuery, useSupportConversationQuery } from '../supportApi';
import { othersOn } from '../useAgentPresence';
import { useConversationActions } from '../useConversationActions';
import { Composer } from './Composer';
import { BackButton, ConversationHeader } from './ConversationHeader';
import { MessageList } from './MessageList';
import { useMessages, useReading, useVisitorTyping } from './useMessages';

export type PaneProps = {
  readonly site: Site;
  readonly agents: readonly Agent[];
  readonly mayReply: boolean;
  readonly mayConfigure: boolean;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly onTyping: () => void;
  /** On a phone: back to the list. */
  readonly onBack: (() => void) | null;
  /** Opens the visitor beside the conversation; null if that pane is always there. */
  readonly onVisitor: (() => void) | null;
  readonly onClose: () => void;
};

const MessagesSkeleton = (): ReactElement => (
  <div className="support-scroll" aria-hidden="true">
    {['45%', '60%', '30%', '52%'].map((width, at) => (
      <Bone key={width} w={width} h={40} style={{ margin: at % 2 === 0 ? '12px 0' : '12px 0 12px auto' }} />
    ))}
  </div>
);

/** “X is answering too”, and why no answer will arrive. */
function Hints({
  conversation,
  agents,
  me,
}: {
  readonly conversation: Conversation;
  readonly agents: readonly Agent[];
  readonly me: string;
}): ReactElement | null {
  const { t } = useTranslation('support');
  const { viewing, typing } = othersOn(agents, conversation.id, me);
  const names = (list: readonly Agent[]): string => list.map(({ name }) => name).join(t('hint.and'));
  if (typing.length > 0)
    return (
      <p className="support-hint" data-tone="warning" role="status">
        {t('hint.typing', { names: names(typing), count: typing.length })}
      </p>
    );
  if (viewing.length > 0)
    return (
      <p className="support-hint" role="status">
        {t('hint.viewing', { names: names(viewing), count: viewing.length })}
      </p>
    );
  return null;
}

/** Why a message cannot simply be answered here. */
function StateHint({ conversation }: { readonly conversation: Conversation }): ReactElement | null {
  const { t } = useTranslation('support');
  if (conversation.state === 'spam') return <p className="support-hint">{t('hint.spam')}</p>;
  if (conversation.kind === 'form')
    return <p className="support-hint">{t(conversation.visitor.email === '' ? 'hint.formWithoutMail' : 'hint.form', { email: conversation.visitor.email })}</p>;
  return null;
}

function Opened({ conversation, ...props }: PaneProps & { readonly conversation: Conversation }): ReactElement {
  const { t } = useTranslation('support');
  const { site, agents, mayReply, inputRef, onTyping } = props;
  const { id } = conversation;
  const session = useAppSelector(selectSession);
  const me = session?.userId ?? '';
  const { result, hasEarlier, loadEarlier } = useMessages(site.id, id, conversation.version);
  const lastSeq = result.currentData?.rows.at(-1)?.seq ?? 0;
  useReading(site.id, conversation, lastSeq, mayReply);
  const typing = useVisitorTyping(site.id, id);
  const canned = useCannedRepliesQuery({ siteId: site.id }, { skip: !mayReply });
  const actions = useConversationActions(site.id, conversation, lastSeq);
  const ownName = agents.find((agent) => agent.id === me)?.name ?? '';
  return (
    <>
      <ConversationHeader {...props} conversation={conversation} actions={actions} />
      <Hints conversation={conversation} agents={agents} me={me} />
      <ResultState result={result} skeleton={<MessagesSkeleton />}>
        {(messages) => (
          <MessageList
            siteId={site.id}
            conversation={conversation}
            rows={messages.rows}
            me={me}
            agents={agents}
            hasEarlier={hasEarlier}
            onEarlier={loadEarlier}
            typing={typing}
          />
        )}
      </ResultState>
      <StateHint conversation={conversation} />
      {mayReply ? (
        <Composer
          siteId={site.id}
          conversation={id}
          lastSeq={lastSeq}
          onTyping={onTyping}
          canned={canned.currentData ?? []}
          values={{
            'visitor.name': conversation.visitor.name,
            'visitor.email': conversation.visitor.email,
            'agent.name': ownName,
            'site.name': site.name,
            'conversation.number': String(conversation.number),
          }}
          acceptsFiles={conversation.state !== 'spam'}
          inputRef={inputRef}
        />
      ) : (
        <p className="support-hint">{t('hint.readOnly')}</p>
      )}
    </>
  );
}

/** One conversation: who, what was said, and the answer. */
export function ConversationPane({ id, ...props }: PaneProps & { readonly id: string }): ReactElement {
  const { t } = useTranslation('support');
  const result = useSupportConversationQuery({ siteId: props.site.id, id });
  const { error } = result;
  const gone = isFailure(error) && error.status === 404;
  if (gone || result.currentData?.removed === true)
    return <EmptyState title={t('conversation.gone')} action={<PlainButton onClick={props.onClose}>{t('conversation.toList')}</PlainButton>} />;
  // The way back is there before the conversation, and without it.
  const back = result.currentData === undefined && props.onBack !== null && (
    <header className="support-header">
      <BackButton onBack={props.onBack} />
    </header>
  );
  return (
    <>
      {back}
      <ResultState result={result} skeleton={<MessagesSkeleton />}>
        {(conversation) => <Opened key={conversation.id} {...props} conversation={conversation} />}
      </ResultState>
    </>
  );
}
