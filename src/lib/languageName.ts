import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** People know these by their script, not by a country. */
const byScript: Readonly<Record<string, string>> = { 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** Name of a language (a tag such as `zh-CN`) in the reader's own; a tag that nobody has a name for stays as it is. */
export function languageName(tag: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language', fallback: 'code' }).of(byScript[tag] ?? tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The same in the language of the screen. */
export function useLanguageName(): (tag: string) => string {
  const { i18n } = useTranslation();
  return useCallback((tag) => languageName(tag, i18n.language), [i18n.language]);
}
