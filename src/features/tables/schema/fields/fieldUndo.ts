import { defineUndo } from '@/features/notices/undoListeners';
import { designApi } from '@/features/tables/parts/designApi';
import type { AppDispatch } from '@/store';

/** A field of a table, by ids. */
export type FieldPlace = { readonly siteId: string; readonly table: string; readonly field: string };

const { removeField, restoreField } = designApi.endpoints;
const offerRemoving = defineUndo<FieldPlace>('tables/fieldAdditionUndone', (dispatch, place) => dispatch(removeField.initiate(place)));
const offerRestoring = defineUndo<FieldPlace>('tables/fieldRemovalUndone', (dispatch, place) => dispatch(restoreField.initiate(place)));

/** Notifies that a field was added, and offers to take it away again. */
export const notifyFieldAdded = (dispatch: AppDispatch, place: FieldPlace, name: string): void =>
  offerRemoving(dispatch, { key: 'tableDesign:edit.added', values: { name } }, place, `field-${place.field}`);
/** Notifies that a field was deleted, and offers to restore it with its values. */
export const notifyFieldRemoved = (dispatch: AppDispatch, place: FieldPlace, name: string): void =>
  offerRestoring(dispatch, { key: 'tableDesign:remove.done', values: { name } }, place, `field-${place.field}`);
