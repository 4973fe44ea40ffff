import { jest } from '@jest/globals';
import type { SeoPage } from '../../contract/seo/schemas';
import { SupportTexts } from '../../contract/support/settings';
import { jobHandlers } from '../../server/areas';
import { hostnames } from '../../server/areas/hostnames/schema';
import { hasSupportTexts, installSupport } from '../../server/areas/support';
import { startWorker } from '../../server/worker';
import { dataOf } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { htmlProblems, sitemapProblems } from '../support/pageChecks';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;
let ids: string[];
let english: string;

const www = 'www.tea.test';
const other = 'en.tea.test';
const languages = (...more: object[]) => [
  { tag: 'zh-Hans', path: 'zh' },
  { tag: 'en', path: 'en', hostname: english },
  { tag: 'ja', path: 'ja', fallback: ['en'] },
  { tag: 'fr', path: 'fr', missing: 'hide' },
  ...more,
];
type Stored = { readonly languages: { readonly content: unknown; readonly revision: number }; readonly redirects: { readonly content: readonly object[] } };
const base = () => `/api/site/${blog.site.id}/setting`;
const parts = async (): Promise<Stored> => (await program.owner.get(`${base()}/parts`)).json<{ data: Stored }>().data;
/** Saves the languages of the working copy; the response. */
const save = async (content: object, confirm: readonly string[] = []) =>
  program.owner.send('PUT', `${base()}/languages`, { content, confirm }, { 'if-match': `"${(await parts()).languages.revision}"` });
/** Makes languages those that visitors get. */
async function release(content: object): Promise<void> {
  const response = await save(content);
  if (response.statusCode >= 300) throw new Error(response.body);
  await blog.release();
  const body = async () => (await program.owner.get(`${base()}/releases/preview`)).json<{ data: { parts: string[] } }>().data.parts;
  await until(async () => (await body()).length === 0);
}
const visit = (host: string, url: string, headers: Record<string, string> = {}) => program.visit(host, url, headers);
const alternatesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:xhtml:)?link rel="alternate" hreflang="([^"]+)" href="([^"]+)"/g)].map(([, tag, href]) => `${tag} ${href}`);

async function addHostname(host: string, role: 'primary' | 'serve'): Promise<string> {
  const row = { siteId: blog.site.id, host, apex: 'tea.test', role, token: host, contested: false, createdAt: new Date(), activeAt: new Date() };
  const [added] = await program.ctx.postgres.db
    .insert(hostnames)
    .values({ ...row, ownership: 'verified', dns: 'ok' })
    .returning({ id: hostnames.id });
  return added?.id ?? '';
}

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'tea');
  await addHostname(www, 'primary');
  english = await addHostname(other, 'serve');
  program.ctx.live.publish({ type: 'hostnames', siteId: blog.site.id });
  const [green = ''] = blog.topicIds;
  ids = await blog.addPosts(
    { title: '春茶', slug: 'spring', summary: '清明前采的茶', body: '<p>山里</p>', topics: [green] },
    { title: '夏茶', slug: 'summer', body: '<p>夏天</p>', topics: [green] },
  );
  const changes = [{ id: ids[0], values: { title: 'Spring tea', body: '<p>Hills</p>' } }];
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes, locale: 'en' });
  const response = await save({ languages: languages(), strategy: 'subdomain' });
  if (response.statusCode >= 300) throw new Error(response.body);
  await blog.setPart('settings', { title: { 'zh-Hans': '茶铺 <手记>', en: 'Tea notes' }, theme: { about: { 'zh-Hans': '山间小铺', en: 'A tea shop' } } });
  await blog.release(ids);
  await until(async () => (await visit(www, '/blog/spring')).statusCode === 200);
});
afterAll(() => program.close());

test.each([
  [www, '/blog/spring'],
  [other, '/blog/spring'],
  [www, '/ja/blog/spring'],
  [www, '/fr'],
])('%s%s is valid HTML', async (host, url) => {
  expect(await htmlProblems((await visit(host, url)).body)).toEqual([]);
});

