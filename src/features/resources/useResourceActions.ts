import { useTranslation } from 'react-i18next';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { resourcesApi } from './resourcesApi';

const { moveResources, tagResources, removeResources, restoreResources, purgeResources } = resourcesApi.endpoints;
type Removed = { readonly siteId: string; readonly ids: readonly string[] };

const notifyRemoved = defineUndo<Removed>('resources/removalUndone', (dispatch, { siteId, ids }) =>
  dispatch(restoreResources.initiate({ siteId, body: { ids: [...ids] } })),
);

/** What can be done with several resources. Each returns whether it was done; a failure becomes a notice. */
export function useResourceActions(siteId: string) {
  const { t } = useTranslation('resources');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const run = async (call: PromiseLike<{ readonly error?: unknown }>, done: () => void): Promise<boolean> => {
    const { error } = await call;
    if (error === undefined) done();
    else notifyFailure(dispatch, error);
    return error === undefined;
  };
  const good = (key: string, values: Readonly<Record<string, string | number>>) => (): void => {
    dispatch(noticeShown({ tone: 'good', message: { key: `resources:done.${key}`, values } }));
  };
  return {
    move: (ids: readonly string[], folderId: string | null, folder: string) =>
      run(dispatch(moveResources.initiate({ siteId, body: { ids: [...ids], folderId } })), good('moved', { count: ids.length, folder })),
    tag: (ids: readonly string[], add: readonly string[], remove: readonly string[]) =>
      run(dispatch(tagResources.initiate({ siteId, body: { ids: [...ids], add: [...add], remove: [...remove] } })), good('tagged', { count: ids.length })),
    /** `uses`: of the resources together; those that are used are removed after confirmation only. */
    async remove(ids: readonly string[], uses: number): Promise<boolean> {
      const confirmed =
        uses === 0 ||
        (await confirm({
          title: t('remove.usedTitle', { count: ids.length }),
          body: t('remove.usedText', { count: uses }),
          confirm: t('remove.do'),
          danger: true,
        }));
      if (!confirmed) return false;
      return run(dispatch(removeResources.initiate({ siteId, body: { ids: [...ids] } })), () =>
        notifyRemoved(dispatch, { key: 'resources:done.removed', values: { count: ids.length } }, { siteId, ids }),
      );
    },
    restore: (ids: readonly string[]) => run(dispatch(restoreResources.initiate({ siteId, body: { ids: [...ids] } })), good('restored', { count: ids.length })),
    async purge(ids: readonly string[]): Promise<boolean> {
      const confirmed = await confirm({
        title: t('purge.title', { count: ids.length }),
        body: t('purge.text'),
        confirm: t('purge.do'),
        danger: true,
      });
      return confirmed && run(dispatch(purgeResources.initiate({ siteId, body: { ids: [...ids] } })), good('purged', { count: ids.length }));
    },
  };
}
export type ResourceActions = ReturnType<typeof useResourceActions>;
