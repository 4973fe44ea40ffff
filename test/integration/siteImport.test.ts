import { jest } from '@jest/globals';
import type { SiteParts } from '../../contract/publishing/schemas';
import type { Site } from '../../contract/sites/schemas';
import { dataOf } from '../support/app';
import { csvText, ghostJson, markdownFiles, pictureOf, servePages, staticFiles, wordpressXml, zipOf } from '../support/siteArchives';
import { openImports } from './siteImportSupport';
import type { Imports } from './siteImportSupport';

jest.setTimeout(120_000);
let i: Imports;
beforeAll(async () => {
  i = await openImports();
});
afterAll(() => i.close());

const partsOf = async (siteId: string) => dataOf<SiteParts>(await i.owner.get(`/api/site/${siteId}/setting/parts`));
const siteOf = async (siteId: string) => dataOf<Site>(await i.owner.get(`/api/core/sites/${siteId}`));
const posts = [
  {
    id: 1,
    title: 'Hello &amp; tea',
    slug: 'hello',
    link: 'https://old.example/2024/05/hello/',
    body: 'First line\n\nSee <a href="https://old.example/about/#us">about</a> [gallery ids="1"] <script>alert(1)</script>',
    more: '<category domain="category" nicename="news"><![CDATA[News]]></category><wp:postmeta><wp:meta_key>_yoast_wpseo_title</wp:meta_key><wp:meta_value>Hello title</wp:meta_value></wp:postmeta>',
  },
  { id: 2, title: 'Draft', slug: 'draft', status: 'draft', link: 'https://old.example/?p=2', body: '<p>Later</p>' },
  {
    id: 3,
    title: 'About',
    slug: 'about',
    type: 'page',
    link: 'https://old.example/about/',
    body: '<p>About <a href="https://old.example/2024/05/hello/">hello</a> <a href="https://elsewhere.example/x">x</a></p>',
  },
];

test('a WordPress export becomes a site that answers at its old addresses', async () => {
  const done = await i.bring('wp.xml', Buffer.from(wordpressXml(posts)));
  expect(done).toMatchObject({ state: 'done', source: 'wordpress', records: { created: 5, failed: 0 }, redirects: 1 });
  expect(done.plan?.unsupported).toEqual([{ name: '[gallery]', count: 1 }]);
  expect(done.check).toMatchObject({ brokenCount: 0, broken: [] });
  const siteId = done.siteId ?? '';
  const { redirects, seo, settings } = await partsOf(siteId);
  expect(settings.content.title).toEqual({ en: 'Tea notes' });
  expect(redirects.content).toContainEqual(expect.objectContaining({ from: '/2024/05/hello', to: '/posts/hello', status: 301, origin: 'import' }));
  expect(seo.content.overrides).toContainEqual(expect.objectContaining({ path: '/posts/hello', title: { en: 'Hello title' } }));
  const [post] = (await i.records(siteId, 'posts')).filter(({ values }) => values['slug'] === 'hello');
  expect(post?.values['body']).toContain('<a href="/about#us">about</a>');
  expect(String(post?.values['body'])).not.toContain('script');
  const [page] = await i.records(siteId, 'pages');
  expect(page?.values['body']).toBe('<p>About <a href="/posts/hello">hello</a> <a href="https://elsewhere.example/x">x</a></p>');
});

test('importing the same export again changes nothing, and a changed post is updated', async () => {
  const first = await i.bring('wp.xml', Buffer.from(wordpressXml(posts)));
  const siteId = first.siteId ?? '';
  const again = await i.bring('wp.xml', Buffer.from(wordpressXml(posts)), { siteId });
  expect(again.records).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
  const changed = posts.map((post) => (post.id === 3 ? { ...post, body: '<p>New text</p>' } : post));
  const third = await i.bring('wp.xml', Buffer.from(wordpressXml(changed)), { siteId });
  expect(third.records).toMatchObject({ created: 0, updated: 1, unchanged: 4 });
  expect((await i.records(siteId, 'pages')).map(({ values }) => values['body'])).toEqual(['<p>New text</p>']);
  expect(await i.tables(siteId)).toHaveLength(4);
  expect((await partsOf(siteId)).redirects.content).toHaveLength(1);
});

test('a website of HTML files comes with its pictures, and its links lead to the new pages', async () => {
  const done = await i.bring('site.zip', await zipOf(await staticFiles()));
  expect(done).toMatchObject({ source: 'static', state: 'incomplete', media: { created: 1, failed: 1 }, records: { created: 5 } });
  const siteId = done.siteId ?? '';
  const [failed] = dataOf<{ rows: { source: string }[] }>(await i.owner.get(`${i.api}/${done.id}/items?outcome=failed`)).rows;
  expect(failed?.source).toMatch(/missing\.png$/);
  const [about] = await i.records(siteId, 'pages');
  expect(String(about?.values['body'])).toMatch(/<img [^>]*src="\/_r\/[0-9a-f-]{36}\/leaf\.png"/);
  const news = await i.records(siteId, 'posts');
  expect(news.find(({ values }) => values['title'] === 'Two')?.values['body']).toContain('href="/about#team"');
  const { slug } = await siteOf(siteId);
  const { working } = dataOf<{ working: string }>(await i.owner.get(`/api/site/${siteId}/setting/releases/preview`));
  await i.owner.send('POST', `/api/site/${siteId}/setting/releases`, { working });
  const home = await i.visit(slug, '/');
  expect(home.body).toContain('Start <a href="/about">about us</a>');
  expect((await i.visit(slug, '/about.html')).headers['location']).toBe('/about');
});

