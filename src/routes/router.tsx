import type { ComponentType } from 'react';
import { Navigate, Outlet, createBrowserRouter, createPath, redirect, useLocation, useParams } from 'react-router-dom';
import type { RouteObject } from 'react-router-dom';
import { ensureMessages } from '@/i18n';
import { loadMui } from '@/theme/mui';
import { Allowed } from './Allowed';
import { withReload } from './loadPart';
import { tree } from './config';
import { fill, flatTree } from './paths';
import { landingPath } from './railModel';
import { AppError, RouteError, errorPages } from './errors';
import { SiteBoundary } from './SiteBoundary';
import { FirstPart, Shell } from './shell/Shell';
import type { RouteNode } from './types';
import { useRights } from './useRights';

/** `/site/x/als?range=today` → `/site/x/als/overview?range=today`; a role without access to that page is redirected to the first one it may see. */
const Redirect = ({ node }: { node: RouteNode }) => {
  const { search, hash } = useLocation();
  const { siteId } = useParams();
  return <Navigate replace to={{ pathname: landingPath(node, useRights(siteId)), ...(node.keepQuery ? { search, hash } : {}) }} />;
};

/** `/site/x/als/imports?tab=a` → `/site/x/setting/imports?tab=a`, where the page is now. */
const Moved = ({ id }: { readonly id: string }) => {
  const { search, hash } = useLocation();
  const params = useParams();
  const path = flatTree.find(({ node }) => node.id === id)?.path;
  return <Navigate replace to={{ pathname: (path === undefined ? null : fill(path, params)) ?? '/', search, hash }} />;
};

/** The address being navigated to while its part loads; the address bar still shows the previous one. */
type Going = () => string | null;

const lazyOf = (node: RouteNode, going: Going) => async (): Promise<{ Component: ComponentType }> => {
  const { load } = node;
  if (!load) throw new Error(`Route ${node.id} has no page`);
  const [page] = await withReload(() => Promise.all([load(), ensureMessages(node.messages)]), going);
  return { Component: page.Component };
};

/** Pages with MUI: its theme stays while the reader moves between them. */
const withTheme = (children: RouteObject[], going: Going): RouteObject => ({
  lazy: async () => {
    const { MuiLook } = await withReload(loadMui, going);
    return {
      element: (
        <MuiLook>
          <Outlet />
        </MuiLook>
      ),
    };
  },
  children,
});

/** An unknown address keeps the frame of its parent: that of a site still shows the site's sections. */
const unknown = (going: Going): RouteObject => ({
  path: '*',
  handle: { id: 'unknown', path: '*', title: 'unknown' } satisfies RouteNode,
  lazy: async () => ({ Component: (await withReload(errorPages, going)).NotFound }),
});

function toRoute(node: RouteNode, going: Going): RouteObject {
  if (node.movedTo !== undefined) return { id: node.id, path: node.path, handle: node, element: <Moved id={node.movedTo} /> };
  const children = node.plain ? themed(node.children ?? [], going) : (node.children ?? []).map((child) => toRoute(child, going));
  if (node.children) children.push(unknown(going));
  const index: RouteObject[] =
    node.redirect !== undefined ? [{ index: true, element: <Redirect node={node} /> }] : node.load ? [{ index: true, lazy: lazyOf(node, going) }] : [];
  return {
    id: node.id,
    path: node.path,
    handle: node,
    ...(node.id === 'site' ? { element: <SiteBoundary /> } : node.needs ? { element: <Allowed node={node} /> } : {}),
    children: [...index, ...children],
  };
}

/** Pages that do without MUI beside those that need it. */
const themed = (nodes: readonly RouteNode[], going: Going): RouteObject[] => [
  ...nodes.filter((node) => node.plain).map((node) => toRoute(node, going)),
  withTheme(
    nodes.filter((node) => !node.plain).map((node) => toRoute(node, going)),
    going,
  ),
];

/**
 * Errors are shown by a pathless, eager parent of the lazy routes: an error boundary on the lazy route itself would stay blank if its part cannot be
 * loaded (react-router 7.18).
 */
export const makeRoutes = (going: Going = () => null): RouteObject[] => [
  {
    errorElement: <AppError />,
    children: [
      { index: true, loader: () => redirect('/home') },
      {
        element: <Shell />,
        children: [
          {
            errorElement: <RouteError />,
            hydrateFallbackElement: <FirstPart />,
            children: [...themed(tree, going), unknown(going)],
          },
        ],
      },
    ],
  },
];

export function makeRouter(): ReturnType<typeof createBrowserRouter> {
  const router = createBrowserRouter(
    makeRoutes(() => {
      const { location } = router.state.navigation;
      return location ? createPath(location) : null;
    }),
  );
  return router;
}
