import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import type { Area } from '../area';

export { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from './sitemapFiles';
export type { SitemapFile, SitemapSite } from './sitemapFiles';

/** What search engines are told about a site. Every topic registers its own routes. */
function register(_app: FastifyInstance, _ctx: Context): void {
  // Routes of the topics.
}

export const area: Area = { register };
