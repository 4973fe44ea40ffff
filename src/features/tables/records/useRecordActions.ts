import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { Blocked, RestoreResult, Target, Written } from '@contract/tables/records';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { tablesApi } from '../tablesApi';
import { offerUndo } from '../undo';

/** Which records: by id, or all that match a filter. */
export type RecordTarget = z.input<typeof Target>;
export type RecordActionName = 'bin' | 'publish' | 'unpublish' | 'duplicate' | 'restore' | 'purge';
const done = { bin: 'binned', publish: 'published', unpublish: 'unpublished', duplicate: 'duplicated', restore: 'restored', purge: 'purged' } as const;
const most = 1000;
/** The id of the job that completes the action; null: it is completed. */
const jobIn = (result: object): unknown => ('jobId' in result ? result.jobId : null);

/**
 * Actions on whole records: confirmed first where they are public or irreversible, then reported by a notice, and undoable. Each resolves with whether it was
 * carried out.
 */
export function useRecordActions(siteId: string, table: { readonly id: string; readonly trashDays: number }, onBatch: (batches: readonly string[]) => void) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const format = useFormat();
  const { trashRecords, publishRecords, unpublishRecords, duplicateRecords, restoreRecords, purgeRecords } = tablesApi.endpoints;
  const of = { siteId, table: table.id };

  const ask = (act: RecordActionName, count: number): Promise<boolean> => {
    const countText = format.number(count);
    const values = { count, countText };
    if (act === 'bin' && count > 1)
      return confirm({ title: t('bulk.binTitle', values), body: t('bulk.binText', { days: table.trashDays }), confirm: t('record.bin'), danger: true });
    if (act === 'publish' && count > 1) return confirm({ title: t('bulk.publishTitle', values), body: t('bulk.publishText'), confirm: t('record.publish') });
    if (act === 'unpublish')
      return confirm({ title: t('bulk.unpublishTitle', values), body: t('bulk.unpublishText'), confirm: t('record.unpublish'), danger: true });
    if (act === 'purge') return confirm({ title: t('bulk.purgeTitle', values), body: t('bulk.purgeText'), confirm: t('record.purge'), danger: true });
    return Promise.resolve(true);
  };
  const run = (
    act: RecordActionName,
    target: RecordTarget,
  ): PromiseLike<{ data?: Written | RestoreResult | { purged: number } | undefined; error?: unknown }> => {
    const ids = 'ids' in target ? target.ids : [];
    switch (act) {
      case 'bin':
        return dispatch(trashRecords.initiate({ ...of, body: { target } }));
      case 'publish':
        return dispatch(publishRecords.initiate({ ...of, body: { target } }));
      case 'unpublish':
        return dispatch(unpublishRecords.initiate({ ...of, body: { target } }));
      case 'duplicate':
        return dispatch(duplicateRecords.initiate({ ...of, body: { ids } }));
      case 'restore':
        return dispatch(restoreRecords.initiate({ ...of, body: { ids } }));
      case 'purge':
        return dispatch(purgeRecords.initiate({ ...of, body: { ids } }));
    }
  };
  /** Includes the names of what prevents deletion, where the server reports them. */
  const messageOf = (failure: ApiFailure): NoticeMessage => {
    const blocked = failure.code === 'referenced' ? (failure.current as z.output<typeof Blocked> | undefined) : undefined;
    const named = blocked?.blockedBy.map(({ tableTitle, fieldTitle, records, more }) => {
      const names = records.map(({ label }) => (label === '' ? t('cards.untitled') : label));
      return t(more ? 'bulk.blockedByMore' : 'bulk.blockedBy', { table: tableTitle, field: fieldTitle, names: names.join(t('bulk.between')) });
    });
    return named && named.length > 0 ? { text: named.reduce((first, next) => t('bulk.sentences', { first, next }), failure.message) } : failureMessage(failure);
  };
  return async (act: RecordActionName, target: RecordTarget, count: number): Promise<boolean> => {
    if ('ids' in target && target.ids.length > most) {
      dispatch(noticeShown({ tone: 'warning', message: { key: 'tables:bulk.limit' } }));
      return false;
    }
    if (!(await ask(act, count))) return false;
    const { data, error } = await run(act, target);
    if (!data) {
      if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: messageOf(error), requestId: error.requestId }));
      return false;
    }
    if (jobIn(data) !== null) {
      dispatch(noticeShown({ tone: 'good', message: { key: 'tables:bulk.working', values: { count, countText: format.number(count) } } }));
      return true;
    }
    const changed = 'purged' in data ? data.purged : data.created + data.updated || count;
    const left = 'skippedCount' in data && typeof data.skippedCount === 'number' ? data.skippedCount : 0;
    const batch = 'batchId' in data ? data.batchId : null;
    const message = { key: `tables:bulk.${done[act]}`, values: { count: changed } };
    if (left > 0)
      dispatch(noticeShown({ tone: 'warning', message: { key: 'tables:bulk.restoredPartly', values: { count: changed, left: format.number(left) } } }));
    else if (batch === null) dispatch(noticeShown({ tone: 'good', message }));
    else offerUndo(dispatch, { id: `records-${batch}`, message, undo: { ...of, batch } });
    if (batch !== null) onBatch([batch]);
    return true;
  };
}
export type RecordActions = ReturnType<typeof useRecordActions>;
