import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutOf, placedIn } from '@contract/tables/formLayout';
import { systemValues } from '@contract/tables/matchFilter';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { useLanguageName } from '@/lib/languageName';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import type { OtherUser } from '../grid/types';
import { asText, useFieldEnv } from '../fieldTypes/env';
import { ErrorsElsewhere, FormSections } from '../parts/FormSections';
import { fieldStates, isTyped } from './conditions';
import { RecordField } from './RecordField';
import { keyOf } from './useRecordEdits';
import type { RecordEdits, LabelledRecord } from './useRecordEdits';

export type RecordPresence = {
  readonly others: readonly OtherUser[];
  readonly onActive: (at: { readonly rowId: string; readonly column: string }) => void;
};

type Props = {
  readonly table: ContentTable;
  readonly tables: readonly ContentTable[];
  readonly record: LabelledRecord;
  readonly edits: RecordEdits;
  /** A change of this number reveals the first error. */ readonly reveal: number;
  /** The second language; '' for none. */ readonly locale: string;
  readonly presence: RecordPresence | undefined;
};

/** The fields of a record by the form layout of its table, optionally with a second language beside the first. */
export const Content = ({ table, tables, record, edits, reveal, locale, presence }: Props): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const env = useFieldEnv();
  const userId = useAppSelector(selectSession)?.userId ?? null;
  const languageName = useLanguageName();
  // Conditions relative to “now” use the time when the record was opened.
  const [now] = useState(() => Date.now());
  const mayWrite = table.may.includes('update');
  const values = Object.fromEntries(table.fields.map(({ id }) => [id, edits.valueOf(id)]));
  const system = systemValues(record);
  const states = fieldStates(table, values, system, { now, zone: env.timeZone, userId });
  const first = table.locales[0] ?? '';
  const one = (field: TableField, language: string): ReactElement => {
    const key = keyOf(field.id, language);
    const state = states[field.id];
    const base = edits.valueOf(field.id);
    const value = edits.valueOf(key);
    const names = presence?.others.filter((other) => other.rowId === record.id && other.column === field.id).map(({ name }) => name) ?? [];
    return (
      <RecordField
        key={`${key} ${String(edits.round)}`}
        field={field}
        name={key}
        value={value}
        storedValue={record.values[field.id]}
        language={field.localized && table.locales.length > 1 ? languageName(language === '' ? first : language) : null}
        required={state?.required === true && language === ''}
        typed={mayWrite && isTyped(field, tables) && state?.readonly !== true}
        error={edits.errors[key]}
        theirs={edits.theirsOf(key)}
        who={language === '' ? names : []}
        {...(language !== '' && (value === null || value === undefined) && base !== null && base !== undefined
          ? { placeholder: field.type === 'richText' ? t('same', { language: languageName(first) }) : asText(base).slice(0, 120) }
          : {})}
        onChange={(next, error) => edits.change(key, next, error)}
        onFocus={() => presence?.onActive({ rowId: record.id, column: field.id })}
      />
    );
  };
  const isPair = (field: TableField): boolean => field.localized && locale !== '';
  const row = (field: TableField): ReactElement =>
    isPair(field) ? (
      <div className="rec-pair">
        {one(field, '')}
        {one(field, locale)}
      </div>
    ) : (
      one(field, '')
    );
  const visible = table.fields.filter(({ id }) => states[id]?.hidden !== true);
  const placed = placedIn(table.layout);
  const isAside = (field: TableField): boolean => field.hidden && !placed.has(field.id);
  const form = layoutOf(
    table,
    visible.filter((field) => !isAside(field)),
  );
  const rest = layoutOf(table, visible.filter(isAside));
  // Fields hidden in lists are available in a collapsed section.
  const aside = {
    ...rest,
    style: 'groups' as const,
    sections: rest.sections.map((section) => ({ ...section, key: 'aside', title: t('hiddenFields', { count: section.fields.length }), collapsed: true })),
  };
  const fieldErrors = Object.fromEntries(Object.entries(edits.errors).map(([key, messages]) => [key.split('@')[0] ?? key, messages]));
  const faulty = (id: string): boolean => fieldErrors[id] !== undefined;
  return (
    <div className="rec-fields">
      <ErrorsElsewhere fields={table.fields} form={{ ...form, fields: [...form.fields, ...rest.fields] }} errors={fieldErrors} />
      <FormSections form={form} faulty={faulty} reveal={reveal} isWide={isPair}>
        {row}
      </FormSections>
      {rest.fields.length > 0 && (
        <FormSections form={aside} faulty={faulty} reveal={form.fields.some(({ id }) => faulty(id)) ? 0 : reveal} isWide={isPair}>
          {row}
        </FormSections>
      )}
    </div>
  );
};
