import { Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { checkLanguageTag } from '@contract/languages/tags';
import type { TagError } from '@contract/languages/tags';
import { languageLimits } from '@contract/languages/terms';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppSelector } from '@/store/hooks';
import { FilterSelect } from '@/ui/FilterSelect';
import { Field } from '@/ui/form/Field';

const other = 'other';
type Props = { readonly present: readonly string[]; readonly onAdd: (tag: string) => void };

/** A language that the list lacks, such as one of a region, by its tag. */
function TagField({ present, onAdd }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<TagError | 'present' | null>(null);
  const add = (): void => {
    const { tag, error: refusal } = checkLanguageTag(typed);
    if (tag !== null && !present.includes(tag)) return onAdd(tag);
    setError(refusal ?? 'present');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // Without this, the dialog would be saved.
    event.preventDefault();
    add();
  };
  return (
    <Field label={t('languages.tag')} help={t('languages.tagHelp')} error={error === null ? undefined : t(`languages.tagErrors.${error}`)}>
      {({ id, ...aria }) => (
        <div className="language-tag">
          <OutlinedInput
            autoFocus
            id={id}
            value={typed}
            placeholder="es-MX"
            inputProps={{ ...aria, maxLength: languageLimits.tag, spellCheck: false, autoCapitalize: 'off' }}
            onChange={({ target }) => {
              setTyped(target.value);
              setError(null);
            }}
            onKeyDown={onKeyDown}
          />
          <Button variant="outlined" onClick={add}>
            {t('languages.addTag')}
          </Button>
        </div>
      )}
    </Field>
  );
}

/** Adds a language: one of the installation's list, or any other by its tag. */
export function AddLanguage({ present, onAdd }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const others = useAppSelector(selectLanguages).filter(({ code }) => !present.includes(code));
  const [isOther, setOther] = useState(false);
  const add = (tag: string): void => {
    setOther(false);
    onAdd(tag);
  };
  return (
    <>
      <FilterSelect
        label={t('languages.add')}
        value={isOther ? other : ''}
        choices={[
          { value: '', label: t('languages.add') },
          ...others.map(({ code }) => ({ value: code, label: languageName(code) })),
          { value: other, label: t('languages.other') },
        ]}
        onChoose={(code) => (code === other || code === '' ? setOther(code === other) : add(code))}
      />
      {isOther && <TagField present={present} onAdd={add} />}
    </>
  );
}
