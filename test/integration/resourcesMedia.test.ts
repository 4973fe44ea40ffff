import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { captionAddress, posterAddress } from '../../contract/resources/addresses';
import type { Resource } from '../../contract/resources/schemas';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let t: TestApp;
let owner: Person;
let siteId: string;
let client: ResourceClient;
let other: ResourceClient;
let mp4: Buffer;
beforeAll(async () => {
  t = await makeTestAppWithFolder();
  owner = await t.signUpOwner();
  await t.stores.postgres.pool.query("UPDATE users SET locale = 'en'");
  siteId = (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/' })).id;
  client = resourceClient(owner, siteId);
  other = resourceClient(owner, (await t.makeSite(owner, { name: 'Other', slug: 'other' })).id);
  mp4 = await readFile('test/support/tiny.mp4');
});
afterAll(async () => {
  await t.close();
});

const preview = (id: string, headers = {}) => client.get(`items/${id}/preview`, headers);
/** What a preview shows, without its markup. */
const bodyOf = async (bytes: Buffer, name: string): Promise<string> => {
  const { body } = await preview((await client.upload(bytes, name)).id);
  return body.slice(body.indexOf('<body>'));
};

type Entry = { readonly name: string | Buffer; readonly size?: number; readonly packed?: number; readonly flags?: number };
/** A zip archive with a directory and no contents. */
function zipOf(entries: readonly Entry[]): Buffer {
  const local = Buffer.alloc(30);
  local.write('PK\u0003\u0004', 'latin1');
  const directory = entries.map(({ name, size = 1, packed = 1, flags = 0 }) => {
    const bytes = Buffer.from(name as string);
    const entry = Buffer.alloc(46 + bytes.length);
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(bytes.length, 28);
    bytes.copy(entry, 46);
    return entry;
  });
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, all, end]);
}
const gbk = Buffer.from([0xb2, 0xe8, 0xd2, 0xb6]);

describe('a preview', () => {
  test('runs nothing and stays within the console', async () => {
    const page = await client.upload(Buffer.from('<script>alert(1)</script><img src=x onerror=alert(2)>\u202e'), '<b>.html');
    const { statusCode, headers, body } = await preview(page.id);
    expect([statusCode, headers['content-type'], headers['content-security-policy']]).toEqual([
      200,
      'text/html; charset=utf-8',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    ]);
    expect(body).toContain('<pre>&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;\uFFFD</pre>');
    expect(body).toContain('<title>&lt;b&gt;.html</title>');
    expect((await other.get(`items/${page.id}/preview`)).statusCode).toBe(404);
    expect((await t.app.inject({ url: `${client.base}/items/${page.id}/preview` })).statusCode).toBe(401);
  });

  test('of a PDF is the file in the same policy, with ranges', async () => {
    const { id } = await client.upload(Buffer.from('%PDF-1.7\n%%EOF'), 'a.pdf');
    const sent = await preview(id, { range: 'bytes=0-3' });
    expect([sent.statusCode, sent.body, sent.headers['content-type']]).toEqual([206, '%PDF', 'application/pdf']);
    expect(sent.headers['content-security-policy']).toMatch(/sandbox; frame-ancestors 'self'$/);
  });

  test('shows text and tables in their encoding', async () => {
    expect(await bodyOf(gbk, 'a.txt')).toContain('<pre>茶叶</pre>');
    const table = await bodyOf(Buffer.concat([Buffer.from('name;price\n"a;\n<b>";1\n'), gbk, Buffer.from(';2\n')]), 'a.csv');
    expect(table).toContain('<th>name</th><th>price</th>');
    expect(table).toContain('<td>a;\n&lt;b&gt;</td><td>1</td>');
    expect(table).toContain('<td>茶叶</td><td>2</td>');
  });

  test('of a long file is its beginning', async () => {
    const text = await bodyOf(Buffer.alloc(300_000, '茶'), 'long.txt');
    expect([text.slice(0, 60), text.includes('\uFFFD')]).toEqual([expect.stringContaining('The first 256 KB of 293 KB'), false]);
    const rows = await bodyOf(Buffer.from('a,b\n'.repeat(5000)), 'long.csv');
    expect([rows.match(/<tr>/g)?.length, rows.includes('The first 100 rows')]).toEqual([100, true]);
    expect(await bodyOf(Buffer.from('"open'), 'broken.csv')).toContain('<th>&quot;open</th>');
  });

  test('lists an archive without unpacking it', async () => {
    const bomb = zipOf([
      { name: '../../etc/passwd', size: 4_000_000_000, packed: 4_000_000 },
      { name: 'folder/', size: 0, packed: 0 },
      { name: gbk },
      { name: '🍵 <b>.txt', flags: 0x801 },
      { name: 'C:\\a\u0000.exe' },
    ]);
    const list = await bodyOf(bomb, 'bomb.zip');
    expect(list).toContain('4 files, 1 folder · 3.7 GB unpacked, ratio 1,000 : 1');
    expect(list).toMatch(/<bdi>\.\.\/\.\.\/etc\/passwd<\/bdi><em>Unsafe path<\/em>/);
    expect(list).toContain('<bdi>茶叶</bdi>');
    expect(list).toContain('<bdi>🍵 &lt;b&gt;.txt</bdi><em>Encrypted</em>');
    expect(list).toContain('<bdi>C:\\a\uFFFD.exe</bdi><em>Unsafe path</em>');
    expect(await bodyOf(bomb.subarray(0, -30), 'cut.zip')).toContain('damaged or incomplete');
    const many = await bodyOf(zipOf(Array.from({ length: 1200 }, (_, n) => ({ name: `${n}.txt` }))), 'many.zip');
    expect([many.match(/<bdi>/g)?.length, many.includes('1200 files')]).toEqual([1000, true]);
    // Names of 60 KB: eight megabytes of the directory are read.
    const wide = await bodyOf(zipOf(Array.from({ length: 200 }, (_, n) => ({ name: `${n}`.repeat(60_000).slice(0, 60_000) }))), 'wide.zip');
    expect([wide.match(/<bdi>/g)?.length, wide.includes('only the first 140 were counted')]).toEqual([140, true]);
  });

  test('does not exist of an image and of unknown content', async () => {
    for (const bytes of [await photo(30, 20), Buffer.from([0, 1, 2])]) expect((await preview((await client.upload(bytes, 'a.txt')).id)).statusCode).toBe(404);
  });
});

