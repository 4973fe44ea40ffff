import { until } from '../../../test/support/until';
import { openRenderPool, RenderingBusy, TemplateError } from './renderPool';
import type { RenderPool, ThemeFiles } from './renderPool';

let pool: RenderPool;
beforeAll(() => {
  pool = openRenderPool({ threads: 1, timeout: 1500 });
});
afterAll(() => pool.close());

let themes = 0;
const render = (template: string, data: object = {}, more: ThemeFiles = {}): Promise<string> =>
  pool.render({
    theme: `theme ${++themes}`,
    files: () => Promise.resolve({ 'templates/page.liquid': template, ...more }),
    template: 'templates/page',
    data,
  });
const failureOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof TemplateError ? error.failure : error;
};

test('output is escaped unless a filter returns HTML', async () => {
  expect(await render('{{ name }}|{{ body | html }}', { name: '<b>', body: { html: '<p>ok</p>' } })).toBe('&lt;b&gt;|<p>ok</p>');
});

test('layouts and partials are files of the theme', async () => {
  const html = await render(
    "{% layout 'layouts/base' %}{% block main %}{% render 'parts/card', title: 'A' %}{% endblock %}",
    {},
    {
      'layouts/base.liquid': '<main>{% block main %}{% endblock %}</main>',
      'parts/card.liquid': '<h2>{{ title }}</h2>',
    },
  );
  expect(html).toBe('<main><h2>A</h2></main>');
});

test.each(['/etc/passwd', '../../../../etc/passwd', '../package.json', 'file:///etc/passwd'])('a template cannot read the file %s', async (path) => {
  expect(await failureOf(render(`{% render '${path}' %}`))).toMatchObject({ reason: 'template' });
});

test.each(['{{ name.constructor }}', '{{ name["__proto__"] }}', '{{ site.constructor.constructor }}', '{{ list.toString }}', '{{ "".constructor }}'])(
  'a template does not reach the objects of the program by %s',
  async (template) => {
    expect(await render(template, { name: 'a', site: {}, list: [1] })).toBe('');
  },
);

test('an error names file, line and column', async () => {
  expect(await failureOf(render('<p>\n{{ 1 | nothing }}'))).toEqual({
    reason: 'template',
    message: 'undefined filter: nothing',
    file: 'templates/page.liquid',
    line: 2,
    column: 1,
  });
});

test('an error in a partial names the partial', async () => {
  expect(await failureOf(render("{% render 'parts/card' %}", {}, { 'parts/card.liquid': '\n\n{{ 1 | nothing }}' }))).toMatchObject({
    file: 'parts/card.liquid',
    line: 3,
  });
});

const bombs: readonly (readonly [string, string])[] = [
  ['an endless loop', '{% for a in (1..100000000) %}{% for b in (1..100000000) %}{% endfor %}{% endfor %}'],
  ['a string that doubles', "{% assign s = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..40) %}{% assign s = s | append: s %}{% endfor %}{{ s }}"],
  ['output without end', '{% for i in (1..9000000) %}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx{% endfor %}'],
  ['a partial that includes itself', "{% render 'parts/self' %}"],
  [
    'a slow expression',
    "{% assign a = 'a' %}{% for i in (1..16) %}{% assign a = a | append: a %}{% endfor %}{% for i in (1..100000) %}{% assign b = a | replace: 'a', 'bb' | split: 'b' | sort %}{% endfor %}",
  ],
];
test.each(bombs)('%s is stopped and the next page is rendered', async (_name, template) => {
  expect(await failureOf(render(template, {}, { 'parts/self.liquid': "{% render 'parts/self' %}" }))).toMatchObject({
    reason: expect.stringMatching(/limit|template/) as string,
  });
  expect(await render('{{ 1 | plus: 1 }}')).toBe('2');
});

test('dates follow the language of the page and the zone of the site', async () => {
  const data = { site: { time_zone: 'Asia/Shanghai' }, page: { language: 'zh-Hans' } };
  expect(await render('{{ "2026-11-26T20:00:00Z" | format_date }} {{ "2026-11-26" | format_date: "short" }}', data)).toBe('2026年11月27日 2026/11/26');
});

