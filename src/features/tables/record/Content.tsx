import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { systemValues } from '@contract/matchFilter';
import type { ContentTable, TableField } from '@contract/tables';
import { selectSession } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import type { Other } from '../grid/types';
import { asText, useFieldEnv } from '../fields/env';
import { fieldStates, isTyped } from './conditions';
import { RecordField } from './RecordField';
import { keyOf } from './useRecordEdits';
import type { RecordEdits, Shown } from './useRecordEdits';

export type RecordPresence = {
  readonly others: readonly Other[];
  readonly onActive: (at: { readonly rowId: string; readonly column: string }) => void;
};

/** Name of a language in the reader's. */
export function useLanguageName(): (locale: string) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'language', fallback: 'code' });
    return (locale) => {
      try {
        // People know the script, not the country.
        return names.of({ 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant' }[locale] ?? locale) ?? locale;
      } catch {
        return locale;
      }
    };
  }, [i18n.language]);
}

/** All fields of a record, with a second language beside the first. */
export const Content = ({
  table,
  tables,
  record,
  edits,
  locale,
  presence,
}: {
  readonly table: ContentTable;
  readonly tables: readonly ContentTable[];
  readonly record: Shown;
  readonly edits: RecordEdits;
  /** The second language; '' is none. */ readonly locale: string;
  readonly presence: RecordPresence | undefined;
}): ReactElement => {
  const { t } = useTranslation('tableRecord');
  const env = useFieldEnv();
  const userId = useAppSelector(selectSession)?.userId ?? null;
  const languageName = useLanguageName();
  // A condition about “now” holds or not as of when the record was opened.
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
        kept={record.values[field.id]}
        language={field.localized && table.locales.length > 1 ? languageName(language === '' ? first : language) : null}
        required={state?.required === true && language === ''}
        typed={mayWrite && isTyped(field, tables) && state?.readonly !== true}
        fault={edits.faults[key]}
        theirs={edits.theirsOf(key)}
        who={language === '' ? names : []}
        {...(language !== '' && (value === null || value === undefined) && base !== null && base !== undefined
          ? { placeholder: field.type === 'richText' ? t('same', { language: languageName(first) }) : asText(base).slice(0, 120) }
          : {})}
        onChange={(next, fault) => edits.change(key, next, fault)}
        onFocus={() => presence?.onActive({ rowId: record.id, column: field.id })}
      />
    );
  };
  const row = (field: TableField): ReactElement =>
    field.localized && locale !== '' ? (
      <div key={field.id} className="rec-pair">
        {one(field, '')}
        {one(field, locale)}
      </div>
    ) : (
      <div key={field.id}>{one(field, '')}</div>
    );
  const visible = table.fields.filter(({ id }) => states[id]?.hidden !== true);
  const aside = visible.filter((field) => field.hidden);
  return (
    <div className="rec-fields">
      {visible.filter((field) => !field.hidden).map(row)}
      {aside.length > 0 && (
        <details>
          <summary>{t('hiddenFields', { count: aside.length })}</summary>
          <div className="rec-fields">{aside.map(row)}</div>
        </details>
      )}
    </div>
  );
};
