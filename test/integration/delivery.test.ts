import { jest } from '@jest/globals';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { atomProblems, htmlProblems, sitemapProblems } from '../support/pageChecks';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let ids: string[];
let picture: string;
let secret: string;

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'tea');
  [picture, secret] = [await blog.addPicture('hill.jpg'), await blog.addPicture('secret.jpg', { isPrivate: true })];
  const [green = '', black = ''] = blog.topicIds;
  ids = await blog.addPosts(
    { title: '春茶', slug: 'spring', summary: '清明前采的茶', body: '<h1>采茶</h1><p>山里 & 水边</p>', topics: [green], cover: [{ resource: picture }] },
    { title: '夏茶', slug: 'summer', body: '<p>夏天</p>', topics: [green, black], cover: [{ resource: secret }] },
    { title: '秋茶', slug: 'autumn', body: '<p>秋天</p>', topics: [black] },
    { title: '草稿', slug: 'draft', body: '<p>没写完</p>' },
  );
  const changes = [{ id: ids[0], values: { title: 'Spring tea', body: '<p>Hills</p>' } }];
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes, locale: 'en' });
  await blog.release(ids.slice(0, 3));
  await until(async () => (await blog.visit('/blog/spring')).statusCode === 200);
});
afterAll(() => program.close());

test.each(['/', '/page/2', '/en', '/blog/spring', '/en/blog/spring', '/topics/green', '/archive', '/search', '/search?q=茶', '/nowhere'])(
  'the page %s is valid HTML',
  async (url) => {
    expect(await htmlProblems((await blog.visit(encodeURI(url))).body)).toEqual([]);
  },
);

test('a list shows published records, the newest first, in pages', async () => {
  const [first, second] = [(await blog.visit('/')).body, (await blog.visit('/page/2')).body];
  expect([first.includes('href="/blog/autumn"'), first.includes('href="/page/2"'), second.includes('href="/blog/spring"')]).toEqual([true, true, true]);
  expect(first + second).not.toContain('草稿');
  expect((await blog.visit('/page/3')).statusCode).toBe(404);
});

test('a record shows its values with pictures and headings below the title', async () => {
  const { body } = await blog.visit('/blog/spring');
  expect(body).toContain('<h2 id="采茶">采茶</h2><p>山里 &amp; 水边</p>');
  expect(body).toMatch(new RegExp(`<img src="/_r/${picture}/[^"]+" srcset="[^"]+ \\d+w`));
  expect(body).toContain('alt="茶山"');
  expect(body).toContain('href="/topics/green"');
});

test('a private picture appears nowhere', async () => {
  expect((await blog.visit('/blog/summer')).body).not.toContain(secret);
});

test('a record of a topic lists what belongs to it', async () => {
  const { body } = await blog.visit('/topics/green');
  expect(['spring', 'summer', 'autumn'].map((slug) => body.includes(`href="/blog/${slug}"`))).toEqual([true, true, false]);
});

test('the head has title, canonical address, languages, card and structured data', async () => {
  const { body, headers } = await blog.visit('/blog/spring');
  expect(body).toContain('<title>春茶 · 茶铺 &lt;手记&gt;</title>');
  expect(body).toContain('<meta name="description" content="清明前采的茶">');
  const address = 'http://tea.localhost:3001';
  expect(body).toContain(`<link rel="canonical" href="${address}/blog/spring">`);
  expect(body).toContain(`<link rel="alternate" hreflang="en" href="${address}/en/blog/spring">`);
  expect(body).toContain(`<meta property="og:image" content="${address}/_r/${picture}/`);
  expect(body).toContain(`data-site="${blog.site.id}"`);
  const [article, breadcrumbs] = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']) => JSON.parse(json) as object);
  expect(article).toMatchObject({ '@type': 'Article', headline: '春茶' });
  expect(breadcrumbs).toMatchObject({ '@type': 'BreadcrumbList' });
  expect(headers['content-security-policy']).toContain("script-src 'self'");
});

test('a page without a translation names the original as canonical', async () => {
  const { body } = await blog.visit('/en/blog/summer');
  expect(body).toContain('<html lang="zh-Hans" dir="ltr">');
  expect(body).toContain('<link rel="canonical" href="http://tea.localhost:3001/blog/summer">');
  expect(body).not.toContain('hreflang="en" href="http://tea.localhost:3001/en/blog/summer"');
});

test.each([
  ['/blog/spring/?a=1', '/blog/spring?a=1'],
  ['/page/1', '/'],
  ['/zh-Hans/blog/spring', '/blog/spring'],
  ['/EN/blog/spring', '/en/blog/spring'],
])('%s leads to the canonical path %s', async (from, to) => {
  const response = await blog.visit(from);
  expect([response.statusCode, response.headers.location]).toEqual([301, to]);
});

