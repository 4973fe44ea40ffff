import type { RouteNode } from './types';

const wizard = {
  load: () => import(/* webpackChunkName: "crawler-create" */ '@/features/crawler/wizard/WizardPage'),
  chunk: 'crawler-create',
  messages: ['crawler', 'crawlRules', 'tables', 'chart', 'form'],
  skeleton: 'wizard',
} as const;

/** Tools over all sites of the person: the screens ask for the sites that the person may see. */
export const developerRoutes = {
  id: 'developer',
  path: 'developer',
  title: 'developer',
  redirect: 'crawler',
  children: [
    {
      id: 'developer.crawler',
      path: 'crawler',
      title: 'crawler',
      needs: { anySite: 'crawler.read' },
      load: () => import(/* webpackChunkName: "crawlers" */ '@/features/crawler/CrawlersPage'),
      chunk: 'crawlers',
      messages: ['crawler', 'chart'],
      nav: { group: 'developer', icon: 'sitemap' },
      children: [
        {
          id: 'developer.crawler.site',
          path: 'site/:siteId',
          title: 'crawlerSite',
          load: () => import(/* webpackChunkName: "crawler-site" */ '@/features/crawler/inventory/SitePage'),
          chunk: 'crawler-site',
          messages: ['inventory', 'vitals', 'crawlRules', 'seo', 'chart', 'form'],
        },
        { id: 'developer.crawler.new', path: 'new/create', title: 'crawlerNew', ...wizard },
        {
          id: 'developer.crawler.one',
          path: ':crawlerId',
          title: 'crawlerOne',
          load: () => import(/* webpackChunkName: "crawler" */ '@/features/crawler/CrawlerPage'),
          chunk: 'crawler',
          messages: ['crawler', 'tables', 'inventory', 'vitals', 'crawlRules', 'seo', 'chart', 'form'],
          children: [
            {
              id: 'developer.crawler.create',
              path: 'create',
              title: 'crawlerCreate',
              ...wizard,
            },
          ],
        },
      ],
    },
    {
      id: 'developer.webcv',
      path: 'webcv',
      title: 'webcv',
      needs: { anySite: 'analytics.read' },
      load: () => import(/* webpackChunkName: "vitals" */ '@/features/vitals/VitalsPage'),
      chunk: 'vitals',
      messages: ['vitals', 'insights', 'chart', 'form'],
      skeleton: 'report',
      nav: { group: 'developer', icon: 'passed' },
    },
  ],
} as const satisfies RouteNode;
