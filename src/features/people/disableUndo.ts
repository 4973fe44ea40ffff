import { addListener, createAction } from '@reduxjs/toolkit';
import type { Notice } from '@/features/notices/noticesSlice';
import { notifyFailure } from '@/features/notices/noticesSlice';
import type { AppDispatch, RootState } from '@/store';
import { peopleApi } from './peopleApi';

/** “Undo” was pressed after an account was disabled. */
const disablingUndone = createAction<string>('people/disablingUndone');

const undoing = addListener.withTypes<RootState, AppDispatch>()({
  actionCreator: disablingUndone,
  effect: async ({ payload: id }, { dispatch }) => {
    const { error } = await dispatch(peopleApi.endpoints.enablePerson.initiate({ id }));
    notifyFailure(dispatch, error);
  },
});

/** The action of a notice that enables a disabled account again. */
export function offerEnabling(dispatch: AppDispatch, id: string): NonNullable<Notice['action']> {
  dispatch(undoing);
  return { message: { key: 'shell:undo' }, does: disablingUndone(id) };
}