test.each(['//evil.example/', '/zh-Hans//evil.example/', '/%2f%2fevil.example/', '/%5cevil.example/'])('%s leads nowhere', async (path) => {
  const response = await blog.visit(path);
  expect([response.statusCode, response.headers.location]).toEqual([404, undefined]);
});

test('an unknown path gets the page of the theme', async () => {
  const response = await blog.visit('/nowhere');
  expect([response.statusCode, response.body.includes('<meta name="robots" content="noindex">')]).toEqual([404, true]);
  expect(response.body).toContain('/_t/');
});

test('a page is compressed once and revalidated by its tag', async () => {
  const plain = await blog.visit('/blog/spring');
  const small = await blog.visit('/blog/spring', { 'accept-encoding': 'gzip, br' });
  expect([small.headers['content-encoding'], small.headers.vary]).toEqual(['br', 'accept-encoding']);
  const again = await blog.visit('/blog/spring', { 'accept-encoding': 'gzip, br', 'if-none-match': String(small.headers.etag) });
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', small.headers.etag]);
  const head = await blog.visit('/blog/spring', {}, 'HEAD');
  expect([head.body, head.headers['content-length'], head.headers.etag]).toEqual(['', plain.headers['content-length'], plain.headers.etag]);
});

test('style sheets of the theme are immutable and contain settings', async () => {
  const { body } = await blog.visit('/');
  const sheets = [...body.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href = '']) => href);
  const [settings, base, theme] = await Promise.all(sheets.map((href) => blog.visit(href)));
  expect(sheets.every((href) => /^\/_t\/[\da-f]{16}\/(?:settings|base|theme)\.css$/.test(href))).toBe(true);
  expect([settings?.statusCode, base?.statusCode, theme?.statusCode, settings?.headers['cache-control']]).toEqual([
    200,
    200,
    200,
    'public, max-age=31536000, immutable',
  ]);
  expect(settings?.body).toContain('#14532d');
  expect((await blog.visit('/_t/0000000000000000/templates/home.liquid')).statusCode).toBe(404);
});

test('the feed is Atom with the newest records', async () => {
  const { body, headers } = await blog.visit('/feed.xml');
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const english = (await blog.visit('/en/feed.xml')).body;
  expect([atomProblems(body), atomProblems(english)]).toEqual([[], []]);
  expect(body).toContain('<id>http://tea.localhost:3001/blog/autumn</id>');
  expect([body, english].map((feed) => feed.match(/<entry>/g)?.length)).toEqual([3, 1]);
});

test('robots.txt names the sitemap, whose index names files with all pages', async () => {
  expect((await blog.visit('/robots.txt')).body).toContain('Sitemap: http://tea.localhost:3001/sitemap.xml');
  const index = (await blog.visit('/sitemap.xml')).body;
  const files = [...index.matchAll(/<loc>http:\/\/tea\.localhost:3001([^<]+)<\/loc>/g)].map(([, path = '']) => path);
  expect(files).toEqual(['/sitemap-pages.xml', '/sitemap-posts-1.xml', '/sitemap-topics-1.xml']);
  const maps = await Promise.all(files.map(async (path) => (await blog.visit(path)).body));
  expect([index, ...maps].flatMap(sitemapProblems)).toEqual([]);
  const addresses = maps.flatMap((map) => [...map.matchAll(/<loc>http:\/\/tea\.localhost:3001([^<]+)<\/loc>/g)].map(([, path = '']) => path));
  expect(addresses.toSorted()).toEqual(
    ['/', '/en', '/archive', '/en/archive', '/blog/spring', '/en/blog/spring', '/blog/summer', '/blog/autumn', '/topics/green', '/topics/black'].toSorted(),
  );
  expect((await blog.visit('/sitemap-posts-2.xml')).statusCode).toBe(404);
});

test('the search finds published records only', async () => {
  const { body, headers } = await blog.visit('/search?q=%E8%8C%B6');
  expect(['spring', 'summer', 'autumn', 'draft'].map((slug) => body.includes(`href="/blog/${slug}"`))).toEqual([true, true, true, false]);
  expect(headers['cache-control']).toBe('private, no-cache');
  expect((await blog.visit('/search?q=%3Cscript%3E')).body).not.toContain('<script>');
});

test.each([{ 'x-forwarded-host': 'evil.example' }, { 'x-forwarded-proto': 'https' }, { forwarded: 'host=evil.example' }])(
  'the forged header %j changes nothing',
  async (headers) => {
    expect((await blog.visit('/blog/spring', headers)).body).toBe((await blog.visit('/blog/spring')).body);
  },
);
