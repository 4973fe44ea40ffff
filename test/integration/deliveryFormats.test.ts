import { jest } from '@jest/globals';
import { dataOf } from '../support/app';
import { makeBlog, makeDeliveringProgram } from '../support/deliveredSite';
import type { Blog, DeliveringProgram } from '../support/deliveredSite';
import { until } from '../support/until';

jest.setTimeout(60_000);
let program: DeliveringProgram;
let blog: Blog;

const zh = { tag: 'zh-Hans', path: 'zh', currency: 'CNY', dateStyle: 'iso' };
const en = { tag: 'en', path: 'en', currency: 'USD', timeZone: 'America/New_York', dateStyle: 'medium' };
const setLanguages = (...languages: readonly object[]) => blog.setPart('languages', { languages });
const base = () => `/api/site/${blog.site.id}/setting`;
const visit = async (path: string): Promise<string> => (await blog.visit(path)).body;
const pick = (html: string, element: string): string[] =>
  [...html.matchAll(new RegExp(`<${element}[^>]*>([^<]*)</${element.split(' ', 1)[0] ?? ''}>`, 'g'))].map(([, text = '']) => text.replaceAll(/\s/g, ' '));

const template = `{% layout 'layouts/base' %}{% block main %}
<i>{{ record.date | format_date: 'full' }}</i><i>{{ record.date | format_time }}</i><i>{{ record.date | date: '%A %-d %H:%M' }}</i><i>{{ record.date | date }}</i>
<i>{{ 1234.5 | format_money }}</i><i>{{ 5 | format_money: 'JPY' }}</i><i>{{ '2026-03-01' | date: '%d' }}</i>
<b>Hard-coded</b><h1>{{ record.title }}</h1>{{ record.body | html }}{% endblock %}`;

async function changeThemeFile(path: string, text: string): Promise<void> {
  const response = await program.owner.send('PUT', `${base()}/theme/file?path=${path}`, { text }, { 'if-match': '"1"' });
  if (response.statusCode >= 300) throw new Error(response.body);
}

beforeAll(async () => {
  program = await makeDeliveringProgram();
  blog = await makeBlog(program, 'formats');
  const items = await blog.calls.table({
    title: '服务',
    key: 'items',
    locales: ['zh-Hans', 'en'],
    fields: [
      { type: 'text', title: '名称', key: 'title', required: true, localized: true },
      { type: 'slug', title: '网址', key: 'slug', options: { from: 'title' } },
      { type: 'currency', title: '价格', key: 'price', options: { decimals: 2 } },
      { type: 'datetime', title: '时间', key: 'at' },
      { type: 'richText', title: '正文', key: 'body', localized: true },
    ],
  } as never);
  const rules = [{ role: 'public', action: 'read', allowed: true }];
  await blog.calls.send('PUT', `tables/${items.id}/rules`, { rules }, items.revision);
  const body = '<p>山里 <a href="/x?a=1">{name} 的茶</a></p>';
  const [id] = await blog.calls.add(items.id, [{ title: '采茶', slug: 'pick', price: '1234.50', at: '2026-03-01T03:30:00Z', body }]);
  await blog.calls.send('PATCH', `tables/${items.id}/records`, { changes: [{ id, values: { title: 'Tea picking', body: '<p>Hills</p>' } }], locale: 'en' });
  await program.owner.send('POST', `${base()}/theme/install`, { name: 'company' }, { 'if-match': '"1"' });
  await changeThemeFile('templates/article.liquid', template);
  const route = (collection: string, table: string, fields: object, path: string) => ({
    kind: 'collection',
    collection,
    table,
    fields,
    listPath: path,
    recordPath: `${path}/{slug}`,
    slug: 'slug',
  });
  await blog.setPart('routes', [
    { kind: 'template', path: '/', template: 'home' },
    route('services', items.id, { title: 'title', price: 'price' }, '/services'),
    route('news', items.id, { title: 'title', body: 'body', date: 'at' }, '/news'),
  ]);
  await setLanguages(zh, en, { tag: 'ja', path: 'ja', fallback: ['en'] }, { tag: 'fr', path: 'fr' });
  await blog.setPart('settings', { title: { 'zh-Hans': '茶铺' }, theme: { hero_title: { 'zh-Hans': '山间小铺', en: 'A tea shop' } } });
  await blog.release();
  await until(async () => (await blog.visit('/news/pick')).statusCode === 200);
});
afterAll(() => program.close());

test('dates, times and amounts follow the language of the page', async () => {
  expect(pick(await visit('/news/pick'), 'i')).toEqual(['2026-03-01', '11:30', '星期日 1 11:30', '2026-03-01', '¥1,234.50', 'JP¥5', '01']);
  expect(pick(await visit('/en/news/pick'), 'i')).toEqual(['Feb 28, 2026', '10:30 PM', 'Saturday 28 22:30', 'Feb 28, 2026', '$1,234.50', '¥5', '01']);
  for (const [path, price, date] of [
    ['', '¥1,234.50', '2026-03-01'],
    ['/en', '$1,234.50', 'Feb 28, 2026'],
  ] as const) {
    expect(pick(await visit(`${path}/services`), 'p class="price"')).toEqual([price]);
    expect(pick(await visit(`${path}/news`), 'time')).toEqual([date]);
  }
});