test('a video states size, duration and codecs; a truncated or false one states nothing', async () => {
  expect(await client.upload(mp4, 'tea.mp4')).toMatchObject({
    kind: 'video',
    width: 32,
    height: 24,
    durationMs: 1000,
    media: { container: 'mp4', videoCodec: expect.stringMatching(/^avc1\.64/) as string, audioCodec: null, frameRate: 5 },
  });
  for (let cut = 100; cut < mp4.length; cut += 150)
    expect(await client.upload(mp4.subarray(0, cut), 'cut.mp4')).toMatchObject({ kind: 'video', posterSha256: null });
  const lying = Buffer.from(mp4);
  lying.writeUInt32BE(0xffffffff, lying.indexOf('moov') - 4);
  expect(await client.upload(lying, 'lying.mp4')).toMatchObject({ kind: 'video', media: null, durationMs: null });
});

const setPoster = (id: string, image: Buffer, to = client) => owner.send('PUT', `${to.base}/items/${id}/poster`, { image: image.toString('base64') });

describe('a poster', () => {
  test('stands for the video in the console and on the site', async () => {
    const video = await client.upload(mp4, 'tea.mp4');
    expect((await client.get(`items/${video.id}/variant`)).statusCode).toBe(404);
    const image = await photo(80, 60, '#804020');
    const after = dataOf<Resource>(await setPoster(video.id, image));
    expect(after).toMatchObject({ posterSha256: sha256(image), revision: video.revision + 1, sha256: video.sha256 });
    const address = posterAddress({ ...after, posterSha256: sha256(image) }, 'medium');
    for (const sent of [await client.get(`items/${video.id}/variant`), await t.app.inject({ url: address })]) {
      expect(sent.statusCode).toBe(200);
      const { width, exif } = await sharp(sent.rawPayload).metadata();
      expect([width, exif]).toEqual([80, undefined]);
    }
    await client.change(video.id, after.revision, { visibility: 'private' });
    expect((await t.app.inject({ url: address })).statusCode).toBe(404);
  });

  test('that is replaced is deleted, unless something else uses it', async () => {
    const [first, second] = [await photo(81, 60), await photo(82, 60)];
    const copy = await client.upload(second, 'second.jpg');
    const video = await client.upload(mp4, 'tea.mp4');
    for (const image of [first, second]) await setPoster(video.id, image);
    const isStored = async (image: Buffer) => (await t.ctx.files.stat(`resources/${siteId}/${sha256(image)}/original`)) !== null;
    expect([await isStored(first), await isStored(second)]).toEqual([false, true]);
    expect(dataOf<Resource>(await owner.send('DELETE', `${client.base}/items/${video.id}/poster`)).posterSha256).toBeNull();
    await setPoster(video.id, first);
    for (const step of ['remove', 'purge']) await client.post(step, { ids: [copy.id, video.id] });
    expect([await isStored(first), await isStored(second)]).toEqual([false, false]);
  });

  test('is an image of a video of the site', async () => {
    const video = await client.upload(mp4, 'tea.mp4');
    const image = await photo(30, 20);
    for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), image.subarray(0, 300), Buffer.from('tea')])
      expect((await setPoster(video.id, bytes)).statusCode).toBe(422);
    expect((await setPoster(video.id, image, other)).statusCode).toBe(404);
    expect((await setPoster((await client.upload(image, 'a.jpg')).id, image)).statusCode).toBe(404);
    expect((await setPoster(video.id, Buffer.alloc(4 * 1024 * 1024))).statusCode).toBe(413);
  });
});

