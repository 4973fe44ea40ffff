import { useEffect, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Conversation } from '@contract/support/conversations';
import { useFormat } from '@/lib/format';
import { Avatar } from '@/ui/Avatar';
import { Tag } from '@/ui/Tag';
import { useConversationLabels } from '../useConversationLabels';

/** From this share of the time to answer on, a waiting visitor is marked as a warning. */
const warnShare = 1 / 6;

type Props = {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly selecting: boolean;
  readonly now: number;
  /** The site's time to answer. */
  readonly replyMinutes: number;
  readonly to: string;
  readonly onSelect: ((id: string) => void) | null;
};

/** Since when the visitor waits, coloured by its length; without anybody waiting, the time of the last message. */
function Time({ conversation, now, replyMinutes }: Pick<Props, 'conversation' | 'now' | 'replyMinutes'>): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  const { waitingSince, answerDueAt, lastMessageAt, state } = conversation;
  if (waitingSince === null || state !== 'open')
    return (
      <time dateTime={lastMessageAt} title={format.dateTime(lastMessageAt)}>
        {now - Date.parse(lastMessageAt) < 60_000 ? t('list.justNow') : format.relative(lastMessageAt, now)}
      </time>
    );
  const waited = Math.max(0, now - Date.parse(waitingSince));
  // Only the hours of the site count.
  const left = answerDueAt === null ? Infinity : Date.parse(answerDueAt) - now;
  const tone = left <= 0 ? 'bad' : left <= replyMinutes * 60_000 * (1 - warnShare) ? 'warning' : undefined;
  const minutes = Math.floor(waited / 60_000);
  const text =
    minutes < 1
      ? t('list.justNow')
      : minutes < 60
        ? t('list.waits', { minutes })
        : minutes < 1440
          ? t('list.waitsHours', { hours: Math.floor(minutes / 60) })
          : t('list.waitsDays', { days: Math.floor(minutes / 1440) });
  return (
    <time dateTime={waitingSince} data-tone={tone} title={t('list.waitsSince', { time: format.dateTime(waitingSince) })}>
      {text}
    </time>
  );
}

/** One conversation of the list: who, the last message, and how long they have waited. */
export function ConversationRow({ conversation, isOpen, isSelected, selecting, now, replyMinutes, to, onSelect }: Props): ReactElement {
  const { t } = useTranslation('support');
  const labels = useConversationLabels();
  const link = useRef<HTMLAnchorElement>(null);
  // Keys open conversations that are out of sight.
  useEffect(() => {
    if (!isOpen) return;
    link.current?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement?.closest('.support-row')) link.current?.focus({ preventScroll: true });
  }, [isOpen]);
  const { id, unread, assignee, kind, priority, visitor } = conversation;
  const name = labels.name(conversation);
  const text = labels.lastMessage(conversation);
  return (
    <li className="support-row" data-open={isOpen || undefined} data-unread={unread > 0 || undefined} data-selecting={selecting || undefined}>
      {onSelect && (
        <label className="support-pick">
          <input type="checkbox" checked={isSelected} aria-label={t('list.select', { name })} onChange={() => onSelect(id)} />
        </label>
      )}
      <Link ref={link} to={to} preventScrollReset aria-current={isOpen ? 'true' : undefined} data-conversation={id}>
        <span className="support-face" data-online={visitor.online || undefined}>
          <Avatar name={labels.face(conversation)} size={32} />
        </span>
        <span className="support-row-text">
          <span>
            <b dir="auto" title={name}>
              {name}
            </b>
            {visitor.online && <span className="only-read">{t('visitor.online')}</span>}
            <Time conversation={conversation} now={now} replyMinutes={replyMinutes} />
          </span>
          <span>
            <span dir="auto" title={text}>
              {text}
            </span>
            {unread > 0 && <em aria-label={t('list.unread', { count: unread })}>{unread > 99 ? '99+' : unread}</em>}
          </span>
          {(kind === 'form' || assignee !== null || priority === 'high' || priority === 'urgent') && (
            <span className="support-row-marks">
              {kind === 'form' && <Tag tone="info">{t('kind.form')}</Tag>}
              {(priority === 'high' || priority === 'urgent') && <Tag tone={priority === 'urgent' ? 'bad' : 'warning'}>{t(`priority.${priority}`)}</Tag>}
              {assignee !== null && <small>{assignee.name}</small>}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
