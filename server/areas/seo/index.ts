import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import type { Area } from '../area';
import { registerPages } from './pageRoutes';

export { recordExcerpt, recordTitle, withHome } from './ownTexts';
export { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from './sitemapFiles';
export type { SitemapFile, SitemapSite } from './sitemapFiles';

/** What search engines are told about a site. Every topic registers its own routes. */
function register(app: FastifyInstance, ctx: Context): void {
  registerPages(app, ctx);
}

export const area: Area = { register };
