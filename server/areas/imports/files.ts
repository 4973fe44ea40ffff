import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../../context';
import { fail } from '../../http/failure';

/** Left free on the disk for the stores. */
const keepFree = 1024 ** 3;

const folderOf = (ctx: Context): string => path.join(ctx.config.dataDir, 'imports');
export const importFolder = (ctx: Context, id: string): string => path.join(folderOf(ctx), id);
export const filePath = (ctx: Context, id: string, index: number): string => path.join(importFolder(ctx, id), String(index));

/** Bytes of a file that are on the disk; 0 when it has not begun to arrive. */
export async function storedSize(ctx: Context, id: string, index: number): Promise<number> {
  try {
    return (await stat(filePath(ctx, id, index))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Throws `too_large` where `bytes` more would pass the limit or fill the disk. */
export async function checkSpace(ctx: Context, bytes: number): Promise<void> {
  if (bytes > ctx.config.importMaxBytes) fail('too_large');
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  if (bytes + keepFree > bavail * bsize) fail('too_large');
}

/**
 * Appends a chunk at `offset`, on the disk when it returns. False where that is not the end of the file. A chunk of which only a part
 * came onto the disk before a crash is part of the file: the sender asks for the size and goes on from there.
 */
export async function appendChunk(ctx: Context, id: string, index: number, offset: number, chunk: Buffer): Promise<boolean> {
  await mkdir(importFolder(ctx, id), { recursive: true, mode: 0o700 });
  const handle = await open(filePath(ctx, id, index), 'a', 0o600);
  try {
    if ((await handle.stat()).size !== offset) return false;
    await handle.appendFile(chunk);
    await handle.datasync();
    return true;
  } finally {
    await handle.close();
  }
}

export const removeFiles = (ctx: Context, id: string): Promise<void> => rm(importFolder(ctx, id), { recursive: true, force: true });

/** Folders of imports that are gone: of sites that were erased, or left by a crash between the two stores. `known` is asked after looking. */
export async function sweepFolders(ctx: Context, known: () => Promise<ReadonlySet<string>>): Promise<void> {
  const names = await readdir(folderOf(ctx)).catch(() => []);
  const ids = await known();
  for (const name of names) if (!ids.has(name)) await removeFiles(ctx, name);
}
