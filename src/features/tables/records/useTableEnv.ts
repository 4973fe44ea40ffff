import { useMemo } from 'react';
import { textOf } from '@contract/tables/fieldText';
import type { RecordLabels } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import type { AppDispatch } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import type { FieldEnv, Named, ShownField } from '../fieldTypes/env';
import { tablesApi } from '../tablesApi';
import { typedValue } from './cellText';
import { needsRequiredValues } from './fillableFields';
import { linkedTable } from './relations';

const most = 30;

/** Types whose value is simply what was typed, so that a name is enough for a new record. */
const nameTypes: readonly FieldType[] = ['text', 'longText', 'email', 'url', 'phone', 'slug'];

/** What adds a choice or a linked record from an editor, where the person may. */
function creatorsOf(dispatch: AppDispatch, siteId: string, tables: readonly ContentTable[], mayDesign: boolean): NonNullable<FieldEnv['creatorOf']> {
  return (field) => {
    if (field.type === 'select' || field.type === 'multiSelect') {
      const table = mayDesign ? tables.find(({ fields }) => fields.some(({ id }) => id === field.id)) : undefined;
      const current = table?.fields.find(({ id }) => id === field.id);
      if (!table || !current || (current.options.choices?.length ?? 0) >= tableLimits.choices) return null;
      return async (name) => {
        const { addChoice } = await import(/* webpackChunkName: "field-design" */ '@/features/tables/schema/fields/fieldActions');
        const { id, title } = await addChoice(dispatch, { siteId, table, field: current }, name);
        return { id, label: title };
      };
    }
    const other = field.type === 'relation' || field.type === 'relations' ? linkedTable(tables, field) : undefined;
    const primary = other?.fields.find(({ id }) => id === other.primaryField);
    if (!other?.may.includes('create') || !primary || primary.readonly || !nameTypes.includes(primary.type)) return null;
    if (needsRequiredValues(other, { [primary.id]: '-' })) return null;
    return async (name) => {
      const call = { siteId, table: other.id, body: { records: [{ [primary.id]: name }] } };
      const { data, error } = await dispatch(tablesApi.endpoints.addRecords.initiate(call));
      const [record] = data?.records ?? [];
      if (!record) throw new Error(isFailure(error) ? error.message : '');
      return { id: record.id, label: name };
    };
  };
}

/** The environment of a table's cells and editors: labels, formats, and records to choose from. */
export function useTableEnv({
  siteId,
  tables,
  timeZone,
  labels,
  mayDesign,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly timeZone: string;
  readonly labels: RecordLabels;
  /** Whether editors may add choices; undefined: they add neither choices nor linked records, as where nothing is stored. */
  readonly mayDesign?: boolean;
}): FieldEnv {
  const dispatch = useAppDispatch();
  const format = useFormat();
  return useMemo<FieldEnv>(() => {
    const findRecords = async (field: ShownField, text: string, signal: AbortSignal): Promise<readonly Named[]> => {
      const other = linkedTable(tables, field);
      if (!other) return [];
      const q = text.trim();
      const call = dispatch(
        tablesApi.endpoints.recordPage.initiate({ siteId, table: other.id, limit: most, ...(q === '' ? {} : { q }) }, { subscribe: false, forceRefetch: true }),
      );
      signal.addEventListener('abort', () => call.abort(), { once: true });
      const page = await call.unwrap();
      const primary = other.fields.find(({ id }) => id === other.primaryField);
      return page.rows.map(({ id, n, values }) => {
        const label = primary ? textOf(primary, values[primary.id], { timeZone }) : '';
        return { id, label: label === '' ? `#${String(n)}` : label };
      });
    };
    const findPeople = async (text: string, signal: AbortSignal): Promise<readonly Named[]> => {
      const q = text.trim();
      const call = dispatch(tablesApi.endpoints.tablePeople.initiate({ siteId, ...(q === '' ? {} : { q }) }, { subscribe: false, forceRefetch: true }));
      signal.addEventListener('abort', () => call.abort(), { once: true });
      return (await call.unwrap()).map(({ id, name }) => ({ id, label: name }));
    };
    return {
      siteId,
      localesOf: ({ id }) => tables.find(({ fields }) => fields.some((field) => field.id === id))?.locales ?? [format.locale],
      labels,
      format,
      timeZone,
      findRecords,
      findPeople,
      ...(mayDesign === undefined ? {} : { creatorOf: creatorsOf(dispatch, siteId, tables, mayDesign) }),
      print: (field, value) => textOf(field, value, { ...labels, timeZone }),
      read: (field, text) => typedValue(field, text, timeZone),
    };
  }, [dispatch, format, labels, mayDesign, siteId, tables, timeZone]);
}
