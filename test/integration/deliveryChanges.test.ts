import { jest } from '@jest/globals';
import { recordThemeFailure } from '../../server/areas/publishing';
import { DAY } from '../../server/zone';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let ids: string[];
let name = 0;

beforeAll(async () => {
  program = await makeDeliveringProgram();
});
afterAll(() => program.close());
beforeEach(async () => {
  name += 1;
  blog = await makeBlog(program, `site-${String(name)}`);
  ids = await blog.addPosts({ title: '春茶', slug: 'spring', body: '<p>春</p>' }, { title: '夏茶', slug: 'summer', body: '<p>夏</p>' });
});

const released = async (posts = ids): Promise<void> => {
  await blog.release(posts);
  await until(async () => (await blog.visit('/blog/spring')).statusCode === 200);
};
const write = async (path: string, text: string) => {
  const address = `/api/site/${blog.site.id}/setting/theme/file?path=${encodeURIComponent(path)}`;
  const { revision } = (await program.owner.get(address)).json<{ data: { revision: number } }>().data;
  const response = await program.owner.send('PUT', address, { text }, { 'if-match': `"${String(revision)}"` });
  expect(response.statusCode).toBe(200);
};
const endlessLoop = '{% for i in (1..999999) %}{% for j in (1..999999) %}{% endfor %}{% endfor %}';
const failuresOf = async () =>
  (await program.owner.get(`/api/site/${blog.site.id}/setting/theme/failures`)).json<{ data: { file: string; line: number; page: string; count: number }[] }>()
    .data;

