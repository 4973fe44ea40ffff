import type { ThemeFiles } from './renderPool';

/** `zh-TW` → `zh-Hant`: regions that write another script than the language's usual one. */
const scripts: Readonly<Record<string, string>> = {
  zh: 'zh-Hans',
  'zh-CN': 'zh-Hans',
  'zh-SG': 'zh-Hans',
  'zh-TW': 'zh-Hant',
  'zh-HK': 'zh-Hant',
  'zh-MO': 'zh-Hant',
};

/** Languages whose texts a page may use, the best first: `zh-Hant-HK` → `zh-Hant`, `zh`, `en`. */
function fallbacks(language: string): string[] {
  const parts = language.split('-');
  const prefixes = parts.map((_, at) => parts.slice(0, parts.length - at).join('-'));
  return [...new Set([...prefixes.flatMap((one) => [one, scripts[one] ?? one]), 'en'])];
}

/** Texts of a theme for `| t`, from its files `texts/<language>.json`. A key that one language lacks comes from the next best one. */
export function themeTexts(files: ThemeFiles, language: string): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...fallbacks(language)
      .toReversed()
      .map((one) => JSON.parse(files[`texts/${one}.json`] ?? '{}') as Record<string, string>),
  ) as Record<string, string>;
}
