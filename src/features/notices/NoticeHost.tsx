import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { lazyPart } from '@/ui/lazyPart';
import { noticeDismissed, selectNotices } from './noticesSlice';
import type { Notice, NoticeTone } from './noticesSlice';
import { useNoticeMessage } from './useNoticeMessage';

const icons = { info: 'info', good: 'check', warning: 'warning', bad: 'warning' } as const satisfies Record<NoticeTone, string>;

/** Only failures have details to copy. */
const CopyButton = lazyPart(
  () => import(/* webpackChunkName: "error-pages" */ '@/ui/CopyButton').then((part) => part.CopyButton),
  () => null,
);

const NoticeBar = ({ notice }: { notice: Notice }) => {
  const { t } = useTranslation(['shell', 'ui']);
  const messageOf = useNoticeMessage();
  const dispatch = useAppDispatch();
  const [held, setHeld] = useState(false);
  const close = () => dispatch(noticeDismissed(notice.id));
  useEffect(() => {
    if (notice.for === null || held) return;
    const timer = setTimeout(() => dispatch(noticeDismissed(notice.id)), notice.for);
    return () => clearTimeout(timer);
  }, [dispatch, notice, held]);
  const { action } = notice;
  return (
    <div
      className="notice"
      data-tone={notice.tone}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={icons[notice.tone]} />
      <p>{messageOf(notice.message)}</p>
      {notice.requestId !== undefined && <CopyButton text={notice.requestId} label={t('ui:copyRequestId')} />}
      {action && (
        <button
          type="button"
          onClick={() => {
            dispatch(action.does);
            close();
          }}
        >
          {messageOf(action.message)}
        </button>
      )}
      <button type="button" aria-label={t('dismiss')} onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </div>
  );
};

/** The hosts on the page, in the order in which they appeared. */
let hosts: readonly object[] = [];
const listeners = new Set<() => void>();
const setHosts = (next: readonly object[]): void => {
  hosts = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Whether this host appeared last. A modal dialog covers the others, and hides them from screen readers. */
function useIsOnTop(): boolean {
  const [self] = useState(() => ({}));
  useEffect(() => {
    setHosts([...hosts, self]);
    return () => setHosts(hosts.filter((host) => host !== self));
  }, [self]);
  return useSyncExternalStore(subscribe, () => hosts.at(-1)) === self;
}

/**
 * One notice at a time, the newest; errors stay until dismissed. Announced when it appears. The shell renders one host, and so must every modal dialog that
 * shows notices while it stays open.
 */
export const NoticeHost = () => {
  const isOnTop = useIsOnTop();
  const newest = useAppSelector(selectNotices).at(-1);
  const notice = isOnTop ? newest : undefined;
  return (
    <div className="notice-host" role={notice?.tone === 'bad' ? 'alert' : 'status'}>
      {notice && <NoticeBar key={notice.id} notice={notice} />}
    </div>
  );
};
