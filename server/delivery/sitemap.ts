import { alternatesOf } from './alternates';
import { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPages, sitemapPath } from '../areas/seo';
import type { SitemapFile, SitemapSite } from '../areas/seo';
import { searchPath } from './content/globals';
import { machineLanguages } from './content/machineTexts';
import { collectionOf } from './content/records';
import type { CollectionRoute } from './content/records';
import { simpleValue } from './content/values';
import type { TemplateImage } from './content/values';
import type { PageContext } from './edition';
import { canonicalAddress } from './paths';
import { recordPath } from './router';
import { xmlDeclaration, xmlText } from './xml';

const readAtOnce = 1000;

/** One page: its paths by language, in the languages in which it exists. `changedAt`: until its content was compared; null: unknown. */
type Entry = { readonly paths: ReadonlyMap<string, string>; readonly changedAt: string | null; readonly images: readonly string[] };

/** Paths of lists and of pages of their own that sitemaps name, without their language. */
export const listedPages = (context: PageContext): string[] => sitemapPages(siteOf(context));
/** Collections whose records sitemaps name. */
export const listedRoutes = ({ release }: PageContext): CollectionRoute[] =>
  release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.sitemap && route.recordPath !== null);

const siteOf = (context: PageContext): SitemapSite => ({ ...context.release, search: searchPath(context) });
const filesOf = (context: PageContext): Promise<SitemapFile[]> =>
  sitemapFiles(
    siteOf(context),
    async (table) => (await context.content.records({ table, fields: {}, locale: context.language, limit: 1, count: 'exact' })).total,
  );

/** Addresses of an entry by language, without those that sitemaps leave out. */
function addressesOf(context: PageContext, { paths }: Entry): (readonly [language: string, address: string])[] {
  const { isListed } = context.release.pageRules;
  return [...paths]
    .filter(([, path]) => isListed(path))
    .map(([language, path]) => [language, canonicalAddress(context, path, language)] as const)
    .filter(([, address]) => address.length <= longestAddress);
}

type Changes = ReadonlyMap<string, Date>;