test('head and sitemap name the same addresses of a page', async () => {
  const expected = [`zh-Hans http://${www}/blog/spring`, `en http://${other}/blog/spring`, `x-default http://${www}/blog/spring`];
  for (const host of [www, other]) expect(alternatesIn((await visit(host, '/blog/spring')).body)).toEqual(expected);
  const sitemap = (await visit(www, '/sitemap-posts-1.xml')).body;
  expect(sitemapProblems(sitemap)).toEqual([]);
  const urls = [...sitemap.matchAll(/<url><loc>([^<]+)<\/loc>.*?<\/url>/g)];
  expect(urls.map(([, loc]) => loc)).toEqual([`http://${www}/blog/spring`, `http://${other}/blog/spring`, `http://${www}/blog/summer`]);
  expect(urls.map(([url]) => alternatesIn(url))).toEqual([expected, expected, []]);
  expect((await visit(other, '/robots.txt')).body).toContain(`Sitemap: http://${www}/sitemap.xml`);
});

test('what a machine translated is closed to search engines until it is reviewed', async () => {
  const field = blog.posts.fields.find(({ key }) => key === 'body')?.id;
  const mark = (state: string) =>
    program.owner.send('POST', `/api/site/${blog.site.id}/intl/marks`, {
      tag: 'en',
      state,
      keys: [{ entity: 'record', group: blog.posts.id, id: ids[0], field }],
    });
  const robots = async () => /<meta name="robots" content="([^"]+)"/.exec((await visit(other, '/blog/spring')).body)?.[1] ?? '';
  const sitemap = async () => (await visit(www, '/sitemap-posts-1.xml')).body;
  expect((await mark('machine')).json()).toMatchObject({ data: { marked: 1 } });
  await until(async () => (await robots()).includes('noindex'));
  expect((await visit(other, '/blog/spring')).headers['x-robots-tag']).toContain('noindex');
  for (const host of [www, other]) expect(alternatesIn((await visit(host, '/blog/spring')).body)).toEqual([]);
  expect((await visit(www, '/blog/spring')).body).not.toContain('noindex');
  expect(await sitemap()).not.toContain(`http://${other}/blog/spring`);
  expect(await sitemap()).toContain(`http://${www}/blog/spring`);
  const { rows } = dataOf<{ rows: SeoPage[] }>(await program.owner.get(`/api/site/${blog.site.id}/seo/pages?tag=en&problem=machine`));
  expect(rows.map(({ path, indexing, reason }) => [path, indexing, reason])).toEqual([['/blog/spring', 'noindex', 'machine']]);
  await release({ languages: languages(), strategy: 'subdomain', noindexMachine: false });
  await until(async () => !(await robots()).includes('noindex'));
  expect(await sitemap()).toContain(`http://${other}/blog/spring`);
  await release({ languages: languages(), strategy: 'subdomain' });
  await until(async () => (await robots()).includes('noindex'));
  await mark('reviewed');
  await until(async () => !(await robots()).includes('noindex'));
  expect(alternatesIn((await visit(www, '/blog/spring')).body)).toHaveLength(3);
});

test('pictures of cards are at the hostname of the language', async () => {
  const cover = await blog.addPicture('hill.jpg');
  await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes: [{ id: ids[0], values: { cover: [{ resource: cover }] } }] });
  await blog.release([ids[0] ?? '']);
  for (const host of [www, other])
    await until(async () => (await visit(host, '/blog/spring')).body.includes(`<meta property="og:image" content="http://${host}/_r/${cover}/`));
});

test('llms.txt names pages at the hostname of their language', async () => {
  const { seo } = (await program.owner.get(`${base()}/parts`)).json<{ data: { seo: { content: { agents: object } } } }>().data;
  await blog.setPart('seo', { ...seo.content, agents: { ...seo.content.agents, llms: 'auto' } });
  const [zh, en, ja, fr] = languages();
  await release({ languages: [{ ...zh, hostname: english }, { ...en, hostname: null }, ja, fr], strategy: 'domain' });
  await until(async () => (await visit(www, '/llms.txt')).body.includes(`- [春茶](http://${other}/blog/spring): 清明前采的茶\n`));
  await release({ languages: languages(), strategy: 'subdomain' });
});

test('links stay on the hostname of the language; the switch leaves it', async () => {
  const { body } = await visit(other, '/blog/spring');
  expect(body).toContain('<html lang="en" dir="ltr">');
  expect(body).toContain(`<link rel="canonical" href="http://${other}/blog/spring">`);
  expect(body).toMatch(/href="\/archive"[^>]*>Archive/);
  expect(body).toContain(`href="http://${www}/blog/spring" lang="zh-Hans"`);
  expect((await visit(www, '/blog/spring')).body).toContain(`href="http://${other}/blog/spring" lang="en"`);
});

