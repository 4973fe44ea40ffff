import { Suspense, lazy } from 'react';
import type { ReactElement } from 'react';
import { selectNewBuild, selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import { withMessages } from '@/i18n';
import { useOnline } from '@/lib/useOnline';
import { useAppSelector } from '@/store/hooks';
import { useTrail } from '../useTrail';
import type { BannerState } from './BannerList';

/** `Background` calls it before there is a banner: the first may say that the network is down. */
export const loadBanners = () => withMessages(import(/* webpackChunkName: "background" */ './BannerList'), ['frame']);
const BannerList = lazy(loadBanners);

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
    <Suspense fallback={null}>
      <BannerList {...state} />
    </Suspense>
  );
}
