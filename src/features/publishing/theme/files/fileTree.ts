import type { ThemeFile } from '@contract/publishing/themeFiles';

export type FileFolder = { readonly name: string; readonly files: readonly ThemeFile[] };

/** Folders as people work with them: from the frame of the pages to what is used in it. */
const order = ['layouts', 'templates', 'parts', 'assets', 'texts'];
const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');
const placeOf = (folder: string): number => (folder === '' ? order.length : order.indexOf(folder));

/** Files by their first folder; those at the top come last, under the empty name. */
export function foldersOf(files: readonly ThemeFile[]): FileFolder[] {
  const folders = new Map<string, ThemeFile[]>();
  for (const file of files.toSorted((a, b) => a.path.localeCompare(b.path, 'en'))) {
    const folder = folderOf(file.path);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders].map(([name, inFolder]) => ({ name, files: inFolder })).toSorted((a, b) => placeOf(a.name) - placeOf(b.name));
}

/** A path without the first folder. */
export const nameIn = (path: string): string => path.slice(path.indexOf('/') + 1);

/** The file that opens first. */
export const firstFile = (files: readonly ThemeFile[]): string =>
  (files.find(({ path }) => path === 'templates/home.liquid') ?? files.find(({ path }) => path.startsWith('layouts/')) ?? files[0])?.path ?? '';
