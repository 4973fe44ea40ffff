import { useMemo } from 'react';
import { textOf } from '@contract/tables/fieldText';
import type { RecordLabels } from '@contract/tables/records';
import type { ContentTable } from '@contract/tables/schemas';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import type { FieldEnv, Named, ShownField } from '../fieldTypes/env';
import { tablesApi } from '../tablesApi';
import { typedValue } from './cellText';
import { linkedTable } from './relations';

const most = 30;

/** The environment of a table's cells and editors: labels, formats, and records to choose from. */
export function useTableEnv({
  siteId,
  tables,
  timeZone,
  labels,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly timeZone: string;
  readonly labels: RecordLabels;
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
      labels,
      format,
      timeZone,
      findRecords,
      findPeople,
      print: (field, value) => textOf(field, value, { ...labels, timeZone }),
      read: (field, text) => typedValue(field, text, timeZone),
    };
  }, [dispatch, format, labels, siteId, tables, timeZone]);
}
