/** @jest-environment <rootDir>/test/support/s3Environment.cjs */
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '../../server/log';
import type { FileKey } from '../../server/stores/files/keys';
import { openFileStore } from '../../server/stores/files/open';
import { s3Store } from '../../server/stores/files/s3';
import type { FileStore, S3Location } from '../../server/stores/files/types';
import { StartFailure } from '../../server/terminalTexts';
import { startS3Proxy } from '../support/s3/proxy';
import type { S3Proxy } from '../support/s3/proxy';
import { clientFor, describeWithS3, startS3Server } from '../support/s3/server';
import type { S3Server } from '../support/s3/server';

const MiB = 2 ** 20;
const bytesOf = async (files: FileStore, key: FileKey): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of files.read(key) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const textOf = async (files: FileStore, key: FileKey): Promise<string> => (await bytesOf(files, key)).toString();

describeWithS3('a disturbed S3 server', () => {
  let server: S3Server;
  let proxy: S3Proxy;
  beforeAll(async () => {
    server = await startS3Server();
    proxy = await startS3Proxy(server.port);
  });
  afterAll(async () => {
    await proxy.stop();
    await server.stop();
  });

  let location: S3Location;
  let files: FileStore;
  /** The same store, without the disturbances. */
  let direct: FileStore;
  beforeEach(() => {
    proxy.disturb = null;
    location = server.location({ endpoint: proxy.endpoint });
    files = s3Store(location, 3);
    direct = s3Store({ ...location, endpoint: server.location().endpoint });
  });

  const keys = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { key } of direct.list('imports')) found.push(key);
    return found;
  };
  const unfinished = async (): Promise<number> =>
    (await clientFor(server.location()).send(new ListMultipartUploadsCommand({ Bucket: location.bucket, Prefix: location.prefix }))).Uploads?.length ?? 0;
  async function* parts(count: number): AsyncGenerator<Buffer> {
    for (let i = 0; i < count; i += 1) yield Buffer.alloc(8 * MiB, String(i));
  }

  test('a server that is busy for a moment is tried again', async () => {
    proxy.disturb = (attempt) => (attempt === 1 ? 'busy' : null);
    await files.put('imports/a/0', Buffer.from('tea'));
    expect([await files.append('imports/a/1', 0, Buffer.from('01')), await files.append('imports/a/1', 2, Buffer.from('23'))]).toEqual([true, true]);
    expect([await textOf(files, 'imports/a/0'), await textOf(files, 'imports/a/1'), await keys()]).toEqual(['tea', '0123', ['imports/a/0', 'imports/a/1']]);
    await files.removeAll('imports/a');
    expect(await keys()).toEqual([]);
  });

  test('a server that stays busy changes nothing, and the error says so', async () => {
    await direct.put('imports/a/0', Buffer.from('before'));
    await direct.append('imports/a/1', 0, Buffer.from('0123'));
    proxy.disturb = () => 'busy';
    for (const operation of [
      () => files.put('imports/a/0', Buffer.from('after'), { replace: true }),
      () => files.append('imports/a/1', 4, Buffer.from('4567')),
      () => files.put('imports/a/2', parts(2)),
      () => textOf(files, 'imports/a/0'),
      () => files.stat('imports/a/0'),
      () => files.folders('imports'),
    ])
      await expect(operation()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/^S3, \w+ .* in bucket test-files: /) });
    expect([await textOf(direct, 'imports/a/0'), await textOf(direct, 'imports/a/1'), await keys()]).toEqual([
      'before',
      '0123',
      ['imports/a/0', 'imports/a/1'],
    ]);
    proxy.disturb = null;
    expect([await files.append('imports/a/1', 4, Buffer.from('4567')), await textOf(files, 'imports/a/1')]).toEqual([true, '01234567']);
  });

  test('a read whose connection breaks continues behind the received bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    await direct.put('imports/a/0', bytes);
    for (const at of [0, 300_000]) await direct.append('imports/a/1', at, bytes);
    let cuts = 0;
    proxy.disturb = (_attempt, { method }) => {
      if (method !== 'GET' || cuts >= 12) return null;
      cuts += 1;
      return { cutResponse: 70_000 };
    };
    expect((await bytesOf(files, 'imports/a/0')).equals(bytes)).toBe(true);
    expect((await bytesOf(files, 'imports/a/1')).equals(Buffer.concat([bytes, bytes]))).toBe(true);
    expect(cuts).toBeGreaterThan(6);
  });

  test('a read that cannot continue fails instead of ending early', async () => {
    await direct.put('imports/a/0', Buffer.alloc(300_000));
    proxy.disturb = (_attempt, { headers }) => ({ cutResponse: headers.range === undefined ? 70_000 : 0 });
    await expect(bytesOf(files, 'imports/a/0')).rejects.toThrow('S3, get');
  });

  test('a file that is replaced while it is read is never mixed', async () => {
    await direct.put('imports/a/0', Buffer.alloc(300_000, 'a'));
    let isReplaced = false;
    proxy.disturb = (_attempt, { headers }) => (headers.range === undefined ? { cutResponse: 70_000 } : isReplaced ? null : 'busy');
    const reading = files.read('imports/a/0') as AsyncIterable<Buffer> & NodeJS.ReadableStream;
    const outcome = (async () => {
      let mixed = false;
      for await (const chunk of reading) {
        mixed ||= chunk.includes('b');
        if (!isReplaced) await direct.put('imports/a/0', Buffer.alloc(300_000, 'b'), { replace: true });
        isReplaced = true;
      }
      return mixed;
    })();
    await expect(outcome).rejects.toMatchObject({ code: 'PreconditionFailed' });
  });

  test('a write whose connection breaks is repeated, or leaves nothing', async () => {
    proxy.disturb = (attempt, { method }) => (method === 'PUT' && attempt === 1 ? { cutRequest: 3 * MiB } : null);
    await files.put('imports/a/0', parts(2));
    expect((await bytesOf(direct, 'imports/a/0')).equals(Buffer.concat([Buffer.alloc(8 * MiB, '0'), Buffer.alloc(8 * MiB, '1')]))).toBe(true);
    proxy.disturb = (_attempt, { method, url }) => (method === 'PUT' && url?.includes('partNumber=2') === true ? { cutRequest: 3 * MiB } : null);
    await expect(files.put('imports/a/1', parts(3))).rejects.toThrow('S3, put part 2 of');
    expect([await keys(), await unfinished()]).toEqual([['imports/a/0'], 0]);
  });

  test('a write whose response is lost counts once', async () => {
    proxy.disturb = (attempt, { method }) => (attempt === 1 && method !== 'GET' && method !== 'HEAD' ? 'loseResponse' : null);
    await files.put('imports/a/0', Buffer.from('tea'));
    expect([await files.append('imports/a/1', 0, Buffer.from('0123')), await files.append('imports/a/1', 4, Buffer.from('4567'))]).toEqual([true, true]);
    await files.put('imports/a/2', parts(2));
    expect([await textOf(direct, 'imports/a/0'), await textOf(direct, 'imports/a/1'), await direct.stat('imports/a/2')]).toMatchObject([
      'tea',
      '01234567',
      { size: 16 * MiB },
    ]);
  });

  test('a list that breaks is never taken for a complete one', async () => {
    for (let i = 0; i < 5; i += 1) await direct.put(`imports/a/${i}`, Buffer.from('x'));
    proxy.disturb = (attempt) => (attempt === 1 ? { cutResponse: 600 } : null);
    const found: string[] = [];
    const listing = (async () => {
      for await (const { key } of files.list('imports')) found.push(key);
    })();
    await listing.catch((error: unknown) => expect(error).toMatchObject({ name: 'S3Failure' }));
    expect([0, 5]).toContain(found.length);
  });

  test('of a large file two parts are in memory', async () => {
    let sent = 0;
    let mostAhead = 0;
    proxy.disturb = (_attempt, { url }) => {
      if (url?.includes('partNumber') === true) sent += 1;
      return null;
    };
    async function* content(): AsyncGenerator<Buffer> {
      for (let i = 1; i <= 6; i += 1) {
        yield Buffer.alloc(8 * MiB);
        mostAhead = Math.max(mostAhead, i - sent);
      }
    }
    await files.put('imports/a/0', content());
    expect([sent, mostAhead <= 2]).toEqual([6, true]);
  });

  test('a wrong setting fails the start by its name, without the secret', async () => {
    const roles = new Set(['web'] as const);
    const refusal = async (more: Partial<S3Location>): Promise<StartFailure['text']> => {
      const failure = await openFileStore({ dataDir: '', roles, s3: { ...location, ...more } }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartFailure);
      return (failure as StartFailure).text;
    };
    await openFileStore({ dataDir: '', roles, s3: location });
    expect(await keys()).toEqual([]);
    const texts = [
      await refusal({ bucket: 'other-files' }),
      await refusal({ secretAccessKey: 'a-wrong-secret' }),
      await refusal({ region: 'eu-west-1' }),
      await refusal({ endpoint: 'http://127.0.0.1:9' }),
    ];
    expect(texts.map(({ en }) => en)).toEqual([
      expect.stringContaining('S3_BUCKET=other-files'),
      expect.stringContaining('S3_SECRET_ACCESS_KEY does not belong to'),
      expect.stringContaining('S3_REGION=eu-west-1'),
      expect.stringContaining('S3_ENDPOINT'),
    ]);
    expect(texts.map(({ zh }) => zh)).toEqual([
      expect.stringContaining('上没有这个存储桶'),
      expect.stringContaining('不匹配'),
      expect.stringContaining('在另一个区域'),
      expect.stringContaining('应答'),
    ]);
    expect(JSON.stringify(texts)).not.toContain('a-wrong-secret');
  });

  test('a failed request does not put the secret into the log', async () => {
    proxy.disturb = () => 'busy';
    const lines: string[] = [];
    const log = createLog('debug', { write: (line) => void lines.push(line), pretty: false });
    log.error('failed', { error: await files.stat('imports/a/0').catch((error: unknown) => error) });
    expect(lines.join('')).toContain('S3, head');
    expect(lines.join('')).not.toContain(location.secretAccessKey);
  });
});

