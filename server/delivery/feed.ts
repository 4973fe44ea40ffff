import { titleOfSite } from './content/globals';
import { collectionOf, pathOf, readRecords } from './content/records';
import type { CollectionRoute, RouteRecord } from './content/records';
import { excerptOf, titleOf } from './content/search';
import type { PageContext } from './edition';
import { canonicalAddress } from './paths';
import { xmlDeclaration, xmlText } from './xml';

const mostEntries = 20;

/** Readers of feeds resolve no addresses within a site, and load one size of a picture. */
const absoluteHtml = (html: string, origin: string): string =>
  html.replaceAll(/ srcset="[^"]*"| sizes="[^"]*"/g, '').replaceAll(/ (src|href)="\/(?!\/)/g, (_, name: string) => ` ${name}="${origin}/`);

const publishedAt = ({ record }: RouteRecord): string => record.publishedAt ?? record.createdAt;

function entryOf(context: PageContext, one: RouteRecord): string {
  const { record, route } = one;
  const [title, path] = [titleOf(context, one), pathOf(one)];
  if (title === null || path === null) return '';
  const address = xmlText(canonicalAddress(context, path, context.language));
  const body = Object.entries(collectionOf(context, route.collection)?.fields ?? {}).find(([, { type }]) => type === 'rich_text')?.[0];
  const html = body === undefined ? null : record.html(body);
  const summary = excerptOf(context, one);
  return `<entry>
<title>${xmlText(title)}</title>
<link rel="alternate" href="${address}"/>
<id>${address}</id>
<published>${publishedAt(one)}</published>
<updated>${record.updatedAt}</updated>
${summary === null ? '' : `<summary>${xmlText(summary)}</summary>\n`}${html === null ? '' : `<content type="html">${xmlText(absoluteHtml(html, context.origin))}</content>\n`}</entry>
`;
}

/** Atom feed (RFC 4287) of the newest records of some collections in the language of the context. `path`: of the feed; `page`: of the page that it belongs to. */
export async function feedOf(context: PageContext, routes: readonly CollectionRoute[], path: string, page: string): Promise<string> {
  const lists = await Promise.all(routes.map((route) => readRecords(context, route, { limit: mostEntries, sort: '-$publishedAt' })));
  const newest = lists
    .flatMap(({ rows }) => rows)
    .filter((one) => one.record.locales.includes(context.language) || context.language === context.release.languages[0])
    .toSorted((a, b) => (publishedAt(a) < publishedAt(b) ? 1 : -1))
    .slice(0, mostEntries);
  const updated =
    newest
      .map(({ record }) => record.updatedAt)
      .toSorted()
      .at(-1) ?? '1970-01-01T00:00:00.000Z';
  const self = xmlText(canonicalAddress(context, path, context.language));
  return `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(context.language)}">
<title>${xmlText(titleOfSite(context))}</title>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" href="${xmlText(canonicalAddress(context, page, context.language))}"/>
<id>${self}</id>
<updated>${updated}</updated>
<author><name>${xmlText(context.release.settings.company || titleOfSite(context))}</name></author>
${newest.map((one) => entryOf(context, one)).join('')}</feed>
`;
}
