import { systemHostFor } from '../areas/sites';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';

/** Origin of the primary host of a site: addresses that search engines, feeds and social cards get begin with it, whatever host a request named. */
export const originOf = (ctx: Pick<Context, 'config'>, site: Pick<IndexedSite, 'slug'>): string => systemHostFor(site.slug, ctx.config.deliveryPort);