describe('a server that knows conditions', () => {
  /** Objects by path. The first `lost` writes are stored without a response. */
  async function startConditionalServer(lost: number) {
    const objects = new Map<string, string>();
    let writes = 0;
    const server = createServer((req, res) => {
      const [name = ''] = (req.url ?? '').split('?');
      req.resume().once('end', () => {
        if (req.method === 'HEAD') {
          const write = objects.get(name);
          res.writeHead(write === undefined ? 404 : 200, { 'x-amz-meta-write': write ?? '' }).end();
        } else if (req.method === 'GET') res.end('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
        else if (req.headers['if-none-match'] === '*' && objects.has(name)) res.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
        else {
          objects.set(name, String(req.headers['x-amz-meta-write']));
          writes += 1;
          if (writes <= lost) req.socket.destroy();
          else res.end();
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const location: S3Location = {
      kind: 's3',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'files',
      prefix: '',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      pathStyle: true,
    };
    const stop = (): void => {
      server.close();
      server.closeAllConnections();
    };
    return { objects, location, stop };
  }

  test('recognises the object of an attempt whose response was lost', async () => {
    const { location, stop } = await startConditionalServer(1);
    const files = s3Store(location);
    await files.put('imports/a/0', Buffer.from('tea'));
    await expect(files.put('imports/a/0', Buffer.from('pot'))).rejects.toMatchObject({ code: 'EEXIST' });
    stop();
  });

  test('decides between two writers at the same moment', async () => {
    const { objects, location, stop } = await startConditionalServer(0);
    const results = await Promise.allSettled(['a', 'b', 'c'].map((text) => s3Store(location).put('imports/a/0', Buffer.from(text))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toMatchObject([{ code: 'EEXIST' }, { code: 'EEXIST' }]);
    expect(objects.size).toBe(1);
    stop();
  });
});
