import { useTranslation } from 'react-i18next';
import type { ViewKind } from '@contract/tables/terms';
import type { RecordView, ViewQuery } from '@contract/tables/views';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { tablesApi, useAddViewMutation, useChangeViewMutation, useRemoveViewMutation } from '../tablesApi';
import type { ActiveView } from './useActiveView';

type Options = {
  readonly siteId: string;
  readonly table: string;
  readonly views: readonly RecordView[];
  readonly activeView: ActiveView;
  /** Whether the person may create shared views. */ readonly shares: boolean;
  readonly onOpen: (view: string) => void;
};

const notifyViewRemoved = defineUndo<{ readonly siteId: string; readonly table: string; readonly view: string }>('tables/viewRemovalUndone', (dispatch, view) =>
  dispatch(tablesApi.endpoints.restoreView.initiate(view)),
);

/** What can be done with a saved view. A failure becomes a notice. */
export function useViewActions({ siteId, table, views, activeView, shares, onOpen }: Options) {
  const { t } = useTranslation('tables');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [add] = useAddViewMutation();
  const [change, { isLoading: isSaving }] = useChangeViewMutation();
  const [remove] = useRemoveViewMutation();
  const showFailure = (error: unknown): void => {
    if (!isFailure(error)) return;
    dispatch(noticeShown({ tone: 'bad', message: isStale(error) ? { key: 'tables:views.stale' } : failureMessage(error), requestId: error.requestId }));
  };
  return {
    isSaving,
    /** Saves the unsaved changes of the active view. */
    save: async ({ id, revision }: RecordView): Promise<void> => {
      const { error } = await change({ siteId, table, view: id, revision, body: { query: activeView.query } });
      if (error === undefined) activeView.reset();
      else showFailure(error);
    },
    /** Adds a view and opens it; it is personal if the person may not share views. */
    add: async (view: { readonly kind: ViewKind; readonly title: string; readonly query: ViewQuery }): Promise<void> => {
      const { data, error } = await add({ siteId, table, body: { ...view, scope: shares ? 'shared' : 'personal' } });
      if (data) onOpen(data.id);
      else showFailure(error);
    },
    move: async (view: RecordView, by: -1 | 1): Promise<void> => {
      const position = Math.max(0, views.indexOf(view) + by);
      const { error } = await change({ siteId, table, view: view.id, revision: view.revision, body: { position } });
      if (error !== undefined) showFailure(error);
    },
    /** Creates a view of what is on screen; it is personal if the person may not share views. */
    duplicate: async ({ title, kind, scope }: RecordView): Promise<void> => {
      const { data, error } = await add({
        siteId,
        table,
        body: { title: t('views.copyName', { name: title }).slice(0, 60), kind, scope: shares ? scope : 'personal', query: activeView.query },
      });
      if (data) onOpen(data.id);
      else showFailure(error);
    },
    remove: async ({ id, title }: RecordView): Promise<void> => {
      const confirmed = await confirm({
        title: t('views.removeTitle', { name: title }),
        body: t('views.removeText'),
        confirm: t('views.remove'),
        danger: true,
      });
      if (!confirmed) return;
      const { error } = await remove({ siteId, table, view: id });
      if (error !== undefined) return showFailure(error);
      onOpen('');
      notifyViewRemoved(dispatch, { key: 'tables:views.removed', values: { name: title } }, { siteId, table, view: id });
    },
  };
}
export type ViewActions = ReturnType<typeof useViewActions>;
