import type { ReactElement } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { NotFoundInside } from './NotFound';
import type { RouteNode } from './types';
import { useRights } from './useRights';

/** A screen that the rail hides does not exist for this person at its address either; one that they may no longer see goes while it is open. */
export const Allowed = ({ needs }: { readonly needs: NonNullable<RouteNode['needs']> }): ReactElement => {
  const { siteId } = useParams();
  const rights = useRights(siteId);
  return ('instance' in needs ? rights.instance(needs.instance) : rights.site(needs.site)) ? <Outlet /> : <NotFoundInside />;
};
