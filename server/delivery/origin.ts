import { systemHostFor } from '../areas/sites';
import type { IndexedSite } from '../areas/sites';
import type { Context } from '../context';

/** Origin of the main address of a site: addresses that search engines, feeds and social cards get begin with it, whatever host a request named. */
export const originOf = ({ config }: Pick<Context, 'config'>, site: Pick<IndexedSite, 'slug' | 'origin'>): string =>
  site.origin ?? systemHostFor(site.slug, config);
