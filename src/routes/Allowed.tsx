import type { ReactElement } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { NotFound } from './errors';
import { mayOpen } from './railModel';
import type { RouteNode } from './types';
import { useRights } from './useRights';

/** A screen that the rail hides is not found at its address either; a screen whose permission is lost disappears while it is open. */
export const Allowed = ({ node }: { readonly node: RouteNode }): ReactElement => {
  const { siteId } = useParams();
  return mayOpen(node, useRights(siteId)) ? <Outlet /> : <NotFound />;
};