test('a text in the settings of the theme follows the language of the page', async () => {
  const titles = await Promise.all(['/', '/en', '/ja', '/fr'].map(async (path) => pick(await visit(path), 'h1')[0]));
  expect(titles).toEqual(['山间小铺', 'A tea shop', 'A tea shop', '山间小铺']);
});

test.each([
  ['an unknown language', { hero_title: { 'zh-Hans': '茶', ko: '차' } }, { 'theme.hero_title.ko': { code: 'unknown' } }],
  ['a long text', { hero_title: { en: 'x'.repeat(501) } }, { 'theme.hero_title.en': { code: 'too_long', max: 500 } }],
  ['another type', { hero_title: 5, accent: { en: '#ffffff' } }, { 'theme.hero_title': { code: 'wrong_type' }, 'theme.accent': { code: 'wrong_type' } }],
])('settings of the theme refuse %s', async (_case, theme, fields) => {
  const { settings } = dataOf<{ settings: { revision: number } }>(await program.owner.get(`${base()}/parts`));
  const answer = await program.owner.send('PUT', `${base()}/parts/settings`, { theme }, { 'if-match': `"${settings.revision}"` });
  expect([answer.statusCode, answer.json<{ fields: object }>().fields]).toEqual([422, fields]);
});

test('a release keeps the formats that it was published with', async () => {
  const price = async () => pick(await visit('/en/services'), 'p class="price"')[0];
  await setLanguages(zh, { ...en, currency: null, timeZone: null, dateStyle: null });
  expect(await price()).toBe('$1,234.50');
  await blog.release();
  await until(async () => (await price()) === 'CN¥1,234.50');
  expect(pick(await visit('/en/news/pick'), 'i').slice(0, 2)).toEqual(['Sunday, March 1, 2026', '11:30 AM']);
  const releases = dataOf<{ rows: { id: string; number: number }[] }>(await program.owner.get(`${base()}/releases`)).rows;
  const first = releases.find(({ number }) => number === 1)?.id ?? '';
  await program.owner.send('POST', `${base()}/releases/${first}/roll-back`, { records: 'keep' });
  await until(async () => (await price()) === '$1,234.50');
});

test.each([
  ['currency', 'DEM'],
  ['currency', 'usd'],
  ['timeZone', 'Mars/Olympus'],
  ['timeZone', '+08:00'],
  ['dateStyle', 'tiny'],
])('a language refuses %s %s', async (key, value) => {
  await expect(setLanguages(zh, { ...en, [key]: value })).rejects.toThrow('invalid');
});

test('the pseudo-language changes what can be translated, in previews only', async () => {
  const { pseudoAddress } = dataOf<{ pseudoAddress: string }>(await program.owner.send('POST', `${base()}/preview`, {}));
  const root = new URL(pseudoAddress).pathname;
  const { statusCode, headers, body } = await blog.visit(`${root}/en/news/pick`);
  expect([statusCode, headers['cache-control'], headers['x-robots-tag']]).toEqual([200, 'no-store', 'noindex, nofollow']);
  expect(body).toContain('<h1>[Ťéá þíçķíñğ óñé]</h1><p>[Ĥíĺĺš óñ]</p>');
  expect(body).toContain('<b>Hard-coded</b>');
  expect(pick(body, 'a class="skip"')).toEqual(['[Šķíþ ťó ťĥé çóñťéñť óñé ťŵ]']);
  expect(pick(body, `a href="${root}/en/archive"`)).toEqual(['[Áŕçĥíṽé óñé]']);
  const chinese = (await blog.visit(`${root}/news/pick`)).body;
  expect(chinese).toContain('<h1>〔采茶㊀〕</h1><p>〔山里 <a href="/x?a=1">{name} 的茶</a>㊀㊁〕</p>');
  for (const text of [body, chinese]) expect(text.match(/<link rel="(?:alternate" hreflang|canonical")[^>]*pseudo/)).toBeNull();
  expect(pick(body, 'i')[1]).toBe('11:30 AM');
  for (const path of ['/news/pick', '/sitemap.xml', '/sitemap-news-1.xml', '/robots.txt', '/feed.xml', `${root}/sitemap-news-1.xml`]) {
    const { body: text } = await blog.visit(path);
    expect([path, /pseudo|〔|Áŕçĥ/.test(text), text.length > 50]).toEqual([path, false, true]);
  }
  expect((await blog.visit(root.replace('.pseudo', 'x.pseudo'))).statusCode).toBe(404);
  await program.owner.send('DELETE', `${base()}/preview`);
  await until(async () => (await blog.visit(`${root}/news/pick`)).statusCode === 404);
});
