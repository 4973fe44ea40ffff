import type { ComponentType } from 'react';
import { createBrowserRouter, redirect } from 'react-router-dom';
import type { SharedView } from '@contract/shares/schemas';
import { ensureMessages } from '@/i18n';
import { sharedBase } from '@/lib/sharedLink';
import { withReload } from '@/routes/loadPart';
import { flatTree } from '@/routes/paths';
import { RouteError } from '@/routes/ErrorPages';
import type { RouteNode } from '@/routes/types';
import { NotShared, SharedFrame } from './SharedFrame';

const lazyOf = (node: RouteNode) => async (): Promise<{ Component: ComponentType }> => {
  const { load } = node;
  if (!load) throw new Error(`Route ${node.id} has no page`);
  const [page] = await withReload(
    () => Promise.all([load(), ensureMessages([...(node.messages ?? [])])]),
    () => null,
  );
  return { Component: page.Component };
};

/** Screens of the share at their usual paths, below the share's base path, so that all links between screens work. */
export function makeSharedRouter(view: SharedView): ReturnType<typeof createBrowserRouter> {
  const siteId = view.site?.id ?? '';
  const shared = view.screens.flatMap((screen) => {
    const path = `/site/:siteId/als/${screen}`;
    const flat = flatTree.find((one) => one.path === path);
    return flat ? [{ ...flat, to: `/site/${siteId}/als/${screen}` }] : [];
  });
  const first = `${shared[0]?.to ?? '/'}?${view.view === '' ? `range=${view.preset}` : view.view}`;
  return createBrowserRouter(
    [
      {
        element: <SharedFrame view={view} screens={shared} />,
        children: [
          {
            errorElement: <RouteError />,
            hydrateFallbackElement: <p className="gate-line" />,
            children: [
              { index: true, loader: () => redirect(first) },
              ...shared.map(({ node, path }) => ({ path, handle: node, lazy: lazyOf(node) })),
              { path: '*', element: <NotShared to={first} /> },
            ],
          },
        ],
      },
    ],
    { basename: sharedBase },
  );
}
