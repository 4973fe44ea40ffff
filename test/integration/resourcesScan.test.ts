import { readFile } from 'node:fs/promises';
import { blobLock } from '../../server/areas/resources/files';
import { blockContent } from '../../server/areas/resources/scan';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { startFakeScanner, threat } from '../support/fakeScanner';
import type { FakeScanner } from '../support/fakeScanner';
import { until } from '../support/until';
import { photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let t: TestApp;
let owner: Person;
let siteId: string;
let client: ResourceClient;
let scanner: FakeScanner;

beforeAll(async () => {
  scanner = await startFakeScanner();
  t = await makeTestAppWithFolder();
  owner = await t.signUpOwner();
});
beforeEach(async () => {
  siteId = (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' })).id;
  client = resourceClient(owner, siteId);
  configure({ scanner: scanner.address, scanRequired: true });
  Object.assign(scanner, { behaviour: 'answer', limit: 2 ** 30 });
});
afterAll(async () => {
  await t.close();
  await scanner.close();
});

const configure = (config: Partial<TestApp['ctx']['config']>): void => void Object.assign(t.ctx.config, config);
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

test('a file waits until the scanner is back, and is listed then', async () => {
  scanner.behaviour = 'disconnect';
  const bytes = Buffer.from(`waiting for the scanner ${siteId}`);
  await expect(client.upload(bytes, 'a.txt')).rejects.toThrow('unavailable');
  await runSchedule(t.ctx, 'resources.uploads', 61_000);
  expect((await client.list()).total).toBe(0);
  scanner.behaviour = 'answer';
  await runSchedule(t.ctx, 'resources.uploads', 61_000);
  expect((await client.list()).rows.map(({ name, scan }) => [name, scan])).toEqual([['a.txt', 'clean']]);
});

test('a file that waits for the scanner is read to the end only once', async () => {
  configure({ scanner: { path: '/nowhere/clamd.sock' } });
  const { read } = t.ctx.files;
  let reads = 0;
  Object.assign(t.ctx.files, {
    read: (...call: Parameters<typeof read>) => ((reads += /^resource-uploads\/[^/]+\/content$/.test(call[0]) ? 1 : 0), read(...call)),
  });
  const bytes = Buffer.from(`read once ${siteId}`);
  await expect(client.upload(bytes, 'a.txt')).rejects.toThrow('unavailable');
  expect(reads).toBe(1);
  for (let n = 0; n < 3; n += 1) await runSchedule(t.ctx, 'resources.uploads', 61_000);
  expect(reads).toBe(1);
  Object.assign(t.ctx.files, { read });
  configure({ scanner: scanner.address });
  await runSchedule(t.ctx, 'resources.uploads', 61_000);
  expect((await client.list()).rows.map(({ sha256: hash, scan }) => [hash, scan])).toEqual([[sha256(bytes), 'clean']]);
  expect(await t.ctx.files.folders('resource-uploads')).toEqual([]);
});

test('where files need not wait, they are scanned later and then blocked', async () => {
  configure({ scanRequired: false });
  scanner.behaviour = 'disconnect';
  const good = await client.upload(Buffer.from(`good ${siteId}`), 'good.txt');
  const bad = await client.upload(infected(), 'bad.txt');
  expect([good.scan, bad.scan, await statusOf(`/_r/${bad.id}/bad.txt`)]).toEqual([null, null, 200]);
  await runSchedule(t.ctx, 'resources.scan');
  expect((await client.read(bad.id)).scan).toBeNull();
  scanner.behaviour = 'answer';
  await runSchedule(t.ctx, 'resources.scan');
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
  await runSchedule(t.ctx, 'resources.scan');
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

/** An image with a threat behind its data, as a scanner finds it and a decoder does not. */
const infectedPhoto = async (): Promise<Buffer> => Buffer.concat([await photo(40, 30), infected()]);

test('a stored file that is found infected when sent again is removed', async () => {
  configure({ scanner: null });
  const bytes = await infectedPhoto();
  const first = await client.upload(bytes, 'a.jpg');
  expect([first.kind, await statusOf(`${client.base}/items/${first.id}/variant`)]).toEqual(['image', 200]);
  configure({ scanner: scanner.address });
  await client.upload(bytes, 'b.jpg');
  expect(await keysOf(first.sha256)).toEqual(['threat']);
  expect(await client.read(first.id)).toMatchObject({ kind: 'attachment', scan: 'infected' });
});

test('a content that is blocked while it is uploaded again stays blocked', async () => {
  configure({ scanner: null });
  const bytes = await photo(31, 20);
  const first = await client.upload(bytes, 'a.jpg');
  configure({ scanner: scanner.address });
  const before = scanner.scanned.length;
  const uploading = await t.ctx.postgres.withLock(blobLock(siteId, first.sha256), async () => {
    const upload = client.upload(bytes, 'b.jpg');
    // The scanner passes the upload, which then waits for the lock; elsewhere, it finds something.
    await until(() => scanner.scanned.length > before);
    await blockContent(t.ctx, siteId, first.sha256, 'Win.Test');
    return { upload };
  });
  const second = await uploading.upload;
  for (const { id } of [first, second]) {
    expect(await client.read(id)).toMatchObject({ kind: 'attachment', scan: 'infected' });
    expect(await statusOf(`/_r/${id}/a.jpg`)).toBe(404);
  }
  expect(await keysOf(first.sha256)).toEqual(['threat']);
  // Whoever uploads it later has it scanned anew.
  expect((await client.upload(bytes, 'c.jpg')).scan).toBe('clean');
  expect(await statusOf(`/_r/${first.id}/a.jpg`)).toBe(200);
});

test('a variant that is computed while its image is blocked is not stored', async () => {
  configure({ scanner: null });
  const image = await client.upload(await infectedPhoto(), 'a.jpg');
  const { variant } = t.ctx.images;
  const slow: typeof variant = async (...request) => {
    const result = await variant(...request);
    configure({ scanner: scanner.address });
    await runSchedule(t.ctx, 'resources.scan');
    return result;
  };
  Object.assign(t.ctx.images, { variant: slow });
  try {
    expect(await statusOf(`${client.base}/items/${image.id}/variant`)).toBe(404);
  } finally {
    Object.assign(t.ctx.images, { variant });
  }
  expect(await keysOf(image.sha256)).toEqual(['threat']);
});

test('a poster is scanned like an upload', async () => {
  const video = await client.upload(await readFile('test/support/tiny.mp4'), 'tea.mp4');
  const setPoster = async (image: Buffer): Promise<number> =>
    (await owner.send('PUT', `${client.base}/items/${video.id}/poster`, { image: image.toString('base64') })).statusCode;
  const bad = await infectedPhoto();
  expect(await setPoster(bad)).toBe(422);
  scanner.behaviour = 'disconnect';
  expect(await setPoster(await photo(41, 30))).toBe(503);
  scanner.behaviour = 'answer';
  // Its content is known as infected, and stays away even without a scanner.
  await client.upload(bad, 'bad.jpg');
  configure({ scanner: null });
  expect([await setPoster(bad), await keysOf(sha256(bad))]).toEqual([422, ['threat']]);
  expect((await client.read(video.id)).posterSha256).toBeNull();
});

test('the source of a blocked SVG is closed', async () => {
  const svg = await client.upload(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><title>${siteId}</title></svg>`), 'a.svg');
  expect(await statusOf(`${client.base}/items/${svg.id}/svg`)).toBe(200);
  await t.stores.postgres.pool.query("UPDATE blobs SET scan = 'too_large' WHERE sha256 = $1", [svg.sha256]);
  expect(await statusOf(`${client.base}/items/${svg.id}/svg`)).toBe(404);
  expect((await client.post('sprite', { ids: [svg.id], currentColor: false })).statusCode).toBe(404);
});
