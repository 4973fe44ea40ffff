import { CopyObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { fileStoreTests } from '../../../test/support/fileStoreTests';
import { clientFor, describeWithS3, startS3Server } from '../../../test/support/s3/server';
import type { S3Server } from '../../../test/support/s3/server';
import type { FileKey } from './keys';
import { fileStoreAt } from './open';
import { s3Store } from './s3';
import type { FileRange, FileStore, S3Location } from './types';

const MiB = 2 ** 20;

describeWithS3('files in a bucket', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.stop());

  describe('the interface', () => {
    fileStoreTests(async () => ({ files: s3Store(server.location()), close: async () => undefined }));
  });

  let location: S3Location;
  let files: FileStore;
  beforeEach(() => {
    location = server.location();
    files = s3Store(location);
  });

  const bytesOf = async (key: FileKey, range?: FileRange): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of files.read(key, range) as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const textOf = async (key: FileKey): Promise<string> => (await bytesOf(key)).toString();
  const names = async (): Promise<string[]> => {
    const { Contents = [] } = await clientFor(location).send(new ListObjectsV2Command({ Bucket: location.bucket, Prefix: location.prefix }));
    return Contents.map(({ Key = '' }) => Key.slice(location.prefix.length));
  };
  const unfinished = async (): Promise<number> =>
    (await clientFor(location).send(new ListMultipartUploadsCommand({ Bucket: location.bucket, Prefix: location.prefix }))).Uploads?.length ?? 0;
  async function* repeated(part: Buffer, count: number): AsyncGenerator<Buffer> {
    for (let i = 0; i < count; i += 1) yield part;
  }

  test('a key is the name of the object, chunks are named by their offsets', async () => {
    await files.put('imports/a/0', Buffer.from('tea'));
    await files.append('table-imports/b/upload', 0, Buffer.from('tea'));
    await files.append('table-imports/b/upload', 3, Buffer.from('pot'));
    expect(await names()).toEqual(['imports/a/0', 'table-imports/b/upload!000000000000000', 'table-imports/b/upload!000000000000003']);
    expect(await files.folders('table-imports/b')).toEqual([]);
  });

  test('a large file is sent in parts and appears at once', async () => {
    const part = Buffer.alloc(3 * MiB, 'leaf');
    await files.put('imports/a/0', repeated(part, 6));
    expect([await files.stat('imports/a/0'), await unfinished()]).toMatchObject([{ size: 18 * MiB }, 0]);
    expect((await bytesOf('imports/a/0')).equals(Buffer.concat([part, part, part, part, part, part]))).toBe(true);
    expect((await bytesOf('imports/a/0', { start: 8 * MiB - 4, end: 8 * MiB + 3 })).toString()).toBe('leafleaf');
    await expect(files.put('imports/a/0', repeated(part, 6))).rejects.toMatchObject({ code: 'EEXIST' });
    // Exactly one part, and whole parts.
    for (const [key, size] of [
      ['imports/a/1', 8 * MiB],
      ['imports/a/2', 16 * MiB],
    ] as const) {
      await files.put(key, Buffer.alloc(size, 1));
      expect(await files.stat(key)).toMatchObject({ size });
    }
  });

  test('a large file that fails leaves nothing', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield* repeated(Buffer.alloc(9 * MiB), 2);
      throw new Error('the source failed');
    }
    await expect(files.put('imports/a/0', failing())).rejects.toThrow('the source failed');
    expect([await names(), await unfinished()]).toEqual([[], 0]);
  });

  test('of two writers of the same key, the second fails', async () => {
    async function* slow(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(8 * MiB);
      await s3Store(location).put('imports/a/0', Buffer.from('first'));
      yield Buffer.from('second');
    }
    await expect(files.put('imports/a/0', slow())).rejects.toMatchObject({ code: 'EEXIST' });
    expect([await textOf('imports/a/0'), await unfinished()]).toEqual(['first', 0]);
  });

  test('an upload that was copied from a folder resumes', async () => {
    await clientFor(location).send(new PutObjectCommand({ Bucket: location.bucket, Key: `${location.prefix}imports/a/0`, Body: '0123' }));
    expect([await files.append('imports/a/0', 0, Buffer.from('x')), await files.append('imports/a/0', 4, Buffer.from('456'))]).toEqual([false, true]);
    expect([await textOf('imports/a/0'), await names()]).toEqual(['0123456', ['imports/a/0!000000000000000', 'imports/a/0!000000000000004']]);
  });

  test('chunks that an interrupted replacement left do not count', async () => {
    await files.append('imports/a/0', 0, Buffer.from('before'));
    await files.append('imports/a/0', 6, Buffer.from(' and more'));
    await clientFor(location).send(new PutObjectCommand({ Bucket: location.bucket, Key: `${location.prefix}imports/a/0`, Body: 'after' }));
    const listed: unknown[] = [];
    for await (const file of files.list('imports')) listed.push([file.key, file.size]);
    expect([await textOf('imports/a/0'), listed]).toEqual(['after', [['imports/a/0', 5]]]);
    await files.put('imports/a/0', Buffer.from('again'), { replace: true });
    expect(await names()).toEqual(['imports/a/0']);
  });

  test('a repeated chunk and a gap do not change the bytes of a file', async () => {
    await files.append('imports/a/0', 0, Buffer.from('0123'));
    await files.append('imports/a/0', 4, Buffer.from('4567'));
    const copy = (from: string, to: string) =>
      clientFor(location).send(
        new CopyObjectCommand({ Bucket: location.bucket, Key: `${location.prefix}${to}`, CopySource: `${location.bucket}/${location.prefix}${from}` }),
      );
    await files.append('imports/b/0', 0, Buffer.from('2345'));
    await copy('imports/b/0!000000000000000', 'imports/a/0!000000000000002');
    await copy('imports/b/0!000000000000000', 'imports/a/0!000000000000009');
    expect([await textOf('imports/a/0'), await files.stat('imports/a/0')]).toMatchObject(['01234567', { size: 8 }]);
    expect((await bytesOf('imports/a/0', { start: 3, end: 6 })).toString()).toBe('3456');
  });

  test('another thread opens the same store by its location', async () => {
    await files.put('imports/a/0', Buffer.from('tea'));
    expect(await fileStoreAt(structuredClone(files.location)).stat('imports/a/0')).toMatchObject({ size: 3 });
  });

  test('a bucket never fills up', async () => {
    expect(await files.hasSpace(2 ** 60)).toBe(true);
  });
});