test('without a pattern, the filter date reads what LiquidJS reads', async () => {
  const data = { site: { time_zone: 'America/New_York' }, page: { language: 'en', date_style: 'iso' }, pattern: null };
  expect(await render('{{ 86400 | date }} {{ "86400" | date: pattern }} {{ "2026-11-26" | date }} {{ none | date }}.', data)).toBe(
    '1970-01-01 1970-01-01 2026-11-26 .',
  );
  expect(await render('{{ "now" | date }}', data)).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('an image has a srcset, its dimensions and an escaped alternative text', async () => {
  const file = { url: '/_r/1/a.jpg', srcset: '/_r/1/s 640w', width: 4, height: 3, alt: '"><script>' };
  expect(await render('{{ cover | image: sizes: "50vw" }}', { cover: [file] })).toBe(
    '<img src="/_r/1/a.jpg" srcset="/_r/1/s 640w" sizes="50vw" width="4" height="3" loading="lazy" decoding="async" alt="&quot;&gt;&lt;script&gt;">',
  );
});

test('texts of the theme replace their named values', async () => {
  expect(await render('{{ "read" | t: minutes: 4 }}{{ "none" | t }}', { texts: { read: '阅读约 {minutes} 分钟' } })).toBe('阅读约 4 分钟none');
});

test('a named value with replacement patterns is not changed', async () => {
  expect(await render('{{ "price" | t: sum: "$$5 $&" }}', { texts: { price: '只要 {sum}' } })).toBe('只要 $$5 $&amp;');
});

test('an empty text counts as absent', async () => {
  expect(await render('{% if a %}a{% endif %}{{ a | default: "b" }}', { a: '' })).toBe('b');
});

test('texts, language and site reach partials', async () => {
  const data = { texts: { read: 'Lesen' }, page: { language: 'de' }, site: { name: 'A' } };
  const part = { 'parts/a.liquid': '{{ "read" | t }} {{ "2026-11-26" | format_date }} {{ site.name }}' };
  expect(await render("{% render 'parts/a' %}", data, part)).toBe('Lesen 26. November 2026 A');
});

test('a check finds the errors of all templates', async () => {
  const failures = await pool.check({ 'a.liquid': '{% if %}', 'b.liquid': 'fine', 'c.liquid': '\n{% nothing %}', 'style.css': '{% if %}' });
  expect(failures.map(({ file, line }) => [file, line])).toEqual([
    ['a.liquid', 1],
    ['c.liquid', 2],
  ]);
});

test('a theme is sent to a thread once', async () => {
  let reads = 0;
  const rendering = { theme: 'once', files: () => Promise.resolve({ 'page.liquid': String(++reads) }), template: 'page', data: {} };
  expect([await pool.render(rendering), await pool.render(rendering)]).toEqual(['1', '1']);
});

test('more pages than may wait are refused', async () => {
  const small = openRenderPool({ threads: 1, waiting: 1 });
  const rendering = { theme: 'a', files: () => Promise.resolve({ 'page.liquid': 'x' }), template: 'page', data: {} };
  const results = await Promise.allSettled([small.render(rendering), small.render(rendering), small.render(rendering)]);
  await small.close();
  expect(results.map((one) => (one.status === 'rejected' ? (one.reason as Error).constructor : one.value))).toEqual(['x', 'x', RenderingBusy]);
});

test('pages whose data is too large to wait are refused', async () => {
  const small = openRenderPool({ threads: 1, waitingBytes: 100 });
  const rendering = { theme: 'a', files: () => Promise.resolve({ 'page.liquid': 'x' }), template: 'page', data: 'x'.repeat(30) };
  const results = await Promise.allSettled([small.render(rendering), small.render(rendering), small.render(rendering)]);
  await small.close();
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('the pages of a slow theme do not hold up those of another one', async () => {
  const two = openRenderPool({ threads: 2 });
  const ended: string[] = [];
  const waiting: (() => void)[] = [];
  const page = { 'page.liquid': 'x' };
  const slowFiles = () => new Promise<ThemeFiles>((resolve) => waiting.push(() => resolve(page)));
  const renderPage = async (theme: string, files: () => Promise<ThemeFiles>) => {
    await two.render({ theme, files, template: 'page', data: {} });
    ended.push(theme);
  };
  const slow = Array.from({ length: 4 }, () => renderPage('slow', slowFiles));
  const fast = renderPage('fast', () => Promise.resolve(page));
  await until(() => waiting.length === 2);
  waiting[0]?.();
  await fast;
  expect(ended).toEqual(['slow', 'fast']);
  waiting[1]?.();
  await Promise.all(slow);
  await two.close();
});

test('a thread that does not start is no failure of a template', async () => {
  const small = openRenderPool({ threads: 1, startTimeout: 1 });
  const rendering = { theme: 'a', files: () => Promise.resolve({ 'page.liquid': 'x' }), template: 'page', data: {} };
  await expect(small.render(rendering)).rejects.toThrow('the thread did not start in time');
  await small.close();
});