test('Markdown keeps drafts, dates, topics and former addresses', async () => {
  const done = await i.bring('notes.zip', await zipOf(await markdownFiles()));
  expect(done).toMatchObject({ source: 'markdown', state: 'done', media: { created: 1 } });
  const siteId = done.siteId ?? '';
  const list = await i.records(siteId, 'posts');
  const green = list.find(({ values }) => values['title'] === 'Green tea');
  expect(green?.values).toMatchObject({ slug: 'green', date: '2024-03-04T00:00:00.000Z' });
  expect(green?.values['topics']).toHaveLength(2);
  expect(green?.values['cover']).toHaveLength(1);
  expect(String(green?.values['body'])).toContain('<table>');
  expect(list.find(({ values }) => values['title'] === 'Not yet')?.publishedAt).toBeNull();
  expect((await partsOf(siteId)).redirects.content).toContainEqual(expect.objectContaining({ from: '/old/green', to: '/posts/green' }));
});

test('Ghost and CSV become tables with their own fields, without secrets', async () => {
  const ghost = await i.bring('ghost.json', Buffer.from(ghostJson()));
  expect(ghost).toMatchObject({ source: 'ghost', state: 'done', records: { created: 4 }, check: { brokenCount: 0 } });
  const [first] = await i.records(ghost.siteId ?? '', 'posts');
  expect(first?.values['body']).toBe('<p>Hello <a href="/about">about</a></p>');
  const csv = await i.bring('Products.csv', Buffer.from(csvText));
  expect(csv).toMatchObject({ source: 'csv', state: 'done', records: { created: 3 } });
  const cups = await i.records(csv.siteId ?? '', 'products');
  expect(cups.map(({ values }) => [values['title'], values['slug'], Number(values['price'])])).toContainEqual(['Cup', 'cup', 12.5]);
  const { rows } = await i.t.ctx.postgres.pool.query(`SELECT 1 FROM site_import_items WHERE data::text LIKE '%$2a$10$%'`);
  expect(rows).toEqual([]);
  expect((await i.owner.get(`${i.api}/${csv.id}/report`)).body).toContain("'=cmd()");
});

test('fields become what a person chose: others, renamed, of other types, or none', async () => {
  const pages = await servePages({ '/pot.png': { type: 'image/png', body: await pictureOf('#123456') } });
  try {
    const heads = 'name,teaser,details,photo_link,colours,available,weight,cost,secret';
    const found = await i.detect('Pots.csv', Buffer.from(`${heads}\nPot,A pot,"Line 1\n\nLine 2",${pages.origin}/pot.png,"red, blue",yes,2.5,7,hidden\n`));
    const collection = found.plan?.collections[0];
    const keyOf = (title: string): string => collection?.fields.find((field) => field.title === title)?.key ?? '';
    const field = (title: string, type: string, change: object = {}) => ({ key: keyOf(title), include: true, title, to: keyOf(title), type, ...change });
    const fields = [
      field('teaser', 'longText', { to: 'summary' }),
      field('details', 'richText', { to: 'body' }),
      field('photo_link', 'image', { title: 'Picture' }),
      field('colours', 'tags'),
      field('available', 'switch'),
      field('cost', 'text', { title: 'Price' }),
      field('secret', 'text', { include: false }),
    ];
    const send = (mapped: object[]) =>
      i.owner.send('PUT', `${i.api}/${found.id}/mapping`, {
        mapping: { collections: [{ key: collection?.key, title: 'Pots', include: true, fields: mapped }] },
        target: { name: 'Pots', defaultLang: 'en', timeZone: 'UTC' },
      });
    for (const wrong of [
      [...fields, field('weight', 'text', { to: 'body' })],
      [field('weight', 'relation')],
      [field('weight', 'text', { to: 'colours' })],
      [field('weight', 'text', { key: 'unknown' })],
    ])
      expect((await send(wrong)).statusCode).toBe(422);
    expect((await send(fields)).statusCode).toBe(200);
    const done = await i.post(found.id, 'run');
    expect(done).toMatchObject({ state: 'done', records: { created: 1 }, media: { created: 1 }, check: { brokenCount: 0 } });
    const siteId = done.siteId ?? '';
    const [pot] = await i.records(siteId, 'pots');
    expect(pot?.values).toMatchObject({
      title: 'Pot',
      summary: 'A pot',
      body: '<p>Line 1</p><p>Line 2</p>',
      available: true,
      weight: '2.5',
      cost: '7',
      photo_link: [{}],
      colours: ['red', 'blue'],
    });
    const [table] = await i.tables(siteId);
    expect(table?.fields.map(({ title }) => title)).toEqual([
      expect.any(String),
      expect.any(String),
      'teaser',
      'details',
      'Picture',
      'colours',
      'available',
      'weight',
      'Price',
    ]);
    const next = await i.detect('Pots.csv', Buffer.from(`${heads}\nPot,Another,Text,,,no,2.5,7,hidden\n`));
    await i.owner.send('PUT', `${i.api}/${next.id}/mapping`, {
      mapping: { collections: [{ key: collection?.key, title: 'Pots', include: true }] },
      target: { siteId },
    });
    expect(await i.post(next.id, 'run')).toMatchObject({ records: { updated: 1 } });
    expect((await i.records(siteId, 'pots'))[0]?.values).toMatchObject({ summary: 'Another', body: '<p>Text</p>', available: false });
  } finally {
    await pages.close();
  }
});

