import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppSelector } from '@/store/hooks';
import { FilterSelect } from '@/ui/FilterSelect';
import { Toggles } from '@/ui/Toggles';

type Props = {
  readonly languages: readonly string[];
  readonly value: string;
  readonly onChoose: (language: string) => void;
  /** Adds a language whose texts can be written; null: the site's settings say which languages there are. */
  readonly onAdd: ((language: string) => void) | null;
};

/** The language whose texts are edited; nothing where a site has only one. */
export function TextLanguage({ languages, value, onChoose, onAdd }: Props): ReactElement | null {
  const { t } = useTranslation('support');
  const languageName = useLanguageName();
  const known = useAppSelector(selectLanguages);
  const others = known.filter(({ code }) => !languages.includes(code));
  const add = (language: string): void => {
    onAdd?.(language);
    onChoose(language);
  };
  if (languages.length < 2 && onAdd === null) return null;
  return (
    <div className="support-languages">
      {languages.length > 1 && (
        <Toggles label={t('look.language')} value={value} choices={languages.map((one) => ({ value: one, label: languageName(one) }))} onChoose={onChoose} />
      )}
      {onAdd !== null && (
        <FilterSelect
          label={t('look.addLanguage')}
          value=""
          choices={[{ value: '', label: t('look.addLanguage') }, ...others.map(({ code }) => ({ value: code, label: languageName(code) }))]}
          onChoose={add}
        />
      )}
    </div>
  );
}
