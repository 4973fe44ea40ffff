import { RoutesPart } from '../../contract/publishing/parts';
import type { PageContext } from './edition';
import { sitemapIndex, sitemapParts, sitemapPath } from './sitemap';

/** A site in one language with a table of three records. */
function contextOf(routes: readonly object[]): PageContext {
  const content = { records: () => Promise.resolve({ rows: [], total: 3, more: true }) };
  const release = { routes: RoutesPart.parse(routes), languages: ['en'], theme: null };
  return { release, language: 'en', origin: 'http://a.test', content } as unknown as PageContext;
}
const posts = { kind: 'collection', collection: 'posts', table: 't_posts', fields: {}, recordPath: '/blog/{slug}', slug: 'slug' };

test('a site of records only has no file of pages', async () => {
  const context = contextOf([{ ...posts, listPath: null }]);
  expect((await sitemapParts(context)).map(sitemapPath)).toEqual(['/sitemap-posts-1.xml']);
  expect(await sitemapIndex(context)).not.toContain('sitemap-pages');
});

test('a list is a page of the sitemap', async () => {
  expect((await sitemapParts(contextOf([{ ...posts, listPath: '/blog' }]))).map(sitemapPath)).toEqual(['/sitemap-pages.xml', '/sitemap-posts-1.xml']);
});

test('a site without addresses has no sitemap', async () => {
  expect(await sitemapIndex(contextOf([]))).toBeNull();
});
