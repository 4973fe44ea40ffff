import type { ResourceFolder } from '@contract/resources/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import type { AppDispatch } from '@/store';
import { useAppDispatch } from '@/store/hooks';
import { resourcesApi } from '../resourcesApi';
import { cleanName } from './pickedFiles';
import type { PickedFile } from './pickedFiles';
import { useUploadQueue } from './uploads';

const { addResourceFolder, resourceFolders } = resourcesApi.endpoints;

/** Finds or creates the folders of a path below `parentId`; the id of the innermost. Throws the failure of a call. */
async function folderAt(
  dispatch: AppDispatch,
  siteId: string,
  known: ResourceFolder[],
  parentId: string | null,
  path: readonly string[],
): Promise<string | null> {
  let at = parentId;
  for (const folder of path) {
    const name = cleanName(folder);
    const parent = at;
    let found = known.find((one) => one.parentId === parent && one.name === name);
    if (!found) {
      found = await dispatch(addResourceFolder.initiate({ siteId, body: { name, parentId: parent } }, { track: false })).unwrap();
      known.push(found);
    }
    at = found.id;
  }
  return at;
}

/** Uploads files into a folder of a site (null: into none). Folders among them are created first; without them nothing is uploaded. */
export function useAddFiles(siteId: string, folderId: string | null): (files: readonly PickedFile[]) => Promise<void> {
  const dispatch = useAppDispatch();
  const queue = useUploadQueue();
  return async (files) => {
    if (files.length === 0) return;
    try {
      const paths = new Map(files.map(({ folders }) => [folders.join('/'), folders]));
      const inFolders = [...paths.keys()].some((path) => path !== '');
      const known = inFolders ? [...(await dispatch(resourceFolders.initiate({ siteId }, { subscribe: false, forceRefetch: true })).unwrap())] : [];
      const ids = new Map<string, string | null>();
      for (const [path, folders] of paths) ids.set(path, await folderAt(dispatch, siteId, known, folderId, folders));
      queue.add(
        siteId,
        files.map(({ file, folders }) => ({ file, name: cleanName(file.name), folderId: ids.get(folders.join('/')) ?? folderId })),
      );
    } catch (error) {
      notifyFailure(dispatch, error);
    }
  };
}
