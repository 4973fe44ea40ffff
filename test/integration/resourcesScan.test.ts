import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { area } from '../../server/areas/resources';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { startFakeScanner, threat } from '../support/fakeScanner';
import type { FakeScanner } from '../support/fakeScanner';
import { photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let t: TestApp;
let dataDir: string;
let owner: Person;
let siteId: string;
let client: ResourceClient;
let scanner: FakeScanner;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'scan-'));
  scanner = await startFakeScanner();
  t = await makeTestApp({ config: { dataDir } });
  owner = await t.signUpOwner();
});
beforeEach(async () => {
  siteId = (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' })).id;
  client = resourceClient(owner, siteId);
  configure({ scanner: scanner.address, scanRequired: true });
  Object.assign(scanner, { behaviour: 'answer', limit: 2 ** 30 });
});
afterAll(async () => {
  t.ctx.images.close();
  await t.close();
  await scanner.close();
  await rm(dataDir, { recursive: true });
});

const configure = (config: Partial<TestApp['ctx']['config']>): void => void Object.assign(t.ctx.config, config);
const run = (name: string, ahead = 0): Promise<void> =>
  area.schedules?.find((one) => one.name === name)?.run({ ...t.ctx, now: () => t.ctx.now() + ahead }) as Promise<void>;
const statusOf = async (url: string): Promise<number> => (await owner.get(url)).statusCode;
const keysOf = async (hash: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of t.ctx.files.list(`resources/${siteId}/${hash}`)) keys.push(key.split('/').at(-1) ?? '');
  return keys;
};
const infected = (text = ''): Buffer => Buffer.from(`${threat} ${text} ${siteId}`);

test('an infected file is listed as blocked, stored nowhere and delivered to nobody', async () => {
  const bytes = infected();
  const resource = await client.upload(bytes, 'invoice.txt');
  expect(resource).toMatchObject({ kind: 'attachment', scan: 'infected', sha256: sha256(bytes) });
  expect((await client.get(`items/${resource.id}/scan`)).json()).toEqual({ data: { result: 'infected', threat: 'Win.Test.EICAR_HDB-1' } });
  expect(await keysOf(sha256(bytes))).toEqual(['threat']);
  expect(await statusOf(`${client.base}/items/${resource.id}/content?download=true`)).toBe(404);
  expect(await statusOf(`/_r/${resource.id}/invoice.txt`)).toBe(404);
  expect((await client.post(`items/${resource.id}/address`, { expiresIn: 3600 })).statusCode).toBe(404);
  // It can be deleted, and nothing remains.
  await client.post('remove', { ids: [resource.id] });
  await client.post('purge', { ids: [resource.id] });
  expect(await keysOf(sha256(bytes))).toEqual([]);
});

test('a clean file is delivered, and its content is not scanned twice', async () => {
  const bytes = await photo(30, 20);
  const first = await client.upload(bytes, 'a.jpg');
  expect([first.scan, first.width]).toEqual(['clean', 30]);
  const before = scanner.scanned.length;
  expect((await client.upload(bytes, 'b.jpg')).scan).toBe('clean');
  expect(scanner.scanned).toHaveLength(before);
  expect(await statusOf(`/_r/${first.id}/a.jpg`)).toBe(200);
});

test('a replacement that is infected blocks the current version only', async () => {
  const resource = await client.upload(Buffer.from(`tea ${siteId}`), 'a.txt');
  await client.upload(infected(), 'a.txt', { replaces: resource.id });
  expect(await statusOf(`/_r/${resource.id}/a.txt`)).toBe(404);
  expect(await statusOf(`/_r/${resource.id}/${resource.sha256.slice(0, 8)}/original/a.txt`)).toBe(200);
});

test('a file waits while the scanner is away, and is listed as soon as it is back', async () => {
  scanner.behaviour = 'disconnect';
  const bytes = Buffer.from(`waiting for the scanner ${siteId}`);
  await expect(client.upload(bytes, 'a.txt')).rejects.toThrow('unavailable');
  await run('resources.uploads', 61_000);
  expect((await client.list()).total).toBe(0);
  scanner.behaviour = 'answer';
  await run('resources.uploads', 61_000);
  expect((await client.list()).rows.map(({ name, scan }) => [name, scan])).toEqual([['a.txt', 'clean']]);
});

test('where files need not wait, they are scanned later and then blocked', async () => {
  configure({ scanRequired: false });
  scanner.behaviour = 'disconnect';
  const good = await client.upload(Buffer.from(`good ${siteId}`), 'good.txt');
  const bad = await client.upload(infected(), 'bad.txt');
  expect([good.scan, bad.scan, await statusOf(`/_r/${bad.id}/bad.txt`)]).toEqual([null, null, 200]);
  await run('resources.scan');
  expect((await client.read(bad.id)).scan).toBeNull();
  scanner.behaviour = 'answer';
  await run('resources.scan');
  expect([(await client.read(good.id)).scan, (await client.read(bad.id)).scan]).toEqual(['clean', 'infected']);
  expect([await statusOf(`/_r/${good.id}/good.txt`), await statusOf(`/_r/${bad.id}/bad.txt`)]).toEqual([200, 404]);
  expect(await keysOf(bad.sha256)).toEqual(['threat']);
});

test('a block that a crash interrupted is completed', async () => {
  configure({ scanner: null });
  const bad = await client.upload(infected(), 'bad.txt');
  await t.ctx.files.put(`resources/${siteId}/${bad.sha256}/threat`, Buffer.from('Win.Test'));
  await t.ctx.files.remove(`resources/${siteId}/${bad.sha256}/original`);
  configure({ scanner: scanner.address });
  await run('resources.scan');
  expect((await client.read(bad.id)).scan).toBe('infected');
  expect((await client.get(`items/${bad.id}/scan`)).json()).toMatchObject({ data: { threat: 'Win.Test' } });
});

test('a file that the scanner does not take is blocked or delivered, as configured', async () => {
  scanner.limit = 10;
  const blocked = await client.upload(Buffer.from(`too large for it ${siteId}`), 'a.txt');
  expect([blocked.scan, await statusOf(`/_r/${blocked.id}/a.txt`)]).toEqual(['too_large', 404]);
  configure({ scanRequired: false });
  const skipped = await client.upload(Buffer.from(`too large as well ${siteId}`), 'b.txt');
  expect([skipped.scan, await statusOf(`/_r/${skipped.id}/b.txt`)]).toEqual(['skipped', 200]);
});

test('a false alarm ends when the file is uploaded again', async () => {
  const bytes = infected();
  const resource = await client.upload(bytes, 'a.txt');
  const known = await client.post('known', { name: 'b.txt', size: bytes.length, sha256: sha256(bytes) });
  expect(known.json()).toEqual({ data: { resource: null } });
  configure({ scanner: null });
  expect((await client.upload(bytes, 'b.txt')).scan).toBeNull();
  expect((await client.read(resource.id)).contentType).toBe('text/plain');
  expect(await statusOf(`${client.base}/items/${resource.id}/content`)).toBe(200);
});