test.each([
  [www, '/en/blog/spring?a=1', `http://${other}/blog/spring?a=1`],
  [www, '/zh/blog/spring', '/blog/spring'],
  [www, '/JA', '/ja'],
])('%s%s leads to %s', async (host, url, location) => {
  const response = await visit(host, url);
  expect([response.statusCode, response.headers.location]).toEqual([301, location]);
});

test('a page shown in its fallback language is canonical in that language', async () => {
  const { body, headers } = await visit(www, '/ja/blog/spring');
  expect(body).toContain('<html lang="en" dir="ltr">');
  expect(body).toContain(`<link rel="canonical" href="http://${other}/blog/spring">`);
  expect(body).toContain('<p>Hills</p>');
  expect(body).toMatch(/href="\/ja\/archive"[^>]*>Archive/);
  expect([alternatesIn(body), headers['content-language']]).toEqual([[], 'en']);
  expect((await visit(www, '/ja/blog/summer')).body).toContain('<html lang="zh-Hans" dir="ltr">');
});

test('a list shows every record in its own language', async () => {
  const { body } = await visit(www, '/ja');
  expect([body.includes('Spring tea'), body.includes('夏茶'), body.includes('春茶')]).toEqual([true, true, false]);
});

test('a language that hides what is not translated names it nowhere', async () => {
  const [spring = '', summer = ''] = ids;
  const { menus } = (await program.owner.get(`${base()}/parts`)).json<{ data: { menus: { content: { main: object[] } } } }>().data;
  const leadsTo = (record: string, label: string) => ({ id: label, label: { 'zh-Hans': label }, target: { table: blog.posts.id, record }, items: [] });
  await blog.setPart('menus', { main: [...menus.content.main, leadsTo(spring, '春'), leadsTo(summer, '夏')] });
  async function translate(title: string | null): Promise<void> {
    await blog.calls.send('PATCH', `tables/${blog.posts.id}/records`, { changes: [{ id: summer, values: { title } }], locale: 'fr' });
    await blog.release([summer]);
  }
  await translate('Thé d’été');
  await until(async () => (await visit(www, '/fr/blog/summer')).body.includes('Thé d’été'));
  expect((await visit(www, '/fr/blog/spring')).statusCode).toBe(404);
  const namesIn = ({ body }: { readonly body: string }, of: string): boolean[] => ['spring', 'summer'].map((name) => body.includes(`${of}/blog/${name}"`));
  const list = await visit(www, '/fr');
  expect(namesIn(list, '/fr')).toEqual([false, true]);
  const menuOf = (body: string): string[] => [...body.matchAll(/href="[^"]*"[^>]*>\s*(春|夏)\s*</g)].map(([, title = '']) => title);
  expect([new Set(menuOf(list.body)), new Set(menuOf((await visit(www, '/')).body))]).toEqual([new Set(['夏']), new Set(['春', '夏'])]);
  expect(namesIn(await visit(www, '/fr/feed.xml'), `http://${www}/fr`)).toEqual([false, true]);
  const sitemap = (await visit(www, '/sitemap-posts-1.xml')).body;
  expect(['spring', 'summer'].map((name) => sitemap.includes(`<loc>http://${www}/fr/blog/${name}</loc>`))).toEqual([false, true]);
  const french = async (name: string) => alternatesIn((await visit(www, `/blog/${name}`)).body).filter((one) => one.startsWith('fr '));
  expect([await french('spring'), await french('summer')]).toEqual([[], [`fr http://${www}/fr/blog/summer`]]);
  // The switch of languages leads to pages that exist.
  expect((await visit(www, '/blog/spring')).body).not.toContain('/fr/blog/spring');
  await translate(null);
  await until(async () => (await visit(www, '/fr/blog/summer')).statusCode === 404);
});

test('a language can lead to the page of its fallback, and be hidden', async () => {
  const [zh, en, ja, fr] = languages();
  await release({ languages: [zh, en, { ...ja, missing: 'redirect' }, { ...fr, state: 'hidden' }], strategy: 'subdomain' });
  const response = await visit(www, '/ja/blog/spring');
  expect([response.statusCode, response.headers.location]).toEqual([302, `http://${other}/blog/spring`]);
  expect((await visit(www, '/fr')).statusCode).toBe(404);
  expect((await visit(www, '/')).body).not.toContain('hreflang="fr"');
});

test('the start page leads to the language of the browser, other pages do not', async () => {
  await release({ languages: languages(), strategy: 'subdomain', suggestion: 'redirect' });
  const locationOf = async (url: string, headers: Record<string, string>) => {
    const { statusCode, headers: sent } = await visit(www, url, headers);
    return [statusCode, sent.location, String(sent.vary).toLowerCase().includes('accept-language')];
  };
  expect(await locationOf('/', { 'accept-language': 'en-GB,zh;q=0.5' })).toEqual([302, `http://${other}/`, true]);
  expect(await locationOf('/', { 'accept-language': 'zh-CN,en;q=0.5' })).toEqual([200, undefined, true]);
  expect(await locationOf('/', {})).toEqual([200, undefined, true]);
  expect(await locationOf('/', { 'accept-language': 'en', referer: `http://${other}/blog` })).toEqual([200, undefined, true]);
  expect(await locationOf('/blog/spring', { 'accept-language': 'en' })).toEqual([200, undefined, false]);
});

test('a page offers its other languages by a script', async () => {
  await release({ languages: languages(), strategy: 'subdomain', suggestion: 'banner' });
  const [, address = ''] =
    /<script defer src="([^"]+)" data-language="zh-Hans" data-offers="[^"]*en\.tea\.test\/blog\/spring/.exec((await visit(www, '/blog/spring')).body) ?? [];
  const script = await visit(www, address);
  expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect((await visit(www, '/blog/summer')).body).not.toContain(address);
  expect((await visit(www, '/', { 'accept-language': 'en' })).statusCode).toBe(200);
});

