import { createAction } from '@reduxjs/toolkit';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import type { AppDispatch } from '@/store';
import { isFailure } from '@/lib/failure';
import { undoOfferMs } from '@/lib/undoOffer';
import { maintenanceApi } from './growth/maintenanceApi';
import { designApi } from '@/features/tables/parts/designApi';
import type { OfTable } from '@/features/tables/tablesApi';
import { addTableListener } from '@/features/tables/undo';

/** “Undo” was pressed in the notice of a restored table. */
const restoreUnwanted = createAction<OfTable>('tables/restoreUnwanted');
const undoing = addTableListener({
  actionCreator: restoreUnwanted,
  effect: async ({ payload }, { dispatch }) => {
    const { error } = await dispatch(designApi.endpoints.removeTable.initiate(payload));
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key: 'tableAdmin:maintenance.restore.undone' } }));
    dispatch(maintenanceApi.util.invalidateTags(['Restores']));
  },
});

/** Notifies that a table was restored, and offers to move it back to the bin. */
export function notifyRestored(dispatch: AppDispatch, { siteId, table, name }: OfTable & { readonly name: string }): void {
  dispatch(undoing);
  dispatch(
    noticeShown({
      id: `restore-${table}`,
      tone: 'good',
      message: { key: 'tableAdmin:maintenance.restore.restored', values: { name } },
      action: { message: { key: 'shell:undo' }, does: restoreUnwanted({ siteId, table }) },
      for: undoOfferMs,
    }),
  );
}
