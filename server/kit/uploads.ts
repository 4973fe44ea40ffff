import type { Context } from '../context';
import { fail } from '../http/failure';
import type { FileKey, FileRoot } from '../stores/files/keys';
import { storedFile } from '../stores/files/storedFile';
import type { StoredFile } from '../stores/files/storedFile';
import type { UploadArea } from './tus';

/** Uploads without a new chunk for this long are abandoned, in ms. */
export const abandonedAfter = 7 * 86_400_000;

/** Throws `too_large` if `bytes` more would fill the store, or are more than `maxBytes`. */
export async function checkSpace(ctx: Context, bytes: number, maxBytes = Infinity): Promise<void> {
  if (bytes > maxBytes || !(await ctx.files.hasSpace(bytes))) fail('too_large');
}

/** Throws `disk_full` if a file of `bytes` would fill the store. */
export async function requireSpace(ctx: Pick<Context, 'files'>, bytes: number): Promise<void> {
  if (!(await ctx.files.hasSpace(bytes))) fail('disk_full');
}

/** After so many bytes, the free space is looked at again. */
const lookAfter = 64 * 2 ** 20;

/** The content of a file whose size is not known before. Throws `disk_full` instead of filling the store, so that `put` stores nothing. */
export async function* withinSpace(ctx: Pick<Context, 'files'>, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let free = 0;
  for await (const chunk of content) {
    free -= chunk.length;
    if (free < 0) {
      await requireSpace(ctx, lookAfter);
      free = lookAfter;
    }
    yield chunk;
  }
}

/** A file that is being uploaded; `size`: what the complete file was announced to have; `createdAt`: of its owner. */
export type Receiving = { readonly id: string; readonly part: number | string; readonly size: number; readonly createdAt: Date };

/**
 * Resumable uploads in chunks: each owner (a row in PostgreSQL) has a folder with its id in the folder `root` of the file store, with files by number or
 * name. The owner's area creates and removes uploads; `tusUploads` receives them.
 */
export function uploadsIn(root: FileRoot) {
  const folder = (id: string): FileKey => `${root}/${id}`;
  const key = (id: string, part: number | string): FileKey => `${root}/${id}/${part}`;
  const file = (ctx: Context, id: string, part: number | string): StoredFile => storedFile(ctx.files, key(id, part));
  const remove = (ctx: Context, id: string): Promise<void> => ctx.files.removeAll(folder(id));
  const removePart = (ctx: Context, id: string, part: number | string): Promise<void> => ctx.files.remove(key(id, part));

  /** Stored bytes of a file; 0 if none have arrived. */
  const storedSize = async (ctx: Context, id: string, part: number | string): Promise<number> => (await ctx.files.stat(key(id, part)))?.size ?? 0;

  /** A file as `tusUploads` receives it, and the id of its upload, which no other file has. */
  const receiving = ({ id, part, size, createdAt }: Receiving): { readonly id: string; readonly area: UploadArea } => {
    const upload = { id: key(id, part), bytes: size, createdAt };
    return { id: upload.id, area: { key: () => key(id, part), find: () => Promise.resolve(upload) } };
  };

  /** Whether an upload created at `since` has been abandoned. */
  async function isAbandoned(ctx: Context, id: string, since: Date): Promise<boolean> {
    let last = since.getTime();
    for await (const { modifiedAt } of ctx.files.list(folder(id))) last = Math.max(last, modifiedAt);
    return last + abandonedAfter < ctx.now();
  }

  /** Deletes folders without an owner: of erased sites, or left by a crash between the two stores. `known` is called after listing the folders. */
  async function sweep(ctx: Context, known: () => Promise<ReadonlySet<string>>): Promise<void> {
    const names = await ctx.files.folders(root);
    const ids = await known();
    for (const name of names) if (!ids.has(name)) await remove(ctx, name);
  }

  return { key, file, storedSize, receiving, remove, removePart, isAbandoned, sweep };
}