test('old addresses lead to the new ones after another strategy and prefix', async () => {
  const [zh, en, ja, fr] = languages();
  const content = { languages: [zh, en, { ...ja, path: 'jp' }, fr], strategy: 'prefix_all' };
  const plan = (await program.owner.send('POST', `${base()}/languages/plan`, { content })).json<{ data: { examples: object[]; addresses: number } }>().data;
  expect(plan).toMatchObject({ redirects: [{ from: '/ja' }, { from: '/ja/*', to: '/jp/:splat' }], collisions: [], removed: [] });
  expect(plan.examples).toContainEqual({ from: `${other}/blog/spring`, to: `${www}/en/blog/spring` });
  expect((await parts()).redirects.content).toEqual([]);
  await release(content);
  const locations = [];
  for (const [host, url] of [
    [other, '/blog/spring'],
    [www, '/blog/spring'],
    [www, '/ja/archive'],
  ] as const)
    locations.push((await visit(host, url)).headers.location);
  expect(locations).toEqual([`http://${www}/en/blog/spring`, '/zh/blog/spring', '/jp/archive']);
  await release({ languages: languages(), strategy: 'prefix_all' });
  expect((await parts()).redirects.content).toEqual([
    { from: '/jp', to: '/ja', status: 301, origin: 'languages', note: '', expiresOn: null },
    { from: '/jp/*', to: '/ja/:splat', status: 301, origin: 'languages', note: '', expiresOn: null },
  ]);
});

test('a language with translations is removed only with its name', async () => {
  const [zh, , , fr] = languages();
  const refused = await save({ languages: [zh, fr] });
  expect(refused.json()).toMatchObject({ code: 'confirm_mismatch' });
  const generic = await program.owner.send(
    'PUT',
    `${base()}/parts/languages`,
    { languages: ['zh-Hans'] },
    { 'if-match': `"${(await parts()).languages.revision}"` },
  );
  expect(generic.json()).toMatchObject({ code: 'invalid_fields', fields: { languages: { code: 'in_use' } } });
  expect((await save({ languages: [zh, fr] }, ['en'])).statusCode).toBe(200);
  expect((await save({ languages: languages() })).statusCode).toBe(200);
});

test.each([
  [{ tag: 'xx-YY', path: 'xx' }, 'languages.4.tag', 'unknown'],
  [{ tag: 'de', path: 'archive' }, 'languages.4.path', 'pattern'],
  [{ tag: 'de', path: 'de', hostname: '00000000-0000-4000-8000-000000000000' }, 'languages.4.hostname', 'unknown'],
])('the language %j is refused at %s', async (language, field, code) => {
  const { fields } = (await save({ languages: languages(language), strategy: 'subdomain' })).json<{ fields: Record<string, { code: string }> }>();
  expect(Object.entries(fields).map(([name, error]) => [name.replace(/^content\./, ''), error.code])).toContainEqual([field, code]);
});

test('a page and the prefix of a language cannot have the same address', async () => {
  const routes = [{ kind: 'template', path: '/ja/archive', template: 'archive' }];
  const revision = (await program.owner.get(`${base()}/parts`)).json<{ data: { routes: { revision: number } } }>().data.routes.revision;
  const response = await program.owner.send('PUT', `${base()}/parts/routes`, routes, { 'if-match': `"${revision}"` });
  expect(response.json()).toMatchObject({ code: 'invalid_fields', fields: { 0: { code: 'reserved' } } });
});

