import { importFiles } from '../../server/areas/imports/files';
import { s3Store } from '../../server/stores/files/s3';
import type { S3Location } from '../../server/stores/files/types';
import { describeWithS3, startS3Server } from '../support/s3/server';
import type { S3Server } from '../support/s3/server';
import { sendChunk } from '../support/sendChunk';
import { until } from '../support/until';
import { openBench } from './importsSupport';
import type { Bench } from './importsSupport';

describeWithS3('uploads in a bucket', () => {
  let server: S3Server;
  let location: S3Location;
  let bench: Bench;
  beforeAll(async () => {
    server = await startS3Server();
    location = server.location();
    bench = await openBench(s3Store(location));
  });
  afterAll(async () => {
    await bench.close();
    await server.stop();
  });

  test('an upload resumes in another process', async () => {
    const { ctx } = bench.t;
    const other = { ...ctx, files: s3Store(location) };
    const content = Buffer.from('0123456789');
    const base = `/api/site/${await bench.newSite()}/als/imports`;
    const { id } = (await bench.owner.send('POST', base, { files: [{ name: 'a.log', size: 10 }] })).json<{ data: { id: string } }>().data;
    const address = `${base}/${id}/files/0`;
    expect((await sendChunk(bench.owner, address, 0, content.subarray(0, 4))).statusCode).toBe(204);
    expect(await importFiles.storedSize(other, id, 0)).toBe(4);
    // The other process sends the next chunk.
    expect(await other.files.append(importFiles.key(id, 0), 4, content.subarray(4, 7))).toBe(true);
    expect((await sendChunk(bench.owner, address, 4, content.subarray(4))).statusCode).toBe(409);
    expect((await sendChunk(bench.owner, address, 7, content.subarray(7))).statusCode).toBe(204);
    const received: Buffer[] = [];
    for await (const part of importFiles.file(other, id, 0).read() as AsyncIterable<Buffer>) received.push(part);
    expect(Buffer.concat(received).toString()).toBe('0123456789');
    await importFiles.remove(ctx, id);
    expect(await ctx.files.folders('imports')).toEqual([]);
  });

  test('a thread of its own reads an access log from the bucket', async () => {
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    const lines = Array.from(
      { length: 300 },
      (_, i) => `203.0.113.${i % 200} - - [05/Mar/2026:10:${String(i % 60).padStart(2, '0')}:00 +0000] "GET /tea/${i} HTTP/1.1" 200 512 "-" "${agent}"\n`,
    );
    const content = Buffer.from(lines.join(''));
    const done = await bench.run(await bench.newSite(), [{ name: 'access.log', content }]);
    expect(done).toMatchObject({ state: 'done', report: { lines: 300, accepted: 300 } });
    // The file is removed after the end of the import.
    await until(async () => (await bench.t.ctx.files.folders('imports')).length === 0, 20_000);
  });
});
