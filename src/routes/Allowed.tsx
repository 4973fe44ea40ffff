import type { ReactElement } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { NotFound } from './NotFound';
import { mayOpen } from './railModel';
import type { RouteNode } from './types';
import { useRights } from './useRights';

/** A screen that the rail hides does not exist for this person at its address either; one that they may no longer see goes while it is open. */
export const Allowed = ({ node }: { readonly node: RouteNode }): ReactElement => {
  const { siteId } = useParams();
  return mayOpen(node, useRights(siteId)) ? <Outlet /> : <NotFound />;
};
