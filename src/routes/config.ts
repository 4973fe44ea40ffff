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
    children: [
      {
        id: 'account.center',
        path: 'center/account_center',
        title: 'center',
        load: () => import(/* webpackChunkName: "account-center" */ '@/features/account/center/AccountCenterPage'),
        chunk: 'account-center',
        messages: ['account', 'form', 'chart'],
        skeleton: 'form',
        nav: { group: 'account', icon: 'person' },
      },
      {
        id: 'account.contacts',
        path: 'contacts/account_contacts',
        title: 'contacts',
        load: () => import(/* webpackChunkName: "account-contacts" */ '@/features/contacts/ContactsPage'),
        chunk: 'account-contacts',
        messages: ['contacts', 'form'],
        skeleton: 'list',
        needs: { instance: 'contacts.read' },
        nav: { group: 'account', icon: 'contacts' },
      },
    ],
  },
  {
    id: 'site',
    path: 'site/:siteId',
    title: 'site',
    redirect: 'dashboard',
    children: [
      {
        id: 'site.dashboard',
        path: 'dashboard',
        title: 'dashboard',
        load: () => import(/* webpackChunkName: "dashboard" */ '@/features/dashboard/DashboardPage'),
        chunk: 'dashboard',
        messages: ['dashboard', 'chart'],
        skeleton: 'board',
        needs: { site: 'analytics.read' },
        nav: { group: 'look', icon: 'dashboard', shortcut: 'g d' },
        width: 'wide',
      },
      {
        id: 'site.als',
        path: 'als',
        title: 'als',
        redirect: 'overview',
        keepQuery: true,
        needs: { site: 'analytics.read' },
        nav: { group: 'look', icon: 'analytics', shortcut: 'g a' },
        children: [
          {
            id: 'site.als.overview',
            path: 'overview',
            title: 'overview',
            load: () => import(/* webpackChunkName: "analytics" */ '@/features/analytics/ReportPage'),
            chunk: 'analytics',
            messages: ['analytics', 'chart'],
            skeleton: 'report',
            needs: { site: 'analytics.read' },
            nav: { group: 'look', level: 2, sub: 'summary' },
            width: 'wide',
          },
          {
            id: 'site.als.trend',
            path: 'trend',
            title: 'trend',
            load: () => import(/* webpackChunkName: "analytics" */ '@/features/analytics/ReportPage'),
            chunk: 'analytics',
            messages: ['analytics', 'chart'],
            skeleton: 'report',
            needs: { site: 'analytics.read' },
            nav: { group: 'look', level: 2, sub: 'summary' },
            width: 'wide',
          },
          {
            id: 'site.als.latest',
            path: 'latest',
            title: 'latest',
            load: () => import(/* webpackChunkName: "latest" */ '@/features/analytics/LatestPage'),
            chunk: 'latest',
            messages: ['analytics', 'chart'],
            skeleton: 'list',
            needs: { site: 'analytics.read' },
            nav: { group: 'look', level: 2, sub: 'summary' },
            width: 'wide',
            children: [
              {
                id: 'site.als.latest.events',
                path: 'events/:pageId',
                title: 'events',
                load: () => import(/* webpackChunkName: "events" */ '@/features/analytics/EventsPage'),
                chunk: 'events',
                messages: ['analytics', 'chart'],
                skeleton: 'list',
                needs: { site: 'analytics.read' },
                width: 'wide',
              },
            ],
          },
        ],
      },
    ],
  },
] as const satisfies readonly RouteNode[];
