import type { ComponentType } from 'react';
import { Navigate, createBrowserRouter, createPath, redirect, useLocation } from 'react-router-dom';
import type { RouteObject } from 'react-router-dom';
import { ensureMessages } from '@/i18n';
import { Allowed } from './Allowed';
import { withReload } from './loadPart';
import { tree } from './config';
import { NotFoundInside, NotFoundPlain } from './NotFound';
import { AppError, RouteError } from './RouteError';
import { SiteBoundary } from './SiteBoundary';
import { FirstPart, Shell } from './shell/Shell';
import type { RouteNode } from './types';

/** `/site/x/als?range=today` → `/site/x/als/overview?range=today`, where the node says so. */
const Redirect = ({ to, keepQuery }: { to: string; keepQuery: boolean }) => {
  const { search, hash } = useLocation();
  return <Navigate replace to={{ pathname: to, ...(keepQuery ? { search, hash } : {}) }} />;
};

/** The address a reader is on the way to while its part loads; the address bar still shows the one they are leaving. */
type Going = () => string | null;

const lazyOf = (node: RouteNode, going: Going) => async (): Promise<{ Component: ComponentType }> => {
  const { load } = node;
  if (!load) throw new Error(`Route ${node.id} has no page`);
  const [page] = await withReload(() => Promise.all([load(), ensureMessages(node.messages)]), going);
  return { Component: page.Component };
};

function toRoute(node: RouteNode, going: Going): RouteObject {
  const children = (node.children ?? []).map((child) => toRoute(child, going));
  if (node.notFoundInside) children.push({ path: '*', element: <NotFoundInside /> });
  const index: RouteObject[] =
    node.redirect !== undefined
      ? [{ index: true, element: <Redirect to={node.redirect} keepQuery={node.keepQuery ?? false} /> }]
      : node.load
        ? [{ index: true, lazy: lazyOf(node, going) }]
        : [];
  return {
    id: node.id,
    path: node.path,
    handle: node,
    ...(node.id === 'site' ? { element: <SiteBoundary /> } : node.needs ? { element: <Allowed needs={node.needs} /> } : {}),
    children: [...index, ...children],
  };
}

/**
 * Errors are shown by a pathless, eager parent of the lazy routes: a boundary on the lazy route itself would stay blank when its part
 * cannot be loaded (react-router 7.18).
 */
export const makeRoutes = (going: Going = () => null): RouteObject[] => [
  {
    errorElement: <AppError />,
    children: [
      { index: true, loader: () => redirect('/home') },
      {
        element: <Shell />,
        children: [{ errorElement: <RouteError />, hydrateFallbackElement: <FirstPart />, children: tree.map((node) => toRoute(node, going)) }],
      },
      { path: '*', element: <NotFoundPlain /> },
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
