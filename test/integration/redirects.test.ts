import { jest } from '@jest/globals';
import type { NotFoundPath } from '../../contract/seo/redirectSchemas';
import type { Robots, RobotsVersion, RobotsWhatIf } from '../../contract/seo/robotsSchemas';
import { storeNotFound } from '../../server/areas/seo';
import { dataOf } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let ids: string[];
const seo = (rest: string): string => `/api/site/${blog.site.id}/seo/${rest}`;
const person = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'accept-language': 'zh-CN,zh;q=0.9',
  accept: 'text/html,application/xhtml+xml',
  'accept-encoding': 'gzip, br',
};

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'moved');
  ids = await blog.addPosts({ title: '春茶', slug: 'spring-tea', body: '<p>春</p>' }, { title: '夏茶', slug: 'summer-tea', body: '<p>夏</p>' });
  await blog.release(ids);
  await until(async () => (await blog.visit('/blog/spring-tea')).statusCode === 200);
});
afterAll(() => program.close());

const code = (response: { json: () => unknown }): string => (response.json() as { code: string }).code;
const location = async (url: string): Promise<string> => {
  const { statusCode, headers } = await blog.visit(url);
  return `${String(statusCode)} ${headers.location ?? ''}`;
};
const readRobots = async (): Promise<Robots> => dataOf(await program.owner.get(seo('robots')));
const saveRobots = (text: string, revision: number, accepted: string[] = []) =>
  program.owner.send('PUT', seo('robots'), { text, accepted }, { 'if-match': `"${String(revision)}"` });

test('a saved robots.txt acts at once, with the lines of the program', async () => {
  const before = (await blog.visit('/robots.txt')).body;
  expect(before).toBe((await readRobots()).delivered);
  const saved = dataOf<Robots>(await saveRobots('User-agent: *\nDisallow: /private\n', 0));
  expect(saved).toMatchObject({ revision: 1, closedBy: null, problems: [] });
  await until(async () => (await blog.visit('/robots.txt')).body === saved.delivered);
  expect(saved.delivered).toMatch(/Disallow: \/private\n[^]*Disallow: \/search\n[^]*Sitemap: \S+\/sitemap\.xml\n$/);
});

test('what-if names the pages that would vanish', async () => {
  const found = dataOf<RobotsWhatIf>(await program.owner.send('POST', seo('robots/what-if'), { text: 'User-agent: *\nDisallow: /blog/s' }));
  const vanishing = found.examples.filter(({ path, change }) => change === 'blocked' && !path.startsWith('/en'));
  expect(vanishing.map(({ path, title }) => `${path} ${title}`).toSorted()).toEqual(['/blog/spring-tea 春茶', '/blog/summer-tea 夏茶']);
});

test('a robots.txt that closes the site needs to be confirmed', async () => {
  const { revision } = await readRobots();
  const all = 'User-agent: *\nDisallow: /';
  expect(code(await saveRobots(all, revision))).toBe('confirm_mismatch');
  dataOf(await saveRobots(all, revision, ['blocks_all']));
  await until(async () => (await blog.visit('/robots.txt')).body.startsWith(all));
  dataOf(await program.owner.send('POST', seo(`robots/versions/${String(revision)}/restore`), { accepted: [] }));
  const { rows } = dataOf<{ rows: RobotsVersion[] }>(await program.owner.get(seo('robots/versions')));
  expect(rows.map(({ version, text }) => [version, text.includes('/private')])).toEqual([
    [3, true],
    [2, false],
    [1, true],
  ]);
  expect(rows[1]?.blocked).toBeGreaterThan(2);
  const annotations = await program.ctx.postgres.pool.query(`SELECT kind FROM annotations WHERE site_id = $1 AND kind = 'robots_changed'`, [blog.site.id]);
  expect(annotations.rowCount).toBe(3);
});

test('closing a page that people visited needs to be confirmed', async () => {
  const at = new Date(program.ctx.now() - 3_600_000).toISOString().replace('T', ' ').replace('Z', '');
  const visit = { site_id: blog.site.id, visit_id: 1, visitor_id: 1, version: 1, start: at, last: at, view_path: ['/blog/summer-tea'], view_title: ['Summer'] };
  await program.ctx.clickhouse.insert('visits', [visit], { columns: Object.keys(visit) });
  const { revision } = await readRobots();
  const file = 'User-agent: Baiduspider\nDisallow: /blog/summer';
  const found = dataOf<RobotsWhatIf>(await program.owner.send('POST', seo('robots/what-if'), { text: file }));
  expect(found).toMatchObject({ blockedWithVisits: 1, examples: [{ path: '/blog/summer-tea', visits: 1, agent: 'Baiduspider', line: 2 }] });
  expect(code(await saveRobots(file, revision))).toBe('confirm_mismatch');
  expect(dataOf<Robots>(await saveRobots(file, revision, ['blocks_visited'])).revision).toBe(revision + 1);
});

