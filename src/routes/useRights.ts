import { useMemo } from 'react';
import { mayOnSite } from '@contract/permissions';
import { useAppSelector } from '@/store/hooks';
import { selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import type { Rights } from './railModel';

/** What the person may do here: the server decides, the console hides. */
export function useRights(siteId: string | undefined): Rights {
  const can = useAppSelector(selectSession)?.can;
  const role = useAppSelector((state) => selectSite(state, siteId)?.role);
  return useMemo<Rights>(
    () => ({ instance: (action) => can?.includes(action) ?? false, site: (action) => role !== undefined && mayOnSite(role, action) }),
    [can, role],
  );
}
