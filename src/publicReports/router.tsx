import type { ComponentType } from 'react';
import { createBrowserRouter, redirect } from 'react-router-dom';
import type { OpenReports } from '@contract/publicLinks/schemas';
import { ensureMessages } from '@/i18n';
import { publicLinkBase } from '@/lib/publicLink';
import { withReload } from '@/routes/loadPart';
import { flatTree } from '@/routes/paths';
import { RouteError } from '@/routes/ErrorPages';
import type { RouteNode } from '@/routes/types';
import { ReportNotPublic, PublicReportsFrame } from './PublicReportsFrame';

const lazyOf = (node: RouteNode) => async (): Promise<{ Component: ComponentType }> => {
  const { load } = node;
  if (!load) throw new Error(`Route ${node.id} has no page`);
  const [page] = await withReload(
    () => Promise.all([load(), ensureMessages([...(node.messages ?? [])])]),
    () => null,
  );
  return { Component: page.Component };
};

/** Screens of the public link at their usual paths, below its base path, so that all links between screens work. */
export function makePublicReportsRouter(view: OpenReports): ReturnType<typeof createBrowserRouter> {
  const siteId = view.site?.id ?? '';
  const screens = view.screens.flatMap((screen) => {
    const path = `/site/:siteId/als/${screen}`;
    const flat = flatTree.find((one) => one.path === path);
    return flat ? [{ ...flat, to: `/site/${siteId}/als/${screen}` }] : [];
  });
  const first = `${screens[0]?.to ?? '/'}?${view.view === '' ? `range=${view.preset}` : view.view}`;
  return createBrowserRouter(
    [
      {
        element: <PublicReportsFrame view={view} screens={screens} />,
        children: [
          {
            errorElement: <RouteError />,
            hydrateFallbackElement: <p className="gate-line" />,
            children: [
              { index: true, loader: () => redirect(first) },
              ...screens.map(({ node, path }) => ({ path, handle: node, lazy: lazyOf(node) })),
              { path: '*', element: <ReportNotPublic to={first} /> },
            ],
          },
        ],
      },
    ],
    { basename: publicLinkBase },
  );
}
