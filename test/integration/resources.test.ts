import sharp from 'sharp';
import type { ResourceFolder, SvgSource } from '../../contract/resources/schemas';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { idOf, photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';

let t: TestApp;
let owner: Person;
let siteId: string;
let client: ResourceClient;
beforeAll(async () => {
  t = await makeTestAppWithFolder({ config: { resourceMaxBytes: 40_000_000 } });
  owner = await t.signUpOwner();
});
beforeEach(async () => {
  siteId = (await t.makeSite(owner)).id;
  client = resourceClient(owner, siteId);
});
afterAll(async () => {
  await t.close();
});

describe('an upload', () => {
  test('becomes an image with its facts', async () => {
    const bytes = await photo(300, 200);
    expect(await client.upload(bytes, '茶园 #1.jpg')).toMatchObject({
      kind: 'image',
      name: '茶园 #1.jpg',
      contentType: 'image/jpeg',
      bytes: bytes.length,
      sha256: sha256(bytes),
      width: 300,
      height: 200,
      hasGps: true,
      uses: 0,
      version: 1,
    });
    expect(await client.list('?kind=image')).toMatchObject({ total: 1, after: null });
    expect(await t.ctx.files.folders('resource-uploads')).toEqual([]);
  });

  test.each([0, 1, 70_000])('resumes at any byte: %i', async (cut) => {
    const bytes = Buffer.alloc(90_000, 'tea ');
    const id = idOf((await client.create(bytes.length, { name: 'notes.txt' })).headers.location);
    if (cut > 0) await client.append(id, 0, bytes.subarray(0, cut));
    expect(await client.offset(id)).toBe(cut);
    expect((await client.finish(id)).statusCode).toBe(409);
    expect((await client.append(id, cut + 1, bytes.subarray(cut + 1))).json()).toMatchObject({ code: 'conflict' });
    expect((await client.append(id, cut, bytes.subarray(cut))).statusCode).toBe(204);
    const finished = await client.finish(id);
    expect(finished.json()).toMatchObject({ data: { sha256: sha256(bytes), kind: 'attachment', contentType: 'text/plain' } });
    expect((await client.finish(id)).json()).toEqual(finished.json());
    expect((await client.get(`items/${finished.json<{ data: { id: string } }>().data.id}/content`)).rawPayload.equals(bytes)).toBe(true);
  });

  test('that nobody finished becomes a resource, and an abandoned one is deleted', async () => {
    const complete = idOf((await client.create(3, { name: 'complete.txt' })).headers.location);
    await client.append(complete, 0, Buffer.from('tea'));
    const abandoned = idOf((await client.create(3, { name: 'abandoned.txt' })).headers.location);
    await client.append(abandoned, 0, Buffer.from('te'));
    await runSchedule(t.ctx, 'resources.uploads', 120_000);
    expect((await client.list()).rows.map(({ name }) => name)).toEqual(['complete.txt']);
    await runSchedule(t.ctx, 'resources.uploads', 8 * 86_400_000);
    expect((await client.finish(abandoned)).statusCode).toBe(404);
    expect(await t.ctx.files.folders('resource-uploads')).toEqual([]);
  });

  test('that is cancelled leaves nothing', async () => {
    const id = idOf((await client.create(3, { name: 'a.txt' })).headers.location);
    await client.append(id, 0, Buffer.from('te'));
    expect((await client.cancel(id)).statusCode).toBe(204);
    expect([(await client.finish(id)).statusCode, await t.ctx.files.folders('resource-uploads')]).toEqual([404, []]);
  });

  test.each([
    ['too large', 50_000_000, { name: 'a.bin' }, 413],
    ['without a name', 3, { folder: '0198c0de-0000-7000-8000-000000000001' }, 422],
    ['with a control character in its name', 3, { name: 'a\u0000b' }, 422],
    ['into a folder that does not exist', 3, { name: 'a', folder: '0198c0de-0000-7000-8000-000000000001' }, 404],
    ['that replaces an unknown resource', 3, { name: 'a', replaces: '0198c0de-0000-7000-8000-000000000001' }, 404],
  ])('%s is refused before it begins', async (_what, size, metadata, status) => {
    expect((await client.create(size, metadata as Record<string, string>)).statusCode).toBe(status);
  });

  test('cannot be sent without the header of the protocol or as JSON', async () => {
    const id = idOf((await client.create(3, { name: 'a.txt' })).headers.location);
    expect((await client.append(id, 0, Buffer.from('tea'), { 'tus-resumable': '' })).json()).toMatchObject({ code: 'bad_request' });
    expect((await client.append(id, 0, Buffer.from('"t"'), { 'content-type': 'application/json' })).statusCode).toBeGreaterThanOrEqual(400);
    expect(await client.offset(id)).toBe(0);
  });

  test('of an empty file is complete at once', async () => {
    expect(await client.upload(Buffer.alloc(0), 'empty.txt')).toMatchObject({ bytes: 0, kind: 'attachment' });
  });
});

test('only a file of the same site is added without an upload', async () => {
  const bytes = await photo(40, 30);
  await client.upload(bytes, 'first.jpg');
  const known = { name: 'second.jpg', size: bytes.length, sha256: sha256(bytes) };
  expect((await client.post('known', known)).json()).toMatchObject({ data: { resource: { name: 'second.jpg', width: 40 } } });
  const other = resourceClient(owner, (await t.makeSite(owner)).id);
  expect((await other.post('known', known)).json()).toEqual({ data: { resource: null } });
});

test('content decides about the type, and nothing is shown in place that could run', async () => {
  const page = await client.upload(Buffer.from('<html><script>alert(1)</script>'), 'photo.jpg');
  const truncated = await client.upload((await photo(300, 200)).subarray(0, 600), 'torn.jpg');
  expect([page.kind, page.contentType, truncated.kind]).toEqual(['attachment', 'text/plain', 'attachment']);
  const sent = await client.get(`items/${page.id}/content`);
  expect(sent.headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/plain/) as string,
    'content-disposition': expect.stringMatching(/^attachment/) as string,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
});

describe('an SVG', () => {
  const namespace = 'xmlns="http://www.w3.org/2000/svg"';
  const hostile = Buffer.from(
    `<svg ${namespace} viewBox="0 0 30 20" onload="alert(1)"><script>alert(1)</script><path id="a" fill="#f00" d="M 0.000 0h9"/></svg>`,
  );
  const cleaned = `<svg ${namespace} viewBox="0 0 30 20"><path id="a" fill="#f00" d="M 0.000 0h9"/></svg>`;

  test('is delivered without its scripts, and as it was only as a download', async () => {
    const { id, sha256: hash, ...rest } = await client.upload(hostile, '茶.svg');
    expect(rest).toMatchObject({ kind: 'svg', contentType: 'image/svg+xml', width: 30, height: 20, bytes: hostile.length });
    const sent = await client.get(`items/${id}/content?v=${hash.slice(0, 8)}`);
    expect([sent.body, sent.headers['content-type'], sent.headers['content-length']]).toEqual([cleaned, 'image/svg+xml', String(cleaned.length)]);
    expect(sent.headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    const original = await client.get(`items/${id}/content?download=true`);
    expect([original.rawPayload.equals(hostile), original.headers['content-type'], original.headers['content-disposition']]).toEqual([
      true,
      expect.stringMatching(/^text\/plain/) as string,
      expect.stringMatching(/^attachment/) as string,
    ]);
    await t.ctx.files.remove(`resources/${siteId}/${hash}/svg-clean.svg`);
    expect((await client.get(`items/${id}/content`)).body).toBe(cleaned);
  });

  test('that cannot be cleaned is a text for download', async () => {
    const bomb = await client.upload(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]><svg ${namespace}>&a;</svg>`), 'bomb.svg');
    const large = await client.upload(Buffer.from(`<svg ${namespace}><path d="${'M0 0'.repeat(550_000)}"/></svg>`), 'large.svg');
    expect([bomb, large].map(({ kind, contentType }) => [kind, contentType])).toEqual(Array.from({ length: 2 }, () => ['attachment', 'text/plain']));
    expect((await client.get(`items/${bomb.id}/content`)).headers['content-disposition']).toMatch(/^attachment/);
    expect((await client.get(`items/${bomb.id}/svg`)).statusCode).toBe(404);
  });

  test('shows what was removed, and its source with changes', async () => {
    const { id } = await client.upload(hostile, 'leaf.svg');
    const source = async (query = '') => (await client.get(`items/${id}/svg${query}`)).json<{ data: SvgSource }>().data;
    expect(await source()).toMatchObject({
      source: cleaned,
      removed: [
        { name: 'onload', reason: 'script' },
        { name: 'script', reason: 'script', line: 1 },
      ],
      removedCount: 2,
      bytesBefore: hostile.length,
      bytesAfter: cleaned.length,
      viewBox: '0 0 30 20',
      title: '',
      colors: ['#f00'],
    });
    const changed = await source('?optimise=true&currentColor=true&title=Leaf&viewBox=0%200%2060%2040');
    expect(changed.source).toBe(`<svg ${namespace} fill="currentColor" viewBox="0 0 60 40"><title>Leaf</title><path d="M0 0h9"/></svg>`);
    expect(changed).toMatchObject({ title: 'Leaf', viewBox: '0 0 60 40', bytesAfter: changed.source.length });
    expect((await client.get(`items/${id}/svg?viewBox=1`)).statusCode).toBe(422);
    const sprite = await client.post('sprite', { ids: [id, (await client.upload(Buffer.from(cleaned), 'leaf 2.svg')).id] });
    expect(sprite.json<{ data: { source: string } }>().data.source.match(/<symbol id="[^"]*"/g)).toEqual(['<symbol id="leaf"', '<symbol id="leaf-2"']);
  });
});

test('ranges and validators of a file follow the standard', async () => {
  const { id, sha256: hash } = await client.upload(Buffer.from('0123456789'), 'digits.txt');
  const get = (headers: Record<string, string>) => client.get(`items/${id}/content`, headers);
  const answers = [{ range: 'bytes=2-4' }, { range: 'bytes=-3' }, { range: 'bytes=8-' }, { range: 'bytes=2-4', 'if-range': `"${hash}"` }].map(get);
  expect((await Promise.all(answers)).map(({ statusCode, body, headers }) => [statusCode, body, headers['content-range']])).toEqual([
    [206, '234', 'bytes 2-4/10'],
    [206, '789', 'bytes 7-9/10'],
    [206, '89', 'bytes 8-9/10'],
    [206, '234', 'bytes 2-4/10'],
  ]);
  const whole = [{ range: 'bytes=2-4', 'if-range': '"other"' }, { range: 'lines=1-2' }, { range: 'bytes=0-1,4-5' }].map(get);
  expect((await Promise.all(whole)).map(({ statusCode, body }) => [statusCode, body])).toEqual(Array.from({ length: 3 }, () => [200, '0123456789']));
  const outside = await get({ range: 'bytes=10-' });
  expect([outside.statusCode, outside.headers['content-range']]).toEqual([416, 'bytes */10']);
  expect((await get({ 'if-none-match': `"${hash}"` })).statusCode).toBe(304);
});

describe('a variant', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'avif'],
    ['image/webp,*/*', 'webp'],
    ['*/*', 'jpeg'],
  ])('has the best format for a reader: %s', async (accept, format) => {
    const { id, sha256: hash } = await client.upload(await photo(1000, 500), 'a.jpg');
    const sent = await client.get(`items/${id}/variant?preset=thumbnail&v=${hash.slice(0, 8)}`, { accept });
    expect(sent.headers).toMatchObject({
      'content-type': `image/${format}`,
      vary: expect.stringContaining('accept') as string,
      'cache-control': expect.stringContaining('immutable') as string,
    });
    const metadata = await sharp(sent.rawPayload).metadata();
    expect([metadata.width, metadata.height, metadata.exif]).toEqual([320, 160, undefined]);
  });

  test('is computed once for all who wait for it', async () => {
    const { id } = await client.upload(await photo(1000, 500), 'a.jpg');
    const { variant } = t.ctx.images;
    let computed = 0;
    Object.assign(t.ctx.images, { variant: (...call: Parameters<typeof variant>) => ((computed += 1), variant(...call)) });
    const sent = await Promise.all([1, 2, 3].map(() => client.get(`items/${id}/variant?preset=small`, { accept: 'image/webp' })));
    expect([sent.map(({ statusCode }) => statusCode), computed]).toEqual([[200, 200, 200], 1]);
    await client.get(`items/${id}/variant?preset=small`, { accept: 'image/webp' });
    expect(computed).toBe(1);
  });

  test('of something else than an image does not exist', async () => {
    const { id } = await client.upload(Buffer.from('tea'), 'a.txt');
    expect((await client.get(`items/${id}/variant`)).statusCode).toBe(404);
  });
});

test('lists are read to the end in every order', async () => {
  for (const [index, name] of ['b', 'a', 'c', 'a'].entries()) await client.upload(Buffer.alloc(index + 1, name), `${name}.txt`);
  for (const [sort, sizes] of [
    ['newest', [4, 3, 2, 1]],
    ['oldest', [1, 2, 3, 4]],
    ['largest', [4, 3, 2, 1]],
  ] as const) {
    const read: number[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page = await client.list(`?sort=${sort}&size=3${after === '' ? '' : `&after=${after}`}`);
      expect(page.total).toBe(4);
      read.push(...page.rows.map(({ bytes }) => bytes));
      after = page.after;
    }
    expect([sort, read]).toEqual([sort, sizes]);
  }
  expect((await client.list('?sort=name')).rows.map(({ name }) => name)).toEqual(['a.txt', 'a.txt', 'b.txt', 'c.txt']);
  expect((await client.get('items?after=nonsense')).statusCode).toBe(400);
});

test('filters find what needs attention', async () => {
  const first = await client.upload(await photo(400, 300), 'gps.jpg', {});
  const plain = await client.upload(
    await sharp({ create: { width: 60, height: 50, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer(),
    '100%_plain.png',
  );
  await client.upload(await photo(400, 300), 'copy.jpg');
  await client.change(plain.id, 1, { alt: { en: 'White' }, tags: ['logo'] });
  const names = async (query: string) => (await client.list(`?sort=name&${query}`)).rows.map(({ name }) => name);
  expect(await names('filter=gps')).toEqual(['copy.jpg', 'gps.jpg']);
  expect(await names('filter=noAlt')).toEqual(['copy.jpg', 'gps.jpg']);
  expect(await names('filter=duplicates')).toEqual(['copy.jpg', 'gps.jpg']);
  expect(await names('filter=unused')).toHaveLength(3);
  expect(await names('filter=large')).toEqual([]);
  expect(await names(`q=${encodeURIComponent('100%_')}`)).toEqual(['100%_plain.png']);
  expect(await names('tag=logo')).toEqual(['100%_plain.png']);
  expect((await client.get('tags')).json()).toEqual({ data: [{ tag: 'logo', count: 1 }] });
  expect((await client.read(first.id)).revision).toBe(1);
});

test('of two people who change a resource the second is told', async () => {
  const { id } = await client.upload(Buffer.from('tea'), 'a.txt');
  expect((await client.change(id, 1, { name: 'b.txt', alt: { 'zh-Hans': '茶', en: '' } })).json()).toMatchObject({
    data: { name: 'b.txt', alt: { 'zh-Hans': '茶' }, revision: 2 },
  });
  expect((await client.change(id, 1, { name: 'c.txt' })).json()).toMatchObject({ code: 'stale_revision', current: { name: 'b.txt' } });
});

test('a replaced resource keeps its id and its earlier content', async () => {
  const before = await client.upload(Buffer.from('old'), 'a.txt');
  const after = await client.upload(Buffer.from('new!'), 'b.txt', { replaces: before.id });
  expect(after).toMatchObject({ id: before.id, name: 'a.txt', version: 2, bytes: 4, sha256: sha256(Buffer.from('new!')) });
  expect((await client.get(`items/${before.id}/content`)).body).toBe('new!');
  expect(await t.ctx.files.stat(`resources/${siteId}/${before.sha256}/original`)).toMatchObject({ size: 3 });
});

test('what is purged leaves no files, unless they are used elsewhere', async () => {
  const bytes = await photo(50, 40);
  const [first, second] = [await client.upload(bytes, 'a.jpg'), await client.upload(bytes, 'b.jpg')];
  await client.get(`items/${first.id}/variant`);
  expect((await client.post('purge', { ids: [first.id] })).json()).toEqual({ data: { ids: [] } });
  await client.post('remove', { ids: [first.id] });
  expect((await client.list()).rows.map(({ id }) => id)).toEqual([second.id]);
  expect((await client.post('restore', { ids: [first.id] })).json()).toEqual({ data: { ids: [first.id] } });
  await client.post('remove', { ids: [first.id] });
  await client.post('purge', { ids: [first.id] });
  expect((await client.get(`items/${second.id}/content`)).rawPayload.equals(bytes)).toBe(true);
  await client.post('remove', { ids: [second.id] });
  await runSchedule(t.ctx, 'resources.bin', 31 * 86_400_000);
  expect([(await client.list('?deleted=true')).total, await t.ctx.files.folders(`resources/${siteId}`)]).toEqual([0, []]);
});

test('files without a row are swept away', async () => {
  await t.ctx.files.put(`resources/${siteId}/${sha256(Buffer.from('x'))}/original`, Buffer.from('x'));
  const { sha256: hash } = await client.upload(Buffer.from('tea'), 'a.txt');
  await runSchedule(t.ctx, 'resources.sweep');
  expect(await t.ctx.files.folders(`resources/${siteId}`)).toEqual([hash]);
});

describe('folders', () => {
  const add = async (name: string, parentId: string | null = null) =>
    (await client.post('folders', { name, parentId })).json<{ data: ResourceFolder; code?: string }>();
  const change = (id: string, body: object) => owner.send('PATCH', `${client.base}/folders/${id}`, body);

  test('have unique names in their place, whatever the case', async () => {
    const { data } = await add('Tea');
    expect([(await add('tea')).code, (await add('tea', data.id)).code]).toEqual(['name_taken', undefined]);
  });

  test('cannot contain themselves or be nested without limit', async () => {
    const { data: top } = await add('1');
    let { data: inner } = await add('2', top.id);
    expect((await change(top.id, { parentId: inner.id })).json()).toMatchObject({ code: 'conflict' });
    for (let depth = 3; depth <= 8; depth++) inner = (await add(String(depth), inner.id)).data;
    expect((await add('9', inner.id)).code).toBe('too_large');
    const { data: other } = await add('other');
    expect((await change(top.id, { parentId: other.id })).json()).toMatchObject({ code: 'too_large' });
  });

  test('pass what they contain to their parent when they are deleted', async () => {
    const { data: parent } = await add('parent');
    const { data: child } = await add('child', parent.id);
    const { id } = await client.upload(Buffer.from('tea'), 'a.txt', { folder: child.id });
    expect((await client.list(`?folder=${child.id}`)).rows).toHaveLength(1);
    expect((await owner.send('DELETE', `${client.base}/folders/${child.id}`)).statusCode).toBe(204);
    expect((await client.read(id)).folderId).toBe(parent.id);
    await client.post('move', { ids: [id], folderId: null });
    expect((await client.list('?folder=root')).rows.map((row) => row.id)).toEqual([id]);
  });
});

test('another site does not reach resources, folders or uploads', async () => {
  const { id } = await client.upload(Buffer.from('tea'), 'a.txt');
  const upload = idOf((await client.create(3, { name: 'b.txt' })).headers.location);
  const other = resourceClient(owner, (await t.makeSite(owner)).id);
  const refused = await Promise.all([
    other.get(`items/${id}`),
    other.get(`items/${id}/content`),
    other.change(id, 1, { name: 'x' }),
    other.append(upload, 0, Buffer.from('tea')),
    other.finish(upload),
    other.cancel(upload),
  ]);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 404));
  expect((await other.post('remove', { ids: [id] })).json()).toEqual({ data: { ids: [] } });
  expect((await client.read(id)).deletedAt).toBeNull();
});
