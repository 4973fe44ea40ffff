import { addListener, createAction } from '@reduxjs/toolkit';
import { undoOfferMs } from '@/lib/undoOffer';
import type { AppDispatch, RootState } from '@/store';
import { noticeShown, notifyFailure } from './noticesSlice';
import type { NoticeMessage } from './noticesSlice';

/**
 * Defines what “Undo” does in notices of one kind. The returned function shows such a notice; its button calls `undo` with the same arguments, which are
 * plain data, and a failure is shown. `type`: of the action that the button dispatches. `id`: of the notice, if it replaces an earlier one.
 */
export function defineUndo<A>(type: string, undo: (dispatch: AppDispatch, args: A) => PromiseLike<{ readonly error?: unknown }>) {
  const undone = createAction(type, (args: A) => ({ payload: args }));
  // A listener that exists already is not added again.
  const undoing = addListener.withTypes<RootState, AppDispatch>()({
    actionCreator: undone,
    effect: async ({ payload }, { dispatch }) => {
      const { error } = await undo(dispatch, payload);
      notifyFailure(dispatch, error);
    },
  });
  return (dispatch: AppDispatch, message: NoticeMessage, args: A, id?: string): void => {
    dispatch(undoing);
    const action = { message: { key: 'shell:undo' }, does: undone(args) };
    dispatch(noticeShown({ ...(id === undefined ? {} : { id }), tone: 'good', message, action, for: undoOfferMs }));
  };
}
