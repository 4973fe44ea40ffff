import { createAction, nanoid } from '@reduxjs/toolkit';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ViewQuery } from '@contract/tables/views';
import type { NoticeMessage } from '@/features/notices/noticesSlice';
import { noticeShown } from '@/features/notices/noticesSlice';
import { undoOfferMs } from '@/lib/undoOffer';
import { useAppDispatch } from '@/store/hooks';
import { addTableListener } from '../undo';

/** “Undo” was pressed in the notice of a change of the columns; with the id of that notice. */
const columnsUndone = createAction<string>('tables/columnsUndone');

/** Announces a change of the columns with the offer to undo it: `put` then gets the columns from before. Only the last change is undone this way. */
export function useUndoableColumns(put: (columns: ViewQuery['columns']) => void) {
  const dispatch = useAppDispatch();
  const last = useRef<{ readonly id: string; readonly before: ViewQuery['columns'] } | null>(null);
  const undo = useEffectEvent((id: string) => {
    if (last.current?.id === id) put(last.current.before);
  });
  useEffect(() => dispatch(addTableListener({ actionCreator: columnsUndone, effect: ({ payload }) => undo(payload) })), [dispatch]);
  return (before: ViewQuery['columns'], message: NoticeMessage): void => {
    const id = nanoid(8);
    last.current = { id, before };
    dispatch(noticeShown({ id: 'columns', message, action: { message: { key: 'shell:undo' }, does: columnsUndone(id) }, for: undoOfferMs }));
  };
}
