import type { ComponentType } from 'react';
import type { SiteAction } from '@contract/permissions';
import type { Site } from '@contract/sites/schemas';
import { lazyWithRetry } from '@/ui/lazyWithRetry';

type Load = () => Promise<{ readonly default: ComponentType<{ readonly site: Site }> }>;
/** Tabs load when they open; small ones share files, because the first script contains the file name of every part. */
const tab = <const Id extends string>(id: Id, load: Load, needs: SiteAction = 'site.read') => ({ id, needs, Content: lazyWithRetry(load) });

/** Tabs of the screen in their order; the name of each is `seo:tabs.<id>`. `needs`: without this permission it is hidden. */
export const tabs = [
  tab('overview', () => import(/* webpackChunkName: "seo-overview" */ './overview/OverviewTab')),
  tab('pages', () => import(/* webpackChunkName: "seo-pages" */ './pages/PagesTab')),
  tab('sitemaps', () => import(/* webpackChunkName: "seo-overview" */ './sitemaps/SitemapsTab')),
  tab('robots', () => import(/* webpackChunkName: "seo-services" */ './robots/RobotsTab')),
  tab('redirects', () => import(/* webpackChunkName: "seo-redirects" */ './redirects/RedirectsTab')),
  tab('notFound', () => import(/* webpackChunkName: "seo-redirects" */ './notFound/NotFoundTab'), 'analytics.read'),
  tab('push', () => import(/* webpackChunkName: "seo-services" */ './push/PushTab')),
  tab('keywords', () => import(/* webpackChunkName: "seo-services" */ './keywords/KeywordsTab'), 'analytics.read'),
  tab('verification', () => import(/* webpackChunkName: "seo-services" */ './verification/VerificationTab')),
  tab('settings', () => import(/* webpackChunkName: "seo-pages" */ './settings/SettingsTab')),
] as const;
