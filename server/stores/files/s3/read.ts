import { setTimeout as delay } from 'node:timers/promises';
import type { FileRange } from '../types';
import { hasCode, S3Failure } from './bucket';
import type { Bucket } from './bucket';
import { chunkName, findChunks } from './objects';

/** The bytes of an object from `start` to `end` (included) or to its end. A connection that breaks is followed by another one behind the received bytes, as long as some arrive. */
async function* bytesOf({ location, send, attempts }: Bucket, name: string, start: number, end: number): AsyncGenerator<Buffer> {
  let position = start;
  let last = end;
  let etag: string | undefined;
  for (let failures = 0; ;) {
    const range = position === 0 && last === Infinity ? {} : { Range: `bytes=${position}-${last === Infinity ? '' : last}` };
    // A file that is replaced meanwhile fails here, instead of being continued with bytes of the other one.
    const condition = etag === undefined ? {} : { IfMatch: etag };
    const { Body, ContentLength, ETag } = await send(`get ${name}`, ({ sdk, client }) =>
      client.send(new sdk.GetObjectCommand({ Bucket: location.bucket, Key: name, ...range, ...condition })),
    );
    etag = ETag;
    if (ContentLength !== undefined) last = position + ContentLength - 1;
    let failure: unknown = null;
    try {
      for await (const chunk of (Body ?? []) as AsyncIterable<Buffer>) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
    } catch (error) {
      failure = error;
    }
    if (position > last || (failure === null && last === Infinity)) return;
    failures += 1;
    if (failures >= attempts) throw new S3Failure(`get ${name} in bucket ${location.bucket}`, failure ?? new Error('the response ended early'));
    await delay(50 * 2 ** failures);
  }
}

/** `read` of the store. */
export async function* readFile(bucket: Bucket, name: string, { start = 0, end = Infinity }: FileRange): AsyncGenerator<Buffer> {
  let hasBegun = false;
  try {
    for await (const chunk of bytesOf(bucket, name, start, end)) {
      hasBegun = true;
      yield chunk;
    }
    return;
  } catch (error) {
    // The range begins behind the end of the file.
    if (hasCode(error, 'InvalidRange')) return;
    if (hasBegun || !hasCode(error, 'NoSuchKey')) throw error;
  }
  const spans = (await findChunks(bucket, name))?.spans ?? null;
  if (spans === null) throw Object.assign(new Error(`ENOENT: ${name} does not exist`), { code: 'ENOENT', syscall: 'open' });
  for (const { offset, from, to } of spans) {
    const first = Math.max(from, start);
    const last = Math.min(to - 1, end);
    if (first <= last) yield* bytesOf(bucket, chunkName(name, offset), first - offset, last - offset);
  }
}
