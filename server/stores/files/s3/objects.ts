import type { FileStat } from '../types';
import { deleteObject, headObject, listPages } from './bucket';
import type { Bucket } from './bucket';

const parallelDeletes = 8;
const offsetDigits = 15;

type StoredObject = FileStat & { readonly name: string };
type Chunk = StoredObject & { readonly offset: number };

/** The name of a chunk of the file `name`. No key contains `!`, and in lists it comes before all other characters: the chunks of a file directly follow its own name. */
export const chunkName = (name: string, offset: number): string => `${name}!${String(offset).padStart(offsetDigits, '0')}`;

function nameParts(name: string): { readonly file: string; readonly offset: number | null } {
  const at = name.lastIndexOf('!');
  return at === -1 ? { file: name, offset: null } : { file: name.slice(0, at), offset: Number(name.slice(at + 1)) };
}

/** All objects whose names begin with `start`, in order of their names. */
export async function* objectsFrom(bucket: Bucket, start: string): AsyncGenerator<StoredObject> {
  for await (const { Contents = [] } of listPages(bucket, start))
    for (const { Key = '', Size = 0, LastModified } of Contents) yield { name: Key, size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
}

async function* chunksOf(bucket: Bucket, name: string): AsyncGenerator<Chunk> {
  for await (const object of objectsFrom(bucket, `${name}!`)) {
    const { offset } = nameParts(object.name);
    if (offset !== null) yield { ...object, offset };
  }
}

/** Bytes `from` to `to` (not included) of a file are in the chunk that begins at `offset`. */
type Span = { readonly offset: number; readonly from: number; readonly to: number };

/** What the store knows of a file. `spans`: of a file in chunks; null if it is one object. */
export type FoundFile = FileStat & { readonly spans: readonly Span[] | null };

/** Chunks in order of their offsets, as a file. It ends at the first gap; of bytes that two chunks contain (a sender has repeated them), those of the first count. */
function joinChunks(chunks: readonly Chunk[]): FoundFile {
  const spans: Span[] = [];
  let size = 0;
  for (const { offset, size: length } of chunks) {
    if (offset > size) break;
    if (offset + length > size) spans.push({ offset, from: size, to: offset + length });
    size = Math.max(size, offset + length);
  }
  return { size, modifiedAt: Math.max(...chunks.map(({ modifiedAt }) => modifiedAt)), spans };
}

/** The file in chunks of that name; null if there are none. */
export async function findChunks(bucket: Bucket, name: string): Promise<FoundFile | null> {
  const chunks: Chunk[] = [];
  for await (const chunk of chunksOf(bucket, name)) chunks.push(chunk);
  return chunks.length === 0 ? null : joinChunks(chunks);
}

/** Null if the file does not exist. An object with the name of the file is the whole file: chunks beside it are what an interrupted replacement left. */
export async function findFile(bucket: Bucket, name: string): Promise<FoundFile | null> {
  const object = await headObject(bucket, name);
  if (object === null) return findChunks(bucket, name);
  return { size: object.ContentLength ?? 0, modifiedAt: object.LastModified?.getTime() ?? 0, spans: null };
}

/** The files whose names begin with `start`, as `findFile` finds them. */
export async function* filesFrom(bucket: Bucket, start: string): AsyncGenerator<StoredObject> {
  let name = '';
  let isWhole = false;
  let chunks: Chunk[] = [];
  for await (const object of objectsFrom(bucket, start)) {
    const { file, offset } = nameParts(object.name);
    if (file !== name) {
      if (chunks.length > 0) yield { name, ...joinChunks(chunks) };
      [name, isWhole, chunks] = [file, offset === null, []];
      if (offset === null) yield object;
    }
    if (offset !== null && !isWhole) chunks.push({ ...object, offset });
  }
  if (chunks.length > 0) yield { name, ...joinChunks(chunks) };
}

/** One by one: the call for many objects needs a checksum that not all servers accept. */
async function deleteAll(bucket: Bucket, objects: AsyncGenerator<StoredObject>): Promise<void> {
  const run = async (): Promise<void> => {
    for (let next = await objects.next(); next.done !== true; next = await objects.next()) await deleteObject(bucket, next.value.name);
  };
  await Promise.all(Array.from({ length: parallelDeletes }, run));
}

export const deleteChunks = (bucket: Bucket, name: string): Promise<void> => deleteAll(bucket, chunksOf(bucket, name));
export const deleteFrom = (bucket: Bucket, start: string): Promise<void> => deleteAll(bucket, objectsFrom(bucket, start));
