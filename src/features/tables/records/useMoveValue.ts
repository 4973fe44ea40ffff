import { notifyFailure } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { tablesApi } from '../tablesApi';
import { offerUndo } from '../undo';

/** A record that is moved, as it was when the move began. */
export type MovedRecord = { readonly id: string; readonly name: string; readonly revision: number };

const cardOf = (id: string): HTMLElement | null => document.querySelector(`[data-record="${CSS.escape(id)}"]`);
/** How long the record may take to appear at its new place, ms. */
const appearMs = 3000;

/** Focuses a moved record once it is displayed at its new place, unless the focus has been moved elsewhere. */
function focusWhenMoved(id: string, previous: HTMLElement | null): void {
  const observer = new MutationObserver(() => {
    const card = cardOf(id);
    if (!card || card === previous) return;
    observer.disconnect();
    if (document.activeElement === document.body) card.focus();
  });
  observer.observe(document.body, { subtree: true, childList: true });
  setTimeout(() => observer.disconnect(), appearMs);
}

/**
 * Writes values of one record when it is moved, announces it with the offer to undo it, and focuses the record at its new place. A concurrent change of the same
 * field is reported, not overwritten.
 */
export function useMoveValue(siteId: string, table: string, locale: string | undefined, onBatches: (batches: readonly string[]) => void) {
  const dispatch = useAppDispatch();
  return async ({ id, revision }: MovedRecord, values: Readonly<Record<string, unknown>>, message: NoticeMessage): Promise<void> => {
    const change = { id, values: { ...values }, revision };
    const body = { changes: [change], origin: 'console' as const, ...(locale === undefined ? {} : { locale }) };
    const card = cardOf(id);
    const { data, error } = await dispatch(tablesApi.endpoints.changeRecords.initiate({ siteId, table, body }));
    if (data) {
      if (data.batchId === null) return;
      onBatches([data.batchId]);
      offerUndo(dispatch, { id: `move:${id}`, message, undo: { siteId, table, batch: data.batchId } });
      focusWhenMoved(id, card);
    } else {
      notifyFailure(dispatch, error);
      dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table }]));
    }
  };
}
