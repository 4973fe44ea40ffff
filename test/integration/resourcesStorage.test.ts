import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ResourceStorage } from '../../contract/resources/storage';
import { addFromAddress } from '../../server/areas/resources';
import { storageFull } from '../../server/areas/resources/messages';
import * as queries from '../../server/areas/resources/queries';
import { replaceContent } from '../../server/areas/resources/versions';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { idOf, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

const MB = 2 ** 20;
let t: TestApp;
let owner: Person;
let siteId: string;
let client: ResourceClient;

beforeAll(async () => {
  t = await makeTestAppWithFolder({ config: { resourcesMaxBytes: 4 * MB, resourceMaxBytes: 2 * MB, importMaxBytes: 1000, privateSites: true } });
  owner = await t.signUpOwner();
});
beforeEach(async () => {
  siteId = (await t.makeSite(owner)).id;
  client = resourceClient(owner, siteId);
});
afterAll(async () => {
  await t.close();
});

const bytesOf = (size: number, fill: string): Buffer => Buffer.alloc(size, fill);
const storage = async (): Promise<ResourceStorage> => (await client.get('storage')).json<{ data: ResourceStorage }>().data;
const setLimits = (revision: number, body: object, by: Person = owner) => by.send('PUT', `${client.base}/storage`, body, { 'if-match': `"${revision}"` });

test('use counts contents once, with the bin, earlier versions and unfinished uploads', async () => {
  const first = await client.upload(bytesOf(1000, 'a'), 'a.bin');
  await client.upload(bytesOf(1000, 'a'), 'again.bin');
  expect(await storage()).toMatchObject({ usedBytes: 1000, freeableBytes: 0, kinds: [{ kind: 'attachment', bytes: 1000 }], revision: 0 });
  await client.upload(bytesOf(500, 'b'), 'a.bin', { replaces: first.id });
  expect(await storage()).toMatchObject({ usedBytes: 1500, freeableBytes: 0 });
  const [copy] = (await client.list('?q=again')).rows;
  await client.post('remove', { ids: [copy?.id] });
  expect(await storage()).toMatchObject({ usedBytes: 1500, freeableBytes: 1000 });
  const upload = idOf((await client.create(300, { name: 'c.bin' })).headers.location);
  expect(await storage()).toMatchObject({ usedBytes: 1800, uploadingBytes: 300, freeableBytes: 1300 });
  await client.cancel(upload);
  expect(await storage()).toMatchObject({ usedBytes: 1500, uploadingBytes: 0 });
});

test('a file beyond the limits is refused with limit and use, in either language', async () => {
  const large = await client.create(2 * MB + 1, { name: 'large.bin' });
  expect([large.statusCode, large.json<{ code: string }>().code]).toEqual([413, 'too_large']);
  expect(large.json<{ error: string }>().error).toMatch(/单个文件的上限 2 MB/);
  await client.upload(bytesOf(2 * MB, 'a'), 'a.bin');
  await client.upload(bytesOf(MB, 'b'), 'b.bin');
  const full = (await client.create(2 * MB, { name: 'c.bin' })).json<{ error: string }>().error;
  expect(full).toBe('存储空间不足：此站点的资源已占用 3 MB，上限为 4 MB，放不下 2 MB 的文件。');
  expect(storageFull({ bytes: 2 * MB, used: 3 * MB, max: 4 * MB }).en).toContain('occupy 3 MB of 4 MB, so a file of 2 MB');
  // A content that the site has needs no room.
  expect((await client.upload(bytesOf(MB, 'b'), 'b again.bin')).bytes).toBe(MB);
  expect((await client.create(MB + 1, { name: 'c.bin' })).statusCode).toBe(413);
});

test('several uploads at once cannot exceed the limit together', async () => {
  const created = await Promise.all(Array.from({ length: 6 }, (_, n) => client.create(1.5 * MB, { name: `${n}.bin` })));
  expect(created.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 413, 413, 413, 413]);
});

test('a limit that is lowered stops uploads at their next chunk, and replacements', async () => {
  const small = await client.upload(bytesOf(10, 'a'), 'a.bin');
  const upload = idOf((await client.create(2 * MB, { name: 'b.bin' })).headers.location);
  expect((await client.append(upload, 0, bytesOf(MB, 'b'))).statusCode).toBe(204);
  expect((await setLimits(0, { maxBytes: MB, maxFileBytes: MB })).statusCode).toBe(200);
  const stopped = await client.append(upload, MB, bytesOf(MB, 'b'));
  expect([stopped.statusCode, await client.offset(upload)]).toEqual([413, MB]);
  expect((await client.create(MB + 1, { name: 'a.bin', replaces: small.id })).statusCode).toBe(413);
  // Without the limit it goes on.
  expect((await setLimits(1, { maxBytes: null, maxFileBytes: null })).statusCode).toBe(200);
  expect((await client.append(upload, MB, bytesOf(MB, 'b'))).statusCode).toBe(204);
  expect((await client.finish(upload)).statusCode).toBe(200);
});

