import { useTranslation } from 'react-i18next';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { tablesApi } from '@/features/tables/tablesApi';
import { useAppDispatch } from '@/store/hooks';
import { libraryApi } from '../libraryApi';
import { resourcesApi } from '../resourcesApi';

const { restoreResources } = resourcesApi.endpoints;
const { undoBatch } = tablesApi.endpoints;

type Replaced = { readonly siteId: string; readonly table: string; readonly batch: string | null; readonly removed: readonly string[] };

/** Restores what was moved to the bin before the records that used it. */
const notifyReplaced = defineUndo<Replaced>('resources/replacementUndone', async (dispatch, { siteId, table, batch, removed }) => {
  if (removed.length > 0) {
    const { error } = await dispatch(restoreResources.initiate({ siteId, body: { ids: [...removed] } }));
    if (error !== undefined) return { error };
  }
  if (batch === null) return {};
  const undone = await dispatch(undoBatch.initiate({ siteId, table, batch }));
  dispatch(resourcesApi.util.invalidateTags(['Resource']));
  return undone;
});

/**
 * Uses one resource in place of others everywhere, and with `remove` moves those to the bin that nothing uses afterwards. Says what was done and offers to undo
 * it. Returns whether the call succeeded.
 */
export function useReplaceEverywhere(siteId: string) {
  const { t } = useTranslation('resources');
  const dispatch = useAppDispatch();
  return async (ids: readonly string[], by: string, remove: boolean): Promise<boolean> => {
    const { data, error } = await dispatch(libraryApi.endpoints.replaceResources.initiate({ siteId, body: { ids: [...ids], by, remove } }));
    if (!data) {
      notifyFailure(dispatch, error);
      return false;
    }
    const { changed, removed, remaining, batchId, tableId, jobId } = data;
    if (jobId !== null) dispatch(noticeShown({ message: { key: 'resources:replace.started' } }));
    else if (changed > 0 || removed.length > 0) {
      const text = [
        ...(changed > 0 ? [t('replace.changed', { count: changed })] : []),
        ...(removed.length > 0 ? [t('done.removed', { count: removed.length })] : []),
      ].join(t('replace.and'));
      notifyReplaced(dispatch, { text }, { siteId, table: tableId ?? '', batch: batchId, removed });
    }
    if (remaining > 0) dispatch(noticeShown({ tone: 'warning', message: { key: 'resources:replace.remaining', values: { count: remaining } } }));
    return true;
  };
}
