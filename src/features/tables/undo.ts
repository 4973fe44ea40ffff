import { addListener, createAction } from '@reduxjs/toolkit';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import type { AppDispatch, RootState } from '@/store';
import { undoOfferMs } from '@/lib/undoOffer';
import { tablesApi } from './tablesApi';
import { transferApi } from './transfer/transferApi';

/** What can be undone: a change batch of a table. `importId`: the import that wrote it, which is undone together with anything else it created. */
export type Undoable = { readonly siteId: string; readonly table: string; readonly batch: string; readonly importId?: string };
/** Result of an undo: records changed, and places skipped because somebody has changed them since. `later`: a job continues it. */
export type UndoResult = { readonly changed: number; readonly skipped: number; readonly later?: boolean } | { readonly error: unknown };

/** Listeners of lazily loaded parts: each is added with its part, and a listener that exists already is not added again. */
export const addTableListener = addListener.withTypes<RootState, AppDispatch>();

/** “Undo” was pressed in a notice. Plain data, so that the notice can carry it. */
export const undoRequested = createAction<Undoable>('tables/undoRequested');
/** Something undoable was done outside the records screen, which may have its table open. */
export const undoableCreated = createAction<Undoable>('tables/undoableCreated');

/** Undoes one change. An import has its own call: a large one is undone by a job. */
export async function undoChange(dispatch: AppDispatch, { siteId, table, batch, importId }: Undoable): Promise<UndoResult> {
  if (importId === undefined) {
    const { data, error } = await dispatch(tablesApi.endpoints.undoBatch.initiate({ siteId, table, batch }));
    return data ? { changed: data.undone, skipped: data.skippedCount } : { error };
  }
  const { data, error } = await dispatch(transferApi.endpoints.undoTableImport.initiate({ siteId, id: importId }));
  if (!data) return { error };
  void dispatch(transferApi.util.upsertQueryData('tableImport', { siteId, id: importId }, data));
  dispatch(tablesApi.util.invalidateTags([{ type: 'Records', id: table }]));
  return { changed: (data.counts?.insert ?? 0) + (data.counts?.update ?? 0), skipped: data.undoSkipped ?? 0, later: !data.undone };
}

/** Notifies the user of the result of an undo or redo. */
export function notifyUndoResult(dispatch: AppDispatch, way: 'undo' | 'redo', result: UndoResult): void {
  if ('error' in result) {
    const { error } = result;
    notifyFailure(dispatch, error);
  } else if (result.later === true) dispatch(noticeShown({ message: { key: 'tables:undo.later' } }));
  else if (result.skipped > 0) dispatch(noticeShown({ tone: 'warning', message: { key: `tables:undo.${way}Skipped`, values: { count: result.skipped } } }));
  else dispatch(noticeShown({ message: { key: `tables:undo.${way}Done`, values: { count: result.changed } }, for: 3000 }));
}

const undoing = addTableListener({
  actionCreator: undoRequested,
  effect: async ({ payload }, { dispatch }) => {
    notifyUndoResult(dispatch, 'undo', await undoChange(dispatch, payload));
    // The undo may have removed or restored fields, choices or the whole table.
    dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: payload.siteId }]));
  },
});

/** A success notice that offers to undo; afterwards the change is listed among the table's latest changes. `id`: of the notice. */
export function offerUndo(
  dispatch: AppDispatch,
  { id, message, undo }: { readonly id: string; readonly message: NoticeMessage; readonly undo: Undoable },
): void {
  dispatch(undoing);
  dispatch(noticeShown({ id, tone: 'good', message, action: { message: { key: 'shell:undo' }, does: undoRequested(undo) }, for: undoOfferMs }));
}
