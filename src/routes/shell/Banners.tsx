import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { selectNewBuild, selectSession } from '@/features/session/sessionSlice';
import { useOnline } from '@/lib/useOnline';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

const Banner = ({ tone, icon, children, action }: { tone: 'info' | 'warning'; icon: IconName; children: ReactNode; action?: ReactNode }) => (
  <div className="banner" role="status" data-tone={tone}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
    {action}
  </div>
);

/** What concerns every page: no network, an unprotected connection, a newer version. */
export const Banners = () => {
  const { t } = useTranslation('shell');
  const online = useOnline();
  const insecure = useAppSelector(selectSession)?.insecureTransport ?? false;
  const newBuild = useAppSelector(selectNewBuild);
  return (
    <>
      {!online && (
        <Banner tone="warning" icon="warning">
          {t('offline')}
        </Banner>
      )}
      {insecure && (
        <Banner tone="warning" icon="warning">
          {t('insecure')}
        </Banner>
      )}
      {newBuild !== null && (
        <Banner
          tone="info"
          icon="refresh"
          action={
            <button type="button" onClick={() => location.reload()}>
              {t('reload')}
            </button>
          }
        >
          {t('newVersion')}
        </Banner>
      )}
    </>
  );
};
