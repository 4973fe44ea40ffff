import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableField } from '@contract/tables/schemas';
import { CellView } from '../fieldTypes/CellView';
import { useFieldEnv } from '../fieldTypes/env';
import { RecordValueEditor } from '../fieldTypes/recordEditors';
import { showValue } from '../fieldTypes/show';
import { FieldIcon } from '../records/icons';

type Props = {
  readonly field: TableField;
  /** Unique in the form. */ readonly name: string;
  readonly value: unknown;
  readonly storedValue: unknown;
  /** Language of the value, where there are several. */ readonly language: string | null;
  readonly required: boolean;
  readonly typed: boolean;
  readonly error: string | undefined;
  readonly theirs: { readonly value: unknown } | undefined;
  /** Other users at this field. */ readonly who: readonly string[];
  readonly placeholder?: string | undefined;
  readonly onChange: (value: unknown, error?: string) => void;
  readonly onFocus: () => void;
};

/** One field of a record in one language: label, editor or value, help and error. */
export const RecordField = ({
  field,
  name,
  value,
  storedValue,
  language,
  required,
  typed,
  error,
  theirs,
  who,
  placeholder,
  onChange,
  onFocus,
}: Props): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const env = useFieldEnv();
  // An editor keeps its own draft; it is remounted when the value changes from outside.
  const now = JSON.stringify(value ?? null);
  const [previous, setPrevious] = useState({ value: now, round: 0 });
  if (previous.value !== now) setPrevious({ value: now, round: previous.round + 1 });
  const displayedField = {
    ...field,
    // Gives two adjacent editors of the same field distinct accessible names.
    title: language === null ? field.title : t('inLanguage', { name: field.title, language }),
    options: placeholder === undefined ? field.options : { ...field.options, placeholder },
  };
  const hasNote = error !== undefined || field.help !== '';
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- follows the focus, to show others who is working on which field
    <div className="tables-labelled rec-field" data-field={field.id} data-key={name} onFocus={onFocus}>
      <label htmlFor={`rec-${name}`}>
        <FieldIcon column={{ field }} /> {field.title}
        {language !== null && <span className="rec-lang">{language}</span>}
        {who.length > 0 && <span className="rec-who">{t('here', { names: who.join(', ') })}</span>}
        {typed && required && <small>{t('required')}</small>}
        {!typed && <small>{t('readOnly')}</small>}
      </label>
      {typed ? (
        <RecordValueEditor
          key={previous.round}
          field={displayedField}
          id={`rec-${name}`}
          value={value ?? null}
          storedValue={storedValue}
          {...(hasNote ? { 'aria-describedby': `rec-${name}-note` } : {})}
          {...(error === undefined ? {} : { 'aria-invalid': true })}
          onChange={(next, wrong) => {
            if (wrong === undefined) setPrevious((before) => ({ ...before, value: JSON.stringify(next ?? null) }));
            onChange(next, wrong);
          }}
        />
      ) : (
        <div id={`rec-${name}`} className="rec-value">
          {value === null || value === undefined || value === '' ? (
            <span className="f-dim">{t('empty')}</span>
          ) : (
            <CellView field={field} value={value} height="tall" />
          )}
        </div>
      )}
      {theirs && (
        <p className="rec-theirs" role="status">
          {t('changedByOther', { value: showValue(field, theirs.value, env) || t('empty') })}
        </p>
      )}
      {hasNote && (
        <div id={`rec-${name}-note`} className="rec-notes">
          {error !== undefined && (
            <p className="rec-note tables-error" role="alert">
              {error}
            </p>
          )}
          {field.help !== '' && <p className="rec-note tables-quiet-note">{field.help}</p>}
        </div>
      )}
    </div>
  );
};
