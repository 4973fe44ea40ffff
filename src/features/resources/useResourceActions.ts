import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceFolder } from '@contract/resources/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { UseList } from './library/UsedBy';
import { libraryApi } from './libraryApi';
import { resourcesApi } from './resourcesApi';

const { moveResources, tagResources, removeResources, restoreResources, purgeResources } = resourcesApi.endpoints;
const { resourceUses } = libraryApi.endpoints;
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
    /** With null, they are in no folder afterwards. */
    move: (ids: readonly string[], folder: ResourceFolder | null) =>
      run(
        dispatch(moveResources.initiate({ siteId, body: { ids: [...ids], folderId: folder?.id ?? null } })),
        folder ? good('moved', { count: ids.length, folder: folder.name }) : good('movedOut', { count: ids.length }),
      ),
    tag: (ids: readonly string[], add: readonly string[], remove: readonly string[]) =>
      run(dispatch(tagResources.initiate({ siteId, body: { ids: [...ids], add: [...add], remove: [...remove] } })), good('tagged', { count: ids.length })),
    /** What is used is removed only after the places that use it were shown. */
    async remove(ids: readonly string[]): Promise<boolean> {
      const { data, error } = await dispatch(resourceUses.initiate({ siteId, body: { ids: [...ids] } }, { subscribe: false, forceRefetch: true }));
      if (!data) {
        notifyFailure(dispatch, error);
        return false;
      }
      const confirmed =
        data.total === 0 ||
        (await confirm({
          title: t('remove.usedTitle', { count: ids.length }),
          body: createElement(
            'div',
            null,
            createElement('p', null, t('remove.usedText', { count: data.total })),
            createElement(UseList, { siteId, inQuestion: true, ...data }),
          ),
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
