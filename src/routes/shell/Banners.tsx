import { Suspense, lazy } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { selectNewBuild, selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import { withMessages } from '@/i18n';
import { useOnline } from '@/lib/useOnline';
import { useAppSelector } from '@/store/hooks';
import { useTrail } from '../useTrail';
import type { BannerState } from './BannerList';

/** Before the others have loaded, and where they cannot be: a page may be offline as soon as it is visible. */
const FirstBanner = ({ offline }: { readonly offline: boolean }): ReactElement | null => {
  const { t } = useTranslation('shell');
  return offline ? (
    <div className="banner" role="status" data-tone="warning">
      {t('offline')}
    </div>
  ) : null;
};

/** `Background` calls it before there is a banner: the first may say that the network is down. */
export const loadBanners = () => withMessages(import(/* webpackChunkName: "error-pages" */ './BannerList'), ['frame']);
const BannerList = lazy((): Promise<{ readonly default: ComponentType<BannerState> }> => loadBanners().catch(() => ({ default: FirstBanner })));

const dayMs = 86_400_000;

/** Notices for every page: no network, an unprotected connection, a required second factor, a suspended site, a newer version. Without any, their messages are not waited for. */
export default function Banners(): ReactElement | null {
  const online = useOnline();
  const session = useAppSelector(selectSession);
  const newBuild = useAppSelector(selectNewBuild);
  const { params } = useTrail();
  const site = useAppSelector((state) => selectSite(state, params['siteId']));
  const enrolBy = session?.enrolment === 'due' ? session.enrolBy : null;
  const state: BannerState = {
    offline: !online,
    insecure: session?.insecureTransport ?? false,
    enrolDays: session && enrolBy !== null ? Math.max(1, Math.ceil((Date.parse(enrolBy) - Date.parse(session.serverTime)) / dayMs)) : null,
    suspension: site?.state === 'suspended' ? { reason: site.suspendedReason } : null,
    newVersion: newBuild !== null,
  };
  if (!state.offline && !state.insecure && state.enrolDays === null && state.suspension === null && !state.newVersion) return null;
  return (
    <Suspense fallback={<FirstBanner offline={state.offline} />}>
      <BannerList {...state} />
    </Suspense>
  );
}
