import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectNewBuild, selectSession } from '@/features/session/sessionSlice';
import { useOnline } from '@/lib/useOnline';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

const Strip = styled('div')({
  display: 'flex', alignItems: 'center', gap: 8, minHeight: 36, padding: '6px 24px', fontSize: '0.8125rem', borderBottom: '1px solid var(--line)',
  '&[data-tone="warning"]': { background: 'var(--warning-ground)', '& > svg': { color: 'var(--warning)' } },
  '&[data-tone="info"]': { background: 'var(--info-ground)', '& > svg': { color: 'var(--info)' } },
  '& > button': { marginLeft: 'auto', border: 0, background: 'transparent', color: 'var(--info)', fontWeight: 600, cursor: 'pointer', whiteSpace: 'nowrap' },
  '@media (max-width: 719px)': { padding: '6px 16px' },
});

const Banner = ({ tone, icon, children, action }: { tone: 'info' | 'warning'; icon: IconName; children: ReactNode; action?: ReactNode }) => (
  <Strip role="status" data-tone={tone}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
    {action}
  </Strip>
);

/** What concerns every page: no network, an unprotected connection, a newer version. */
export const Banners = () => {
  const { t } = useTranslation('shell');
  const online = useOnline();
  const insecure = useAppSelector(selectSession)?.insecureTransport ?? false;
  const newBuild = useAppSelector(selectNewBuild);
  return (
    <>
      {!online && <Banner tone="warning" icon="warning">{t('offline')}</Banner>}
      {insecure && <Banner tone="warning" icon="warning">{t('insecure')}</Banner>}
      {newBuild !== null && (
        <Banner tone="info" icon="refresh" action={<button type="button" onClick={() => location.reload()}>{t('reload')}</button>}>
          {t('newVersion')}
        </Banner>
      )}
    </>
  );
};
