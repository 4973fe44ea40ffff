import { recordExcerpt, recordTitle } from '../../areas/seo';
import type { PageContext } from '../edition';
import { collectionTitle } from './globals';
import { collectionOf, readRecords, urlOf } from './records';
import type { CollectionRoute, RouteRecord } from './records';

export type SearchResult = { readonly id: string; readonly title: string; readonly url: string; readonly excerpt: string | null; readonly collection: string };

/** Results of one collection, and of a page. */
const mostResults = 100;
export const resultsPerPage = 10;
export const excerptOf = (context: PageContext, { route, record }: RouteRecord): string | null =>
  recordExcerpt(record, collectionOf(context, route.collection)?.fields ?? {});
export const titleOf = ({ record }: RouteRecord): string | null => recordTitle(record);

/** Results in the order of the routes; each collection has at most a hundred. */
export async function searchRecords(context: PageContext, text: string): Promise<SearchResult[]> {
  if (text === '') return [];
  const routes = context.release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.recordPath !== null);
  const found = await Promise.all(routes.map((route) => readRecords(context, route, { q: text, limit: mostResults })));
  return found.flatMap(({ rows }) =>
    rows.flatMap((one) => {
      const [url, title] = [urlOf(context, one), titleOf(one)];
      return url === null || title === null
        ? []
        : [{ id: one.record.id, title, url, excerpt: excerptOf(context, one), collection: collectionTitle(context, one.route.collection) }];
    }),
  );
}
