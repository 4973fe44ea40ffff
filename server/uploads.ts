import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from './context';
import { fail } from './http/failure';

/** Disk space reserved for the stores. */
const keepFree = 1024 ** 3;
/** Uploads without a new chunk for this long are abandoned, in ms. */
export const abandonedAfter = 7 * 86_400_000;

/** Throws `too_large` if `bytes` more would exceed the installation's limit or fill the disk. */
export async function checkSpace(ctx: Context, bytes: number): Promise<void> {
  if (bytes > ctx.config.importMaxBytes) fail('too_large');
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  if (bytes + keepFree > bavail * bsize) fail('too_large');
}

/** Chunked uploads: each owner (a row in PostgreSQL) has a folder with its id in the folder `name` of the data folder, with files by number or name. */
export function uploadsIn(name: string) {
  const all = (ctx: Context): string => path.join(ctx.config.dataDir, name);
  const folder = (ctx: Context, id: string): string => path.join(all(ctx), id);
  const file = (ctx: Context, id: string, part: number | string): string => path.join(folder(ctx, id), String(part));
  const remove = (ctx: Context, id: string): Promise<void> => rm(folder(ctx, id), { recursive: true, force: true });

  const removePart = (ctx: Context, id: string, part: number | string): Promise<void> => rm(file(ctx, id, part), { force: true });

  /** Stored bytes of a file; 0 if none have arrived. */
  async function storedSize(ctx: Context, id: string, part: number | string): Promise<number> {
    try {
      return (await stat(file(ctx, id, part))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }

  /**
   * Appends a chunk at `offset`; it is on disk when this returns. False if `offset` is not the end of the file. A chunk that was only partly written before a
   * crash remains part of the file: the sender queries the size and continues from there.
   */
  async function append(ctx: Context, id: string, part: number | string, offset: number, chunk: Buffer): Promise<boolean> {
    await mkdir(folder(ctx, id), { recursive: true, mode: 0o700 });
    const handle = await open(file(ctx, id, part), 'a', 0o600);
    try {
      if ((await handle.stat()).size !== offset) return false;
      await handle.appendFile(chunk);
      await handle.datasync();
      return true;
    } finally {
      await handle.close();
    }
  }

  /** Time of the last chunk (epoch ms); null if there was none. */
  async function touchedAt(ctx: Context, id: string): Promise<number | null> {
    const names = await readdir(folder(ctx, id)).catch(() => []);
    const times = await Promise.all(names.map(async (one) => (await stat(file(ctx, id, one)).catch(() => null))?.mtimeMs ?? 0));
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Whether an upload created at `since` has been abandoned. */
  const isAbandoned = async (ctx: Context, id: string, since: Date): Promise<boolean> =>
    Math.max(since.getTime(), (await touchedAt(ctx, id)) ?? 0) + abandonedAfter < ctx.now();

  /** Deletes folders without an owner: of erased sites, or left by a crash between the two stores. `known` is called after listing the folders. */
  async function sweep(ctx: Context, known: () => Promise<ReadonlySet<string>>): Promise<void> {
    const names = await readdir(all(ctx)).catch(() => []);
    const ids = await known();
    for (const one of names) if (!ids.has(one)) await remove(ctx, one);
  }

  return { folder, file, storedSize, append, remove, removePart, isAbandoned, sweep };
}