test('an outdated robots.txt is not overwritten', async () => {
  expect(code(await saveRobots('', 0))).toBe('stale_revision');
});

const rename = async (slug: string): Promise<void> => {
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes: [{ id: ids[0], values: { slug } }] });
  await blog.calls.post(`tables/${blog.posts.id}/records/publish`, { target: { ids: [ids[0]] } });
  await until(async () => (await blog.visit(`/blog/${slug}`)).statusCode === 200);
};

test('a renamed record leads from all its earlier addresses to the present one', async () => {
  await rename('first-harvest');
  await until(async () => (await location('/blog/spring-tea')) === '301 /blog/first-harvest');
  await rename('harvest');
  await until(async () => (await location('/blog/first-harvest')) === '301 /blog/harvest');
  expect([await location('/blog/spring-tea?from=mail'), await location('/en/blog/spring-tea')]).toEqual([
    '301 /blog/harvest?from=mail',
    '301 /en/blog/harvest',
  ]);
  await rename('spring-tea');
  await until(async () => (await location('/blog/harvest')) === '301 /blog/spring-tea');
  expect(await location('/blog/spring-tea')).toBe('200 ');
});

const notFound = async (by: 'people' | 'bots'): Promise<NotFoundPath[]> =>
  dataOf<{ rows: NotFoundPath[] }>(await program.owner.get(seo(`not-found?by=${by}`))).rows;

test('a missing path is listed with its referrer and redirected in one step', async () => {
  await blog.setPart('settings', { title: { 'zh-Hans': '没有发布的标题' } });
  for (const referer of ['https://a.example/links?id=7', 'https://b.example/', 'https://a.example/links'])
    await blog.visit('/blog/summertea.html', { ...person, referer });
  await blog.visit('/wp-login.php', { 'user-agent': 'curl/8.5' });
  await until(async () => (await notFound('people')).length > 0 && (await notFound('bots')).length > 0);
  expect(await notFound('people')).toMatchObject([
    { path: '/blog/summertea.html', people: 3, bots: 0, referrer: 'https://a.example/links', suggestion: { path: '/blog/summer-tea', title: '夏茶' } },
  ]);
  expect((await notFound('bots')).map(({ path, people, suggestion }) => [path, people, suggestion])).toEqual([['/wp-login.php', 0, null]]);
  dataOf(await program.owner.send('POST', seo('not-found/redirect'), { path: '/blog/summertea.html', to: '/blog/summer-tea' }));
  await until(async () => (await location('/blog/summertea.html')) === '301 /blog/summer-tea');
  expect([await notFound('people'), (await blog.visit('/')).body.includes('没有发布的标题')]).toEqual([[], false]);
});

test('uses of redirects are counted by day', async () => {
  const use = async () => dataOf<{ primary: string; hits: { from: string; hits: number }[] }>(await program.owner.get(seo('redirects')));
  await until(async () => ((await use()).hits[0]?.hits ?? 0) > 0);
  expect(await use()).toMatchObject({ primary: blog.host, hits: [{ from: '/blog/summertea.html' }] });
});

test('redirects that go round are refused with their way', async () => {
  const parts = dataOf<{ redirects: { revision: number } }>(await program.owner.get(`/api/site/${blog.site.id}/setting/parts`));
  const loop = [
    { from: '/a', to: `http://${blog.host}/b` },
    { from: '/b', to: '/c' },
    { from: '/c', to: '/a' },
  ];
  const url = `/api/site/${blog.site.id}/setting/parts/redirects`;
  const refused = await program.owner.send('PUT', url, loop, { 'if-match': `"${String(parts.redirects.revision)}"` });
  expect(refused.json<{ fields: object }>().fields).toMatchObject({ '0.to': { code: 'loop', message: `/a → http://${blog.host}/b → /c → /a` } });
});

test('10 000 redirects with splats are saved, released and found', async () => {
  const rules = Array.from({ length: 10_000 }, (_, at) => ({ from: `/old/${String(at)}/*`, to: `/blog/:splat?n=${String(at)}` }));
  await blog.setPart('redirects', rules);
  await blog.release();
  await until(async () => (await location('/old/9999/spring-tea')) === '301 /blog/spring-tea?n=9999');
  expect(await location('/old/0/a/b')).toBe('301 /blog/a/b?n=0');
  expect(await location('/old/10000/a')).toBe('404 ');
  await expect(blog.setPart('redirects', [...rules, { from: '/one', to: '/more' }])).rejects.toThrow('invalid_fields');
});

