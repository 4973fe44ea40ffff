import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, Conversation, ConversationMessage } from '@contract/support/conversations';
import { useFormat } from '@/lib/format';
import { PlainButton } from '@/ui/PlainButton';
import { useOutgoing, useOutgoingOf } from '../useOutgoing';
import { useConversationLabels } from '../useConversationLabels';
import { useNow } from '../useNow';
import { MessageItem, OutgoingItem } from './MessageItem';

/** Nearer to the end than this many px, new messages scroll into view. */
const nearEnd = 120;

const scrollTo = (element: HTMLElement, top: number): void => {
  element.scrollTop = top;
};

/** Stays at the end while somebody reads the latest messages, and in place when earlier ones are added above. `start`, `end`: first and last messages. */
function useScrolling(box: RefObject<HTMLDivElement | null>, start: number | undefined, end: string) {
  const atEnd = useRef(true);
  const height = useRef(0);
  const firstSeq = useRef(start);
  const [isBehind, setBehind] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (firstSeq.current !== undefined && start !== undefined && start < firstSeq.current)
      scrollTo(element, element.scrollTop + element.scrollHeight - height.current);
    else if (atEnd.current) scrollTo(element, element.scrollHeight);
    else setBehind(true);
    firstSeq.current = start;
    height.current = element.scrollHeight;
  }, [box, start, end]);
  return {
    isBehind,
    onScroll(): void {
      const element = box.current;
      if (!element) return;
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd;
      if (atEnd.current) setBehind(false);
    },
    toEnd(): void {
      box.current?.scrollTo({ top: box.current.scrollHeight });
      setBehind(false);
    },
  };
}

type Props = {
  readonly siteId: string;
  readonly conversation: Conversation;
  readonly rows: readonly ConversationMessage[];
  readonly me: string;
  readonly agents: readonly Agent[];
  readonly hasEarlier: boolean;
  readonly onEarlier: () => Promise<void>;
  readonly typing: boolean;
};

/** Messages by day, unsent ones behind them. */
export function MessageList({ siteId, conversation, rows, me, agents, hasEarlier, onEarlier, typing }: Props): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const labels = useConversationLabels();
  const queue = useOutgoing();
  const outgoing = useOutgoingOf(conversation.id);
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [loading, setLoading] = useState(false);
  const last = rows.at(-1);
  const { isBehind, onScroll, toEnd } = useScrolling(box, rows[0]?.seq, `${String(last?.seq)} ${outgoing.at(-1)?.clientId ?? ''} ${String(typing)}`);
  const visitorName = labels.name(conversation);
  const acknowledged = new Set(rows.map(({ clientId }) => clientId));
  const lastRead = rows.findLast(
    ({ author, kind, seq }) => author === 'agent' && (kind === 'text' || kind === 'file') && seq <= conversation.visitorReadSeq,
  )?.seq;
  const days = rows.map(({ at }) => format.date(at));
  const earlier = async (): Promise<void> => {
    setLoading(true);
    await onEarlier();
    setLoading(false);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the keyboard
    <div className="support-scroll" ref={box} onScroll={onScroll} tabIndex={0} role="log" aria-label={t('message.label', { name: visitorName })}>
      {hasEarlier && (
        <p className="support-more">
          <PlainButton aria-busy={loading} onClick={() => void earlier()}>
            {t('message.earlier')}
          </PlainButton>
        </p>
      )}
      <ol className="support-messages">
        {rows.map((message, at) => (
          <DayAndMessage key={message.seq} day={days[at] === days[at - 1] ? null : (days[at] ?? null)}>
            <MessageItem
              siteId={siteId}
              conversation={conversation.id}
              message={message}
              me={me}
              now={now}
              visitorName={visitorName}
              agents={agents}
              isLastRead={message.seq === lastRead}
            />
          </DayAndMessage>
        ))}
        {outgoing
          .filter(({ clientId }) => !acknowledged.has(clientId))
          .map((entry) => (
            <OutgoingItem key={entry.clientId} entry={entry} onRetry={() => queue.retry(entry.clientId)} onRemove={() => queue.remove(entry.clientId)} />
          ))}
      </ol>
      {typing && (
        <p className="support-typing" role="status">
          {t('message.typing', { name: visitorName })}
        </p>
      )}
      {isBehind && (
        <PlainButton className="plain-button support-to-end" onClick={toEnd}>
          {t('message.newBelow')}
        </PlainButton>
      )}
    </div>
  );
}

const DayAndMessage = ({ day, children }: { readonly day: string | null; readonly children: ReactElement }): ReactElement => (
  <>
    {day !== null && <li className="support-day">{day}</li>}
    {children}
  </>
);
