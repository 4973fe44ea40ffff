import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { resourceAddress } from '../../contract/resources/addresses';
import { aliasAddress } from '../../contract/resources/alias';
import type { DeliveredVariant } from '../../contract/resources/addresses';
import type { Resource } from '../../contract/resources/schemas';
import type { SiteBase } from '../../contract/sites/base';
import type { Site } from '../../contract/sites/schemas';
import { startCollector } from '../../server/collect';
import type { Collector } from '../../server/collect';
import { createDelivery } from '../../server/delivery';
import { UnreadableImage } from '../../server/kit/images/imageProcess';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { until } from '../support/until';
import { photo, resourceClient } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let t: TestApp;
let owner: Person;
let collector: Collector;
let delivery: FastifyInstance;
let site: Site;
let host: string;
let client: ResourceClient;
beforeAll(async () => {
  t = await makeTestAppWithFolder({ config: { variantsMaxBytes: 1 } });
  owner = await t.signUpOwner();
  collector = await startCollector(t.ctx);
  delivery = await createDelivery(t.ctx, collector);
  site = await t.makeSite(owner, { name: 'Tea', slug: 'tea' });
  host = new URL(site.systemHost ?? '').hostname;
  client = resourceClient(owner, site.id);
  await until(async () => (await get('/')).statusCode === 200);
});
afterAll(async () => {
  await delivery.close();
  await collector.close();
  await t.close();
});

/** Begins at once, unlike `inject`. */
const get = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  delivery.inject({ method, url, headers: { host, ...headers } });
const statusOf = async (url: string, headers = {}): Promise<number> => (await get(url, headers)).statusCode;
const variantOf = (resource: Resource, preset: DeliveredVariant): string => resourceAddress({ ...resource, preset });
const sign = async (id: string, body: object): Promise<URL> => new URL(dataOf<{ address: string }>(await client.post(`items/${id}/address`, body)).address);

test('the alias shows the current version, the other address always the same', async () => {
  const before = await client.upload(Buffer.from('old'), '茶 #1%.txt');
  const first = await get(resourceAddress(before));
  expect([first.body, first.headers['cache-control']]).toEqual(['old', 'public, max-age=31536000, immutable']);
  const after = await client.upload(Buffer.from('new!'), 'b.txt', { replaces: before.id });
  const alias = await get(aliasAddress(after));
  expect([alias.body, alias.headers['cache-control']]).toEqual(['new!', 'public, no-cache']);
  expect(await statusOf(aliasAddress(after), { 'if-none-match': String(alias.headers.etag) })).toBe(304);
  expect([(await get(resourceAddress(before))).body, (await get(resourceAddress(after))).body]).toEqual(['old', 'new!']);
});

