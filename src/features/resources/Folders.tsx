import { useState } from 'react';
import type { DragEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ResourceFolder } from '@contract/resources/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { ActionMenu } from './ActionMenu';
import { FolderDialog } from './FolderDialog';
import { childrenOf, trailOf } from './folderTree';
import { draggedResources } from './ResourceGrid';
import { contentOf, notifyFolderRemoved } from './folderUndo';
import { useRemoveResourceFolderMutation } from './resourcesApi';

type Props = {
  readonly siteId: string;
  readonly folders: readonly ResourceFolder[];
  /** Id of a folder, `root` for resources in none, empty for all. */
  readonly current: string;
  /** With a search text, the list is not that of a folder. */
  readonly isSearching: boolean;
  readonly mayWrite: boolean;
  readonly onOpen: (folder: string) => void;
  /** Resources were dropped on a folder; null: on the place outside of folders. */
  readonly onMove: (ids: readonly string[], folder: ResourceFolder | null) => void;
};

function useDropTarget(onDrop: ((ids: readonly string[]) => void) | null) {
  const [over, setOver] = useState(false);
  if (onDrop === null) return {};
  const holds = (event: DragEvent): boolean => event.dataTransfer.types.includes(draggedResources);
  return {
    ...(over ? { 'data-over': '' } : {}),
    onDragOver: (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!holds(event)) return;
      event.preventDefault();
      setOver(false);
      onDrop(JSON.parse(event.dataTransfer.getData(draggedResources)) as string[]);
    },
  };
}

function FolderChip({
  name,
  icon = 'folder',
  count,
  onOpen,
  onDrop,
}: {
  readonly name: string;
  readonly icon?: IconName;
  /** Resources in it; null: not counted. */
  readonly count: number | null;
  readonly onOpen: () => void;
  readonly onDrop: ((ids: readonly string[]) => void) | null;
}): ReactElement {
  const format = useFormat();
  return (
    <li>
      <button type="button" className="resource-folder" {...(count === 0 ? { 'data-empty': '' } : {})} onClick={onOpen} {...useDropTarget(onDrop)}>
        <Icon name={icon} />
        <span>{name}</span>
        {count !== null && count > 0 && <small>{format.number(count)}</small>}
      </button>
    </li>
  );
}

/** Rename, move and delete the folder that is open. */
function FolderMenu({ siteId, folder, folders, onOpen }: Pick<Props, 'siteId' | 'folders' | 'onOpen'> & { readonly folder: ResourceFolder }): ReactElement {
  const { t } = useTranslation('resources');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [editing, setEditing] = useState(false);
  const [remove] = useRemoveResourceFolderMutation();
  const confirmRemoval = async (): Promise<void> => {
    const { name, id, parentId } = folder;
    if (!(await confirm({ title: t('folder.removeTitle', { name }), body: t('folder.removeText'), confirm: t('folder.remove'), danger: true }))) return;
    try {
      const content = await contentOf(dispatch, siteId, folder, folders);
      await remove({ siteId, id }).unwrap();
      onOpen(parentId ?? '');
      notifyFolderRemoved(dispatch, { key: 'resources:folderDone.removed', values: { name } }, content);
    } catch (error) {
      notifyFailure(dispatch, error);
    }
  };
  return (
    <>
      <ActionMenu
        label={t('folder.actions', { name: folder.name })}
        actions={[
          { label: t('folder.edit'), onChoose: () => setEditing(true) },
          { label: t('folder.remove'), onChoose: () => void confirmRemoval() },
        ]}
      />
      {editing && <FolderDialog siteId={siteId} folders={folders} folder={folder} parentId={folder.parentId} onClose={() => setEditing(false)} />}
    </>
  );
}

/** Where the list is among the folders, and the folders in it. */
export function Folders({ siteId, folders, current, isSearching, mayWrite, onOpen, onMove }: Props): ReactElement {
  const { t } = useTranslation('resources');
  const [adding, setAdding] = useState(false);
  const trail = trailOf(folders, current);
  const folder = trail.at(-1);
  const here = folder?.id ?? null;
  const inner = current === 'root' ? [] : childrenOf(folders, here);
  const dropOn = (target: ResourceFolder | null) => (mayWrite ? (ids: readonly string[]) => onMove(ids, target) : null);
  return (
    <div className="resource-folders">
      <nav aria-label={t('folder.trail')}>
        <ol>
          <li>
            {current === '' ? (
              <b aria-current="location">{t('folder.all')}</b>
            ) : (
              <button type="button" onClick={() => onOpen('')}>
                {t('folder.all')}
              </button>
            )}
          </li>
          {current === 'root' && (
            <li>
              <b aria-current="location">{t('folder.none')}</b>
            </li>
          )}
          {trail.map((one) => (
            <li key={one.id}>
              {one.id === current ? (
                <b aria-current="location">{one.name}</b>
              ) : (
                <button type="button" onClick={() => onOpen(one.id)}>
                  {one.name}
                </button>
              )}
            </li>
          ))}
        </ol>
        {mayWrite && folder && <FolderMenu key={folder.id} siteId={siteId} folder={folder} folders={folders} onOpen={onOpen} />}
        {mayWrite && current !== 'root' && (
          <PlainButton data-quiet="" onClick={() => setAdding(true)}>
            <Icon name="plus" size={16} />
            {t('folder.add')}
          </PlainButton>
        )}
      </nav>
      {!isSearching && (inner.length > 0 || folder) && (
        <ul aria-label={t('folder.list')}>
          {folder && (
            <FolderChip name={t('folder.up')} icon="up" count={null} onOpen={() => onOpen(folder.parentId ?? '')} onDrop={dropOn(trail.at(-2) ?? null)} />
          )}
          {inner.map((one) => (
            <FolderChip key={one.id} name={one.name} count={one.count} onOpen={() => onOpen(one.id)} onDrop={dropOn(one)} />
          ))}
          {current === '' && <FolderChip name={t('folder.none')} icon="file" count={null} onOpen={() => onOpen('root')} onDrop={dropOn(null)} />}
        </ul>
      )}
      {adding && <FolderDialog siteId={siteId} folders={folders} folder={null} parentId={here} onClose={() => setAdding(false)} />}
    </div>
  );
}
