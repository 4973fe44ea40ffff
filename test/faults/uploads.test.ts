import { jest } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Resource } from '../../contract/resources/schemas';
import { storedFile } from '../../server/stores/files/storedFile';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) while a file is being sent to it, and restarted; the sender goes on where the program says. */
jest.setTimeout(120_000);

const MiB = 2 ** 20;
const content = randomBytes(30 * MiB);
const folder = temporaryFolder();
let app: TestApp;
let program: RunningProgram;
let port: number;
let base: string;
let token: string;

const start = async (): Promise<void> => {
  program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port) });
};
beforeAll(async () => {
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  const owner = await app.signUpOwner();
  base = `/api/site/${(await app.makeSite(owner)).id}/resource`;
  const scopes = ['resources:read', 'resources:write'];
  token = (await owner.send('POST', '/api/acc/tokens', { name: 'faults', scopes, siteIds: null, days: 1, addresses: [] })).json<{ data: { value: string } }>()
    .data.value;
  port = await freePort();
  await start();
});
afterAll(async () => {
  program.process.kill('SIGTERM');
  await program.ended;
  await app.close();
  folder.remove();
});

type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly text: string };
/** Sends a request; of a body of `length` bytes only `body`, so that it stays incomplete until the connection ends. */
function call(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer, length = body?.length ?? 0): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      port,
      method,
      path,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', 'content-length': String(length), ...headers },
    });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    if (body) sent.write(body);
    if (length === (body?.length ?? 0)) sent.end();
  });
}
const create = async (): Promise<string> => {
  const created = await call('POST', `${base}/uploads`, { 'upload-length': String(content.length), 'upload-metadata': 'name dGVhLmJpbg==' });
  expect([created.status, created.text]).toEqual([201, '']);
  return String(created.headers.location).split('/').at(-1) ?? '';
};
const chunk = (id: string, from: number, to: number, announced = to): Promise<Answer> =>
  call(
    'PATCH',
    `${base}/uploads/${id}`,
    { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
    content.subarray(from, to),
    announced - from,
  );
const offsetOf = async (id: string): Promise<number> => Number((await call('HEAD', `${base}/uploads/${id}`)).headers['upload-offset']);
const stored = async (id: string): Promise<number> => (await app.ctx.files.stat(`resource-uploads/${id}/content`))?.size ?? 0;

async function killAndStart(): Promise<void> {
  program.process.kill('SIGKILL');
  await program.ended;
  await start();
}

test('an upload survives kills at three offsets and during its acceptance', async () => {
  const id = await create();
  let acknowledged = 0;
  const offsets: number[] = [];
  for (let kill = 0; kill < 3; kill += 1) {
    // A part of a chunk is stored, the rest never arrives.
    const broken = chunk(id, acknowledged, acknowledged + 6 * MiB, acknowledged + 8 * MiB).catch(() => null);
    const before = acknowledged;
    await until(async () => (await stored(id)) > before, 20_000);
    await killAndStart();
    expect(await broken).toBeNull();
    const offset = await offsetOf(id);
    expect(offset).toBeGreaterThanOrEqual(acknowledged);
    offsets.push(offset);
    const sent = await chunk(id, offset, offset + 3 * MiB);
    expect([sent.status, sent.headers['upload-offset']]).toEqual([204, String(offset + 3 * MiB)]);
    acknowledged = offset + 3 * MiB;
  }
  expect(new Set(offsets).size).toBe(3);
  expect((await chunk(id, acknowledged, content.length)).status).toBe(204);

  const finishing = call('POST', `${base}/uploads/${id}/finish`).catch(() => null);
  await killAndStart();
  await finishing;
  const finished = await call('POST', `${base}/uploads/${id}/finish`);
  expect(finished.status).toBe(200);
  const { data: resource } = JSON.parse(finished.text) as { data: Resource };
  const hash = createHash('sha256');
  const [, , , site = ''] = base.split('/');
  for await (const part of storedFile(app.ctx.files, `resources/${site}/${resource.sha256}/original`).read() as AsyncIterable<Buffer>) hash.update(part);
  expect([hash.digest('hex'), resource.bytes]).toEqual([createHash('sha256').update(content).digest('hex'), content.length]);
  const { data: list } = JSON.parse((await call('GET', `${base}/items`)).text) as { data: { total: number } };
  expect(list.total).toBe(1);
});
