import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { Popup } from '@/ui/Popup';
import { PlainButton } from '@/ui/PlainButton';
import { useReadNoticesMutation } from './noticesApi';
import { noticesRead, selectHistory, selectStored } from './noticesSlice';
import { StoredNotices } from './StoredNotices';
import { useNoticeMessage } from './useNoticeMessage';

const Head = styled('div')({
  display: 'flex',
  justifyContent: 'space-between',
  alignItems: 'center',
  minHeight: 44,
  padding: '6px 14px',
  '& > p': { fontWeight: 600 },
});
const Row = styled('div')({
  padding: '8px 14px',
  borderTop: '1px solid var(--line)',
  '& > small': { display: 'flex', gap: 8, alignItems: 'center', color: 'var(--ink-2)' },
  '&[data-tone="bad"] > p::before': { content: '"! "', color: 'var(--bad)', fontWeight: 600 },
});
const None = styled('p')({ padding: '4px 14px 16px', color: 'var(--ink-2)' });

/** Stored notices, which stay unread until they are opened or marked, and those of this page since it was opened. */
const NoticesPanel = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame', 'ui']);
  const { relative } = useFormat();
  const messageOf = useNoticeMessage();
  const dispatch = useAppDispatch();
  const history = useAppSelector(selectHistory);
  const stored = useAppSelector(selectStored);
  const [read] = useReadNoticesMutation();
  useEffect(() => {
    dispatch(noticesRead());
  }, [dispatch, history.length]);
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('notices')} align="end" width={340}>
      <Head>
        <p>{t('notices')}</p>
        {stored.some((notice) => !notice.read) && (
          <PlainButton type="button" onClick={() => void read({ body: {} })}>
            {t('frame:notices.markRead')}
          </PlainButton>
        )}
      </Head>
      {history.length + stored.length === 0 && <None>{t('frame:notices.none')}</None>}
      <StoredNotices
        notices={stored}
        onOpen={(notice) => {
          if (!notice.read) void read({ body: { ids: [notice.id] } });
          onClose();
        }}
      />
      {history.map((notice) => (
        <Row key={notice.id} data-tone={notice.tone}>
          <p>{messageOf(notice.message)}</p>
          <small>
            {relative(notice.at)}
            {notice.requestId !== undefined && (
              <CopyButton text={notice.requestId} label={t('ui:copyRequestId')}>
                {notice.requestId}
              </CopyButton>
            )}
          </small>
        </Row>
      ))}
    </Popup>
  );
};

export default NoticesPanel;
