import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { textIn } from './textIn';

/** `textIn` in the language of the interface. */
export function useTextIn(): (texts: Readonly<Record<string, string>> | undefined) => string {
  const { i18n } = useTranslation();
  return useCallback((texts) => textIn(texts, i18n.language), [i18n.language]);
}
