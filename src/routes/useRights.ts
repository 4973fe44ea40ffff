import { useCallback, useMemo } from 'react';
import { mayOnSite } from '@contract/permissions';
import type { InstanceAction, SiteRole } from '@contract/permissions';
import { useAppSelector } from '@/store/hooks';
import { selectSession } from '@/features/session/sessionSlice';
import { selectSite } from '@/features/sites/sitesSlice';
import type { Rights } from './railModel';

const rightsOf = (can: readonly InstanceAction[] | undefined, role: SiteRole | undefined): Rights => ({
  instance: (action) => can?.includes(action) ?? false,
  site: (action) => role !== undefined && mayOnSite(role, action),
});

/** The person's permissions here: the server decides, the console hides. */
export function useRights(siteId: string | undefined): Rights {
  const can = useAppSelector(selectSession)?.can;
  const role = useAppSelector((state) => selectSite(state, siteId)?.role);
  return useMemo(() => rightsOf(can, role), [can, role]);
}

/** The same for any site of the list, where the person may have another role. */
export function useRightsOn(): (site: { readonly role: SiteRole }) => Rights {
  const can = useAppSelector(selectSession)?.can;
  return useCallback((site) => rightsOf(can, site.role), [can]);
}
