import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguageName } from '@/lib/languageName';
import { Toggles } from '@/ui/Toggles';

type Props = {
  readonly languages: readonly string[];
  readonly value: string;
  readonly onChoose: (language: string) => void;
};

/** The language whose texts are edited; nothing where a site has only one. */
export function TextLanguage({ languages, value, onChoose }: Props): ReactElement | null {
  const { t } = useTranslation('support');
  const languageName = useLanguageName();
  if (languages.length < 2) return null;
  return <Toggles label={t('look.language')} value={value} choices={languages.map((one) => ({ value: one, label: languageName(one) }))} onChoose={onChoose} />;
}
