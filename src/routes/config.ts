import type { RouteNode } from './types';

const reader = { needs: { site: 'analytics.read' } } as const;
/** What all reports have in common; which one it is follows from the node's id (`features/analytics/sections.ts`). */
const report = {
  ...reader,
  load: () => import(/* webpackChunkName: "analytics" */ '@/features/analytics/ReportPage'),
  chunk: 'analytics',
  messages: ['analytics', 'chart'],
  skeleton: 'report',
  width: 'wide',
} as const;
/** Reports side by side: the page shows them as tabs. */
const tabs = { ...reader, keepQuery: true } as const;
/** Headings of the second level in the rail. */
const under = {
  summary: { group: 'look', level: 2, sub: 'summary' },
  source: { group: 'look', level: 2, sub: 'source' },
  visit: { group: 'look', level: 2, sub: 'visit' },
  visitor: { group: 'look', level: 2, sub: 'visitor' },
  manage: { group: 'look', level: 2, sub: 'manage' },
} as const;

/**
 * THE route object. A route appears here when its screen works. Adding one:
 * 1. a node below its parent: `load: () => import(/* webpackChunkName: "<chunk>" *\/ '@/features/<area>/<X>Page')`, where the module exports
 *    `Component`, and `chunk` with the same name; `messages` names the feature's namespace (register it in `i18n/namespaces.ts`);
 * 2. its title in `routes/messages.{zh-CN,en}.ts`.
 * A report is `{ ...report, id, path, title, nav: under.<heading> }` and a row of `sections.ts`.
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
        messages: ['account', 'security', 'form', 'chart'],
        skeleton: 'form',
        nav: { group: 'account', icon: 'person' },
      },
      {
        id: 'account.users',
        path: 'users/account_users',
        title: 'users',
        load: () => import(/* webpackChunkName: "account-users" */ '@/features/people/PeoplePage'),
        chunk: 'account-users',
        messages: ['people', 'audit', 'form', 'chart'],
        skeleton: 'list',
        needs: { instance: 'people.read' },
        nav: { group: 'account', icon: 'people' },
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
      {
        id: 'account.trades',
        path: 'trades/account_trades',
        title: 'trades',
        load: () => import(/* webpackChunkName: "account-trades" */ '@/features/trades/TradesPage'),
        chunk: 'account-trades',
        messages: ['trades', 'form', 'chart'],
        skeleton: 'list',
        needs: { instance: 'trades.read' },
        nav: { group: 'account', icon: 'receipt' },
        width: 'wide',
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
          { ...report, id: 'site.als.overview', path: 'overview', title: 'overview', nav: under.summary },
          { ...report, id: 'site.als.trend', path: 'trend', title: 'trend', nav: under.summary },
          {
            id: 'site.als.latest',
            path: 'latest',
            title: 'latest',
            load: () => import(/* webpackChunkName: "latest" */ '@/features/analytics/LatestPage'),
            chunk: 'latest',
            messages: ['analytics', 'chart'],
            skeleton: 'list',
            needs: { site: 'analytics.read' },
            nav: under.summary,
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
          { ...report, id: 'site.als.source', path: 'source', title: 'source', nav: under.source },
          { ...report, id: 'site.als.engine', path: 'engine', title: 'engine', nav: under.source },
          { ...report, id: 'site.als.keyword', path: 'keyword', title: 'keyword', nav: under.source },
          {
            ...tabs,
            id: 'site.als.external',
            path: 'external',
            title: 'external',
            redirect: 'so',
            nav: under.source,
            children: [
              { ...report, id: 'site.als.external.so', path: 'so', title: 'so' },
              { ...report, id: 'site.als.external.sp', path: 'sp', title: 'sp' },
              { ...report, id: 'site.als.external.url', path: 'url', title: 'url' },
            ],
          },
          { ...report, id: 'site.als.entry', path: 'entry', title: 'entry', nav: under.visit },
          { ...report, id: 'site.als.path', path: 'path', title: 'path', nav: under.visit },
          {
            ...tabs,
            id: 'site.als.loc',
            path: 'loc',
            title: 'loc',
            redirect: 'provinces',
            nav: under.visitor,
            children: [
              { ...report, id: 'site.als.loc.provinces', path: 'provinces', title: 'provinces' },
              { ...report, id: 'site.als.loc.cities', path: 'cities', title: 'cities' },
              { ...report, id: 'site.als.loc.countries', path: 'countries', title: 'countries' },
            ],
          },
          { ...report, id: 'site.als.device', path: 'device', title: 'device', nav: under.visitor },
          { ...report, id: 'site.als.visitor', path: 'visitor', title: 'visitor', nav: under.visitor },
          {
            ...tabs,
            id: 'site.als.character',
            path: 'character',
            title: 'character',
            redirect: 'pv',
            nav: under.visitor,
            children: [
              { ...report, id: 'site.als.character.pv', path: 'pv', title: 'pv' },
              { ...report, id: 'site.als.character.upv', path: 'upv', title: 'upv' },
              { ...report, id: 'site.als.character.ssr', path: 'ssr', title: 'ssr' },
              { ...report, id: 'site.als.character.ago', path: 'ago', title: 'ago' },
              { ...report, id: 'site.als.character.fr', path: 'fr', title: 'fr' },
            ],
          },
          {
            id: 'site.als.share',
            path: 'share',
            title: 'share',
            load: () => import(/* webpackChunkName: "sharing" */ '@/features/sharing/SharingPage'),
            chunk: 'sharing',
            messages: ['sharing', 'analytics', 'form'],
            skeleton: 'list',
            needs: { site: 'analytics.configure' },
            nav: under.manage,
          },
        ],
      },
    ],
  },
] as const satisfies readonly RouteNode[];
