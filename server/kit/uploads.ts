import type { Context } from '../context';
import { fail } from '../http/failure';
import type { FileKey, FileRoot } from '../stores/files/keys';
import { storedFile } from '../stores/files/storedFile';
import type { StoredFile } from '../stores/files/storedFile';

/** Uploads without a new chunk for this long are abandoned, in ms. */
export const abandonedAfter = 7 * 86_400_000;

/** Throws `too_large` if `bytes` more would exceed the installation's limit or fill the store. */
export async function checkSpace(ctx: Context, bytes: number): Promise<void> {
  if (bytes > ctx.config.importMaxBytes || !(await ctx.files.hasSpace(bytes))) fail('too_large');
}

/** A chunk of the file `part` of an upload; `size`: what the complete file was announced to have. */
type Chunk = { readonly id: string; readonly part: number | string; readonly size: number; readonly offset: number; readonly body: unknown };

/**
 * Resumable uploads in chunks: each owner (a row in PostgreSQL) has a folder with its id in the folder `root` of the file store, with files by number or
 * name. `lock`: the name of the lock under which a chunk is added, followed by the id.
 */
export function uploadsIn(root: FileRoot, lock: string) {
  const folder = (id: string): FileKey => `${root}/${id}`;
  const key = (id: string, part: number | string): FileKey => `${root}/${id}/${part}`;
  const file = (ctx: Context, id: string, part: number | string): StoredFile => storedFile(ctx.files, key(id, part));
  const remove = (ctx: Context, id: string): Promise<void> => ctx.files.removeAll(folder(id));
  const removePart = (ctx: Context, id: string, part: number | string): Promise<void> => ctx.files.remove(key(id, part));

  /** Stored bytes of a file; 0 if none have arrived. */
  const storedSize = async (ctx: Context, id: string, part: number | string): Promise<number> => (await ctx.files.stat(key(id, part)))?.size ?? 0;

  /**
   * Adds the body of a request to a file; it is durable when this returns. False if `offset` is not the end of the file. A chunk that was only partly written
   * before a crash remains part of the file: the sender queries the size and continues from there. Throws `too_large`, or `unsupported_media_type` if the
   * body is not binary.
   */
  async function receive(ctx: Context, { id, part, size, offset, body }: Chunk): Promise<boolean> {
    if (!Buffer.isBuffer(body)) return fail('unsupported_media_type');
    if (offset + body.length > size) fail('too_large');
    // Others may have filled the store since the upload was announced.
    await checkSpace(ctx, body.length);
    // Two tabs may send the same file: only one writes at a time, and the other learns the position.
    return ctx.postgres.withLock(`${lock} ${id}`, () => ctx.files.append(key(id, part), offset, body));
  }

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

  return { key, file, storedSize, receive, remove, removePart, isAbandoned, sweep };
}
