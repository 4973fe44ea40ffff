import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { selectNewBuild, selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import { useOnline } from '@/lib/useOnline';
import { useAppSelector } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';
import { href } from '../paths';
import { useTrail } from '../useTrail';

const Banner = ({ tone, icon, children, action }: { tone: 'info' | 'warning'; icon: IconName; children: ReactNode; action?: ReactNode }) => (
  <div className="banner" role="status" data-tone={tone}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
    {action}
  </div>
);

const dayMs = 86_400_000;

/** Notices for every page: no network, an unprotected connection, a required second factor, a suspended site, a newer version. */
const Banners = () => {
  const { t } = useTranslation('frame');
  const online = useOnline();
  const session = useAppSelector(selectSession);
  const insecure = session?.insecureTransport ?? false;
  const newBuild = useAppSelector(selectNewBuild);
  const { params } = useTrail();
  const site = useAppSelector((state) => selectSite(state, params['siteId']));
  return (
    <>
      {!online && (
        <Banner tone="warning" icon="warning">
          {t('banner.offline')}
        </Banner>
      )}
      {insecure && (
        <Banner tone="warning" icon="warning">
          {t('banner.insecure')}
        </Banner>
      )}
      {session?.enrolment === 'due' && session.enrolBy !== null && (
        <Banner tone="warning" icon="warning" action={<Link to={`${href('account.center')}?tab=security`}>{t('banner.enrolNow')}</Link>}>
          {t('banner.enrolDue', { count: Math.max(1, Math.ceil((Date.parse(session.enrolBy) - Date.parse(session.serverTime)) / dayMs)) })}
        </Banner>
      )}
      {site?.state === 'suspended' && (
        <Banner tone="warning" icon="warning">
          {site.suspendedReason === null ? t('banner.suspended') : t('banner.suspendedFor', { reason: site.suspendedReason })}
        </Banner>
      )}
      {newBuild !== null && (
        <Banner
          tone="info"
          icon="refresh"
          action={
            <button type="button" onClick={() => location.reload()}>
              {t('banner.reload')}
            </button>
          }
        >
          {t('banner.newVersion')}
        </Banner>
      )}
    </>
  );
};

export default Banners;
