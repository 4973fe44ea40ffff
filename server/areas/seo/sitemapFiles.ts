import type { Route, RoutesPart } from '../../../contract/publishing/parts';
import { pathOfRecord } from '../../../contract/publishing/recordPath';
import type { PageRules } from '../../../contract/seo/pageRules';
import { seoLimits } from '../../../contract/seo/terms';

/** Which files the sitemap of a site consists of, for delivery and for the console. */

export type CollectionRoute = Extract<Route, { kind: 'collection' }>;
/** `pages`: lists and pages of their own. `records`: some records of a collection, counted from 1. */
export type SitemapFile = { readonly kind: 'pages' } | { readonly kind: 'records'; readonly route: CollectionRoute; readonly part: number };
export type SitemapSite = {
  readonly routes: RoutesPart;
  /** The default one first. */
  readonly languages: readonly string[];
  readonly pageRules: Pick<PageRules, 'isListed'>;
  /** Path of the search page, which is in no sitemap; null: there is none. */
  readonly search: string | null;
};

/** Characters of an address, by the protocol of sitemaps. */
export const longestAddress = 2048;
/** Addresses of a file, so few that the longest ones fit in a flat file. */
const addressesPerFile = Math.floor(seoLimits.flatBytes / (longestAddress + 1));
/** Links of one file between languages: every address names all of them and `x-default`, so that they grow with the square of the languages. */
const mostAlternates = 100_000;

/** Records of one file, each in all languages. */
export const recordsPerFile = ({ languages: { length } }: Pick<SitemapSite, 'languages'>): number =>
  Math.max(1, Math.min(Math.floor(addressesPerFile / length), Math.floor(mostAlternates / (length * (length + 1)))));

/** Stands for any record; no slug consists of it. */
const anyRecord = '\u{E000}';
const hasRecords = (route: Route, { isListed }: SitemapSite['pageRules']): route is CollectionRoute =>
  route.kind === 'collection' && route.sitemap && route.recordPath !== null && isListed(pathOfRecord(route.recordPath, anyRecord));

/** Paths of lists and of pages of their own, without their language. */
export function sitemapPages({ routes, search, pageRules }: SitemapSite): string[] {
  const paths = routes.flatMap((route) => {
    const path = route.kind === 'template' ? route.path : route.sitemap ? route.listPath : null;
    return path === null || path === search || !pageRules.isListed(path) ? [] : [path];
  });
  return [...new Set(paths)];
}

/** Files that have at least one address. `totalOf`: records of a table that the public may read. */
export async function sitemapFiles(site: SitemapSite, totalOf: (table: string) => Promise<number>): Promise<SitemapFile[]> {
  const files: SitemapFile[] = sitemapPages(site).length === 0 ? [] : [{ kind: 'pages' }];
  for (const route of site.routes) {
    if (!hasRecords(route, site.pageRules)) continue;
    const count = Math.ceil((await totalOf(route.table)) / recordsPerFile(site));
    for (let part = 1; part <= count; part += 1) files.push({ kind: 'records', route, part });
  }
  return files;
}

export const sitemapPath = (file: SitemapFile): string =>
  file.kind === 'pages' ? '/sitemap-pages.xml' : `/sitemap-${file.route.collection}-${String(file.part)}.xml`;
/** The flat file with the addresses of the file at a place in the list. Baidu reads no index. */
export const baiduPath = (at: number): string => `/sitemap-baidu-${String(at + 1)}.txt`;
