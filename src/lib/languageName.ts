import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { canonicalLanguage } from '@contract/languages';

/** Name of a language (a tag such as `zh-Hans`) in the reader's language; a tag without a name is returned unchanged. */
export function languageName(tag: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language', fallback: 'code' }).of(canonicalLanguage(tag)) ?? tag;
  } catch {
    return tag;
  }
}

/** The same in the language of the interface. */
export function useLanguageName(): (tag: string) => string {
  const { i18n } = useTranslation();
  return useCallback((tag) => languageName(tag, i18n.language), [i18n.language]);
}
