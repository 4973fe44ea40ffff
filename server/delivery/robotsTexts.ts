import { robotsTextOf } from '../areas/seo';
import type { Context } from '../context';
import { openSiteCache } from './siteCache';
import type { SiteCache } from './siteCache';

/** What people have written for robots.txt of sites. */
export type RobotsTexts = SiteCache<string>;

export const openRobotsTexts = (ctx: Context): RobotsTexts =>
  openSiteCache(ctx, { name: 'robots.txt', event: 'publishing', mostSites: 200, read: (siteId) => robotsTextOf(ctx, siteId) });
