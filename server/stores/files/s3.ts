import { Readable } from 'node:stream';
import { checkKey, fileRoots, isSegment } from './keys';
import type { FileKey, FileRoot } from './keys';
import { bucketAt, deleteObject, listPages } from './s3/bucket';
import { checkBucket } from './s3/check';
import { deleteChunks, deleteFrom, filesFrom, findFile } from './s3/objects';
import { readFile } from './s3/read';
import { appendChunk, putFile } from './s3/write';
import type { FileStore, ListedFile, S3Location } from './types';

/** The store in a bucket of an S3 server; names of objects are keys behind the prefix, those of chunks see `append` in types.ts. Several processes may use it. `attempts`: of each request. */
export function s3Store(location: S3Location, attempts?: number): FileStore {
  const bucket = bucketAt(location, attempts);
  const nameOf = (key: FileKey): string => {
    checkKey(key);
    return location.prefix + key;
  };
  const folderOf = (folder: FileRoot | FileKey): string => {
    if (!fileRoots.some((root) => root === folder)) checkKey(folder);
    return `${location.prefix}${folder}/`;
  };

  async function* list(folder: FileRoot | FileKey): AsyncGenerator<ListedFile> {
    for await (const { name, size, modifiedAt } of filesFrom(bucket, folderOf(folder))) {
      const key = name.slice(location.prefix.length) as FileKey;
      if (key.split('/').every(isSegment)) yield { key, size, modifiedAt };
    }
  }

  async function folders(folder: FileRoot | FileKey): Promise<string[]> {
    const start = folderOf(folder);
    const names: string[] = [];
    for await (const { CommonPrefixes = [] } of listPages(bucket, start, { Delimiter: '/' }))
      names.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(start.length, -1)).filter(isSegment));
    return names;
  }

  return {
    location,
    put: async (key, content, { replace = false } = {}) => putFile(bucket, nameOf(key), content, replace),
    append: async (key, offset, chunk) => appendChunk(bucket, nameOf(key), offset, chunk),
    read: (key, range = {}) => Readable.from(readFile(bucket, nameOf(key), range), { objectMode: false }),
    async stat(key) {
      const found = await findFile(bucket, nameOf(key));
      return found === null ? null : { size: found.size, modifiedAt: found.modifiedAt };
    },
    list,
    folders,
    async remove(key) {
      const name = nameOf(key);
      // The object last: without it, chunks that a replacement left beside it would become the file.
      await deleteChunks(bucket, name);
      await deleteObject(bucket, name);
    },
    async removeAll(folder) {
      checkKey(folder);
      await deleteFrom(bucket, folderOf(folder));
    },
    hasSpace: async () => true,
  };
}

/** Opens the store of this process. Throws `StartFailure`, which names the setting, if the bucket cannot be read and written. */
export async function openS3Store(location: S3Location): Promise<FileStore> {
  await checkBucket(location);
  return s3Store(location);
}
