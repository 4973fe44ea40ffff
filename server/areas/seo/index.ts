import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import type { Area } from '../area';
import { registerPages } from './pageRoutes';
import { forgetRedirectHits, registerRedirects } from './redirects';
import { registerRobots } from './robots';

export { recordExcerpt, recordTitle, withHome } from './ownTexts';
export { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from './sitemapFiles';
export type { SitemapFile, SitemapSite } from './sitemapFiles';
export { storeNotFound, storeRedirectHits } from './redirects';
export type { NotFoundCount, RedirectCount } from './redirects';
export { closedRobots, robotsText, robotsTextOf } from './robots';

/** What search engines are told about a site. Every topic registers its own routes. */
function register(app: FastifyInstance, ctx: Context): void {
  registerPages(app, ctx);
  registerRobots(app, ctx);
  registerRedirects(app, ctx);
}

export const area: Area = { register, schedules: [{ name: 'seo.redirectHits', every: DAY, run: forgetRedirectHits }] };
