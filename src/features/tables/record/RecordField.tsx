import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableField } from '@contract/tables/schemas';
import type { FieldType } from '@contract/tables/terms';
import { CellView } from '../fields/CellView';
import type { EditorProps } from '../fields/editorProps';
import { useFieldEnv } from '../fields/env';
import { FieldEditor } from '../fields/FieldEditor';
import { showValue } from '../fields/show';
import { FieldIcon } from '../records/icons';
import { MarkdownEditor } from './MarkdownEditor';
import { FoldedEditor, PasswordEditor, RepeaterEditor } from './moreEditors';
import { RichTextEditor } from './RichTextEditor';

const folded: ReadonlySet<FieldType> = new Set(['select', 'multiSelect', 'tags', 'user', 'relation', 'relations', 'inverse', 'date', 'datetime']);

const Editor = ({ kept, ...props }: EditorProps & { readonly kept: unknown }): ReactElement => {
  const { type } = props.field;
  if (type === 'richText') return <RichTextEditor {...props} />;
  if (type === 'markdown') return <MarkdownEditor {...props} />;
  if (type === 'password') return <PasswordEditor {...props} kept={kept === true} />;
  if (type === 'repeater') return <RepeaterEditor {...props} />;
  return folded.has(type) ? <FoldedEditor {...props} /> : <FieldEditor {...props} />;
};

/** One field of a record in one language: its name, its editor or its value, what helps and what is wrong. */
export const RecordField = ({
  field,
  name,
  value,
  kept,
  language,
  required,
  typed,
  fault,
  theirs,
  who,
  placeholder,
  onChange,
  onFocus,
}: {
  readonly field: TableField;
  /** Unique in the form. */ readonly name: string;
  readonly value: unknown;
  readonly kept: unknown;
  /** What language the value is in, where there are several. */ readonly language: string | null;
  readonly required: boolean;
  readonly typed: boolean;
  readonly fault: string | undefined;
  readonly theirs: { readonly value: unknown } | undefined;
  /** Others who are at this field. */ readonly who: readonly string[];
  readonly placeholder?: string | undefined;
  readonly onChange: (value: unknown, fault?: string) => void;
  readonly onFocus: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const env = useFieldEnv();
  // An editor keeps its own draft; it begins anew when the value comes from elsewhere.
  const now = JSON.stringify(value ?? null);
  const [seen, setSeen] = useState({ value: now, round: 0 });
  if (seen.value !== now) setSeen({ value: now, round: seen.round + 1 });
  const shown = {
    ...field,
    // Two editors beside each other are told apart by ear too.
    title: language === null ? field.title : t('inLanguage', { name: field.title, language }),
    options: placeholder === undefined ? field.options : { ...field.options, placeholder },
  };
  const hasNote = fault !== undefined || field.help !== '';
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears where the focus is, for others who look at the record
    <div className="tables-labelled rec-field" data-field={field.id} data-key={name} onFocus={onFocus}>
      <label htmlFor={`rec-${name}`}>
        <FieldIcon asked={{ field }} /> {field.title}
        {language !== null && <span className="rec-lang">{language}</span>}
        {who.length > 0 && <span className="rec-who">{t('here', { names: who.join(', ') })}</span>}
        {typed && required && <small>{t('required')}</small>}
        {!typed && <small>{t('readOnly')}</small>}
      </label>
      {typed ? (
        <Editor
          key={seen.round}
          field={shown}
          id={`rec-${name}`}
          value={value ?? null}
          kept={kept}
          {...(hasNote ? { 'aria-describedby': `rec-${name}-note` } : {})}
          {...(fault === undefined ? {} : { 'aria-invalid': true })}
          onChange={(next, wrong) => {
            if (wrong === undefined) setSeen((before) => ({ ...before, value: JSON.stringify(next ?? null) }));
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
          {fault !== undefined && (
            <p className="rec-note tables-fault" role="alert">
              {fault}
            </p>
          )}
          {field.help !== '' && <p className="rec-note tables-quiet-note">{field.help}</p>}
        </div>
      )}
    </div>
  );
};
