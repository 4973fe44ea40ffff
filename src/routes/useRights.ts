import { useCallback, useMemo } from 'react';
import { mayOnSite } from '@contract/permissions';
import type { InstanceAction, SiteRole } from '@contract/permissions';
import { useAppSelector } from '@/store/hooks';
import { selectSession } from '@/features/session/sessionSlice';
import { selectSite, selectSites } from '@/features/sites/sitesSlice';
import type { Rights } from './railModel';

type HasRole = { readonly role: SiteRole };
const rightsOf = (can: readonly InstanceAction[] | undefined, role: SiteRole | undefined, sites: readonly HasRole[]): Rights => ({
  instance: (action) => can?.includes(action) ?? false,
  site: (action) => role !== undefined && mayOnSite(role, action),
  anySite: (action) => sites.some((site) => mayOnSite(site.role, action)),
});

/** The person's permissions here: the server decides, the console hides. */
export function useRights(siteId: string | undefined): Rights {
  const can = useAppSelector(selectSession)?.can;
  const role = useAppSelector((state) => selectSite(state, siteId)?.role);
  const sites = useAppSelector(selectSites);
  return useMemo(() => rightsOf(can, role, sites), [can, role, sites]);
}

/** The same for any site of the list, where the person may have another role. */
export function useRightsOn(): (site: HasRole) => Rights {
  const can = useAppSelector(selectSession)?.can;
  const sites = useAppSelector(selectSites);
  return useCallback((site) => rightsOf(can, site.role, sites), [can, sites]);
}
