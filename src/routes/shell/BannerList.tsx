import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';
import { href } from '../paths';

const Banner = ({ tone, icon, children, action }: { tone: 'info' | 'warning'; icon: IconName; children: ReactNode; action?: ReactNode }) => (
  <div className="banner" role="status" data-tone={tone}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
    {action}
  </div>
);

/** What the console has to say on every page. */
export type BannerState = {
  readonly offline: boolean;
  readonly insecure: boolean;
  /** Days in which a second factor must be set up; null: none is due. */
  readonly enrolDays: number | null;
  /** The suspension of the site that is open. */
  readonly suspension: { readonly reason: string | null } | null;
  readonly newVersion: boolean;
};

/** The banners themselves. Its messages are in `frame`. */
export default function BannerList({ offline, insecure, enrolDays, suspension, newVersion }: BannerState): ReactElement {
  const { t } = useTranslation('frame');
  return (
    <>
      {offline && (
        <Banner tone="warning" icon="warning">
          {t('banner.offline')}
        </Banner>
      )}
      {insecure && (
        <Banner tone="warning" icon="warning">
          {t('banner.insecure')}
        </Banner>
      )}
      {enrolDays !== null && (
        <Banner tone="warning" icon="warning" action={<Link to={`${href('account.center')}?tab=security`}>{t('banner.enrolNow')}</Link>}>
          {t('banner.enrolDue', { count: enrolDays })}
        </Banner>
      )}
      {suspension !== null && (
        <Banner tone="warning" icon="warning">
          {suspension.reason === null ? t('banner.suspended') : t('banner.suspendedFor', { reason: suspension.reason })}
        </Banner>
      )}
      {newVersion && (
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
}