test('resources in the bin or of another version or site are not found', async () => {
  const resource = await client.upload(Buffer.from('tea'), 'a.txt');
  expect(await statusOf(resourceAddress({ ...resource, sha256: 'f'.repeat(64) }))).toBe(404);
  await t.makeSite(owner, { name: 'Other', slug: 'other' });
  await until(async () => (await statusOf('/', { host: 'other.localhost' })) === 200);
  const elsewhere = await get(resourceAddress(resource), { host: 'other.localhost' });
  expect([elsewhere.statusCode, elsewhere.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  await client.post('remove', { ids: [resource.id] });
  expect([await statusOf(resourceAddress(resource)), await statusOf(aliasAddress(resource))]).toEqual([404, 404]);
  expect((await get(resourceAddress(resource), {}, 'POST')).statusCode).toBe(405);
});

test('a private resource has only signed addresses', async () => {
  const { id } = await client.upload(Buffer.from('secret'), '报价 (1).txt');
  const resource = dataOf<Resource>(await client.change(id, 1, { visibility: 'private' }));
  expect([await statusOf(resourceAddress(resource)), await statusOf(aliasAddress(resource))]).toEqual([404, 404]);
  const { host: signedHost, pathname, search } = await sign(id, { expiresIn: 60 });
  expect(signedHost).toBe(new URL(site.systemHost ?? '').host);
  const sent = await get(pathname + search);
  expect(sent.headers).toMatchObject({
    'cache-control': expect.stringMatching(/^private, max-age=(60|59)$/) as string,
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(sent.body).toBe('secret');
  const changed = [search.replace(/e=\d+/, `e=${Math.floor(t.ctx.now() / 1000) + 90}`), search.replace('s=', 's=x'), `${search}&e=1`, '?e=1', '?s='];
  for (const query of changed) expect([query, await statusOf(pathname + query)]).toEqual([query, 404]);
  const other = await client.upload(Buffer.from('other'), 'b.txt');
  expect(await statusOf(resourceAddress(other) + search)).toBe(404);
  t.pass(61_000);
  expect(await statusOf(pathname + search)).toBe(404);
});

test('a signature is for one variant', async () => {
  const image = await client.upload(await photo(60, 40), 'a.jpg');
  const { pathname, search } = await sign(image.id, { preset: 'small', expiresIn: 3600 });
  expect(await statusOf(pathname + search)).toBe(200);
  expect(await statusOf(variantOf(image, 'original') + search)).toBe(404);
  const text = await client.upload(Buffer.from('tea'), 'a.txt');
  expect((await client.post(`items/${text.id}/address`, { preset: 'small', expiresIn: 3600 })).statusCode).toBe(404);
  expect((await client.post(`items/${text.id}/address`, { expiresIn: 59 })).statusCode).toBe(422);
});

test('a signed address may name the download, which cannot be changed', async () => {
  const { id } = await client.upload(Buffer.from('%PDF-1.7\n%%EOF'), 'a.pdf');
  const { pathname, search } = await sign(id, { expiresIn: 3600, downloadAs: '报价 & 1.pdf' });
  const sent = await get(pathname + search);
  expect([sent.statusCode, sent.headers['content-disposition']]).toEqual([
    200,
    'attachment; filename="__ & 1.pdf"; filename*=UTF-8\'\'%E6%8A%A5%E4%BB%B7%20%26%201.pdf',
  ]);
  for (const query of [search.replace(/&n=.*/, '&n=virus.exe'), search.replace(/&n=.*/, '')]) expect(await statusOf(pathname + query)).toBe(404);
});

test('variants have the best accepted format, and crops follow the focal point', async () => {
  const image = await client.upload(await photo(800, 400), 'a.jpg');
  const formats = ['image/avif,image/webp,*/*', 'image/webp', '*/*'].map((accept) => get(variantOf(image, 'small'), { accept }));
  for (const [index, sent] of (await Promise.all(formats)).entries()) {
    expect(sent.headers).toMatchObject({
      'content-type': ['image/avif', 'image/webp', 'image/jpeg'][index],
      vary: 'accept',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await sharp(sent.rawPayload).metadata()).width).toBe(640);
  }
  const moved = dataOf<Resource>(await client.change(image.id, 1, { focalX: 0 }));
  const caching = async (address: string) => (await get(address)).headers['cache-control'];
  expect([await caching(variantOf(moved, 'square')), await caching(variantOf(image, 'square'))]).toEqual([
    'public, max-age=31536000, immutable',
    'public, no-cache',
  ]);
});

test('a turned and cropped image has other addresses, and earlier ones are not cached', async () => {
  const image = await client.upload(await photo(80, 40), 'a.jpg');
  const crop = { x: 0, y: 0.25, width: 1, height: 0.5 };
  const edited = dataOf<Resource>(await client.change(image.id, 1, { rotation: 90, crop }));
  expect(edited).toMatchObject({ width: 40, height: 40, originalWidth: 80, originalHeight: 40, rotation: 90, crop });
  const sizeAt = async (address: string) => {
    const { rawPayload, headers } = await get(address, { accept: 'image/webp' });
    const { width, height } = await sharp(rawPayload).metadata();
    return [width, height, headers['cache-control']];
  };
  expect(await sizeAt(variantOf(edited, 'small'))).toEqual([40, 40, 'public, max-age=31536000, immutable']);
  expect(await sizeAt(variantOf(image, 'small'))).toEqual([40, 40, 'public, no-cache']);
  expect(await sizeAt(aliasAddress(edited))).toEqual([40, 40, 'public, no-cache']);
  const replaced = await client.upload(await photo(60, 30, '#102030'), 'b.jpg', { replaces: image.id });
  expect(replaced).toMatchObject({ rotation: 0, crop: null, width: 60 });
  expect(await sizeAt(variantOf(edited, 'small'))).toEqual([40, 40, 'public, max-age=31536000, immutable']);
  expect(await sizeAt(aliasAddress(replaced))).toEqual([60, 30, 'public, no-cache']);
  const preview = await client.get(`items/${image.id}/variant?plain=true&v=${image.sha256.slice(0, 8)}`, { accept: 'image/webp' });
  expect((await sharp(preview.rawPayload).metadata()).width).toBe(80);
});

test('the position in a photo does not leave, not even with the original', async () => {
  const bytes = await photo(300, 200);
  expect(bytes.includes('Exif')).toBe(true);
  const image = await client.upload(bytes, 'a.jpg');
  for (const address of [aliasAddress(image), variantOf(image, 'original'), variantOf(image, 'large')]) {
    const { rawPayload } = await get(address);
    const metadata = await sharp(rawPayload).metadata();
    expect([address, metadata.width, metadata.exif, rawPayload.includes('Exif')]).toEqual([address, 300, undefined, false]);
  }
  const webp = await sharp(bytes).keepMetadata().webp().toBuffer();
  const other = await client.upload(webp, 'a.webp');
  expect([webp.includes('EXIF'), other.hasGps]).toEqual([true, true]);
  const sent = await get(aliasAddress(other));
  expect([sent.headers['content-type'], sent.rawPayload.includes('EXIF')]).toEqual(['image/webp', false]);
});

test('only what browsers show safely is shown in place', async () => {
  const headersOf = async (content: string, name: string) => (await get(resourceAddress(await client.upload(Buffer.from(content), name)))).headers;
  const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
  const image = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>';
  const svg = await get(resourceAddress(await client.upload(Buffer.from(image), 'a.svg')));
  expect([svg.headers['content-type'], svg.headers['content-disposition'], svg.headers['content-security-policy']]).toEqual([
    'image/svg+xml',
    undefined,
    sandbox,
  ]);
  expect(svg.body).toMatch(/^<svg (?!.*script)/);
  const page = await headersOf('<html><script>alert(1)</script>', '茶.html');
  expect([page['content-type'], page['content-security-policy']]).toEqual(['text/plain', sandbox]);
  expect(page['content-disposition']).toMatch(/^attachment; .*filename\*=UTF-8''%E8%8C%B6\.html$/);
  const quoted = await headersOf('tea', 'a"; filename="b.html; x.txt');
  expect(quoted['content-disposition']).toBe(`attachment; filename="a_; filename=_b.html; x.txt"; filename*=UTF-8''a%22%3B%20filename%3D%22b.html%3B%20x.txt`);
  const pdf = await headersOf('%PDF-1.7\n%%EOF', 'a.pdf');
  expect([pdf['content-type'], pdf['content-disposition'], pdf['content-security-policy']]).toEqual(['application/pdf', undefined, "script-src 'none'"]);
});

test('ranges, validators and HEAD follow the standard', async () => {
  const address = resourceAddress(await client.upload(Buffer.from('0123456789'), 'digits.txt'));
  const etag = String((await get(address)).headers.etag);
  const answers = [
    { range: 'bytes=2-4' },
    { range: 'bytes=-3' },
    { range: 'bytes=10-' },
    { range: 'bytes=2-4', 'if-range': etag },
    { range: 'bytes=2-4', 'if-range': '"x"' },
    { range: 'bytes=0-1,3-4' },
    { range: `bytes=${'0-,'.repeat(1000)}0-` },
    { range: 'bytes=4-2' },
  ].map((headers) => get(address, headers as Record<string, string>));
  expect((await Promise.all(answers)).map(({ statusCode, body }) => [statusCode, body])).toEqual([
    [206, '234'],
    [206, '789'],
    [416, ''],
    [206, '234'],
    [200, '0123456789'],
    [200, '0123456789'],
    [200, '0123456789'],
    [416, ''],
  ]);
  const head = await get(address, {}, 'HEAD');
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10']);
});

test('more variants than can wait are refused with a time to try again', async () => {
  const images = await Promise.all([1, 2].map((n) => photo(30 + n, 20).then((bytes) => client.upload(bytes, `${n}.jpg`))));
  const { variant } = t.ctx.images;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const started = new Promise<void>((resolve) =>
    Object.assign(t.ctx.images, { variant: (...call: Parameters<typeof variant>) => (resolve(), released.then(() => variant(...call))) }),
  );
  // As many bytes as are computed at a time belong to the first.
  await t.stores.postgres.pool.query('UPDATE blobs SET bytes = $1 WHERE sha256 = $2', [128 * 1024 ** 2, images[0]?.sha256]);
  const first = get(variantOf(images[0] as Resource, 'small'));
  await started;
  const refused = await get(variantOf(images[1] as Resource, 'small'));
  release();
  Object.assign(t.ctx.images, { variant });
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } });
  expect((await first).statusCode).toBe(200);
});

test('an address that has too many variants computed must wait', async () => {
  const image = await client.upload(await photo(30, 20), 'a.jpg');
  const { variant } = t.ctx.images;
  Object.assign(t.ctx.images, { variant: async () => ({ data: Buffer.alloc(0), width: 1, height: 1 }) });
  const put = t.ctx.files.put;
  Object.assign(t.ctx.files, { put: async () => undefined });
  const statuses = new Set<number>();
  for (let n = 0; n < 245 && !statuses.has(429); n += 1) statuses.add(await statusOf(variantOf(image, 'small')));
  Object.assign(t.ctx.images, { variant });
  Object.assign(t.ctx.files, { put });
  expect(statuses.has(429)).toBe(true);
});

test('a variant that cannot be computed is not tried again at once', async () => {
  const image = await client.upload(await photo(35, 25), 'a.jpg');
  const { variant } = t.ctx.images;
  let tries = 0;
  const refuse = async () => ((tries += 1), Promise.reject(new UnreadableImage('timeout')));
  Object.assign(t.ctx.images, { variant: refuse });
  const own = await createDelivery(t.ctx, collector);
  const status = async (preset: DeliveredVariant) => (await own.inject({ url: variantOf(image, preset), headers: { host } })).statusCode;
  expect([await status('small'), await status('small'), await status('medium'), tries]).toEqual([404, 404, 404, 2]);
  Object.assign(t.ctx.images, { variant });
  expect(await status('small')).toBe(404);
  t.pass(600_000);
  expect(await status('small')).toBe(200);
  await own.close();
});

test('the least recently used variants beyond the budget are deleted', async () => {
  const image = await client.upload(await photo(70, 50), 'a.jpg');
  const preview = (preset: string) => client.get(`items/${image.id}/variant?preset=${preset}`, { accept: 'image/webp' });
  for (const preset of ['thumbnail', 'small']) expect((await preview(preset)).statusCode).toBe(200);
  const key = (preset: string) => t.ctx.files.stat(`resources/${site.id}/${image.sha256}/${preset}.webp`);
  expect([await key('thumbnail'), await key('small')].filter((stat) => stat === null)).toEqual([]);
  const { rows } = await t.stores.postgres.pool.query<{ bytes: number }>(
    `UPDATE resource_variants SET last_used_at = now() + interval '1 day' WHERE sha256 = $1 AND name = 'small.webp' RETURNING bytes::int`,
    [image.sha256],
  );
  Object.assign(t.ctx.config, { variantsMaxBytes: rows[0]?.bytes });
  await runSchedule(t.ctx, 'resources.variants');
  expect([await key('thumbnail'), (await key('small'))?.size]).toEqual([null, rows[0]?.bytes]);
  expect((await preview('thumbnail')).statusCode).toBe(200);
});

test('downloads are counted, but not variants, HEAD and later ranges', async () => {
  const image = await client.upload(
    await sharp(await photo(40, 30))
      .png()
      .toBuffer(),
    'a.png',
  );
  const own = await createDelivery(t.ctx, collector);
  const request = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') => own.inject({ method, url, headers: { host, ...headers } });
  await request(resourceAddress(image));
  await request(aliasAddress(image), { range: 'bytes=0-9' });
  await request(aliasAddress(image), { range: 'bytes=5-9' });
  await request(aliasAddress(image), {}, 'HEAD');
  await request(variantOf(image, 'small'));
  await own.close();
  expect(await client.read(image.id)).toMatchObject({ downloads: 2, revision: 1, lastDownloadedAt: expect.stringMatching(/^20/) as string });
});

test('the console delivers resources of sites that are hosted elsewhere', async () => {
  const external = await t.makeSite(owner, { name: 'Shop', slug: 'shop', purpose: 'external', url: 'https://shop.example/' });
  const resource = await resourceClient(owner, external.id).upload(Buffer.from('tea'), 'a.txt');
  const sent = await t.app.inject({ url: resourceAddress(resource) });
  expect([sent.statusCode, sent.body, sent.headers['content-security-policy']]).toEqual([200, 'tea', "default-src 'none'; style-src 'unsafe-inline'; sandbox"]);
  const delivered = await client.upload(Buffer.from('tea'), 'a.txt');
  expect((await t.app.inject({ url: resourceAddress(delivered) })).statusCode).toBe(404);
});

test('a preview of a private site loads its files, and no later one', async () => {
  const closed = await t.makeSite(owner, { name: 'Closed', slug: 'closed' });
  const resource = await resourceClient(owner, closed.id).upload(Buffer.from('tea'), 'a.txt');
  const settings = `/api/site/${closed.id}/setting`;
  const { name, slug, defaultLang, timeZone, maintenance, revision } = dataOf<SiteBase>(await owner.get(`${settings}/base`));
  const base = { name, slug, defaultLang, timeZone, maintenance, visibility: 'private' };
  await owner.send('PUT', `${settings}/base`, base, { 'if-match': `"${revision}"` });
  const file = (referer?: string) => statusOf(resourceAddress(resource), { host: 'closed.localhost', ...(referer !== undefined && { referer }) });
  await until(async () => (await file()) === 403);
  const { address } = dataOf<{ address: string }>(await owner.send('POST', `${settings}/preview`, { expiresIn: 600 }));
  expect([await file(`${address}/about`), await file(address.replace(/.$/, '~')), await file('about:blank')]).toEqual([200, 403, 403]);
  t.pass(601_000);
  expect(await file(`${address}/about`)).toBe(403);
});

test('an archived site delivers no resources', async () => {
  const resource = await client.upload(Buffer.from('tea'), 'a.txt');
  await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'archived' });
  await until(async () => (await statusOf(resourceAddress(resource))) === 404);
  await owner.send('POST', `/api/core/sites/${site.id}/state`, { to: 'open' });
  await until(async () => (await statusOf(resourceAddress(resource))) === 200);
});
