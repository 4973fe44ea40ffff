import { useState } from 'react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import type { GridHandle } from '../grid/types';
import { tablesApi } from '../tablesApi';
import { needsRequiredValues } from './fillableFields';
import type { RowPages } from './rowPages';
import type { Undo } from './useUndo';

type Values = Readonly<Record<string, unknown>>;

/**
 * Adds a record and activates its row. Where the table requires values that are unknown, `adding` holds the known ones for a form. `before`: id of the record
 * above which it goes; null for the end.
 */
export function useAddRecord({
  siteId,
  table,
  locale,
  isGrouped,
  pages,
  handle,
  undo,
}: {
  readonly siteId: string;
  readonly table: ContentTable;
  readonly locale: string | undefined;
  readonly isGrouped: boolean;
  readonly pages: RowPages;
  readonly handle: RefObject<GridHandle | null>;
  readonly undo: Pick<Undo, 'push'>;
}) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const [adding, setAdding] = useState<Values | null>(null);
  const { addRecords, moveRecords, recordPage } = tablesApi.endpoints;
  const of = { siteId, table: table.id };
  const inLocale = locale === undefined ? {} : { locale };

  /** Puts the new record last in the list; where that is not possible, the list is refetched. */
  const appendRow = async (id: string): Promise<void> => {
    const page = await dispatch(recordPage.initiate({ ...of, ids: id, limit: 1, ...inLocale }, { subscribe: false, forceRefetch: true }));
    const record = page.data?.rows[0];
    const index = record && !isGrouped ? pages.append(record) : null;
    if (index === null) return pages.refresh();
    // After the row has rendered, so that it receives what is typed next. `focus` would select the first row if nothing was selected before.
    requestAnimationFrame(() => handle.current?.show(index));
  };
  const add = async (values: Values, before: string | null): Promise<void> => {
    if (needsRequiredValues(table, values)) return setAdding(values);
    const { data, error } = await dispatch(addRecords.initiate({ ...of, body: { records: [values], ...inLocale } }));
    const created = data?.records[0];
    if (!data || !created) {
      // A condition of the table requires more values: the form asks for them.
      if (isFailure(error) && error.code === 'invalid_fields') return setAdding(values);
      return void dispatch(noticeShown({ tone: 'bad', message: { text: isFailure(error) && error.message !== '' ? error.message : t('failed') } }));
    }
    if (data.batchId !== null) undo.push([data.batchId]);
    if (before === null) return appendRow(created.id);
    await dispatch(moveRecords.initiate({ ...of, body: { ids: [created.id], before } }));
    pages.refresh();
  };
  return { adding, setAdding, add };
}
