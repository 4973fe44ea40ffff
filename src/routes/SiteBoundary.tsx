import { Outlet, useParams } from 'react-router-dom';
import { selectLoad, selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { NoSuchSite } from './NotFound';

/** Everything below `/site/:siteId` may rely on the site being in the list. */
export const SiteBoundary = () => {
  const { siteId } = useParams();
  const known = useAppSelector((state) => selectSite(state, siteId) !== undefined);
  const refreshing = useAppSelector((state) => selectLoad(state).refreshing);
  // A site made a moment ago elsewhere may be on its way.
  if (!known && refreshing) return null;
  return known ? <Outlet key={siteId} /> : <NoSuchSite />;
};
