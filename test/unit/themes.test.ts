import { HtmlValidate } from 'html-validate';
import { contrast } from '../../server/kit/templates/colors.mjs';
import { openRenderPool } from '../../server/kit/templates/renderPool';
import type { RenderPool } from '../../server/kit/templates/renderPool';
import { pageRules } from '../support/pageChecks';
import { contentLanguages, readTheme, renderPage, renderStyles, themeNames } from '../themes/renderTheme';
import type { Amount, ContentLanguage } from '../themes/renderTheme';

const themes = await Promise.all(themeNames.map((name) => readTheme(name)));
const templates = themes.flatMap((theme) => Object.keys(theme.manifest.templates).map((template) => ({ name: theme.name, theme, template })));

let pool: RenderPool;
beforeAll(() => {
  pool = openRenderPool({ threads: 1, timeout: 10_000 });
});
afterAll(() => pool.close());

// Numbers of telephones are content.
const validator = new HtmlValidate({ ...pageRules, rules: { ...pageRules.rules, 'tel-non-breaking': 'off' } });

const variants: readonly (readonly [ContentLanguage, Amount])[] = [
  ...contentLanguages.map((language) => [language, 'full'] as const),
  ['en', 'sparse'],
  ['en', 'empty'],
];

test.each(templates)('$template of $name is valid HTML with all, few and no data', async ({ theme, template }) => {
  for (const [language, amount] of variants) {
    const html = await renderPage(pool, theme, template, language, amount);
    const report = await validator.validateString(html, `${theme.name}/${template}.${language}.${amount}.html`);
    expect(
      report.results.flatMap(({ filePath, messages }) => messages.map(({ line, ruleId, message }) => `${filePath}:${String(line)} ${ruleId} ${message}`)),
    ).toEqual([]);
    expect(html).not.toMatch(/undefined|\[object|<(?:p|li|h[1-6]|dd|span)[^>]*>\s*<\/(?:p|li|h[1-6]|dd|span)>(?<!<h1><\/h1>)/);
  }
});

/** Every text of the data with HTML in it, but for those that are HTML and tags of languages. */
const hostile = (value: unknown, key = ''): unknown => {
  if (typeof value === 'string') return key === 'html' || key === 'language' ? value : `${value}"'><script>x</script>`;
  if (Array.isArray(value)) return value.map((one) => hostile(one));
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one, name)])) : value;
};
test.each(templates)('$template of $name escapes every text', async ({ theme, template }) => {
  const html = await renderPage(pool, theme, template, 'en', 'full', (data) => hostile(data) as typeof data);
  expect(html).toContain('&lt;script&gt;x');
  expect(html).not.toContain('<script>x');
});

test.each(themes)('every template of $name is declared and parsed', async ({ files, manifest }) => {
  const inFolder = Object.keys(files).flatMap((path) => /^templates\/(\w+)\.liquid$/.exec(path)?.[1] ?? []);
  expect(inFolder.toSorted()).toEqual(Object.keys(manifest.templates).toSorted());
  expect(await pool.check(files)).toEqual([]);
});

test.each(themes)('$name links to the shared styles before its own', async (theme) => {
  expect(Object.keys(theme.files)).toEqual(expect.arrayContaining(['assets/base.css', 'parts/menu.liquid']));
  const html = await renderPage(pool, theme, 'home', 'en', 'full');
  expect([...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href.split('/').at(-1))).toEqual([
    'settings.css',
    'base.css',
    'theme.css',
  ]);
});

test.each(themes)('$name names only collections and fields that it has', ({ manifest: { collections, templates: declared } }) => {
  for (const { for: subject, data } of Object.values(declared)) {
    if (subject !== undefined) expect(collections).toHaveProperty(subject);
    for (const { collection, sort, by, same, fields = [] } of Object.values(data)) {
      const names = [sort?.replace('-', ''), by, same, ...fields].filter((name) => name !== undefined);
      for (const name of names) expect(Object.keys(collections[collection]?.fields ?? {})).toContain(name);
    }
  }
  for (const { fields } of Object.values(collections))
    for (const { type, of } of Object.values(fields)) if (type === 'record' || type === 'records') expect(collections).toHaveProperty(of ?? '');
});

test.each(themes)('every text of $name exists in every language and is used', ({ files }) => {
  const used = new Set<string>();
  for (const [path, text] of Object.entries(files)) {
    if (!path.endsWith('.liquid')) continue;
    for (const [, key = ''] of text.matchAll(/'(\w+)' \| t\b/g)) used.add(key);
  }
  for (const language of ['zh-Hans', 'zh-Hant', 'en', 'ja', 'ar'])
    expect(Object.keys(JSON.parse(files[`texts/${language}.json`] ?? '{}') as object).toSorted()).toEqual([...used].toSorted());
});

test.each(themes)('translations of $name have the same parameters', ({ files }) => {
  const parametersOf = (language: string) =>
    Object.entries(JSON.parse(files[`texts/${language}.json`] ?? '{}') as Record<string, string>)
      .map(([key, text]) => `${key} ${(text.match(/\{\w+\}/g) ?? []).toSorted().join('')}`)
      .toSorted();
  for (const language of ['zh-Hans', 'zh-Hant', 'ja', 'ar']) expect(parametersOf(language)).toEqual(parametersOf('en'));
});

test.each(themes)('templates of $name contain no texts, styles or scripts of their own', ({ files }) => {
  for (const [path, source] of Object.entries(files)) {
    if (!path.endsWith('.liquid') || path.startsWith('assets/')) continue;
    const markup = source.replaceAll(/\{%-? comment -?%\}.*?\{%-? endcomment -?%\}|\{\{.*?\}\}|\{%.*?%\}/gs, '');
    expect([path, markup.replaceAll(/<[^>]*>/g, '').match(/\p{L}+/gu)]).toEqual([path, null]);
    expect([path, markup.match(/\s(?:aria-label|alt|title|placeholder)="[^"]*\p{L}/gu)]).toEqual([path, null]);
    expect([path, markup.match(/<style|\sstyle=|\son\w+=|<script(?! src="" defer>)/g)]).toEqual([path, null]);
  }
});

test.each(themes)('settings of $name are used', ({ files, manifest }) => {
  const sources = Object.entries(files).flatMap(([path, text]) => (path.endsWith('.liquid') ? [text] : []));
  for (const { key } of manifest.settings) expect([key, sources.some((text) => text.includes(`settings.${key}`))]).toEqual([key, true]);
});

const accents = ['#000000', '#ffffff', '#ffff00', '#808080', '#0052ff', '#ff0000', '#00ff00', '#767676'];
test.each(themes)('text of $name is readable in both schemes with any accent', async (theme) => {
  for (const accent of accents)
    for (const scheme of ['light', 'dark']) {
      const css = await renderStyles(pool, theme, { accent, scheme });
      const color = (name: string) => [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6})`, 'g'))].at(-1)?.[1] ?? '';
      for (const back of ['page', 'surface', 'tint'])
        for (const text of ['text', 'muted', 'link'])
          expect([accent, scheme, text, back, contrast(color(text), color(back)) >= 4.5]).toEqual([accent, scheme, text, back, true]);
      expect(contrast(color('on-fill'), color('fill'))).toBeGreaterThanOrEqual(4.5);
    }
});
