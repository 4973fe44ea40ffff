import { keyframes, styled } from '@mui/material/styles';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { Icon } from '@/ui/Icon';
import { noticeDismissed, selectNotices } from './noticesSlice';
import type { Notice, NoticeTone } from './noticesSlice';
import { useNoticeWords } from './useWords';

const rise = keyframes({ from: { opacity: 0, transform: 'translateY(8px)' }, to: { opacity: 1, transform: 'none' } });
const Corner = styled('div')({ position: 'fixed', left: 16, bottom: 16, zIndex: 70, maxWidth: 'calc(100vw - 32px)' });
const Toast = styled('div')({
  display: 'flex', alignItems: 'center', gap: 12, minHeight: 44, padding: '6px 8px 6px 14px', maxWidth: 520, borderRadius: 6, background: 'var(--n-9)', color: 'var(--n-0)', boxShadow: 'var(--shadow)', animation: `${rise} 160ms var(--ease)`,
  '& > p': { overflowWrap: 'anywhere' },
  '& button': { border: 0, background: 'transparent', color: 'inherit', cursor: 'pointer', padding: '6px 8px', borderRadius: 4, fontWeight: 600, display: 'inline-flex', alignItems: 'center', whiteSpace: 'nowrap', '&:hover': { background: 'rgb(128 128 128 / 25%)', color: 'inherit' } },
  '&[data-tone="bad"] > svg:first-of-type': { color: '#ff8178' }, '&[data-tone="good"] > svg:first-of-type': { color: '#5cc384' }, '&[data-tone="warning"] > svg:first-of-type': { color: '#dba73b' },
});
const icons = { info: 'info', good: 'check', warning: 'warning', bad: 'warning' } as const satisfies Record<NoticeTone, string>;

const One = ({ notice }: { notice: Notice }) => {
  const { t } = useTranslation('shell');
  const words = useNoticeWords();
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
    <Toast data-tone={notice.tone} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <Icon name={icons[notice.tone]} />
      <p>{words(notice.words)}</p>
      {notice.requestId !== undefined && <CopyButton text={notice.requestId} label={t('copyRequestId')} />}
      {action && (
        <button
          type="button"
          onClick={() => {
            dispatch(action.does);
            close();
          }}
        >
          {words(action.words)}
        </button>
      )}
      <button type="button" aria-label={t('dismiss')} onClick={close}>
        <Icon name="close" size={16} />
      </button>
    </Toast>
  );
};

/** One notice at a time, the newest; bad news stays until it is dismissed. Read aloud when it appears. */
export const NoticeHost = () => {
  const notice = useAppSelector(selectNotices).at(-1);
  return (
    <Corner role={notice?.tone === 'bad' ? 'alert' : 'status'}>
      {notice && <One key={notice.id} notice={notice} />}
    </Corner>
  );
};
