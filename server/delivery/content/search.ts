import { blockText } from '../../kit/templates/richText';
import type { PageContext } from '../edition';
import { collectionTitle } from './globals';
import { collectionOf, readRecords, urlOf } from './records';
import type { CollectionRoute, RouteRecord } from './records';

export type SearchResult = { readonly id: string; readonly title: string; readonly url: string; readonly excerpt: string | null; readonly collection: string };

/** Results of one collection, and of a page. */
const mostResults = 100;
export const resultsPerPage = 10;
/** Characters of an excerpt. */
const excerptLength = 160;

/** The first characters of a text, up to the end of a word. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > length * 0.6 ? cut.slice(0, space) : cut}…`;
}

/** What a record is about: its summary, else the beginning of its first rich text. */
export function excerptOf(context: PageContext, { route, record }: RouteRecord): string | null {
  const { summary } = record.values;
  if (summary?.kind === 'plain' && typeof summary.value === 'string' && summary.value !== '') return shortened(summary.value, excerptLength);
  const body = Object.entries(collectionOf(context, route.collection)?.fields ?? {}).find(([, { type }]) => type === 'rich_text')?.[0];
  const text = body === undefined ? '' : blockText(record.html(body) ?? '');
  return text === '' ? null : shortened(text, excerptLength);
}

export function titleOf({ record }: RouteRecord): string | null {
  const { title } = record.values;
  return title?.kind === 'plain' && title.value !== null && title.value !== '' ? String(title.value) : null;
}

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
