import { Button } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { SiteParts } from '@contract/publishing/schemas';
import { publishingLimits } from '@contract/publishing/terms';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppSelector } from '@/store/hooks';
import { Caret } from '@/ui/Caret';
import { FilterSelect } from '@/ui/FilterSelect';
import { FieldGroup } from '@/ui/form/Field';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { SettingRow } from '../SettingRow';
import { useLanguageRow } from './useLanguageRow';

type Direction = 'up' | 'down';
type RowProps = {
  readonly language: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (direction: Direction) => void;
  readonly onRemove: () => void;
};

function LanguageRow({ language, isFirst, isLast, onMove, onRemove }: RowProps): ReactElement {
  const { t } = useTranslation('publishing');
  const rowOf = useLanguageRow();
  const row = rowOf(language, isFirst);
  const { name } = row;
  const move = (direction: Direction, disabled: boolean): ReactElement => (
    <Button
      data-language={language}
      data-direction={direction}
      disabled={disabled}
      aria-label={t(`languages.${direction}`, { language: name })}
      title={t(`languages.${direction}`, { language: name })}
      onClick={() => onMove(direction)}
    >
      <Caret to={direction} />
    </Button>
  );
  return (
    <SettingRow
      {...row}
      actions={
        <>
          {move('up', isFirst)}
          {move('down', isLast)}
          <Button disabled={isFirst && isLast} aria-label={t('languages.removeOf', { language: name })} onClick={onRemove}>
            {t('languages.remove')}
          </Button>
        </>
      }
    />
  );
}

const swapped = (languages: readonly string[], at: number, to: number): string[] =>
  languages.map((language, index) => languages[index === at ? to : index === to ? at : index] ?? language);

/** The languages of a site in their order; the first is the default. */
export function LanguagesField({ form }: { readonly form: ContractForm<SiteParts['languages']['content']> }): ReactElement {
  const { t } = useTranslation('publishing');
  const languageName = useLanguageName();
  const messageOf = useFieldErrorMessage();
  const known = useAppSelector(selectLanguages);
  const { field, fieldState } = useController({ control: form.control, name: 'languages' });
  const [moved, setMoved] = useState<{ readonly language: string; readonly direction: Direction } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  // A row that React moves loses the focus, and a button at the end of the list is disabled.
  useEffect(() => {
    if (!moved) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(`button[data-language="${moved.language}"]:enabled`) ?? [])];
    (buttons.find(({ dataset }) => dataset.direction === moved.direction) ?? buttons[0])?.focus();
  }, [moved]);
  const languages = field.value;
  const others = known.filter(({ code }) => !languages.includes(code));
  const move = (at: number, direction: Direction): void => {
    field.onChange(swapped(languages, at, direction === 'up' ? at - 1 : at + 1));
    setMoved({ language: languages[at] ?? '', direction });
  };
  return (
    <FieldGroup label={t('languages.list')} help={t('languages.removal')} error={messageOf(fieldState.error?.message)}>
      <ol className="address-list" ref={list}>
        {languages.map((language, at) => (
          <LanguageRow
            key={language}
            language={language}
            isFirst={at === 0}
            isLast={at === languages.length - 1}
            onMove={(direction) => move(at, direction)}
            onRemove={() => field.onChange(languages.filter((one) => one !== language))}
          />
        ))}
      </ol>
      {others.length > 0 && languages.length < publishingLimits.languages && (
        <FilterSelect
          label={t('languages.add')}
          value=""
          choices={[{ value: '', label: t('languages.add') }, ...others.map(({ code }) => ({ value: code, label: languageName(code) }))]}
          onChoose={(code) => field.onChange([...languages, code])}
        />
      )}
    </FieldGroup>
  );
}
