import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import type { Area } from '../area';
import { registerSeoKeywords } from './keywords';
import { registerPages } from './pageRoutes';
import { findPushSettings, pushSchedules, registerPush, startPushSender } from './push';
import { forgetRedirectHits, registerRedirects } from './redirects';
import { registerRobots } from './robots';
import { registerVerifications } from './verification';

export { pathOfPage } from './keywords';
export { openScan, pageChanges, skipScan, storeScan } from './push';
export type { ScannedPage } from './push';
export { readProofs } from './proofs';
export type { SiteProofs } from './proofs';

export { recordExcerpt, recordTitle, withHome } from './ownTexts';
export { storeNotFound, storeRedirectHits } from './redirects';
export type { NotFoundCount, RedirectCount } from './redirects';
export { closedRobots, installRobots, removeInstalledRobots, robotsText, robotsTextOf } from './robots';
export { machineLanguages } from './machineTexts';
export { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from './sitemapFiles';
export type { SitemapFile, SitemapSite } from './sitemapFiles';

/** Whether a site tells any search engine about its pages. */
export async function pushesPages(ctx: Pick<Context, 'postgres'>, siteId: string): Promise<boolean> {
  const settings = await findPushSettings(ctx.postgres.db, siteId);
  return settings !== null && (settings.indexnow || settings.baidu);
}

/** What search engines are told about a site. Every topic registers its own routes. */
function register(app: FastifyInstance, ctx: Context): void {
  registerPages(app, ctx);
  registerVerifications(app, ctx);
  registerRobots(app, ctx);
  registerRedirects(app, ctx);
  registerPush(app, ctx);
  registerSeoKeywords(app, ctx);
}

export const area: Area = {
  register,
  schedules: [...pushSchedules, { name: 'seo.redirectHits', every: DAY, run: forgetRedirectHits }],
  services: [(ctx) => startPushSender(ctx)],
  siteTopics: [{ kind: 'seo', action: 'site.read', events: ['seo'] }],
};