test('nothing is indexed and no record is visible before the first release', async () => {
  await until(async () => (await blog.visit('/')).statusCode === 200);
  expect((await blog.visit('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n');
  expect((await blog.visit('/blog/spring')).statusCode).toBe(404);
  expect((await blog.visit('/')).body).not.toContain('春茶');
});

test('a stored page follows its records', async () => {
  await released();
  expect((await blog.visit('/')).body).toContain('春茶');
  const change = { changes: [{ id: ids[0], values: { title: '明前茶' } }] };
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, change);
  expect((await blog.visit('/')).body).not.toContain('明前茶');
  await blog.calls.post(`tables/${blog.posts.id}/records/publish`, { target: { ids: [ids[0]] } });
  await until(async () => (await blog.visit('/')).body.includes('明前茶'));
  expect((await blog.visit('/blog/spring')).body).toContain('<h1>明前茶</h1>');
});

test('a roll-back shows the parts and records of the earlier release', async () => {
  await released([ids[0] ?? '']);
  const rows = (await program.owner.get(`/api/site/${blog.site.id}/setting/releases`)).json<{ data: { rows: { id: string }[] } }>().data.rows;
  await blog.setPart('settings', { title: { 'zh-Hans': '新名字' } });
  await blog.release([ids[1] ?? '']);
  await until(async () => (await blog.visit('/')).body.includes('新名字'));
  expect((await blog.visit('/blog/summer')).statusCode).toBe(200);
  await program.owner.send('POST', `/api/site/${blog.site.id}/setting/releases/${rows[0]?.id ?? ''}/roll-back`, { records: 'undo' });
  await until(async () => !(await blog.visit('/')).body.includes('新名字'));
  await until(async () => (await blog.visit('/blog/summer')).statusCode === 404);
});

test('a template with an endless loop leaves the last good copy and is listed', async () => {
  await released();
  const good = (await blog.visit('/blog/spring')).body;
  await write('templates/post.liquid', `\n${endlessLoop}`);
  await blog.release();
  await until(async () => (await blog.visit('/blog/summer')).statusCode === 500);
  expect((await blog.visit('/blog/summer')).body).not.toContain('liquid');
  expect(await blog.visit('/blog/spring')).toMatchObject({ statusCode: 200, body: good });
  await until(async () => (await failuresOf()).length > 0);
  expect((await blog.visit('/')).statusCode).toBe(200);
});

test('the last good copy of a page survives a restart', async () => {
  await released();
  const visit = (delivery: Awaited<ReturnType<DeliveringProgram['startDelivery']>>, url: string) => delivery.inject({ url, headers: { host: blog.host } });
  const before = await program.startDelivery();
  const good = await visit(before, '/blog/spring');
  expect(good.statusCode).toBe(200);
  await before.close();
  await write('templates/post.liquid', '{{ 1 | divided_by: 0 }}{% render page.template %}');
  await blog.release();
  const after = await program.startDelivery();
  const [copy, unvisited] = [await visit(after, '/blog/spring'), await visit(after, '/blog/summer')];
  expect([copy.statusCode, copy.body === good.body, copy.headers['content-security-policy']]).toEqual([200, true, good.headers['content-security-policy']]);
  expect(unvisited.statusCode).toBe(500);
  await after.close();
});

test('the copy of a page goes when its record is no longer published', async () => {
  await released();
  const visit = async () => {
    const delivery = await program.startDelivery();
    const { statusCode } = await delivery.inject({ url: '/blog/spring', headers: { host: blog.host } });
    await delivery.close();
    const { rows } = await program.ctx.postgres.pool.query('SELECT 1 FROM page_copies WHERE site_id = $1', [blog.site.id]);
    return [statusCode, rows.length];
  };
  expect(await visit()).toEqual([200, 1]);
  await blog.calls.post(`tables/${blog.posts.id}/records/unpublish`, { target: { ids: [ids[0]] } });
  expect(await visit()).toEqual([404, 0]);
});

test('a failing template of the page not found is replaced by the plain one', async () => {
  await write('templates/not_found.liquid', '{{ 1 | divided_by: 0 }}{% render page.template %}');
  await released();
  const response = await blog.visit('/nowhere');
  expect([response.statusCode, response.body.includes('页面不存在')]).toEqual([404, true]);
  await until(async () => (await failuresOf()).some(({ file }) => file === 'templates/not_found.liquid'));
});

test('every failure counts, although the same one is written once a minute', async () => {
  await write('templates/post.liquid', '{% render page.template %}');
  await blog.release(ids);
  await until(async () => (await blog.visit('/blog/summer')).statusCode === 500);
  for (let visit = 0; visit < 2; visit += 1) expect((await blog.visit('/blog/summer')).statusCode).toBe(500);
  program.pass(61_000);
  expect((await blog.visit('/blog/summer')).statusCode).toBe(500);
  await until(async () => (await failuresOf())[0]?.count === 4);
});

test('a failure that has not come back for 30 days is not listed', async () => {
  const failure = { reason: 'template', message: 'wrong', file: 'templates/post.liquid', column: 1 } as const;
  const { ctx } = program;
  await recordThemeFailure(ctx, blog.site.id, { ...failure, line: 1 }, '/blog/spring');
  await recordThemeFailure({ ...ctx, now: () => ctx.now() - 31 * DAY }, blog.site.id, { ...failure, line: 2 }, '/blog/spring');
  expect((await failuresOf()).map(({ line }) => line)).toEqual([1]);
});

test('/favicon.ico leads to the icon of the settings while it is public', async () => {
  const icon = await blog.addPicture('icon.jpg');
  await blog.setPart('settings', { icon });
  await released();
  for (let visit = 0; visit < 2; visit += 1) {
    const { statusCode, headers } = await blog.visit('/favicon.ico');
    expect([statusCode, headers.location?.toString().includes(icon)]).toEqual([302, true]);
  }
  await program.owner.send('PATCH', `/api/site/${blog.site.id}/resource/items/${icon}`, { visibility: 'private' }, { 'if-match': '"1"' });
  await until(async () => (await blog.visit('/favicon.ico')).statusCode === 404);
});

test('redirects keep the query and the rest of the path', async () => {
  await blog.setPart('redirects', [
    { from: '/old', to: '/blog/spring' },
    { from: '/news/*', to: '/blog/:splat', status: 302 },
    { from: '/gone', to: '', status: 410 },
    { from: '/open/*', to: '/:splat' },
  ]);
  await released();
  const at = async (path: string) => {
    const { statusCode, headers } = await blog.visit(path);
    return [statusCode, headers.location];
  };
  expect(await at('/old?utm=1')).toEqual([301, '/blog/spring?utm=1']);
  expect(await at('/news/%E8%8C%B6')).toEqual([302, '/blog/%E8%8C%B6']);
  expect((await at('/gone'))[0]).toBe(410);
  expect(await at('/open//evil.example')).toEqual([301, '/evil.example']);
});

test('code of the owner is on every page and may load what it names', async () => {
  await blog.setPart('settings', { headCode: '<meta name="owner" content="x">', bodyCode: '<script>1</script>', measuring: false, robots: 'closed' });
  await released();
  const { body, headers } = await blog.visit('/blog/spring');
  expect([body.includes('name="owner"'), body.includes('<script>1</script>'), body.includes('/_a/t.js')]).toEqual([true, true, false]);
  expect(headers['content-security-policy']).toContain("'unsafe-inline'");
  expect([headers['x-robots-tag'], (await blog.visit('/robots.txt')).body]).toEqual(['noindex', 'User-agent: *\nDisallow: /\n']);
  expect((await blog.visit('/sitemap.xml')).statusCode).toBe(404);
});

describe('a preview', () => {
  const previewOf = async () => {
    const response = await program.owner.send('POST', `/api/site/${blog.site.id}/setting/preview`, { expiresIn: 600 });
    return new URL(response.json<{ data: { address: string } }>().data.address);
  };

  test('shows drafts and the working copy to who has the address, and nobody else', async () => {
    const { pathname, host } = await previewOf();
    expect(host).toBe(`${blog.host}:3001`);
    expect((await program.owner.send('POST', `/api/site/${blog.site.id}/setting/preview`)).statusCode).toBe(200);
    const list = await blog.visit(pathname);
    expect([list.statusCode, list.body.includes('春茶'), list.body.includes(`href="${pathname}/blog/spring"`)]).toEqual([200, true, true]);
    const page = await blog.visit(`${pathname}/blog/spring`);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
    expect(page.headers['content-security-policy']).toContain('frame-ancestors http://localhost:3000');
    const [, style = ''] = /href="([^"]+settings\.css)"/.exec(page.body) ?? [];
    expect([style.startsWith(pathname), (await blog.visit(style)).statusCode]).toEqual([true, 200]);
    expect((await blog.visit('/blog/spring')).statusCode).toBe(404);
  });

  test('ends with its time and is of one site only', async () => {
    const { pathname } = await previewOf();
    const other = await makeBlog(program, `other-${String(name)}`);
    await until(async () => (await other.visit('/')).statusCode === 200);
    expect((await other.visit(pathname)).statusCode).toBe(404);
    expect((await blog.visit(pathname.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')))).statusCode).toBe(404);
    program.pass(601_000);
    expect((await blog.visit(pathname)).statusCode).toBe(404);
  });
});

test('previews that were ended no longer work, and new ones do', async () => {
  const path = `/api/site/${blog.site.id}/setting/preview`;
  const preview = async () => new URL((await program.owner.send('POST', path)).json<{ data: { address: string } }>().data.address).pathname;
  const first = await preview();
  await until(async () => (await blog.visit(first)).statusCode === 200);
  expect((await program.owner.send('DELETE', path)).statusCode).toBeLessThan(300);
  await until(async () => (await blog.visit(first)).statusCode === 404);
  expect((await blog.visit(await preview())).statusCode).toBe(200);
});

test('pages that people request are counted by day', async () => {
  await released();
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'accept-language': 'en' };
  const countOf = async () =>
    (await program.owner.get(`/api/site/${blog.site.id}/setting/requests?days=2`))
      .json<{ data: Record<string, number>[] }>()
      .data.map(({ pages, programs, notFound, measured, errors }) => ({ pages, programs, notFound, measured, errors }));
  const [before] = await countOf();
  await blog.visit('/', firefox);
  await blog.visit('/blog/summer', firefox);
  await blog.visit('/nowhere', firefox);
  await blog.visit('/', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
  await blog.visit('/_t/0000000000000000/x.css', firefox);
  await until(async () => (await countOf())[0]?.pages === 2);
  const [today, yesterday] = await countOf();
  expect([before?.pages, yesterday?.pages]).toEqual([0, 0]);
  expect(today).toMatchObject({ pages: 2, notFound: 1, measured: 0, errors: 0 });
  expect(today?.programs).toBeGreaterThanOrEqual(1);
});
