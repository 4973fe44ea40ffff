import { jest } from '@jest/globals';
import sharp from 'sharp';
import type { SeoOverview, SeoPage } from '../../contract/seo/schemas';
import { structuredProblems } from '../../contract/seo/structured';
import { dataOf } from '../support/app';
import type { Person } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { htmlProblems, sitemapProblems } from '../support/pageChecks';
import { until } from '../support/until';
import { personOn } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let picture: string;
const origin = 'http://leaf.localhost:3001';

const seo = {
  separator: '|',
  templates: [
    { kind: 'record', collection: 'posts', title: { 'zh-Hans': '{title} {sep} {collection} {sep} {site}', en: '{title} {sep} {site}' } },
    { kind: 'record', collection: 'topics', title: { 'zh-Hans': '{title}专题' }, description: { 'zh-Hans': '关于{title}的文章' } },
  ],
  overrides: [
    { path: '/blog/spring', title: { 'zh-Hans': '明前茶' }, description: { 'zh-Hans': '今年的明前茶' } },
    { path: '/blog/summer', canonical: '/blog/spring' },
    { path: '/archive', indexing: 'noindex' },
  ],
  indexing: [
    { pattern: '/topics/black', indexing: 'noindex', nofollow: true },
    { pattern: '/topics/green', maxSnippet: 60, header: true },
    { pattern: '/_r/', indexing: 'noindex', header: true },
  ],
  entities: [{ collection: 'topics', type: 'Product', properties: { price: { text: '12.50' }, priceCurrency: { text: 'CNY' }, sku: { field: 'title' } } }],
  social: { drawn: true, twitter: 'leaf' },
  agents: { refused: ['GPTBot', 'Bytespider'], llms: 'auto' },
};

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'leaf');
  picture = await blog.addPicture('hill.jpg');
  const [green = ''] = blog.topicIds;
  const ids = await blog.addPosts(
    { title: '春茶', slug: 'spring', summary: '清明前采的茶', body: '<p>山里</p>', topics: [green], cover: [{ resource: picture }] },
    { title: '夏茶', slug: 'summer', summary: '浓', body: '<p>夏天</p>' },
    { title: '秋茶', slug: 'autumn', body: '<p>秋天</p>' },
  );
  await blog.setPart('seo', seo);
  await blog.setPart('settings', {
    title: { 'zh-Hans': '茶铺 <手记>', en: 'Tea notes' },
    tagline: { 'zh-Hans': '山里的茶', en: 'Tea from the hills' },
    company: '茶铺',
  });
  await blog.release(ids);
  await until(async () => (await blog.visit('/blog/spring')).statusCode === 200);
});
afterAll(() => program.close());

const bodyOf = async (url: string): Promise<string> => (await blog.visit(encodeURI(url))).body;
const titleOf = async (url: string): Promise<string | undefined> => /<title>(.*?)<\/title>/.exec(await bodyOf(url))?.[1];

test.each([
  ['/blog/autumn', '秋茶 | 文章 | 茶铺 &lt;手记&gt;'],
  ['/en/blog/autumn', '秋茶 | Tea notes'],
  ['/topics/green', '绿茶专题'],
  ['/blog/spring', '明前茶'],
  ['/en/blog/spring', '春茶 | Tea notes'],
  ['/', '茶铺 &lt;手记&gt; | 山里的茶'],
])('%s has the title %s', async (url, title) => {
  expect(await titleOf(url)).toBe(title);
});

test('descriptions come from overrides, templates and records', async () => {
  const described = async (url: string) => /<meta name="description" content="(.*?)">/.exec(await bodyOf(url))?.[1];
  expect(await Promise.all(['/blog/spring', '/topics/green', '/blog/summer'].map(described))).toEqual(['今年的明前茶', '关于绿茶的文章', '浓']);
});

test('a canonical address of another page is named without alternates', async () => {
  const body = await bodyOf('/blog/summer');
  expect(body).toContain(`<link rel="canonical" href="${origin}/blog/spring">`);
  expect(body).not.toContain('rel="alternate" hreflang');
});

test('pages say by element and header what robots may do', async () => {
  const robotsOf = async (url: string) => {
    const { body, headers } = await blog.visit(url);
    return [/<meta name="robots" content="(.*?)">/.exec(body)?.[1], headers['x-robots-tag']];
  };
  expect(await Promise.all(['/archive', '/topics/black', '/topics/green', '/blog/spring'].map(robotsOf))).toEqual([
    ['noindex', 'noindex'],
    ['noindex, nofollow', 'noindex, nofollow'],
    ['max-snippet:60, max-image-preview:large', 'max-snippet:60, max-image-preview:large'],
    ['max-image-preview:large', undefined],
  ]);
});

