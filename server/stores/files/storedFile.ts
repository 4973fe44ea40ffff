import type { Readable } from 'node:stream';
import type { FileKey } from './keys';
import type { FileRange, FileStat, FileStore } from './types';

/** A file of the store as its readers receive it. */
export type StoredFile = { readonly read: (range?: FileRange) => Readable; readonly stat: () => Promise<FileStat | null> };

export const storedFile = (files: FileStore, key: FileKey): StoredFile => ({ read: (range) => files.read(key, range), stat: () => files.stat(key) });

/** A range of a file, or all of it, in memory: the caller has limited the size. Fails with the code ENOENT if the file does not exist. */
export async function bytesOf(file: StoredFile, range?: FileRange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.read(range) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The first `bytes` of a file, or all of a shorter one. Fails as `bytesOf` does. */
export const headOf = (file: StoredFile, bytes: number): Promise<Buffer> => bytesOf(file, { end: bytes - 1 });
