import { randomUUID } from 'node:crypto';
import type { FileContent } from '../types';
import { copyObject, deleteObject, hasCode, headObject, putObject } from './bucket';
import type { Bucket } from './bucket';
import { chunkName, deleteChunks, findFile } from './objects';

/** S3 allows 10 000 parts, hence files of 78 GiB. */
export const partBytes = 8 * 2 ** 20;

const existsAlready = (name: string): Error => Object.assign(new Error(`EEXIST: ${name} exists`), { code: 'EEXIST' });

/** The content in parts of `partBytes` and a smaller last one. */
async function* partsOf(content: FileContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.length; at += partBytes) yield content.subarray(at, at + partBytes);
    return;
  }
  let part = Buffer.allocUnsafe(partBytes);
  let length = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length;) {
      const copied = Math.min(bytes.length - at, partBytes - length);
      part.set(bytes.subarray(at, at + copied), length);
      at += copied;
      length += copied;
      if (length === partBytes) {
        yield part;
        part = Buffer.allocUnsafe(partBytes);
        length = 0;
      }
    }
  }
  if (length > 0) yield part.subarray(0, length);
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** `id` is stored with the object, so that a writer recognises its own. */
type Writing = { readonly name: string; readonly replace: boolean; readonly id: string };
type Publish = (conditions: { readonly IfNoneMatch?: '*' }) => Promise<unknown>;

/** Makes the object visible by the request `publish`. Without `replace`, fails with the code EEXIST if the file exists. */
async function publishObject(bucket: Bucket, { name, replace, id }: Writing, publish: Publish): Promise<void> {
  // As late as possible, for servers without conditions.
  if (!replace && (await findFile(bucket, name)) !== null) throw existsAlready(name);
  const isConditional = !replace && !bucket.lacksConditions;
  try {
    await publish(isConditional ? { IfNoneMatch: '*' } : {});
  } catch (error) {
    if (isConditional && hasCode(error, 'NotImplemented')) {
      bucket.lacksConditions = true;
      return publishObject(bucket, { name, replace, id }, publish);
    }
    if (!hasCode(error, 'PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchUpload')) throw error;
    // The response of an attempt that succeeded may have been lost: the next one then finds its own object.
    if ((await headObject(bucket, name))?.Metadata?.write !== id) throw hasCode(error, 'PreconditionFailed') ? existsAlready(name) : error;
  }
  if (replace) await deleteChunks(bucket, name);
}

/** Sends each part while the next one fills: two are in memory. If it fails, nothing is left. */
async function putParts(bucket: Bucket, writing: Writing, parts: AsyncGenerator<Uint8Array>): Promise<void> {
  const { send, location } = bucket;
  const target = { Bucket: location.bucket, Key: writing.name };
  const { UploadId } = await send(`begin ${writing.name}`, ({ sdk, client }) =>
    client.send(new sdk.CreateMultipartUploadCommand({ ...target, ContentType: 'application/octet-stream', Metadata: { write: writing.id } })),
  );
  const sent: { readonly ETag: string | undefined; readonly PartNumber: number }[] = [];
  const sendPart = async (Body: Uint8Array, PartNumber: number): Promise<void> => {
    const { ETag } = await send(`put part ${PartNumber} of ${writing.name}`, ({ sdk, client }) =>
      client.send(new sdk.UploadPartCommand({ ...target, UploadId, PartNumber, Body, ContentLength: Body.length })),
    );
    sent.push({ ETag, PartNumber });
  };
  let sending: Promise<void> = Promise.resolve();
  let count = 0;
  try {
    for await (const part of parts) {
      await sending;
      sending = sendPart(part, (count += 1));
      // Awaited with the next part; a failure until then is not unhandled.
      sending.catch(() => undefined);
    }
    await sending;
    await publishObject(bucket, writing, (conditions) =>
      send(`complete ${writing.name}`, ({ sdk, client }) =>
        client.send(new sdk.CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: sent }, ...conditions })),
      ),
    );
  } catch (error) {
    await sending.catch(() => undefined);
    // A rule of the bucket removes what stays if this fails too (docs/en/operating.md).
    await send(`abort ${writing.name}`, ({ sdk, client }) => client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId }))).catch(() => undefined);
    throw error;
  }
}

/** `put` of the store. */
export async function putFile(bucket: Bucket, name: string, content: FileContent, replace: boolean): Promise<void> {
  const writing = { name, replace, id: randomUUID() };
  // Also before: a large file would be sent for nothing.
  if (!replace && (await findFile(bucket, name)) !== null) throw existsAlready(name);
  const parts = partsOf(content);
  const first = await parts.next();
  const body = first.done === true ? Buffer.alloc(0) : first.value;
  if (body.length === partBytes) return putParts(bucket, writing, startingWith(body, parts));
  await publishObject(bucket, writing, (conditions) => putObject(bucket, name, body, { Metadata: { write: writing.id }, ...conditions }));
}

/** `append` of the store. A repeated attempt replaces the chunk by itself. */
export async function appendChunk(bucket: Bucket, name: string, offset: number, chunk: Uint8Array): Promise<boolean> {
  const found = await findFile(bucket, name);
  if (found === null ? offset > 0 : found.size !== offset) return false;
  if (found !== null && chunk.length === 0) return true;
  if (found?.spans === null) {
    // An upload that began in a folder and was copied into the bucket: it becomes the first chunk.
    await deleteChunks(bucket, name);
    await copyObject(bucket, name, chunkName(name, 0));
    await deleteObject(bucket, name);
  }
  await putObject(bucket, chunkName(name, offset), chunk);
  return true;
}
