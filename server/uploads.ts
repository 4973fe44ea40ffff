import { mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from './context';
import { fail } from './http/failure';

/** Left free on the disk for the stores. */
const keepFree = 1024 ** 3;
/** Files that nobody has sent a piece of for this long are given up, ms. */
export const abandonedAfter = 7 * 86_400_000;

/** Throws `too_large` where `bytes` more would pass the limit of the installation or fill the disk. */
export async function checkSpace(ctx: Context, bytes: number): Promise<void> {
  if (bytes > ctx.config.importMaxBytes) fail('too_large');
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  if (bytes + keepFree > bavail * bsize) fail('too_large');
}

/** Files that arrive in pieces: each owner (a row in PostgreSQL) has a folder by its id in `name` of the data folder, and in it files by number or name. */
export function uploadsIn(name: string) {
  const all = (ctx: Context): string => path.join(ctx.config.dataDir, name);
  const folder = (ctx: Context, id: string): string => path.join(all(ctx), id);
  const file = (ctx: Context, id: string, part: number | string): string => path.join(folder(ctx, id), String(part));
  const remove = (ctx: Context, id: string): Promise<void> => rm(folder(ctx, id), { recursive: true, force: true });

  const removePart = (ctx: Context, id: string, part: number | string): Promise<void> => rm(file(ctx, id, part), { force: true });

  /** Bytes of a file that are on the disk; 0 when it has not begun to arrive. */
  async function storedSize(ctx: Context, id: string, part: number | string): Promise<number> {
    try {
      return (await stat(file(ctx, id, part))).size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }

  /**
   * Appends a chunk at `offset`, on the disk when it returns. False where that is not the end of the file. A chunk of which only a part
   * came onto the disk before a crash is part of the file: the sender asks for the size and goes on from there.
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

  /** When something last arrived (epoch ms); null where nothing ever has. */
  async function touchedAt(ctx: Context, id: string): Promise<number | null> {
    const names = await readdir(folder(ctx, id)).catch(() => []);
    const times = await Promise.all(names.map(async (one) => (await stat(file(ctx, id, one)).catch(() => null))?.mtimeMs ?? 0));
    return times.length === 0 ? null : Math.max(...times);
  }

  /** Whether nobody has gone on with an upload that was begun at `since`. */
  const isAbandoned = async (ctx: Context, id: string, since: Date): Promise<boolean> =>
    Math.max(since.getTime(), (await touchedAt(ctx, id)) ?? 0) + abandonedAfter < ctx.now();

  /** Folders whose owners are gone: of sites that were erased, or left by a crash between the two stores. `known` is asked after looking. */
  async function sweep(ctx: Context, known: () => Promise<ReadonlySet<string>>): Promise<void> {
    const names = await readdir(all(ctx)).catch(() => []);
    const ids = await known();
    for (const one of names) if (!ids.has(one)) await remove(ctx, one);
  }

  return { folder, file, storedSize, append, remove, removePart, isAbandoned, sweep };
}