test('a rule for files reaches pictures', async () => {
  const [, address = ''] = /<meta property="og:image" content="http:\/\/leaf\.localhost:3001([^"]+)">/.exec(await bodyOf('/blog/spring')) ?? [];
  expect((await blog.visit(address)).headers['x-robots-tag']).toBe('noindex');
});

test('pages with rules are valid HTML', async () => {
  for (const url of ['/blog/spring', '/topics/green']) expect(await htmlProblems(await bodyOf(url))).toEqual([]);
});

test('sitemaps name only pages that may be indexed', async () => {
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>http:\/\/leaf\.localhost:3001([^<]+)<\/loc>/g)].map(([, path = '']) => path);
  const index = await bodyOf('/sitemap.xml');
  const files = await Promise.all(addressesIn(index).map(bodyOf));
  expect([index, ...files].flatMap(sitemapProblems)).toEqual([]);
  expect(files.flatMap(addressesIn).toSorted()).toEqual(['/', '/blog/autumn', '/blog/spring', '/en', '/topics/green']);
  expect(files.join('')).toContain(`<image:loc>${origin}/_r/${picture}/`);
});

test('flat files for Baidu have the same addresses', async () => {
  const [pages, posts] = [await blog.visit('/sitemap-baidu-1.txt'), await blog.visit('/sitemap-baidu-2.txt')];
  expect([pages.headers['content-type'], pages.body, posts.body.split('\n').toSorted()]).toEqual([
    'text/plain; charset=utf-8',
    `${origin}/\n${origin}/en\n`,
    ['', `${origin}/blog/autumn`, `${origin}/blog/spring`],
  ]);
  expect((await blog.visit('/sitemap-baidu-4.txt')).statusCode).toBe(404);
});

test('structured data is complete where search engines require it', async () => {
  const found = async (url: string) =>
    [...(await bodyOf(url)).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(
      ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
    );
  const [home, post, topic] = [await found('/'), await found('/blog/spring'), await found('/topics/green')];
  expect([home, post, topic].map((all) => all.map((one) => one['@type']))).toEqual([
    ['WebSite', 'Organization'],
    ['Article', 'BreadcrumbList'],
    ['Product', 'BreadcrumbList'],
  ]);
  expect([...home, ...post, ...topic].flatMap((one) => structuredProblems(one)).filter(({ isRequired }) => isRequired)).toEqual([]);
  expect(home[0]).toMatchObject({ potentialAction: { target: `${origin}/search?q={search_term_string}` }, publisher: { name: '茶铺' } });
  expect(topic[0]).toMatchObject({ name: '绿茶', sku: '绿茶', offers: { price: '12.50', priceCurrency: 'CNY', url: `${origin}/topics/green` } });
});

test('a page without a picture has a drawn card', async () => {
  const [, address = ''] = /<meta property="og:image" content="http:\/\/leaf\.localhost:3001([^"]+)">/.exec(await bodyOf('/blog/autumn')) ?? [];
  expect(address).toMatch(/^\/_card\/[\da-f]{16}\/blog\/autumn\.png$/);
  const card = await blog.visit(address);
  expect([card.statusCode, card.headers['content-type']]).toEqual([200, 'image/png']);
  const { data, info } = await sharp(card.rawPayload).greyscale().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, data.filter((value) => value < 60).length > 1000]).toEqual([1200, 630, true]);
  const former = await blog.visit(address.replace(/[\da-f]{16}/, '0'.repeat(16)));
  expect([former.statusCode, former.headers.location]).toEqual([302, address]);
  expect((await blog.visit('/_card/0000000000000000/nowhere.png')).statusCode).toBe(404);
});

test('robots.txt refuses the agents that were chosen', async () => {
  expect(await bodyOf('/robots.txt')).toMatch(/^User-agent: GPTBot\nUser-agent: Bytespider\nDisallow: \/\n\nUser-agent: \*\n/);
});

