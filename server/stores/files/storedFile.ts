import type { Readable } from 'node:stream';
import type { FileKey } from './keys';
import type { FileRange, FileStat, FileStore } from './types';

/** A file of the store as its readers receive it. */
export type StoredFile = { readonly read: (range?: FileRange) => Readable; readonly stat: () => Promise<FileStat | null> };

export const storedFile = (files: FileStore, key: FileKey): StoredFile => ({ read: (range) => files.read(key, range), stat: () => files.stat(key) });

/** The first `bytes` of a file, or all of a shorter one. Fails with the code ENOENT if it does not exist. */
export async function headOf(file: StoredFile, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.read({ end: bytes - 1 }) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
