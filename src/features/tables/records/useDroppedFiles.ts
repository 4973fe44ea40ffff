import { useTranslation } from 'react-i18next';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useAppDispatch, useAppStore } from '@/store/hooks';
import type { DropPlace } from './FileDrop';
import type { TableWorkState } from './useTableWork';

/** Files that are dropped on the records or pasted into a cell; the code for them loads with the first ones. */
export function useDroppedFiles(work: TableWorkState) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const store = useAppStore();
  const load = async () => {
    const { droppedFiles } = await import(/* webpackChunkName: "drop-files" */ './dropFiles');
    return droppedFiles({ work, dispatch, store, t });
  };
  const failed = (): void => void dispatch(noticeShown({ tone: 'bad', message: { key: 'ui:offline' } }));
  return {
    drop: (files: readonly File[], place: DropPlace): void => void load().then(({ drop }) => drop(files, place), failed),
    paste: (files: readonly File[]): void => void load().then(({ paste }) => paste(files), failed),
  };
}
