import { createAction } from '@reduxjs/toolkit';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { designApi } from '@/features/tables/parts/designApi';
import { addTableListener } from '@/features/tables/undo';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch } from '@/store';

/** “Undo” was pressed after a table was deleted. */
const tableRemovalUndone = createAction<{ readonly siteId: string; readonly table: string }>('tables/tableRemovalUndone');
const undoing = addTableListener({
  actionCreator: tableRemovalUndone,
  effect: async ({ payload }, { dispatch }) => {
    const { error } = await dispatch(designApi.endpoints.restoreTable.initiate(payload));
    notifyFailure(dispatch, error);
  },
});

/** Notifies that a table was deleted, and offers to restore it with its records. */
export function notifyTableRemoved(dispatch: AppDispatch, siteId: string, { id, title }: ContentTable): void {
  dispatch(undoing);
  dispatch(
    noticeShown({
      id: `table-${id}`,
      tone: 'good',
      message: { key: 'tableSchemas:removeTable.done', values: { name: title } },
      action: { message: { key: 'shell:undo' }, does: tableRemovalUndone({ siteId, table: id }) },
      for: undoOfferMs,
    }),
  );
}
