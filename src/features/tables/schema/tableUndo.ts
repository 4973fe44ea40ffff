import type { ContentTable } from '@contract/tables/schemas';
import { defineUndo } from '@/features/notices/undoListeners';
import { designApi } from '@/features/tables/parts/designApi';
import type { AppDispatch } from '@/store';

const offerRestoring = defineUndo<{ readonly siteId: string; readonly table: string }>('tables/tableRemovalUndone', (dispatch, table) =>
  dispatch(designApi.endpoints.restoreTable.initiate(table)),
);

/** Notifies that a table was deleted, and offers to restore it with its records. */
export const notifyTableRemoved = (dispatch: AppDispatch, siteId: string, { id, title }: ContentTable): void =>
  offerRestoring(dispatch, { key: 'tableSchemas:removeTable.done', values: { name: title } }, { siteId, table: id }, `table-${id}`);
