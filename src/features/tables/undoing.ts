import { addListener, createAction } from '@reduxjs/toolkit';
import { failureWords, noticeShown } from '@/features/notices/noticesSlice';
import type { Words } from '@/features/notices/noticesSlice';
import type { AppDispatch, RootState } from '@/store';
import { isFailure } from '@/store/failure';
import { tablesApi } from './tablesApi';
import { transferApi } from './transfer/transferApi';

/** What can be taken back: a batch of a table. `importId`: of the import that wrote it, which is taken back with what it made besides records. */
export type Undoable = { readonly siteId: string; readonly table: string; readonly batch: string; readonly importId?: string };
/** Of an undoing: records that changed, places that somebody changed since. `later`: a job goes on with it. */
export type Taken = { readonly changed: number; readonly skipped: number; readonly later?: boolean } | { readonly error: unknown };

/** Listeners of late parts: they come with the part, and one that is there already is not added again. */
export const listen = addListener.withTypes<RootState, AppDispatch>();

/** How long a notice offers the way back, ms; afterwards it stands among the latest changes of the table. */
export const offeredMs = 10_000;
/** Somebody pressed “Undo” at a notice. Plain data, so that the notice can carry it. */
export const undoWanted = createAction<Undoable>('tables/undoWanted');
/** Something that can be undone was made elsewhere than on the screen of records, which may have its table open. */
export const undoableMade = createAction<Undoable>('tables/undoableMade');

/** Takes one back. An import goes by its own call: of many rows a job does it. */
export async function takeBack(dispatch: AppDispatch, { siteId, table, batch, importId }: Undoable): Promise<Taken> {
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

/** Says what came of undoing or doing again. */
export function tellTaken(dispatch: AppDispatch, way: 'undo' | 'redo', taken: Taken): void {
  if ('error' in taken) {
    const { error } = taken;
    if (isFailure(error)) dispatch(noticeShown({ tone: 'bad', words: failureWords(error), requestId: error.requestId }));
  } else if (taken.later === true) dispatch(noticeShown({ words: { key: 'tables:undo.later' } }));
  else if (taken.skipped > 0) dispatch(noticeShown({ tone: 'warning', words: { key: `tables:undo.${way}Skipped`, values: { count: taken.skipped } } }));
  else dispatch(noticeShown({ words: { key: `tables:undo.${way}Done`, values: { count: taken.changed } }, for: 3000 }));
}

const undoing = listen({
  actionCreator: undoWanted,
  effect: async ({ payload }, { dispatch }) => {
    tellTaken(dispatch, 'undo', await takeBack(dispatch, payload));
    // Fields, choices or the whole table may have gone or come back with it.
    dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: payload.siteId }]));
  },
});

/** A good end, with the way back. `id`: of the notice. */
export function offerUndo(dispatch: AppDispatch, { id, words, undo }: { readonly id: string; readonly words: Words; readonly undo: Undoable }): void {
  dispatch(undoing);
  dispatch(noticeShown({ id, tone: 'good', words, action: { words: { key: 'shell:undo' }, does: undoWanted(undo) }, for: offeredMs }));
}