test('an expired redirect no longer applies', async () => {
  await blog.setPart('redirects', [
    { from: '/sale', to: '/blog/summer-tea', expiresOn: '2020-01-31' },
    { from: '/spring', to: '/blog/spring-tea', expiresOn: '2999-01-31' },
  ]);
  await blog.release();
  await until(async () => (await location('/spring')) === '301 /blog/spring-tea');
  expect(await location('/sale')).toBe('404 ');
});

test('patterns come after addresses, in their order, before stored pages and in every language', async () => {
  expect((await blog.visit('/blog/summer-tea')).statusCode).toBe(200);
  await blog.setPart('redirects', [
    { from: '~/ended/(.*)', to: '/never/$1', expiresOn: '2020-01-31' },
    { from: '~(/en)?/(?:news|ended)/(\\d{4})/([a-z-]+)', to: '/$1/blog/$3?y=$2' },
    { from: '~/.*/summer-tea', to: '/blog/spring-tea', status: 302 },
    { from: '~/news/.*', to: '', status: 410 },
    { from: '/news/2020/*', to: '/blog/:splat' },
    { from: '/news/2020/exact', to: '/' },
  ]);
  await blog.release();
  await until(async () => (await location('/news/2019/spring-tea')) === '301 /blog/spring-tea?y=2019');
  expect(
    await Promise.all(
      [
        '/en/news/2019/spring-tea?q=1',
        '/ended/2019/a',
        '/news/2020/a',
        '/news/2020/exact',
        '/news/old',
        '/blog/summer-tea?q=1',
        '/en/blog/summer-tea',
        '/blog/spring-tea',
        '/ended/x',
      ].map(location),
    ),
  ).toEqual([
    '301 /en/blog/spring-tea?y=2019',
    '301 /blog/a?y=2019',
    '301 /blog/a',
    '301 /',
    '410 ',
    '302 /blog/spring-tea?q=1',
    '302 /blog/spring-tea',
    '200 ',
    '404 ',
  ]);
  const uses = async () => dataOf<{ hits: { from: string }[] }>(await program.owner.get(seo('redirects'))).hits.map(({ from }) => from);
  await until(async () => (await uses()).includes('~/news/.*'));
});

test('patterns that are invalid, too many or go round are refused', async () => {
  const url = `/api/site/${blog.site.id}/setting/parts/redirects`;
  const refusal = async (rules: object[]): Promise<unknown> => {
    const { redirects } = dataOf<{ redirects: { revision: number } }>(await program.owner.get(`/api/site/${blog.site.id}/setting/parts`));
    const response = await program.owner.send('PUT', url, rules, { 'if-match': `"${String(redirects.revision)}"` });
    return response.json<{ fields: object }>().fields;
  };
  const many = Array.from({ length: 51 }, (_, at) => ({ from: `~/m${String(at)}/(.*)`, to: '/$1' }));
  expect([
    await refusal([
      { from: '~/a(?=b)', to: '/b' },
      { from: '~/c', to: '/$1' },
      { from: '~/d/(.*)', to: 'https://$1' },
    ]),
    await refusal(many),
    await refusal([
      { from: '~/a/(\\d+)', to: '/b/$1' },
      { from: '~/b/(.*)', to: '/a/$1' },
    ]),
  ]).toMatchObject([
    { '0.from': { code: 'pattern' }, '1.to': { code: 'pattern' }, '2.to': { code: 'pattern' } },
    { '50.from': { code: 'out_of_range' } },
    { '0.to': { code: 'loop', message: '~/a/(\\d+) → /b/1 → /a/1' } },
  ]);
});

test('the rarest paths leave a full log, ignored ones stay', async () => {
  const at = program.ctx.now();
  const count = (path: string, people: number) => ({ siteId: blog.site.id, path, people, bots: 0, firstAt: at, lastAt: at, referrer: '', referrerHits: 0 });
  await storeNotFound(program.ctx, [count('/x1', 1), count('/x2', 50), count('/x3', 60)]);
  dataOf(await program.owner.send('PATCH', seo('not-found'), { paths: ['/x1'], ignored: true }));
  await storeNotFound(program.ctx, [count('/x4', 40)], 3);
  const ignored = dataOf<{ rows: NotFoundPath[] }>(await program.owner.get(seo('not-found?ignored=true'))).rows;
  expect([(await notFound('people')).map(({ path }) => path), ignored.map(({ path }) => path)]).toEqual([['/x3', '/x2'], ['/x1']]);
});