test('one undo takes everything back that nobody has changed', async () => {
  const done = await i.bring('site.zip', await zipOf(await staticFiles()));
  const siteId = done.siteId ?? '';
  const [about] = await i.records(siteId, 'pages');
  await i.owner.send(
    'PATCH',
    `/api/site/${siteId}/table/tables/pages/records/${about?.id}`,
    { values: { title: 'Mine' } },
    { 'if-match': `"${about?.revision}"` },
  );
  const undone = await i.post(done.id, 'undo');
  expect(undone).toMatchObject({ state: 'undone' });
  expect((await i.tables(siteId)).map(({ key }) => key)).toEqual(['pages']);
  const { redirects, seo, routes } = await partsOf(siteId);
  expect([redirects.content, seo.content.overrides, routes.content.filter(({ kind }) => kind === 'collection')]).toMatchObject([
    [],
    [],
    [{ collection: 'pages' }],
  ]);
});

test('an interrupted import continues without doubling anything', async () => {
  const many = Array.from({ length: 250 }, (_one, n) => ({
    id: n + 1,
    title: `Post ${n}`,
    slug: `post-${n}`,
    link: `https://old.example/blog/post-${n}/`,
    body: `<p>${n}</p>`,
  }));
  const found = await i.detect('wp.xml', Buffer.from(wordpressXml(many)));
  await i.map(found, { name: 'Interrupted' });
  await i.owner.send('POST', `${i.api}/${found.id}/run`);
  let before = await i.one(found.id);
  while (before.records.created < 100 && before.state === 'running') before = await i.one(found.id);
  await i.stopWorker();
  i.startWorker();
  const done = await i.finished(found.id);
  expect(done).toMatchObject({ state: 'done', records: { created: 251, pending: 0 }, check: { brokenCount: 0 } });
  const { rows } = await i.t.ctx.postgres.pool.query<{ count: string }>(
    `SELECT sum(created) AS count FROM content_batches WHERE site_id = $1 AND door = 'website'`,
    [done.siteId],
  );
  expect(Number(rows[0]?.count)).toBe(251);
});

test('a live website is read by its links and sitemap, within its robots.txt', async () => {
  const html = (title: string, body: string) => `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  const pages = await servePages({
    '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' },
    '/sitemap.xml': { type: 'application/xml', body: '<urlset><url><loc>ORIGIN/hidden</loc></url></urlset>' },
    '/': { body: html('Home', '<p><a href="/team.html">Team</a> <a href="/private/a">No</a> <a href="/moved">Moved</a></p>') },
    '/team.html': {
      body: Buffer.concat([
        Buffer.from('<html><head><meta charset="gbk"><title>x</title></head><body><main><h1>'),
        Buffer.from([0xb2, 0xe8]),
        Buffer.from('</h1><p>Text <img src="/no.png"></p></main></body></html>'),
      ]),
    },
    '/hidden': { body: html('Hidden', '<p>From the sitemap</p>') },
    '/moved': { location: '/hidden' },
  });
  try {
    const { id } = dataOf<{ id: string }>(await i.owner.send('POST', i.api, { address: `${pages.origin}/`, mayCopy: true, pages: 10 }));
    const found = await i.post(id, 'detect');
    expect(found).toMatchObject({ state: 'planned', source: 'address', media: { pending: 1 } });
    await i.map(found, { name: 'Live' });
    const done = await i.post(id, 'run');
    expect(done).toMatchObject({ state: 'incomplete', records: { created: 3 }, media: { failed: 1 }, check: { brokenCount: 0 } });
    expect(new Set((await i.records(done.siteId ?? '', 'pages')).map(({ values }) => values['title']))).toEqual(new Set(['Hidden', '\u8336']));
    expect(pages.requests.filter((url) => url.startsWith('/private'))).toEqual([]);
    expect((await partsOf(done.siteId ?? '')).redirects.content).toContainEqual(expect.objectContaining({ from: '/moved', to: '/hidden' }));
  } finally {
    await pages.close();
  }
});