test('administrators set limits below those of the installation', async () => {
  const tooMuch = await setLimits(0, { maxBytes: 5 * MB, maxFileBytes: 3 * MB });
  expect(tooMuch.json()).toMatchObject({ code: 'invalid_fields', fields: { maxBytes: { max: 4 * MB }, maxFileBytes: { max: 2 * MB } } });
  expect((await setLimits(0, { maxBytes: 3 * MB, maxFileBytes: null })).json()).toMatchObject({
    data: { maxBytes: 3 * MB, maxFileBytes: 2 * MB, revision: 1 },
  });
  expect((await setLimits(0, { maxBytes: null, maxFileBytes: null })).json()).toMatchObject({ code: 'stale_revision', current: { revision: 1 } });
  expect((await owner.get('/api/acc/audit?action=resource.limits_changed')).body).toContain(siteId);
  const editor = await t.makePerson('member');
  await t.grant(siteId, editor.userId, 'editor');
  expect((await setLimits(1, { maxBytes: null, maxFileBytes: null }, editor)).statusCode).toBe(403);
  expect((await editor.get(`${client.base}/storage`)).statusCode).toBe(200);
});

test('a file from an address stays within the limits, whatever length is announced', async () => {
  const server = http.createServer((_request, response) => response.end(bytesOf(3 * MB, 'a')));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.bin`;
  const add = () => addFromAddress(t.ctx, { siteId, url, name: null, createdBy: null }, ['attachment']);
  const before = await t.ctx.files.folders('resource-uploads');
  await expect(add()).rejects.toMatchObject({ code: 'not_reachable' });
  expect(await storage()).toMatchObject({ usedBytes: 0 });
  expect(await t.ctx.files.folders('resource-uploads')).toEqual(before);
  server.close();
});

test('an upload whose resource was purged meanwhile is deleted', async () => {
  const { id: replaces } = await client.upload(Buffer.from('old'), 'a.txt');
  const upload = idOf((await client.create(3, { name: 'b.txt', replaces })).headers.location);
  await client.append(upload, 0, Buffer.from('new'));
  await client.post('remove', { ids: [replaces] });
  await client.post('purge', { ids: [replaces] });
  await runSchedule(t.ctx, 'resources.uploads', 120_000);
  expect((await client.finish(upload)).statusCode).toBe(404);
  expect(await t.ctx.files.folders('resource-uploads')).not.toContain(upload);
});

test('of two replacements at once the second replaces the first', async () => {
  const { id } = await client.upload(Buffer.from('old'), 'a.txt');
  const uploads = await Promise.all(
    ['one', 'two'].map(async (text) => {
      const upload = idOf((await client.create(3, { name: 'b.txt', replaces: id })).headers.location);
      await client.append(upload, 0, Buffer.from(text));
      return upload;
    }),
  );
  expect((await Promise.all(uploads.map((upload) => client.finish(upload)))).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(await client.read(id)).toMatchObject({ version: 3 });
});

test('a replacement of a revision that has passed is stale', async () => {
  const { db } = t.ctx.postgres;
  const { id, sha256: hash } = await client.upload(Buffer.from('old'), 'a.txt');
  const { row } = (await queries.findResource(db, siteId, id)) as queries.ResourceWithBlob;
  const replace = () => replaceContent(db, row, { sha256: hash, kind: 'attachment', rotation: 0, crop: null, createdBy: null }, new Date());
  await replace();
  await expect(replace()).rejects.toMatchObject({ code: 'stale_revision' });
});

test('a content that is purged and uploaded at the same time is complete', async () => {
  for (let n = 0; n < 8; n += 1) {
    const bytes = Buffer.from(`purged and uploaded ${n}`);
    const before = await client.upload(bytes, 'before.txt');
    await client.post('remove', { ids: [before.id] });
    const [after] = await Promise.all([client.upload(bytes, 'after.txt'), client.post('purge', { ids: [before.id] })]);
    const sent = await client.get(`items/${after.id}/content?download=true`);
    expect([sent.statusCode, sent.body]).toEqual([200, bytes.toString()]);
  }
});

test('contents that nothing uses are deleted the next day', async () => {
  const { sha256: hash } = await client.upload(Buffer.from('tea'), 'a.txt');
  const blob = (await queries.findBlob(t.ctx.postgres.db, siteId, hash)) as queries.BlobRow;
  const left = sha256(Buffer.from('left'));
  await queries.addBlob(t.ctx.postgres.db, { ...blob, sha256: left });
  await t.ctx.files.put(`resources/${siteId}/${left}/original`, Buffer.from('left'));
  await runSchedule(t.ctx, 'resources.sweep');
  expect(await t.ctx.files.folders(`resources/${siteId}`)).toHaveLength(2);
  await runSchedule(t.ctx, 'resources.sweep', 2 * 86_400_000);
  expect([await t.ctx.files.folders(`resources/${siteId}`), await queries.findBlob(t.ctx.postgres.db, siteId, left)]).toEqual([[hash], null]);
});

test('files of uploads without a row are swept away', async () => {
  const upload = idOf((await client.create(3, { name: 'a.txt' })).headers.location);
  await client.append(upload, 0, Buffer.from('te'));
  const left = '0198c0de-0000-7000-8000-000000000002';
  await t.ctx.files.put(`resource-uploads/${left}/content`, Buffer.from('left'));
  await runSchedule(t.ctx, 'resources.sweep');
  const folders = await t.ctx.files.folders('resource-uploads');
  expect([folders.includes(upload), folders.includes(left)]).toEqual([true, false]);
  await client.cancel(upload);
});
