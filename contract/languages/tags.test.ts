import { checkLanguageTag, hreflangOf, preferredLanguage } from './tags';

test.each([
  ['zh-Hans', 'zh-Hans'],
  ['zh-cn', 'zh-Hans'],
  ['zh_TW', 'zh-Hant'],
  ['ZH-hant', 'zh-Hant'],
  ['en_US', 'en-US'],
  ['en-UK', 'en-GB'],
  ['iw', 'he'],
  [' pt-br ', 'pt-BR'],
  ['sr-Latn-RS', 'sr-Latn-RS'],
  ['es-419', 'es-419'],
] as const)('%j is stored as %s', (text, tag) => {
  expect(checkLanguageTag(text)).toEqual({ tag, error: null });
});

test.each([
  ['', 'syntax'],
  ['e', 'syntax'],
  ['english language', 'syntax'],
  ['中文', 'syntax'],
  ['en-', 'syntax'],
  ['xx-YY', 'unknown'],
  ['en-Qqqq', 'unknown'],
  ['en-u-ca-chinese', 'extension'],
  ['x-private', 'extension'],
  ['en-x-mine', 'extension'],
  [`en-${'abcde-'.repeat(6)}abcde`, 'syntax'],
] as const)('%j is refused: %s', (text, error) => {
  expect(checkLanguageTag(text)).toEqual({ tag: null, error });
});

test.each([
  ['zh-Hans', 'zh-Hans'],
  ['sr-Latn-RS', 'sr-Latn-RS'],
  ['ca-valencia', 'ca'],
])('search engines know %s as %s', (tag, hreflang) => {
  expect(hreflangOf(tag)).toBe(hreflang);
});

const languages = ['zh-Hans', 'zh-Hant', 'en', 'pt-BR'];
test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
  ['zh-TW,zh;q=0.9', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh', 'zh-Hans'],
  ['en-GB', 'en'],
  ['pt-br', 'pt-BR'],
  ['pt', null],
  ['ja, en;q=0.1', 'en'],
  ['en;q=0, zh-CN;q=0.5', 'zh-Hans'],
  ['en;q=0.5, zh-CN;q=0.6', 'zh-Hans'],
  ['*', null],
  ['', null],
  ['en;q=2', null],
  ['en;level=1', null],
  [',,;;, en', 'en'],
] as const)('a browser that sends %j gets %s', (header, language) => {
  expect(preferredLanguage(header, languages)).toBe(language);
});