const source = 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n茶 & <b>tea</b>\n';
const save = (id: string, body: object, track = 'zh-Hans/subtitles', to = client) =>
  owner.send('PUT', `${to.base}/items/${id}/captions/${track}`, { label: '中文', source, revision: 0, ...body });

describe('captions', () => {
  test('are delivered to pages of any origin, and change with their revision', async () => {
    const video = await client.upload(mp4, 'tea.mp4');
    expect(dataOf(await save(video.id, {}))).toMatchObject({ language: 'zh-Hans', use: 'subtitles', revision: 1, source });
    const url = captionAddress({ id: video.id, language: 'zh-Hans', use: 'subtitles' });
    const sent = await t.app.inject({ url });
    expect([sent.statusCode, sent.body]).toEqual([200, source]);
    expect(sent.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, no-cache',
    });
    expect((await t.app.inject({ url, headers: { 'if-none-match': String(sent.headers.etag) } })).statusCode).toBe(304);
    expect((await save(video.id, {})).json()).toMatchObject({ code: 'stale_revision', current: { revision: 1 } });
    expect(dataOf(await save(video.id, { revision: 1, label: 'Tea' }))).toMatchObject({ revision: 2, label: 'Tea' });
    const scanned = (scan: string | null) => t.stores.postgres.pool.query('UPDATE blobs SET scan = $2 WHERE sha256 = $1', [video.sha256, scan]);
    await scanned('too_large');
    expect((await t.app.inject({ url })).statusCode).toBe(404);
    await scanned(null);
    const { revision } = await client.read(video.id);
    await client.change(video.id, revision, { visibility: 'private' });
    expect((await t.app.inject({ url })).statusCode).toBe(404);
  });

  test('with an error are refused with its line', async () => {
    const video = await client.upload(mp4, 'tea.mp4');
    const broken = 'WEBVTT\n\n00:01.000 --> 00:02.000\ntea\n\n00:05.000 --> 00:04.000\nwrong\n';
    expect((await save(video.id, { source: broken })).json()).toMatchObject({
      code: 'invalid_fields',
      fields: { source: { message: 'The end in line 6 must be after the start.' } },
    });
    expect((await save(video.id, { source: 'tea' })).json()).toMatchObject({ fields: { source: { message: 'Line 1 must be WEBVTT.' } } });
    expect((await client.get(`items/${video.id}/captions`)).json()).toMatchObject({ data: [] });
  });

  test('belong to a video of the site', async () => {
    const video = await client.upload(mp4, 'tea.mp4');
    const text = await client.upload(Buffer.from('tea'), 'a.txt');
    expect([(await save(video.id, {}, 'en/subtitles', other)).statusCode, (await save(text.id, {})).statusCode]).toEqual([404, 404]);
    expect([(await save(video.id, {}, 'en/metadata')).statusCode, (await save(video.id, {}, 'EN!/captions')).statusCode]).toEqual([404, 404]);
    await save(video.id, {}, 'en/chapters');
    const remove = () => owner.send('DELETE', `${client.base}/items/${video.id}/captions/en/chapters`);
    expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 404]);
  });
});

