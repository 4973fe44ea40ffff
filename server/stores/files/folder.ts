import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../syncFolder';
import { checkKey, fileRoots, isSegment } from './keys';
import type { FileKey, FileRoot } from './keys';
import { isMissing } from './types';
import type { FileContent, FileStat, FileStore, ListedFile } from './types';

/** Disk space reserved for the other stores. */
const reservedBytes = 1024 ** 3;
const readBytes = 256 * 1024;
/** Incomplete files of `put`, in each root, so that they are on the file system of the files that they become. */
const temporaryFolder = '.tmp';

/** Creates a folder. Without syncing its parents, it could disappear with its files when the power fails. */
async function createFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let created = folder; created.length >= first.length; created = path.dirname(created)) await syncFolder(path.dirname(created));
}

async function writeFile(handle: FileHandle, content: FileContent): Promise<void> {
  if (content instanceof Uint8Array) await handle.appendFile(content);
  else for await (const chunk of content) await handle.appendFile(chunk);
  await handle.sync();
}

async function statOf(file: string): Promise<FileStat | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? { size: found.size, modifiedAt: found.mtimeMs } : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const entriesOf = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

async function append(file: string, offset: number, chunk: Uint8Array): Promise<boolean> {
  const begins = offset === 0;
  if (begins) await createFolder(path.dirname(file));
  let handle: FileHandle;
  try {
    handle = await open(file, constants.O_WRONLY | constants.O_APPEND | (begins ? constants.O_CREAT : 0), 0o600);
  } catch (error) {
    if (!begins && isMissing(error)) return false;
    throw error;
  }
  try {
    if ((await handle.stat()).size !== offset) return false;
    await handle.appendFile(chunk);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  if (begins) await syncFolder(path.dirname(file));
  return true;
}

/** The store in a folder; keys are paths in it. */
export function folderStore(location: string): FileStore {
  const base = path.resolve(location);
  const pathOf = (folder: FileRoot | FileKey): string => {
    if (!fileRoots.some((root) => root === folder)) checkKey(folder);
    return path.join(base, folder);
  };
  const fileOf = (key: FileKey): string => {
    checkKey(key);
    return path.join(base, key);
  };

  async function put(key: FileKey, content: FileContent, replace: boolean): Promise<void> {
    const file = fileOf(key);
    const temporary = path.join(base, key.slice(0, key.indexOf('/')), temporaryFolder, randomUUID());
    await createFolder(path.dirname(temporary));
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        await writeFile(handle, content);
      } finally {
        await handle.close();
      }
      await createFolder(path.dirname(file));
      // A rename would replace a file that exists; a link does not.
      await (replace ? rename(temporary, file) : link(temporary, file));
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(path.dirname(file));
  }

  async function* list(folder: FileRoot | FileKey): AsyncGenerator<ListedFile> {
    for (const entry of await entriesOf(pathOf(folder))) {
      if (!isSegment(entry.name)) continue;
      const key: FileKey = `${folder}/${entry.name}` as FileKey;
      if (entry.isDirectory()) yield* list(key);
      else {
        const found = await statOf(fileOf(key));
        if (found !== null) yield { key, ...found };
      }
    }
  }

  return {
    location: { kind: 'folder', folder: base },
    put: (key, content, { replace = false } = {}) => put(key, content, replace),
    append: async (key, offset, chunk) => append(fileOf(key), offset, chunk),
    read: (key, range = {}) => createReadStream(fileOf(key), { highWaterMark: readBytes, ...range }),
    stat: async (key) => statOf(fileOf(key)),
    list,
    folders: async (folder) => (await entriesOf(pathOf(folder))).flatMap((entry) => (entry.isDirectory() && isSegment(entry.name) ? [entry.name] : [])),
    remove: async (key) => rm(fileOf(key), { force: true }),
    // A process that has not heard of the removal may still write a file into the folder (ENOTEMPTY).
    removeAll: async (folder) => rm(fileOf(folder), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
    hasSpace: (bytes) => folderHasSpace(base, bytes),
  };
}

/** Whether the disk of a folder takes `bytes` more and keeps its reserve. */
export async function folderHasSpace(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bytes + reservedBytes <= bavail * bsize;
}

/**
 * Opens the store, and removes what an interrupted `put` left in it. Only for the process that holds the lock of the data folder (`lockDataFolder`), and only
 * before it writes: only it and the processes of its crawls, which end with it, write to the folder, so every incomplete file was left by a process that has ended or is ending.
 */
export async function openFolderStore(location: string): Promise<FileStore> {
  for (const root of fileRoots) await rm(path.join(location, root, temporaryFolder), { recursive: true, force: true });
  return folderStore(location);
}
