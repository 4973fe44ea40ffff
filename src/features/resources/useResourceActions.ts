import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource, ResourceFolder } from '@contract/resources/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { saveText } from '@/lib/csvFile';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { UseList } from './library/UsedBy';
import { libraryApi } from './libraryApi';
import { resourcesApi } from './resourcesApi';
import { svgApi } from './svgApi';

const { moveResources, tagResources, removeResources, restoreResources, purgeResources } = resourcesApi.endpoints;
const { resourceUses } = libraryApi.endpoints;
const { resourceSprite } = svgApi.endpoints;
type Removed = { readonly siteId: string; readonly ids: readonly string[] };

const notifyRemoved = defineUndo<Removed>('resources/removalUndone', (dispatch, { siteId, ids }) =>
  dispatch(restoreResources.initiate({ siteId, body: { ids: [...ids] } })),
);

type Moved = { readonly siteId: string; readonly moves: readonly { readonly ids: readonly string[]; readonly folderId: string | null }[] };
const notifyMoved = defineUndo<Moved>('resources/moveUndone', async (dispatch, { siteId, moves }) => {
  for (const { ids, folderId } of moves) {
    const { error } = await dispatch(moveResources.initiate({ siteId, body: { ids: [...ids], folderId } }));
    if (error !== undefined) return { error };
  }
  return {};
});

type Tags = { readonly add: readonly string[]; readonly remove: readonly string[] };
type Tagged = { readonly siteId: string; readonly changes: readonly (Tags & { readonly ids: readonly string[] })[] };
const notifyTagged = defineUndo<Tagged>('resources/tagsUndone', async (dispatch, { siteId, changes }) => {
  for (const { ids, add, remove } of changes) {
    const { error } = await dispatch(tagResources.initiate({ siteId, body: { ids: [...ids], add: [...add], remove: [...remove] } }));
    if (error !== undefined) return { error };
  }
  return {};
});

function grouped<K>(rows: readonly Resource[], keyOf: (row: Resource) => K): ReadonlyMap<K, readonly Resource[]> {
  const groups = new Map<K, Resource[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** Resources by the folder they were in. */
const movesBack = (rows: readonly Resource[]): Moved['moves'] =>
  [...grouped(rows, ({ folderId }) => folderId)].map(([folderId, group]) => ({ folderId, ids: group.map(({ id }) => id) }));

/** The tags that each resource had before others were added and removed; resources with the same change together. */
function tagsBack(rows: readonly Resource[], { add, remove }: Tags): Tagged['changes'] {
  const inverse = ({ tags }: Resource): Tags => ({ add: remove.filter((tag) => tags.includes(tag)), remove: add.filter((tag) => !tags.includes(tag)) });
  return [...grouped(rows, (row) => JSON.stringify(inverse(row)))]
    .map(([change, group]) => ({ ...(JSON.parse(change) as Tags), ids: group.map(({ id }) => id) }))
    .filter((change) => change.add.length + change.remove.length > 0);
}

/** What can be done with several resources. Each returns whether it was done; a failure becomes a notice. `rows`: the loaded resources, to which moves and tags can be undone. */
export function useResourceActions(siteId: string, rows: readonly Resource[]) {
  const { t } = useTranslation('resources');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const run = async (call: PromiseLike<{ readonly error?: unknown }>, done: () => void): Promise<boolean> => {
    const { error } = await call;
    if (error === undefined) done();
    else notifyFailure(dispatch, error);
    return error === undefined;
  };
  const before = (ids: readonly string[]): readonly Resource[] => rows.filter(({ id }) => ids.includes(id));
  const good = (key: string, values: Readonly<Record<string, string | number>>) => (): void => {
    dispatch(noticeShown({ tone: 'good', message: { key: `resources:done.${key}`, values } }));
  };
  return {
    /** With null, they are in no folder afterwards. */
    move(ids: readonly string[], folder: ResourceFolder | null): Promise<boolean> {
      const moves = movesBack(before(ids));
      const message = folder
        ? { key: 'resources:done.moved', values: { count: ids.length, folder: folder.name } }
        : { key: 'resources:done.movedOut', values: { count: ids.length } };
      return run(dispatch(moveResources.initiate({ siteId, body: { ids: [...ids], folderId: folder?.id ?? null } })), () =>
        notifyMoved(dispatch, message, { siteId, moves }),
      );
    },
    tag(ids: readonly string[], add: readonly string[], remove: readonly string[]): Promise<boolean> {
      const changes = tagsBack(before(ids), { add, remove });
      return run(dispatch(tagResources.initiate({ siteId, body: { ids: [...ids], add: [...add], remove: [...remove] } })), () =>
        notifyTagged(dispatch, { key: 'resources:done.tagged', values: { count: ids.length } }, { siteId, changes }),
      );
    },
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
    /** Downloads SVGs as one file with a symbol for each. */
    async sprite(ids: readonly string[]): Promise<void> {
      const { data, error } = await dispatch(resourceSprite.initiate({ siteId, body: { ids: [...ids] } }));
      if (data) saveText('icons.svg', 'image/svg+xml', data.source);
      else notifyFailure(dispatch, error);
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
