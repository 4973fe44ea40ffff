import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { canonicalLanguage } from '@contract/languages';

/** Name of a language (a tag such as `zh-Hans`) in the reader's own; a tag that nobody has a name for stays as it is. */
export function languageName(tag: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language', fallback: 'code' }).of(canonicalLanguage(tag)) ?? tag;
  } catch {
    return tag;
  }
}

/** The same in the language of the screen. */
export function useLanguageName(): (tag: string) => string {
  const { i18n } = useTranslation();
  return useCallback((tag) => languageName(tag, i18n.language), [i18n.language]);
}
