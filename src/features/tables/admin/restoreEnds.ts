import { createAction } from '@reduxjs/toolkit';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import type { AppDispatch } from '@/store';
import { isFailure } from '@/store/failure';
import { careApi } from '../care/careApi';
import { designApi } from '../parts/designApi';
import type { OfTable } from '../tablesApi';
import { listen, offeredMs } from '../undoing';

/** Somebody pressed “Undo” at the notice of a table that was restored. */
const restoreUnwanted = createAction<OfTable>('tables/restoreUnwanted');
const undoing = listen({
  actionCreator: restoreUnwanted,
  effect: async ({ payload }, { dispatch }) => {
    const { error } = await dispatch(designApi.endpoints.removeTable.initiate(payload));
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
    else dispatch(noticeShown({ words: { key: 'tableAdmin:care.restore.undone' } }));
    dispatch(careApi.util.invalidateTags(['Restores']));
  },
});

/** A table is there again: said with the way back, into the bin. */
export function tellRestored(dispatch: AppDispatch, { siteId, table, name }: OfTable & { readonly name: string }): void {
  dispatch(undoing);
  dispatch(
    noticeShown({
      id: `restore-${table}`,
      tone: 'good',
      words: { key: 'tableAdmin:care.restore.made', values: { name } },
      action: { words: { key: 'shell:undo' }, does: restoreUnwanted({ siteId, table }) },
      for: offeredMs,
    }),
  );
}
