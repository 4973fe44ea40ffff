import { useTranslation } from 'react-i18next';
import { useLanguageName } from '@/lib/languageName';

/** How a language of the site is listed: its name, and how addresses in it begin. */
export function useLanguageRow(): (language: string, isDefault: boolean) => { readonly name: string; readonly detail: string } {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  return (language, isDefault) => ({
    name: languageName(language),
    detail: isDefault ? t('languages.default') : t('languages.prefix', { prefix: `/${language}` }),
  });
}
