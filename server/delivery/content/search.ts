import { recordExcerpt, recordTitle } from '../../areas/seo';
import type { PageContext } from '../edition';
import { collectionTitle } from './globals';
import { isTranslatable, translatable } from './languages';
import { collectionOf, readRecords, urlOf } from './records';
import type { CollectionRoute, RouteRecord } from './records';

export type SearchResult = { readonly id: string; readonly title: string; readonly url: string; readonly excerpt: string | null; readonly collection: string };

/** Results of one collection, and of a page. */
const mostResults = 100;
export const resultsPerPage = 10;
export function excerptOf(context: PageContext, { route, record }: RouteRecord): string | null {
  const text = recordExcerpt(record, collectionOf(context, route.collection)?.fields ?? {});
  return text === null ? null : translatable(context, text);
}
export function titleOf(context: PageContext, { route, record }: RouteRecord): string | null {
  const text = recordTitle(record);
  return text !== null && isTranslatable(context, route, 'title') ? translatable(context, text) : text;
}

/** Results in the order of the routes; each collection has at most a hundred. */
export async function searchRecords(context: PageContext, text: string): Promise<SearchResult[]> {
  if (text === '') return [];
  const routes = context.release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.recordPath !== null);
  const found = await Promise.all(routes.map((route) => readRecords(context, route, { q: text, limit: mostResults })));
  return found.flatMap(({ rows }) =>
    rows.flatMap((one) => {
      const [url, title] = [urlOf(context, one), titleOf(context, one)];
      return url === null || title === null
        ? []
        : [{ id: one.record.id, title, url, excerpt: excerptOf(context, one), collection: collectionTitle(context, one.route.collection) }];
    }),
  );
}
