import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { offerUndo } from '../undo';

/** A record that is moved, as it was when the move began. */
export type MovedRecord = { readonly id: string; readonly name: string; readonly revision: number };

/**
 * Writes values of one record when it is moved, announces it with the offer to undo it, and focuses the record at its new place. A concurrent change of the same
 * field is reported, not overwritten.
 */
export function useMoveValue(siteId: string, table: string, locale: string | undefined, onBatches: (batches: readonly string[]) => void) {
  const dispatch = useAppDispatch();
  return async ({ id, revision }: MovedRecord, values: Readonly<Record<string, unknown>>, message: NoticeMessage): Promise<void> => {
    const change = { id, values: { ...values }, revision };
    const body = { changes: [change], origin: 'console' as const, ...(locale === undefined ? {} : { locale }) };
    const { data, error } = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table, body }));
    if (data) {
      if (data.batchId !== null) {
        onBatches([data.batchId]);
        offerUndo(dispatch, { id: `move:${id}`, message, undo: { siteId, table, batch: data.batchId } });
      }
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-record="${CSS.escape(id)}"]`)?.focus());
    } else if (isFailure(error)) {
      dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
      dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table }]));
    }
  };
}