test('llms.txt lists what may be indexed', async () => {
  const text = await bodyOf('/llms.txt');
  expect(text).toMatch(/^# 茶铺 <手记>\n\n> 山里的茶\n/);
  expect(text).toContain(`- [春茶](${origin}/blog/spring): 清明前采的茶\n`);
  expect(['/blog/summer', '/topics/black'].some((path) => text.includes(path))).toBe(false);
});

describe('pages in the console', () => {
  const base = () => `/api/site/${blog.site.id}/seo`;
  const pagesOf = async (query = '') => dataOf<{ rows: SeoPage[]; total: number; revision: number }>(await program.owner.get(`${base()}/pages?${query}`));

  test('have the titles that are delivered', async () => {
    const { rows } = await pagesOf();
    for (const path of ['/', '/blog/autumn', '/blog/spring', '/topics/green']) {
      const title = rows
        .find((row) => row.path === path)
        ?.title.replace('<', '&lt;')
        .replace('>', '&gt;');
      expect([path, title]).toEqual([path, await titleOf(path)]);
    }
  });

  test('can be searched and filtered by what is wrong', async () => {
    expect((await pagesOf('q=明前')).rows.map(({ path }) => path)).toEqual(['/blog/spring']);
    expect((await pagesOf('problem=noindex')).rows.map(({ path, reason }) => [path, reason])).toEqual([
      ['/archive', 'override'],
      ['/topics/black', '/topics/black'],
    ]);
    expect((await pagesOf('problem=description_missing&size=1')).total).toBe(0);
  });

  test('exist in the language that is requested', async () => {
    expect((await pagesOf('tag=en')).rows.map(({ path }) => path)).toEqual(['/', '/archive']);
  });

  test('are counted by what is wrong with them', async () => {
    const found = dataOf<SeoOverview>(await program.owner.get(`${base()}/overview`));
    expect(found).toMatchObject({ pages: 7, indexable: 5, more: false, closed: null, unused: [] });
    expect(found.problems).toContainEqual({ problem: 'noindex', pages: 2 });
  });

  test('get an override and lose an empty one', async () => {
    const { revision } = await pagesOf();
    const change = (overrides: object[], expected = revision) => program.owner.send('PATCH', `${base()}/pages`, { overrides }, { 'if-match': `"${expected}"` });
    const stored = dataOf<{ revision: number }>(await change([{ path: '/blog/autumn', title: { 'zh-Hans': '秋' } }, { path: '/archive' }]));
    const rows = new Map((await pagesOf()).rows.map((row) => [row.path, row]));
    expect(rows.get('/blog/autumn')).toMatchObject({ title: '秋', inherited: { title: '秋茶 | 文章 | 茶铺 <手记>' } });
    expect(rows.get('/archive')).toMatchObject({ indexing: 'index', override: null });
    expect((await change([{ path: '/' }])).statusCode).toBe(409);
    expect(await titleOf('/blog/autumn')).toBe('秋茶 | 文章 | 茶铺 &lt;手记&gt;');
    expect(stored.revision).toBe(revision + 1);
  });

  test('get the texts that templates make of them', async () => {
    const paths = ['/blog/spring', '/nowhere', '/'];
    const filled = await program.owner.send('POST', `${base()}/pages/fill`, { tag: 'zh-Hans', paths, title: '{title} {sep} {collection}', description: '' });
    expect(dataOf<{ rows: object[] }>(filled).rows).toEqual([
      { path: '/blog/spring', title: '春茶 | 文章', description: '' },
      { path: '/', title: '文章', description: '' },
    ]);
  });

  test('are said to be closed by a robots.txt that blocks all', async () => {
    const put = (text: string, revision: number) =>
      program.owner.send('PUT', `${base()}/robots`, { text, accepted: ['blocks_all', 'blocks_visited'] }, { 'if-match': `"${revision}"` });
    const closed = async () => dataOf<SeoOverview>(await program.owner.get(`${base()}/overview`)).closed;
    expect((await put('User-agent: *\nDisallow: /', 0)).statusCode).toBe(200);
    expect(await closed()).toBe('robots');
    await put('', 1);
    expect(await closed()).toBeNull();
  });

  test('are in the sitemaps that are listed', async () => {
    const { rows } = dataOf<{ rows: { path: string; kind: string; pages: number }[] }>(await program.owner.get(`${base()}/sitemaps`));
    expect(rows.map(({ path, pages }) => [path, pages])).toEqual([
      ['/sitemap.xml', 6],
      ['/sitemap-pages.xml', 1],
      ['/sitemap-posts-1.xml', 3],
      ['/sitemap-topics-1.xml', 2],
      ['/sitemap-baidu-1.txt', 1],
      ['/sitemap-baidu-2.txt', 3],
      ['/sitemap-baidu-3.txt', 2],
    ]);
  });

  test('are changed by editors and read by viewers', async () => {
    const viewer = await personOn(program, blog.site, 'viewer');
    const editor = await personOn(program, blog.site, 'editor');
    const { revision } = await pagesOf();
    const send = async (person: Person) =>
      (await person.send('PATCH', `${base()}/pages`, { overrides: [{ path: '/x' }] }, { 'if-match': `"${revision}"` })).statusCode;
    expect([await send(viewer), await send(editor), (await viewer.get(`${base()}/pages`)).statusCode]).toEqual([403, 200, 200]);
  });
});
