import { RoutesPart } from '../../../contract/publishing/parts';
import { compilePageRules } from '../../../contract/seo/pageRules';
import { SeoPart } from '../../../contract/seo/part';
import { baiduPath, longestAddress, recordsPerFile, sitemapFiles, sitemapPath } from './sitemapFiles';

const posts = { kind: 'collection', collection: 'posts', table: 't_posts', fields: {}, recordPath: '/blog/{slug}', slug: 'slug' };
const siteOf = (routes: readonly object[], seo: object = {}) => ({
  routes: RoutesPart.parse(routes),
  languages: ['en'],
  pageRules: compilePageRules(SeoPart.parse(seo), ['en']),
  search: null,
});
const pathsOf = async (routes: readonly object[], seo: object = {}, total = 3) =>
  (await sitemapFiles(siteOf(routes, seo), () => Promise.resolve(total))).map(sitemapPath);

test('a site of records only has no file of pages', async () => {
  expect(await pathsOf([{ ...posts, listPath: null }])).toEqual(['/sitemap-posts-1.xml']);
});

test('a list is a page of the sitemap', async () => {
  expect(await pathsOf([{ ...posts, listPath: '/blog' }])).toEqual(['/sitemap-pages.xml', '/sitemap-posts-1.xml']);
});

test('a site without addresses has no files', async () => {
  expect(await pathsOf([])).toEqual([]);
});

test('a collection whose records may not be indexed has no file', async () => {
  expect(await pathsOf([{ ...posts, listPath: '/blog' }], { indexing: [{ pattern: '/blog/', indexing: 'noindex' }] })).toEqual(['/sitemap-pages.xml']);
  expect(await pathsOf([{ ...posts, listPath: '/blog' }], { sitemap: { excluded: ['/blog'] } })).toEqual([]);
});

test('many records are in several files, each small enough for Baidu', async () => {
  const paths = await pathsOf([{ ...posts, listPath: null }], {}, 10_000);
  expect([paths.length, baiduPath(2)]).toEqual([3, '/sitemap-baidu-3.txt']);
  for (const count of [1, 2, 7, 50]) {
    const records = recordsPerFile({ languages: Array.from({ length: count }, (_, at) => String(at)) });
    expect(records * count).toBeLessThanOrEqual(50_000);
    expect(records * count * (longestAddress + 1)).toBeLessThanOrEqual(10_000_000);
  }
});
