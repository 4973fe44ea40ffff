import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
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

/**
 * Open dialogs of MUI. One that is closing stays in the page until it has disappeared, but the guard of the focus before its content is no tab stop any
 * more.
 */
const openDialogs = 'body > div > [tabindex="0"] + [aria-modal], body > div > [tabindex="0"] + * > [aria-modal]';
/** The topmost modal dialog: it covers everything outside itself, and hides it from screen readers. */
const topmostModal = (): Element | null => document.querySelector('.frame > dialog') ?? [...document.querySelectorAll(openDialogs)].at(-1) ?? null;

/** Dialogs of MUI are mounted in the body, those of the shell in its frame. One that closes returns the focus. */
function observeModals(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  for (const parent of document.querySelectorAll('body, .frame')) observer.observe(parent, { childList: true });
  document.addEventListener('focusin', onChange);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', onChange);
  };
}

/**
 * One notice at a time, the newest, in the topmost modal dialog if one is open; errors stay until dismissed. Announced when it appears. When a dialog opens
 * or closes, the element is moved rather than created again: the notice stays visible, and its timer continues.
 */
export const NoticeHost = () => {
  const modal = useSyncExternalStore(observeModals, topmostModal);
  const notice = useAppSelector(selectNotices).at(-1);
  const page = useRef<HTMLDivElement>(null);
  const [element] = useState(() => document.createElement('div'));
  useLayoutEffect(() => (modal ?? page.current)?.append(element), [modal, element]);
  return (
    <div ref={page} style={{ display: 'contents' }}>
      {createPortal(
        <div className="notice-host" role={notice?.tone === 'bad' ? 'alert' : 'status'}>
          {notice && <NoticeBar key={notice.id} notice={notice} />}
        </div>,
        element,
      )}
    </div>
  );
};