describe('a private video', () => {
  type Signed = {
    readonly address: string;
    readonly expiresAt: string;
    readonly poster: string | null;
    readonly captions: readonly { readonly address: string }[];
  };
  const sign = async (id: string): Promise<Signed> => dataOf<Signed>(await client.post(`items/${id}/address`, { expiresIn: 60 }));
  const get = (address: string) => {
    const { pathname, search } = new URL(address, 'http://localhost');
    return t.app.inject({ url: pathname + search });
  };
  const statusOf = async (address: string): Promise<number> => (await get(address)).statusCode;
  const queryOf = (address = ''): string => new URL(address).search;
  /** With a poster and captions in two languages. */
  async function privateVideo(color: string): Promise<Resource> {
    const video = await client.upload(mp4, 'tea.mp4');
    for (const track of ['en/subtitles', 'zh-Hans/subtitles']) await save(video.id, {}, track);
    const { revision } = dataOf<Resource>(await setPoster(video.id, await photo(80, 60, color)));
    return dataOf<Resource>(await client.change(video.id, revision, { visibility: 'private' }));
  }

  test('has signed addresses for its poster and captions, with the same expiry', async () => {
    const video = await privateVideo('#402080');
    const { address, poster, captions } = await sign(video.id);
    expect(captions).toMatchObject([
      { language: 'en', use: 'subtitles', label: '中文' },
      { language: 'zh-Hans', use: 'subtitles', label: '中文' },
    ]);
    const all = [address, poster ?? '', ...captions.map((one) => one.address)];
    for (const one of all) {
      const { statusCode, headers } = await get(one);
      expect([statusCode, headers['cross-origin-resource-policy'], headers['access-control-allow-origin']]).toEqual([200, 'same-origin', undefined]);
      expect(headers['cache-control']).toMatch(/^private, max-age=(?:60|59)$/);
      expect(await statusOf(one.split('?')[0] ?? '')).toBe(404);
    }
    expect([(await sharp((await get(poster ?? '')).rawPayload).metadata()).width, (await get(captions[0]?.address ?? '')).body]).toEqual([80, source]);
    t.pass(61_000);
    for (const one of all) expect(await statusOf(one)).toBe(404);
  });

  test('has signatures that open nothing else', async () => {
    const [video, another] = [await privateVideo('#804020'), await privateVideo('#208040')];
    const [first, second] = [await sign(video.id), await sign(another.id)];
    const files = (signed: Signed): string[] => [signed.address, signed.poster ?? '', ...signed.captions.map((one) => one.address)];
    const paths = [...files(first), ...files(second)].map((one) => one.split('?')[0] ?? '');
    for (const signed of files(first)) {
      const opened = await Promise.all(paths.map(async (path) => ({ path, status: await statusOf(path + queryOf(signed)) })));
      expect(opened.filter(({ status }) => status === 200).map(({ path }) => path)).toEqual([signed.split('?')[0]]);
    }
    const small = (first.poster ?? '').replace('/large/', '/small/');
    expect([small === first.poster, await statusOf(small)]).toEqual([false, 404]);
  });

  test('with other captions or another poster needs other addresses for them', async () => {
    const video = await privateVideo('#102030');
    const { address, poster, captions } = await sign(video.id);
    await save(video.id, { revision: 1, source: source.replace('tea', 'secret') }, 'en/subtitles');
    await setPoster(video.id, await photo(80, 60, '#302010'));
    expect(await Promise.all([address, poster ?? '', ...captions.map((one) => one.address)].map(statusOf))).toEqual([200, 404, 404, 200]);
    const renewed = await sign(video.id);
    expect(await Promise.all([renewed.poster ?? '', ...renewed.captions.map((one) => one.address)].map(statusOf))).toEqual([200, 200, 200]);
  });

  test('that the scanner refuses has no addresses at all', async () => {
    const video = await privateVideo('#010203');
    const { captions } = await sign(video.id);
    const scanned = (scan: string | null) => t.stores.postgres.pool.query('UPDATE blobs SET scan = $2 WHERE sha256 = $1', [video.sha256, scan]);
    await scanned('too_large');
    expect([(await client.post(`items/${video.id}/address`, { expiresIn: 60 })).statusCode, await statusOf(captions[0]?.address ?? '')]).toEqual([404, 404]);
    await scanned(null);
  });
});

test('a CSV file becomes an import of content tables without being sent again', async () => {
  const imports = `/api/site/${siteId}/table/imports`;
  const start = (resource: string) => owner.send('POST', `${imports}/resource`, { resource });
  const csv = await client.upload(Buffer.from('name,price\ntea,1\n'), 'tea.csv');
  const begun = dataOf<{ id: string; state: string; file: { name: string } }>(await start(csv.id));
  expect(begun).toMatchObject({ state: 'ready', file: { name: 'tea.csv' } });
  expect(dataOf(await owner.send('POST', `${imports}/${begun.id}/look`, {}))).toMatchObject({ read: { format: 'csv', header: 1 } });
  const elsewhere = await other.upload(Buffer.from('a,b\n1,2\n'), 'a.csv');
  expect([(await start(elsewhere.id)).statusCode, (await start((await client.upload(mp4, 'a.csv')).id)).statusCode]).toEqual([404, 404]);
});
