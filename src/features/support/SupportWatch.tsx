import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Conversation } from '@contract/support/conversations';
import { isActive } from '@contract/support/terms';
import type { Site } from '@contract/sites/schemas';
import { selectSession } from '@/features/session/sessionSlice';
import { ensureMessages } from '@/i18n';
import { href } from '@/routes/paths';
import { useAppSelector } from '@/store/hooks';
import './supportWatch.css';
import { useSupportQuery } from './supportApi';
import { raiseAlert, useTitleBadge } from './useAlerts';
import { useConversationLabels } from './useConversationLabels';
import { useSupportLive } from './useSupportLive';

/** Shows a number beside customer service in the rail. The rail is part of the first load and knows nothing about it: the style sheet reads the property. */
function useRailNumber(unread: number): void {
  useEffect(() => {
    if (unread === 0) return undefined;
    const { style, dataset } = document.documentElement;
    style.setProperty('--support-unread', `'${unread > 99 ? '99+' : String(unread)}'`);
    dataset['supportUnread'] = '';
    return () => {
      style.removeProperty('--support-unread');
      delete dataset['supportUnread'];
    };
  }, [unread]);
}

/** Behind every page of a site: keeps its conversations current, shows how many messages are unread, and raises the alerts that somebody switched on. */
export default function SupportWatch({ site }: { readonly site: Site }): null {
  const navigate = useNavigate();
  const labels = useConversationLabels();
  const me = useAppSelector(selectSession)?.userId;
  const address = href('site.cs', { siteId: site.id });
  const { currentData } = useSupportQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  const unread = currentData?.unread ?? 0;
  /** Time of the last message that raised an alert, by conversation. */
  const alerted = useRef(new Map<string, string>());
  const onRows = (rows: readonly Conversation[]): void => {
    // Unassigned conversations alert everybody, the others only their agent. A change without a new message, such as of the priority, alerts nobody.
    const waiting = rows.filter(
      ({ id, unread: count, state, lastMessage, lastMessageAt, assignee }) =>
        count > 0 &&
        isActive(state) &&
        lastMessage?.author === 'visitor' &&
        (assignee === null || assignee.id === me) &&
        alerted.current.get(id) !== lastMessageAt,
    );
    for (const row of waiting) alerted.current.set(row.id, row.lastMessageAt);
    if (waiting.length > 0) void alertOf(waiting).catch(() => undefined);
  };
  // Most pages see no alert, so that the messages load with the first.
  const alertOf = async (rows: readonly Conversation[]): Promise<void> => {
    await ensureMessages(['support']);
    for (const row of rows)
      void raiseAlert({
        id: `${row.id} ${row.lastMessageAt}`,
        title: `${labels.name(row)} · ${site.name}`,
        body: labels.lastMessage(row),
        tag: `support-${row.id}`,
        onOpen: () => void navigate(`${address}?conversation=${row.id}`),
      });
  };
  useSupportLive(site.id, currentData?.change, onRows);
  useTitleBadge(unread);
  useRailNumber(unread);
  return null;
}
