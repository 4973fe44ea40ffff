import type { ResourceFolder } from '@contract/resources/schemas';

export const childrenOf = (folders: readonly ResourceFolder[], parentId: string | null): readonly ResourceFolder[] =>
  folders.filter((folder) => folder.parentId === parentId).toSorted((a, b) => a.name.localeCompare(b.name));

/** A folder and what contains it, outermost first; nothing if the id is unknown. */
export function trailOf(folders: readonly ResourceFolder[], id: string): readonly ResourceFolder[] {
  const trail: ResourceFolder[] = [];
  for (let folder = folders.find((one) => one.id === id); folder;) {
    const { parentId } = folder;
    trail.unshift(folder);
    folder = folders.find((one) => one.id === parentId);
  }
  return trail;
}

/** Folders in the order of their tree with the names of what contains them, without `except` and what is inside it. */
export function folderChoices(folders: readonly ResourceFolder[], except: string | null = null): readonly { readonly id: string; readonly path: string }[] {
  const below = (parentId: string | null, prefix: string): { readonly id: string; readonly path: string }[] =>
    childrenOf(folders, parentId)
      .filter(({ id }) => id !== except)
      .flatMap(({ id, name }) => [{ id, path: `${prefix}${name}` }, ...below(id, `${prefix}${name} / `)]);
  return below(null, '');
}