function urlsOf(context: PageContext, entry: Entry, changes: Changes): string {
  const all = addressesOf(context, entry);
  const alternates = alternatesOf(context, new Map(all))
    .map(({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${xmlText(href)}"/>`)
    .join('');
  const images = entry.images.map((image) => `<image:image><image:loc>${xmlText(image)}</image:loc></image:image>`).join('');
  const changed = (href: string): string => {
    const at = changes.get(href)?.toISOString() ?? entry.changedAt;
    return at === null ? '' : `<lastmod>${at}</lastmod>`;
  };
  return all.map(([, href]) => `<url><loc>${xmlText(href)}</loc>${changed(href)}${alternates}${images}</url>\n`).join('');
}

type Named = { readonly slug: string; readonly locales: readonly string[]; readonly updatedAt: string; readonly images: readonly string[] };
type Slugs = ReadonlyMap<string, Named>;

/** Fields of the table with pictures, by field of the collection; none if sitemaps name no pictures. */
function imageFields(context: PageContext, route: CollectionRoute): Record<string, string> {
  if (!context.release.seo.sitemap.images) return {};
  const fields = collectionOf(context, route.collection)?.fields ?? {};
  return Object.fromEntries(Object.entries(route.fields).filter(([key]) => fields[key]?.type === 'image'));
}

/** Slugs of some records by id, in a language. Every language has the same order. */
async function slugsOf(context: PageContext, route: CollectionRoute, language: string, offset: number, limit: number): Promise<Slugs> {
  const images = imageFields(context, route);
  const { rows } = await context.content.records({
    table: route.table,
    fields: { ...images, ...(route.slug === null ? {} : { $slug: route.slug }) },
    locale: language,
    sort: '$publishedAt',
    offset,
    limit,
  });
  return new Map(
    rows.flatMap(({ id, locales, updatedAt, values }) => {
      const { $slug } = values;
      const slug = route.slug === null ? id : $slug?.kind === 'plain' ? $slug.value : null;
      if (typeof slug !== 'string' || slug === '') return [];
      const pictures = Object.keys(images).flatMap((key) => {
        const value = values[key];
        const [first] = (value === undefined ? null : (simpleValue('image', value) as TemplateImage[] | null)) ?? [];
        return first ? [new URL(first.url, context.origin).href] : [];
      });
      return [[id, { slug, locales, updatedAt, images: pictures }] as const];
    }),
  );
}

/** Records of one file, in the languages in which they exist. */
async function* recordEntries(context: PageContext, { route, part }: Extract<SitemapFile, { kind: 'records' }>): AsyncGenerator<Entry> {
  const { languages } = context.release;
  const [initial = 'en'] = languages;
  const perFile = recordsPerFile(context.release);
  const localized = route.slug !== null && context.content.isLocalized(route.table, route.slug);
  for (let read = 0; read < perFile; read += readAtOnce) {
    const slugs = new Map<string, Slugs>();
    for (const language of localized ? languages : [initial])
      slugs.set(language, await slugsOf(context, route, language, (part - 1) * perFile + read, Math.min(readAtOnce, perFile - read)));
    const records = slugs.get(initial) ?? new Map<string, Named>();
    const machine = await machineLanguages(context, route, [...records.keys()]);
    for (const [id, record] of records) {
      const paths = languages.flatMap((language): [string, string][] => {
        const isListed = record.locales.includes(language) && machine.get(id)?.has(language) !== true;
        const slug = isListed ? ((slugs.get(language) ?? records).get(id)?.slug ?? null) : null;
        const path = slug === null ? null : recordPath(route, slug);
        return path === null ? [] : [[language, path]];
      });
      // A table may lack the languages of the site: its pages are known in the first one.
      const own = paths.length > 0 || machine.has(id) ? new Map(paths) : new Map([[initial, recordPath(route, record.slug) ?? '']]);
      yield { paths: own, changedAt: record.updatedAt, images: record.images };
    }
    if (records.size < readAtOnce) break;
  }
}

/** Lists and pages of their own. When their content changed is known once they were compared. */
function* pageEntries(context: PageContext): Generator<Entry> {
  const { languages } = context.release;
  for (const path of sitemapPages(siteOf(context))) yield { paths: new Map(languages.map((language) => [language, path])), changedAt: null, images: [] };
}

async function entriesOf(context: PageContext, file: SitemapFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of file.kind === 'pages' ? pageEntries(context) : recordEntries(context, file)) entries.push(entry);
  return entries;
}

async function urlsIn(context: PageContext, file: SitemapFile): Promise<string> {
  const entries = await entriesOf(context, file);
  const changes = await context.pageChanges(entries.flatMap((entry) => addressesOf(context, entry).map(([, address]) => address)));
  return entries.map((entry) => urlsOf(context, entry, changes)).join('');
}

/** The index of the files; null without any, because the schema of sitemaps has no empty index. */
export async function sitemapIndex(context: PageContext): Promise<string | null> {
  const entries = (await filesOf(context)).map((file) => `<sitemap><loc>${xmlText(`${context.origin}${sitemapPath(file)}`)}</loc></sitemap>\n`);
  if (entries.length === 0) return null;
  return `${xmlDeclaration}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`;
}

const namespaces =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';

/** A file of the index, or a flat one, by its path; null if there is none, or no address is in it. */
export async function sitemapAt(context: PageContext, path: string): Promise<string | null> {
  const files = await filesOf(context);
  const flat = context.release.seo.sitemap.baidu ? files.find((_, at) => baiduPath(at) === path) : undefined;
  if (flat) {
    const entries = await entriesOf(context, flat);
    return entries.flatMap((entry) => addressesOf(context, entry).map(([, address]) => `${address}\n`)).join('') || null;
  }
  const file = files.find((one) => sitemapPath(one) === path);
  const urls = file ? await urlsIn(context, file) : '';
  return urls === '' ? null : `${xmlDeclaration}<urlset ${namespaces}>\n${urls}</urlset>\n`;
}
