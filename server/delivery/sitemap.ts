import { alternatesOf } from './alternates';
import { searchPath } from './content/globals';
import { recordPath } from './router';
import type { CollectionRoute } from './content/records';
import type { PageContext } from './edition';
import { canonicalAddress } from './paths';
import { xmlDeclaration, xmlText } from './xml';

/** Addresses of one file, by the protocol of sitemaps, and records that are read at once. */
const mostAddresses = 50_000;
const mostRecords = 10_000;
/** Links of one file between languages: every address names all of them and `x-default`, so that they grow with the square of the languages. */
const mostAlternates = 100_000;
const readAtOnce = 1000;

/** A file of the index: `pages`, or a part of the records of a collection, counted from 1. */
export type SitemapPart = { readonly kind: 'pages' } | { readonly kind: 'records'; readonly route: CollectionRoute; readonly part: number };

function recordsPerPart({ release }: PageContext): number {
  const { length } = release.languages;
  return Math.min(mostRecords, Math.floor(mostAddresses / length), Math.floor(mostAlternates / (length * (length + 1))));
}
const sitemapRoutes = ({ release }: Pick<PageContext, 'release'>): CollectionRoute[] =>
  release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.sitemap && route.recordPath !== null);
export const sitemapPath = (part: SitemapPart): string =>
  part.kind === 'pages' ? '/sitemap-pages.xml' : `/sitemap-${part.route.collection}-${String(part.part)}.xml`;

/** One page in the languages in which it exists, by language. */
function urls(context: PageContext, paths: ReadonlyMap<string, string>, changedAt: string | null): string {
  const addresses = new Map([...paths].map(([language, path]) => [language, canonicalAddress(context, path, language)]));
  const alternates = alternatesOf(context, addresses)
    .map(({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${xmlText(href)}"/>`)
    .join('');
  return [...addresses.values()]
    .map((href) => `<url><loc>${xmlText(href)}</loc>${changedAt === null ? '' : `<lastmod>${changedAt}</lastmod>`}${alternates}</url>\n`)
    .join('');
}

const urlset = (content: string): string =>
  `${xmlDeclaration}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${content}</urlset>\n`;

/** Paths of lists and of pages of their own, without their language. */
function pagePaths({ release }: Pick<PageContext, 'release'>): string[] {
  const search = searchPath({ release });
  const paths = release.routes.flatMap((route) => {
    const path = route.kind === 'template' ? route.path : route.sitemap ? route.listPath : null;
    return path === null || path === search ? [] : [path];
  });
  return [...new Set(paths)];
}

function pagesOf(context: PageContext): string {
  const { languages } = context.release;
  return urlset(
    pagePaths(context)
      .map((path) => urls(context, new Map(languages.map((language) => [language, path])), null))
      .join(''),
  );
}

type Slugs = ReadonlyMap<string, { readonly slug: string; readonly locales: readonly string[]; readonly updatedAt: string }>;

/** Slugs of some records by id, in a language. Every language has the same order. */
async function slugsOf(context: PageContext, route: CollectionRoute, language: string, offset: number, limit: number): Promise<Slugs> {
  const { rows } = await context.content.records({
    table: route.table,
    fields: route.slug === null ? {} : { slug: route.slug },
    locale: language,
    sort: '$publishedAt',
    offset,
    limit,
  });
  return new Map(
    rows.flatMap(({ id, locales, updatedAt, values }) => {
      const slug = route.slug === null ? id : values.slug?.kind === 'plain' ? values.slug.value : null;
      return typeof slug === 'string' && slug !== '' ? [[id, { slug, locales, updatedAt }] as const] : [];
    }),
  );
}

async function recordsOf(context: PageContext, { route, part }: Extract<SitemapPart, { kind: 'records' }>): Promise<string> {
  const { languages } = context.release;
  const [initial = 'en'] = languages;
  const perPart = recordsPerPart(context);
  const localized = route.slug !== null && context.content.isLocalized(route.table, route.slug);
  const chunks: string[] = [];
  for (let read = 0; read < perPart; read += readAtOnce) {
    const slugs = new Map<string, Slugs>();
    for (const language of localized ? languages : [initial])
      slugs.set(language, await slugsOf(context, route, language, (part - 1) * perPart + read, Math.min(readAtOnce, perPart - read)));
    const records = slugs.get(initial) ?? new Map();
    for (const [id, record] of records) {
      const paths = languages.flatMap((language): [string, string][] => {
        const slug = record.locales.includes(language) ? ((slugs.get(language) ?? records).get(id)?.slug ?? null) : null;
        const path = slug === null ? null : recordPath(route, slug);
        return path === null ? [] : [[language, path]];
      });
      // A table may lack the languages of the site: its pages are known in the first one.
      const own = paths.length > 0 ? new Map(paths) : new Map([[initial, recordPath(route, record.slug) ?? '']]);
      chunks.push(urls(context, own, record.updatedAt));
    }
    if (records.size < readAtOnce) break;
  }
  return urlset(chunks.join(''));
}

/** The index of the files; null without any, because the schema of sitemaps has no empty index. */
export async function sitemapIndex(context: PageContext): Promise<string | null> {
  const entries = (await sitemapParts(context)).map((part) => `<sitemap><loc>${xmlText(`${context.origin}${sitemapPath(part)}`)}</loc></sitemap>\n`);
  if (entries.length === 0) return null;
  return `${xmlDeclaration}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`;
}

/** Files that have at least one address. */
export async function sitemapParts(context: PageContext): Promise<SitemapPart[]> {
  const perPart = recordsPerPart(context);
  const parts: SitemapPart[] = pagePaths(context).length === 0 ? [] : [{ kind: 'pages' }];
  for (const route of sitemapRoutes(context)) {
    const { total } = await context.content.records({ table: route.table, fields: {}, locale: context.language, limit: 1, count: 'exact' });
    for (let part = 1; part <= Math.ceil(total / perPart); part += 1) parts.push({ kind: 'records', route, part });
  }
  return parts;
}

/** One file of the index. */
export const sitemapOf = (context: PageContext, part: SitemapPart): string | Promise<string> =>
  part.kind === 'pages' ? pagesOf(context) : recordsOf(context, part);
