import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageName } from '@/lib/languageName';

/** The name of a language of the site, and how addresses in it begin. */
export function LanguageLabel({ language, isDefault }: { readonly language: string; readonly isDefault: boolean }): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  return (
    <span>
      <b>{languageName(language)}</b>
      <small>{isDefault ? t('languages.default') : t('languages.prefix', { prefix: `/${language}` })}</small>
    </span>
  );
}
