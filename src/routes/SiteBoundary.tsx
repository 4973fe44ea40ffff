import { Outlet, useParams } from 'react-router-dom';
import { selectLoad, selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import { NoSuchSite } from './errors';

/** Guarantees that pages below `/site/:siteId` find the site in the list. */
export const SiteBoundary = () => {
  const { siteId } = useParams();
  const known = useAppSelector((state) => selectSite(state, siteId) !== undefined);
  const refreshing = useAppSelector((state) => selectLoad(state).refreshing);
  // A site just created elsewhere may still be loading.
  if (!known && refreshing) return null;
  return known ? <Outlet key={siteId} /> : <NoSuchSite />;
};
