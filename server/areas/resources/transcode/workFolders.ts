import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../../context';

/** Where videos are read and written while they are converted: below the data folder, because what a system has for temporary files may be memory. */
const rootOf = ({ config }: Context): string => path.join(config.dataDir, 'transcode');
/** Names of the folders that this process uses. */
const inUse = new Set<string>();

/** Runs `work` with an empty folder, and removes it afterwards. */
export async function withWorkFolder<T>(ctx: Context, work: (folder: string) => Promise<T>): Promise<T> {
  const name = randomUUID();
  const folder = path.join(rootOf(ctx), name);
  inUse.add(name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(name);
  }
}

/** Removes the folders that a killed program left. The data folder belongs to one process, so all that this one does not use are such. */
async function removeWorkFolders(ctx: Context): Promise<void> {
  const root = rootOf(ctx);
  const names = await readdir(root).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) if (!inUse.has(name)) await rm(path.join(root, name), { recursive: true, force: true });
}

/** Runs beside the worker: begins by removing what an earlier program left. */
export function workFolderService(ctx: Context): { readonly close: () => Promise<void> } {
  const removed = removeWorkFolders(ctx).catch((error: unknown) => ctx.log.warn('folders of interrupted conversions could not be removed', { error }));
  return { close: () => removed };
}
