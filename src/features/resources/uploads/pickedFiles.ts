import { resourceLimits } from '@contract/resources/terms';

/** A file to upload, and the folders in which it was chosen, outermost first. */
export type PickedFile = { readonly file: File; readonly folders: readonly string[] };

/** Files that systems put into folders, and nobody means to upload. */
const systemFiles = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
const withoutSystemFiles = (files: readonly PickedFile[]): PickedFile[] => files.filter(({ file }) => !systemFiles.has(file.name));

/** Files of an input or of the clipboard; those of a chosen folder know their path. */
export const pickedFiles = (files: Iterable<File>): PickedFile[] =>
  withoutSystemFiles(Array.from(files, (file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) })));

const fileOf = (entry: FileSystemFileEntry): Promise<File> => new Promise((resolve, reject) => entry.file(resolve, reject));
const readSome = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> => new Promise((resolve, reject) => reader.readEntries(resolve, reject));

async function filesIn(entry: FileSystemEntry, folders: readonly string[]): Promise<PickedFile[]> {
  if (entry.isFile) return [{ file: await fileOf(entry as FileSystemFileEntry), folders }];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PickedFile[] = [];
  // A reader returns about a hundred entries at a time, and none at the end.
  for (let entries = await readSome(reader); entries.length > 0; entries = await readSome(reader))
    for (const inner of entries) found.push(...(await filesIn(inner, [...folders, entry.name])));
  return found;
}

/** Dropped files, with the contents of dropped folders. Must be called while the drop is handled: afterwards the browser forgets what was dropped. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<PickedFile[]> {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return pickedFiles(files);
  return withoutSystemFiles((await Promise.all(entries.map((entry) => filesIn(entry, [])))).flat());
}

/** A name that the server accepts: without control and bidi characters, and short enough; the extension stays. */
export function cleanName(name: string): string {
  // oxlint-disable-next-line no-control-regex
  const clean = name
    .normalize('NFC')
    .replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const characters = Array.from(clean === '' ? 'file' : clean);
  if (characters.length <= resourceLimits.name) return characters.join('');
  const extension = /\.[^.]{1,12}$/u.exec(clean)?.[0] ?? '';
  return characters.slice(0, resourceLimits.name - extension.length).join('') + extension;
}
