import type { ResourceFolder } from '@contract/resources/schemas';
import { resourceLimits } from '@contract/resources/terms';
import { defineUndo } from '@/features/notices/undoListeners';
import type { AppDispatch } from '@/store';
import { libraryApi } from './libraryApi';
import { resourcesApi } from './resourcesApi';

const { addResourceFolder, changeResourceFolder, moveResources } = resourcesApi.endpoints;
const { resourcesToChange } = libraryApi.endpoints;

/** What a deleted folder needs to be created again: its place, the resources and the folders in it. */
type RemovedFolder = {
  readonly siteId: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly resources: readonly string[];
  readonly folders: readonly string[];
};

/** What is in a folder, before it is deleted. Throws the failure of a call. */
export async function contentOf(
  dispatch: AppDispatch,
  siteId: string,
  { id, name, parentId }: ResourceFolder,
  all: readonly ResourceFolder[],
): Promise<RemovedFolder> {
  const resources: string[] = [];
  let after: string | null = null;
  do {
    const query: Parameters<typeof resourcesToChange.initiate>[0] = { siteId, folder: id, size: resourceLimits.page, ...(after === null ? {} : { after }) };
    const page = await dispatch(resourcesToChange.initiate(query, { subscribe: false, forceRefetch: true })).unwrap();
    resources.push(...page.rows.map((row) => row.id));
    after = page.after;
  } while (after !== null);
  return { siteId, name, parentId, resources, folders: all.filter((one) => one.parentId === id).map((one) => one.id) };
}

/** Offers to create a deleted folder again, with what was in it. */
export const notifyFolderRemoved = defineUndo<RemovedFolder>('resources/folderRestored', async (dispatch, { siteId, name, parentId, resources, folders }) => {
  const { data: folder, error } = await dispatch(addResourceFolder.initiate({ siteId, body: { name, parentId } }));
  if (!folder) return { error };
  const moves = Array.from({ length: Math.ceil(resources.length / resourceLimits.bulk) }, (_, at) =>
    resources.slice(at * resourceLimits.bulk, (at + 1) * resourceLimits.bulk),
  );
  for (const ids of moves) {
    const moved = await dispatch(moveResources.initiate({ siteId, body: { ids, folderId: folder.id } }));
    if (moved.error !== undefined) return moved;
  }
  for (const id of folders) {
    const moved = await dispatch(changeResourceFolder.initiate({ siteId, id, body: { parentId: folder.id } }));
    if (moved.error !== undefined) return moved;
  }
  return {};
});
