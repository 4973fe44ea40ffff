import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';
import { Popup } from '@/ui/Popup';
import { noticesRead, selectHistory } from './noticesSlice';
import { useNoticeMessage } from './useNoticeMessage';

const Head = styled('p')({ padding: '10px 14px 6px', fontWeight: 600 });
const Row = styled('div')({
  padding: '8px 14px',
  borderTop: '1px solid var(--line)',
  '& > small': { display: 'flex', gap: 8, alignItems: 'center', color: 'var(--ink-2)' },
  '&[data-tone="bad"] > p::before': { content: '"! "', color: 'var(--bad)', fontWeight: 600 },
});
const None = styled('p')({ padding: '4px 14px 16px', color: 'var(--ink-2)' });

/** The notices of this page since it was opened. */
const NoticesPanel = ({ anchor, onClose }: { anchor: HTMLElement; onClose: () => void }) => {
  const { t } = useTranslation(['shell', 'frame', 'ui']);
  const { relative } = useFormat();
  const messageOf = useNoticeMessage();
  const dispatch = useAppDispatch();
  const history = useAppSelector(selectHistory);
  useEffect(() => {
    dispatch(noticesRead());
  }, [dispatch, history.length]);
  return (
    <Popup anchor={anchor} onClose={onClose} label={t('notices')} align="end" width={340}>
      <Head>{t('notices')}</Head>
      {history.length === 0 && <None>{t('frame:notices.none')}</None>}
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
