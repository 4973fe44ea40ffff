import { Button } from '@mui/material';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { LanguagesPart } from '@contract/languages/part';
import { languageDefaults } from '@contract/languages/terms';
import { publishingLimits } from '@contract/publishing/terms';
import { Caret } from '@/ui/Caret';
import { FieldGroup } from '@/ui/form/Field';
import type { ContractForm } from '@/ui/form/useContractForm';
import { useFieldErrorMessage } from '@/ui/form/useFieldErrorMessage';
import { SettingRow } from '../SettingRow';
import { AddLanguage } from './AddLanguage';
import { LanguageOptions } from './LanguageOptions';
import { useLanguageHosts } from './useLanguageHosts';
import { useLanguageRow } from './useLanguageRow';

type Direction = 'up' | 'down';
type Language = LanguagesPart['languages'][number];
type RowProps = {
  readonly tag: string;
  readonly name: string;
  readonly detail: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onMove: (direction: Direction) => void;
  readonly onRemove: () => void;
};

function LanguageRow({ tag, name, detail, isFirst, isLast, isOpen, onToggle, onMove, onRemove }: RowProps): ReactElement {
  const { t } = useTranslation('publishing');
  const move = (direction: Direction, disabled: boolean): ReactElement => (
    <Button
      data-language={tag}
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
      name={name}
      detail={detail}
      actions={
        <>
          {move('up', isFirst)}
          {move('down', isLast)}
          <Button aria-expanded={isOpen} aria-label={t('languages.optionsOf', { language: name })} onClick={onToggle}>
            {t('languages.options')}
          </Button>
          <Button disabled={isFirst && isLast} aria-label={t('languages.removeOf', { language: name })} onClick={onRemove}>
            {t('languages.remove')}
          </Button>
        </>
      }
    />
  );
}

const swapped = (languages: readonly Language[], at: number, to: number): Language[] =>
  languages.map((language, index) => languages[index === at ? to : index === to ? at : index] ?? language);

/** The default language is published and falls back to nothing; a language that was removed is nobody's fallback. */
function tidied(languages: readonly Language[]): Language[] {
  const tags = new Set(languages.map(({ tag }) => tag));
  return languages.map((one, at) =>
    at === 0
      ? { ...one, state: 'published', fallback: [], missing: 'show' }
      : { ...one, fallback: one.fallback.filter((tag) => tags.has(tag) && tag !== languages[0]?.tag) },
  );
}

const newLanguage = (tag: string): Language => ({ ...languageDefaults, fallback: [], tag, path: tag });

/** The languages of a site in their order with their options; the first is the default. */
export function LanguagesField({ form, siteId }: { readonly form: ContractForm<LanguagesPart>; readonly siteId: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const messageOf = useFieldErrorMessage();
  const { hosts } = useLanguageHosts(siteId, form);
  const rowOf = useLanguageRow(new Map(hosts.map(({ id, name }) => [id, name])));
  const { field, fieldState } = useController({ control: form.control, name: 'languages' });
  const part = useWatch({ control: form.control }) as LanguagesPart;
  const [open, setOpen] = useState<string | null>(null);
  const [moved, setMoved] = useState<{ readonly language: string; readonly direction: Direction } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  // A row that React moves loses the focus, and a button at the end of the list is disabled.
  useEffect(() => {
    if (!moved) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLButtonElement>(`button[data-language="${moved.language}"]:enabled`) ?? [])];
    (buttons.find(({ dataset }) => dataset.direction === moved.direction) ?? buttons[0])?.focus();
  }, [moved]);
  const { languages } = part;
  const { errors } = form.formState;
  const change = (next: readonly Language[]): void => field.onChange(tidied(next));
  const move = (at: number, direction: Direction): void => {
    change(swapped(languages, at, direction === 'up' ? at - 1 : at + 1));
    setMoved({ language: languages[at]?.tag ?? '', direction });
  };
  return (
    <FieldGroup label={t('languages.list')} help={t('languages.removal')} error={messageOf(fieldState.error?.message)}>
      <ol className="address-list" ref={list}>
        {languages.flatMap(({ tag }, at) => {
          const isOpen = open === tag || errors.languages?.[at] !== undefined;
          return [
            <LanguageRow
              key={tag}
              tag={tag}
              {...rowOf(part, at)}
              isFirst={at === 0}
              isLast={at === languages.length - 1}
              isOpen={isOpen}
              onToggle={() => setOpen(open === tag ? null : tag)}
              onMove={(direction) => move(at, direction)}
              onRemove={() => change(languages.filter((one) => one.tag !== tag))}
            />,
            ...(isOpen
              ? [
                  <li key={`${tag} options ${at}`} className="language-options">
                    <LanguageOptions form={form} at={at} siteId={siteId} />
                  </li>,
                ]
              : []),
          ];
        })}
      </ol>
      {languages.length < publishingLimits.languages && (
        <AddLanguage present={languages.map(({ tag }) => tag)} onAdd={(tag) => change([...languages, newLanguage(tag)])} />
      )}
    </FieldGroup>
  );
}