test('a release makes its first language that of the site', async () => {
  const [zh, en, ja, fr] = languages();
  await release({ languages: [ja, zh, en, fr].map((one) => ({ ...one, fallback: [], hostname: null, missing: 'show' })) });
  const { sites } = (await program.owner.get('/api/core/load/rpm')).json<{ data: { sites: { id: string; defaultLang: string }[] } }>().data;
  expect(sites.find(({ id }) => id === blog.site.id)?.defaultLang).toBe('ja');
  expect((await visit(www, '/zh/blog/spring')).body).toContain('<html lang="zh-Hans"');
});

describe('texts of a removed language', () => {
  const day = 86_400_000;
  type Row = { readonly tag: string; readonly purgeAt: string; readonly by: string | null };
  const removed = async () => dataOf<{ rows: Row[] }>(await program.owner.get(`${base()}/languages/removed`)).rows;
  const remove = async (days: number) => {
    const [zh, , , fr] = languages();
    const content = { languages: [zh, fr].map((one) => ({ ...one, hostname: null, fallback: [] })) };
    const { revision } = (await parts()).languages;
    return program.owner.send('PUT', `${base()}/languages`, { content, confirm: ['en'], days }, { 'if-match': `"${revision}"` });
  };
  const everything = async () => {
    const { rows } = await program.ctx.postgres.pool.query<{ text: string }>(
      `SELECT concat_ws(' ', (SELECT json_agg(content)::text FROM site_parts WHERE site_id = $1 AND part <> 'languages'), (SELECT json_agg(alt)::text FROM resources WHERE site_id = $1),
         (SELECT json_agg(path)::text FROM theme_files WHERE site_id = $1), (SELECT json_agg(locales)::text FROM content_tables WHERE site_id = $1),
         (SELECT json_agg(language)::text FROM translation_marks WHERE site_id = $1), (SELECT maintenance::text FROM sites WHERE id = $1),
         (SELECT json_agg(rule)::text FROM country_rules WHERE site_id = $1), (SELECT settings::text FROM support_settings WHERE site_id = $1),
         (SELECT json_agg(c)::text FROM resource_captions c JOIN resources r ON r.id = c.resource_id WHERE r.site_id = $1), (SELECT json_agg(json_build_array(patch, inverse))::text FROM s_${blog.site.id}.h), (SELECT regexp_replace(json_agg(json_build_array(before, after))::text, '"en"|texts/en.json', '', 'g') FROM audit_log WHERE site_id = $1)) AS text`,
      [blog.site.id],
    );
    const record = await program.owner.get(`/api/site/${blog.site.id}/tables/${blog.posts.id}/records/${ids[0]}?locale=en`);
    return `${rows[0]?.text ?? ''} ${record.body}`;
  };
  const texts = /"en"|@en|Tea notes|About us|Hill|Spring tea|Closed|Not here|Ask us|Company|custom2|Wholesale|WEBVTT|A tea shop|texts\/en\.json/;
  async function purge(ahead: number): Promise<void> {
    const ctx = { ...program.ctx, now: () => program.ctx.now() + ahead };
    const worker = startWorker(ctx, jobHandlers, [], { pollEvery: 30 });
    await runSchedule(program.ctx, 'languages.purge', ahead);
    await until(async () => {
      const { rows } = await program.ctx.postgres.pool.query<{ state: string }>(`SELECT state FROM jobs WHERE kind = 'languages.purge' AND state <> 'done'`);
      if (rows.some(({ state }) => state === 'failed')) throw new Error('the purge failed');
      return rows.length === 0;
    });
    await worker.close();
  }
  beforeAll(async () => {
    const cover = await blog.addPicture('hill-en.jpg');
    dataOf(
      await program.owner.send('PATCH', `/api/site/${blog.site.id}/resource/items/${cover}`, { alt: { en: 'Hill', 'zh-Hans': '山' } }, { 'if-match': '"1"' }),
    );
    const { pool } = program.ctx.postgres;
    await pool.query(`UPDATE sites SET maintenance = '{"message":{"en":"Closed","zh-Hans":"维护"},"retryAfter":600}' WHERE id = $1`, [blog.site.id]);
    const captions = `INSERT INTO resource_captions (resource_id, language, use, label, source, updated_at) VALUES ($1, 'en', 'subtitles', '', 'WEBVTT', now())`;
    await pool.query(captions, [cover]);
    const rule = { enabled: false, mode: 'deny_listed', countries: [], action: 'log_only', message: { en: 'Not here', 'zh-Hans': '此处不开放' } };
    dataOf(await program.owner.send('PUT', `${base()}/country_block`, { rule, note: '', accepted: [] }, { 'if-match': '"0"' }));
    const labels = { custom1: { en: 'Company', 'zh-Hans': '公司' }, custom2: { en: 'Team' } };
    const fields = (['custom1', 'custom2'] as const).map((field) => ({ field, required: false, label: labels[field] }));
    const prechat = { when: 'always' as const, fields, topics: [{ name: '批发', label: { en: 'Wholesale' } }] };
    await installSupport(program.ctx, blog.site, { texts: { en: SupportTexts.parse({ title: 'Ask us' }) }, prechat });
    await release({ languages: languages(), strategy: 'subdomain' });
  });

  test('are counted before, and are back with the language', async () => {
    const [zh, , ja, fr] = languages();
    const content = { languages: [zh, { ...ja, fallback: [] }, fr] };
    const plan = (await program.owner.send('POST', `${base()}/languages/plan`, { content })).json<{ data: { removed: object[] } }>().data;
    expect([plan.removed, await hasSupportTexts(program.ctx, blog.site.id, 'zh-Hans')]).toEqual([[{ tag: 'en', records: 1, texts: 6, resources: 1 }], true]);
    expect((await remove(7)).statusCode).toBe(200);
    const [row] = await removed();
    expect(row).toMatchObject({ tag: 'en', by: expect.any(String) });
    expect(Math.round((Date.parse(row?.purgeAt ?? '') - program.ctx.now()) / day)).toBe(7);
    expect((await program.owner.send('POST', `${base()}/languages/removed/en/restore`)).statusCode).toBe(200);
    const { languages: list } = (await parts()).languages.content as { languages: { tag: string; hostname: string | null }[] };
    expect(list.at(-1)).toMatchObject({ tag: 'en', path: 'en', hostname: english });
    expect((await program.owner.send('POST', `${base()}/languages/removed/en/restore`)).statusCode).toBe(404);
    expect((await removed()).map(({ tag }) => tag)).not.toContain('en');
  });

  test('are deleted everywhere once they are due and nobody gets them', async () => {
    const { working } = dataOf<{ working: string }>(await program.owner.get(`${base()}/releases/preview`));
    const publishAt = new Date(program.ctx.now() + 12 * day).toISOString();
    dataOf(await program.owner.send('POST', `${base()}/releases`, { working, publishAt }));
    await remove(7);
    await purge(8 * day);
    // Visitors still get the language of the live release.
    expect(await everything()).toMatch(texts);
    expect((await removed()).map(({ tag }) => tag)).toContain('en');
    await blog.release();
    await purge(10 * day);
    expect(await everything()).not.toMatch(texts);
    expect(await everything()).toContain('山');
    expect((await removed()).map(({ tag }) => tag)).not.toContain('en');
    expect((await program.owner.get(`/api/acc/audit?siteId=${blog.site.id}&action=languages.purged`)).body).toContain('languages.purged');
  });

  test('are not missing on pages of a release that still has the language', async () => {
    const released = async () => {
      const answer = await program.owner.get(`/api/acc/audit?siteId=${blog.site.id}&action=publishing.released`);
      const [row] = dataOf<{ rows: { after: { withoutLanguages?: string } }[] }>(answer).rows;
      return [row?.after.withoutLanguages, alternatesIn((await visit(www, '/')).body).map((one) => one.split(' ')[0])];
    };
    const releases = async () =>
      dataOf<{ rows: { id: string; live: boolean; scheduledFor: string | null }[] }>(await program.owner.get(`${base()}/releases`)).rows;
    await runSchedule(program.ctx, 'releases.due', 13 * day);
    expect((await releases()).find(({ live }) => live)?.scheduledFor).not.toBe(null);
    expect(await released()).toEqual(['en', ['zh-Hans', 'fr', 'x-default']]);
    const earliest = (await releases()).at(-1)?.id ?? '';
    dataOf(await program.owner.send('POST', `${base()}/releases/${earliest}/roll-back`, { records: 'keep' }));
    await until(async () => (await releases())[0]?.live === true);
    expect(await released()).toEqual(['en, ja', ['zh-Hans', 'fr', 'x-default']]);
  });
});
