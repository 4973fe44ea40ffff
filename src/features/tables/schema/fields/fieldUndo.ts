import { createAction } from '@reduxjs/toolkit';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { designApi } from '@/features/tables/parts/designApi';
import { addTableListener } from '@/features/tables/undo';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch } from '@/store';

/** A field of a table, by ids. */
export type FieldPlace = { readonly siteId: string; readonly table: string; readonly field: string };

/** “Undo” was pressed after a field was added (`remove`) or deleted (`restore`). */
const fieldUndoRequested = createAction<FieldPlace & { readonly by: 'remove' | 'restore' }>('tables/fieldUndoRequested');
const undoing = addTableListener({
  actionCreator: fieldUndoRequested,
  effect: async ({ payload: { by, ...place } }, { dispatch }) => {
    const { removeField, restoreField } = designApi.endpoints;
    const { error } = await dispatch((by === 'remove' ? removeField : restoreField).initiate(place));
    notifyFailure(dispatch, error);
  },
});

const notify = (dispatch: AppDispatch, place: FieldPlace, by: 'remove' | 'restore', key: 'edit.added' | 'remove.done', name: string): void => {
  dispatch(undoing);
  dispatch(
    noticeShown({
      id: `field-${place.field}`,
      tone: 'good',
      message: { key: `tableDesign:${key}`, values: { name } },
      action: { message: { key: 'shell:undo' }, does: fieldUndoRequested({ ...place, by }) },
      for: undoOfferMs,
    }),
  );
};

/** Notifies that a field was added, and offers to take it away again. */
export const notifyFieldAdded = (dispatch: AppDispatch, place: FieldPlace, name: string): void => notify(dispatch, place, 'remove', 'edit.added', name);
/** Notifies that a field was deleted, and offers to restore it with its values. */
export const notifyFieldRemoved = (dispatch: AppDispatch, place: FieldPlace, name: string): void => notify(dispatch, place, 'restore', 'remove.done', name);
