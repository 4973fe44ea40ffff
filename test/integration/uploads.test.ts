import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { importFiles } from '../../server/areas/imports/files';
import { abandonedAfter } from '../../server/kit/uploads';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { sendChunk } from '../support/sendChunk';

const now = Date.now();
let dataDir: string;
let t: TestApp;
let owner: Person;
let site: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'uploads-'));
  t = await makeTestApp({ config: { dataDir, importMaxBytes: 1000 }, now: () => now });
  owner = await t.signUpOwner();
  site = `/api/site/${(await t.makeSite(owner)).id}`;
});
afterAll(async () => {
  await t.close();
  await rm(dataDir, { recursive: true });
});

const create = async (address: string, body: object): Promise<string> => {
  const created = await owner.send('POST', `${site}/${address}`, body);
  expect([created.statusCode, created.body]).toEqual([200, expect.anything()]);
  return created.json<{ data: { id: string } }>().data.id;
};
const createImport = (size = 10): Promise<string> => create('als/imports', { files: [{ name: 'a.log', size }] });
const send = async (id: string, offset: number, text: string): Promise<number> =>
  (await sendChunk(owner, `${site}/als/imports/${id}/files/0`, offset, Buffer.from(text))).statusCode;

test.each([
  ['imports', '0', 'als/imports', 'files/0', { files: [{ name: 'a.log', size: 10 }] }],
  ['table-imports', 'upload', 'table/imports', 'file', { table: null, name: 'a.csv', size: 10 }],
  ['table-restores', 'backup', 'table/restores', 'file', { name: 'a.gz', size: 10 }],
] as const)('a half-finished upload of an earlier version resumes in %s', async (folder, file, base, rest, body) => {
  const id = await create(base, body);
  const address = `${site}/${base}/${id}/${rest}`;
  await mkdir(path.join(dataDir, folder, id), { recursive: true, mode: 0o700 });
  await writeFile(path.join(dataDir, folder, id, file), '0123', { mode: 0o600 });
  expect((await owner.head(address, { 'tus-resumable': '1.0.0' })).headers).toMatchObject({ 'upload-offset': '4', 'upload-length': '10' });
  const chunk = Buffer.from('456789');
  expect([(await sendChunk(owner, address, 0, chunk)).statusCode, (await sendChunk(owner, address, 4, chunk)).statusCode]).toEqual([409, 204]);
  expect(await readFile(path.join(dataDir, folder, id, file), 'utf8')).toBe('0123456789');
  await owner.send('DELETE', `${site}/${base}/${id}`);
  expect(await t.ctx.files.folders(folder)).toEqual([]);
});

test('an upload continues behind the part of a chunk that a crash left', async () => {
  const id = await createImport();
  expect([await send(id, 0, '0123'), await send(id, 4, '4567')]).toEqual([204, 204]);
  await truncate(path.join(dataDir, 'imports', id, '0'), 6);
  expect([await send(id, 8, '89'), await send(id, 6, '6789')]).toEqual([409, 204]);
  expect(await readFile(path.join(dataDir, 'imports', id, '0'), 'utf8')).toBe('0123456789');
});

test('of several senders of the same chunk one is accepted', async () => {
  const id = await createImport();
  const results = await Promise.all(Array.from({ length: 6 }, () => send(id, 0, '01234')));
  expect(results.toSorted((a, b) => a - b)).toEqual([204, 409, 409, 409, 409, 409]);
  expect(await importFiles.storedSize(t.ctx, id, 0)).toBe(5);
});

test('two files of an import do not wait for each other', async () => {
  const id = await create('als/imports', { files: ['a.log', 'b.log'].map((name) => ({ name, size: 3 })) });
  const address = (file: number): string => `${site}/als/imports/${id}/files/${file}`;
  const sent = await Promise.all([0, 1].map((file) => sendChunk(owner, address(file), 0, Buffer.from('abc'))));
  expect(sent.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect((await sendChunk(owner, address(2), 0, Buffer.from('abc'))).statusCode).toBe(404);
});

test('chunks beyond the announced size or of another type are refused', async () => {
  const id = await createImport();
  expect(await send(id, 0, '01234567890')).toBe(413);
  const address = `${site}/als/imports/${id}/files/0`;
  const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  expect((await owner.send('PATCH', address, { text: 'x' }, headers)).statusCode).toBe(400);
  expect((await owner.send('PATCH', address, Buffer.from('x'), { 'content-type': 'application/offset+octet-stream' })).statusCode).toBe(400);
  expect((await owner.send('POST', `${site}/als/imports`, { files: [{ name: 'a.log', size: 1001 }] })).json()).toMatchObject({ code: 'too_large' });
  expect(await importFiles.storedSize(t.ctx, id, 0)).toBe(0);
});

test('an upload is abandoned a week after its last chunk', async () => {
  const id = randomUUID();
  const isAbandonedAt = (at: number): Promise<boolean> => importFiles.isAbandoned({ ...t.ctx, now: () => at }, id, new Date(now - 2 * abandonedAfter));
  expect(await isAbandonedAt(now)).toBe(true);
  await t.ctx.files.append(importFiles.key(id, 0), 0, Buffer.from('0123'));
  expect([await isAbandonedAt(now + abandonedAfter - 60_000), await isAbandonedAt(now + abandonedAfter + 60_000)]).toEqual([false, true]);
});

test('only uploads that were listed before their owners are removed', async () => {
  const late = randomUUID();
  const append = (id: string) => t.ctx.files.append(importFiles.key(id, 0), 0, Buffer.from('0123'));
  await append(randomUUID());
  await importFiles.sweep(t.ctx, async () => {
    await append(late);
    return new Set();
  });
  expect(await t.ctx.files.folders('imports')).toEqual([late]);
});
