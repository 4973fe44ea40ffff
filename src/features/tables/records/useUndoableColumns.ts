import { createAction, nanoid } from '@reduxjs/toolkit';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ViewQuery } from '@contract/tables/views';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { noticeDismissed, noticeShown } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import { useAppDispatch } from '@/store/hooks';
import { addTableListener } from '../undo';
import type { ActiveView } from './useActiveView';
import { same } from './viewState';

type Columns = ViewQuery['columns'];
/** A change of the columns of a view; `view` is its id, null without a saved view. */
type ColumnChange = { readonly id: string; readonly view: string | null; readonly before: Columns; readonly after: Columns };

/** “Undo” was pressed in the notice of a change of the columns; with the id of that change. */
const columnsUndone = createAction<string>('tables/columnsUndone');
/** The only notice of these changes: the last one is announced, and undone. */
const noticeId = 'columns';

/** Puts changed columns into the view, announced with the offer to undo that. The offer ends once the columns are changed otherwise or another view is open. */
export function useUndoableColumns({ view, query, change }: ActiveView): (after: Columns, message: NoticeMessage) => void {
  const dispatch = useAppDispatch();
  const last = useRef<ColumnChange | null>(null);
  const viewId = view?.id ?? null;
  const isCurrent = ({ view: changed, after }: ColumnChange): boolean => changed === viewId && same(after, query.columns);
  const undo = useEffectEvent((id: string) => {
    if (last.current?.id === id && isCurrent(last.current)) change({ columns: last.current.before }, 'replace');
  });
  useEffect(() => {
    const removeListener = dispatch(addTableListener({ actionCreator: columnsUndone, effect: ({ payload }) => undo(payload) }));
    return () => {
      removeListener();
      dispatch(noticeDismissed(noticeId));
    };
  }, [dispatch]);
  const withdraw = useEffectEvent(() => {
    if (last.current === null || isCurrent(last.current)) return;
    last.current = null;
    dispatch(noticeDismissed(noticeId));
  });
  useEffect(() => withdraw(), [viewId, query.columns]);
  return (after, message) => {
    const id = nanoid(8);
    last.current = { id, view: viewId, before: query.columns, after };
    change({ columns: after }, 'replace');
    const action = { message: { key: 'shell:undo' }, does: columnsUndone(id) };
    dispatch(noticeShown({ id: noticeId, message, action, for: undoOfferMs }));
  };
}
