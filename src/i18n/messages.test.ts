import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import coreEn from './core.en';
import coreZh from './core.zh-CN';
import { namespaces as inEnglish } from './namespaces.en';
import { namespaces } from './namespaces.zh-CN';
import type { Namespace } from './namespaces';

type Messages = { readonly [key: string]: string | Messages };

const plural = /_(zero|one|two|few|many|other)$/;

/** key → its interpolation parameters. Plural forms of one key are one key. */
function flatten(messages: Messages, prefix = ''): Map<string, string> {
  const out = new Map<string, string>();
  for (const [key, value] of Object.entries(messages)) {
    const name = `${prefix}${key}`;
    if (typeof value !== 'string') for (const [inner, parameters] of flatten(value, `${name}.`)) out.set(inner, parameters);
    else
      out.set(
        name.replace(plural, ''),
        [...value.matchAll(/{{\s*(\w+)/g)]
          .map((match) => match[1])
          .filter((one) => one !== 'count')
          .sort((a = '', b = '') => a.localeCompare(b))
          .join(','),
      );
  }
  return out;
}

const pairs: [string, () => Promise<[Messages, Messages]>][] = [
  ...Object.keys(coreZh).map((name): [string, () => Promise<[Messages, Messages]>] => [
    name,
    () => Promise.resolve([coreZh[name as 'nav'], coreEn[name as 'nav']]),
  ]),
  ...Object.entries(namespaces).map(([name, load]): [string, () => Promise<[Messages, Messages]>] => [
    name,
    async () => [(await load()).default, (await inEnglish[name as Namespace]()).default],
  ]),
];

test.each(pairs)('%s has the same keys and parameters in both languages', async (_name, load) => {
  const [zh, en] = await load();
  expect(Object.fromEntries(flatten(en))).toEqual(Object.fromEntries(flatten(zh)));
});

test.each(pairs)('%s follows Chinese typography', async (_name, load) => {
  const text = JSON.stringify((await load())[0]);
  expect(text.match(/您/g)).toBeNull();
  expect(text.match(/\p{Script=Han}[,!?]/gu)).toBeNull();
  expect(text.match(/\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/gu)).toBeNull();
});

const src = join(__dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/messages\.(zh-CN|en)\.tsx?$/.test(file),
);

/** Data, not words: the table that finds pinyin initials, units of a duration, the pattern of a month, search terms, names of languages in themselves, and of places that browsers do not name. The page of parts is for development. */
const data = [
  'features/palette/searchTerms.ts',
  'features/publishing/redirects/import/columnNames.ts',
  'lib/match.ts',
  'lib/format.ts',
  'lib/timeZones.ts',
  'ui/DateRangeCalendar.tsx',
  'sign/LanguageChoice.tsx',
  'parts/PartsPage.tsx',
  'parts/texts.ts',
];

test('Chinese text appears only in the message files', () => {
  const found = files.flatMap((file) => {
    const code = readFileSync(join(src, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|[^:])\/\/.*$/gm, '$1');
    return /\p{Script=Han}/u.test(code) && !data.includes(file.replaceAll(sep, '/')) ? [file] : [];
  });
  expect(found).toEqual([]);
});
