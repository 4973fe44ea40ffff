import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import type { Area } from '../area';
import { registerSeoKeywords } from './keywords';
import { pushSchedules, registerPush, startPushSender } from './push';
import { registerVerifications } from './verification';

export { openScan, skipScan, storeScan } from './push';
export type { PageScan } from './push';
export { readProofs } from './proofs';
export type { SiteProofs } from './proofs';

export { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from './sitemapFiles';
export type { SitemapFile, SitemapSite } from './sitemapFiles';

/** What search engines are told about a site. Every topic registers its own routes. */
function register(app: FastifyInstance, ctx: Context): void {
  registerVerifications(app, ctx);
  registerPush(app, ctx);
  registerSeoKeywords(app, ctx);
}

export const area: Area = {
  register,
  schedules: pushSchedules,
  services: [(ctx) => startPushSender(ctx)],
  siteTopics: [{ kind: 'seo', action: 'site.read', events: ['seo'] }],
};
