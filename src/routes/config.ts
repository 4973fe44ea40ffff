import type { RouteNode } from './types';

/**
 * THE route object. A route appears here when its screen works. Adding one:
 * 1. a node below its parent: `load: () => import(/* webpackChunkName: "<chunk>" *\/ '@/features/<area>/<X>Page')`, where the module exports
 *    `Component`, and `chunk` with the same name; `messages` names the feature's namespace (register it in `i18n/namespaces.ts`);
 * 2. its title in `routes/messages.{zh-CN,en}.ts`.
 * Navigation, breadcrumbs, titles, palette, `href('<id>')` and fetching ahead follow from the node.
 */
export const tree = [
  {
    id: 'home',
    path: 'home',
    title: 'home',
    nav: { group: 'main', icon: 'home', shortcut: 'g h' },
    load: () => import(/* webpackChunkName: "home" */ '@/features/sites/HomePage'),
    chunk: 'home',
    messages: ['sites', 'form', 'chart'],
    skeleton: 'board',
    children: [
      {
        id: 'home.create',
        path: 'create',
        title: 'create',
        redirect: 'home_create_empty',
        needs: { instance: 'site.create' },
        children: [
          {
            id: 'home.create.empty',
            path: 'home_create_empty',
            title: 'createEmpty',
            load: () => import(/* webpackChunkName: "site-create" */ '@/features/sites/create/CreatePage'),
            chunk: 'site-create',
            messages: ['sites', 'form'],
            skeleton: 'wizard',
            needs: { instance: 'site.create' },
            width: 'form',
          },
        ],
      },
    ],
  },
  {
    id: 'account',
    path: 'account',
    title: 'account',
    redirect: 'center/account_center',
    notFoundInside: true,
    children: [],
  },
  {
    id: 'site',
    path: 'site/:siteId',
    title: 'site',
    redirect: 'dashboard',
    children: [
      {
        id: 'site.als',
        path: 'als',
        title: 'als',
        redirect: 'overview',
        keepQuery: true,
        needs: { site: 'analytics.read' },
        nav: { group: 'look', icon: 'analytics', shortcut: 'g a' },
        children: [],
      },
    ],
  },
] as const satisfies readonly RouteNode[];
