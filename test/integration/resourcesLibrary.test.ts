import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { DuplicateGroup, ResourceUsage, ResourceVersion } from '../../contract/resources/library';
import type { Resource } from '../../contract/resources/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import { removeUnused, usableResources } from '../../server/areas/resources';
import { resourceReferences } from '../../server/areas/resources/schema';
import { area } from '../../server/areas/tables';
import { startWorker } from '../../server/worker';
import { dataOf, makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { photo, resourceClient } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

type Uses = { readonly uses: readonly ResourceUsage[]; readonly visible: number; readonly total: number };
type Replaced = { batchId: string | null; changed: number; remaining: number; removed: string[]; jobId: string | null };

let t: TestApp;
let owner: Person;
let site: Site;
let on: Calls;
let client: ResourceClient;
let products: ContentTable;
let secrets: ContentTable;
beforeAll(async () => {
  t = await makeTestAppWithFolder({ config: { privateSites: true } });
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
  on = callsOf(owner, site);
  client = resourceClient(owner, site.id);
  const fields = [
    { key: 'name', type: 'text' as const, title: 'Name' },
    { key: 'pictures', type: 'image' as const, title: 'Pictures' },
  ];
  products = await on.table({ title: 'Products', drafts: true, fields });
  secrets = await on.table({ title: 'Secrets', fields });
  for (const action of ['read', 'update'] as const) await setRule(t, secrets, site, { role: 'editor', action, allowed: false });
});
afterAll(async () => {
  await t.close();
});

let colours = 0;
const upload = async (): Promise<Resource> => client.upload(await photo(20, 20, `#1122${(colours++ + 16).toString(16)}`), `${colours}.jpg`);
const add = async (table: ContentTable, values: object): Promise<string> => (await on.add(table.id, [values]))[0] ?? '';
const usesBy = async (by: ResourceClient, ids: readonly string[]): Promise<Uses> => dataOf<Uses>(await by.post('uses', { ids }));
const replace = async (by: ResourceClient, body: object): Promise<Replaced> => dataOf<Replaced>(await by.post('replace', body));
const picturesOf = async (table: ContentTable, id: string): Promise<unknown> => (await on.rows(table.id, `ids=${id}`))[0]?.values['pictures'];

test('uses that a reader may not see are counted but not named', async () => {
  const { id } = await upload();
  const record = await add(products, { name: 'Tea', pictures: [{ resource: id }] });
  await add(secrets, { name: 'Hidden', pictures: [{ resource: id }] });
  const open = await usesBy(client, [id]);
  expect(open).toMatchObject({ visible: 2, total: 2 });
  expect(open.uses[0]).toMatchObject({ resourceId: id, tableTitle: 'Products', fieldTitle: 'Pictures', recordId: record, label: 'Tea', deleted: false });
  const editor = resourceClient(await personOn(t, site, 'editor'), site.id);
  const limited = await usesBy(editor, [id]);
  expect([limited.uses.map(({ label }) => label), limited.visible, limited.total]).toEqual([['Tea'], 1, 2]);
  const other = resourceClient(owner, (await t.makeSite(owner)).id);
  expect(await usesBy(other, [id])).toEqual({ uses: [], visible: 0, total: 0 });
});

test('a replaced resource keeps the texts of its use, and undo brings it back', async () => {
  const [before, after] = [await upload(), await upload()];
  const used = { resource: before.id, alt: { en: 'A cup' } };
  const [published, draft, hidden] = [
    await add(products, { name: 'Published', pictures: [used, { url: 'https://tea.invalid/a.jpg' }] }),
    await add(products, { name: 'Draft', pictures: [used] }),
    await add(secrets, { name: 'Other table', pictures: [used] }),
  ];
  await on.post(`tables/${products.id}/records/publish`, { target: { ids: [published] } });
  const result = await replace(client, { ids: [before.id], by: after.id });
  expect(result).toMatchObject({ changed: 3, remaining: 0, removed: [], jobId: null });
  expect(await picturesOf(products, published)).toEqual([{ ...used, resource: after.id }, { url: 'https://tea.invalid/a.jpg' }]);
  expect([(await client.read(before.id)).uses, (await client.read(after.id)).uses]).toEqual([0, 3]);
  expect((await on.rows(products.id, `ids=${published}`))[0]).toMatchObject({ state: 'published' });
  await on.post(`batches/${result.batchId}/undo`, {});
  expect([await picturesOf(products, draft), await picturesOf(secrets, hidden)]).toEqual([[used], [used]]);
});

test('pictures in every translation of rich text are found, replaced and undone', async () => {
  const [before, after] = [await upload(), await upload()];
  const fields = [{ key: 'body', type: 'richText' as const, title: 'Body', localized: true }];
  const articles = await on.table({ title: 'Articles', drafts: true, locales: ['en', 'zh-Hans', 'ja'], fields });
  const html = (id: string): string => `<p><img src="/_r/${id}/a.jpg"></p>`;
  const [everywhere, translated] = [await add(articles, { body: html(before.id) }), await add(articles, { body: '<p>Tea</p>' })];
  const translate = (locale: string, id: string) =>
    on.send('PATCH', `tables/${articles.id}/records`, { locale, changes: [{ id, values: { body: html(before.id) } }] });
  for (const locale of ['zh-Hans', 'ja']) await translate(locale, everywhere);
  await translate('ja', translated);
  await on.post(`tables/${articles.id}/records/publish`, { target: { ids: [everywhere, translated] } });
  const bodies = async (): Promise<string[]> => {
    const rows = await Promise.all(['en', 'zh-Hans', 'ja'].map((locale) => on.rows(articles.id, `ids=${everywhere},${translated}&locale=${locale}`)));
    return rows
      .flat()
      .map(({ values }) => (String(values['body']).includes(before.id) ? 'before' : String(values['body']).includes(after.id) ? 'after' : 'none'));
  };
  const initially = await bodies();
  expect([...initially].toSorted()).toEqual(['before', 'before', 'before', 'before', 'none', 'none']);
  const { uses, total } = await usesBy(client, [before.id]);
  expect([uses.map(({ recordId }) => recordId).toSorted(), total]).toEqual([[everywhere, translated].toSorted(), 2]);
  const result = await replace(client, { ids: [before.id], by: after.id, remove: true });
  expect(result).toMatchObject({ changed: 2, remaining: 0, removed: [before.id] });
  expect(await bodies()).toEqual(initially.map((one) => (one === 'before' ? 'after' : one)));
  expect((await on.rows(articles.id)).map(({ state }) => state)).toEqual(['published', 'published']);
  expect([(await client.read(before.id)).uses, (await client.read(after.id)).uses]).toEqual([0, 2]);
  await on.post(`batches/${result.batchId}/undo`, {});
  expect([await bodies(), (await client.read(after.id)).uses]).toEqual([initially, 0]);
});

test('what the caller may not change stays, and its resource out of the bin', async () => {
  const [free, bound, by] = [await upload(), await upload(), await upload()];
  await add(products, { pictures: [{ resource: free.id }, { resource: bound.id }] });
  const record = await add(secrets, { pictures: [{ resource: bound.id }] });
  const editor = resourceClient(await personOn(t, site, 'editor'), site.id);
  expect(await replace(editor, { ids: [free.id, bound.id], by: by.id, remove: true })).toMatchObject({ changed: 1, remaining: 1, removed: [free.id] });
  expect(await picturesOf(secrets, record)).toEqual([{ resource: bound.id }]);
  const viewer = resourceClient(await personOn(t, site, 'viewer'), site.id);
  expect((await viewer.post('replace', { ids: [bound.id], by: by.id })).statusCode).toBe(403);
});

test('a resource of another site, in the bin or of another kind replaces nothing', async () => {
  const [used, gone] = [await upload(), await upload()];
  await client.post('remove', { ids: [gone.id] });
  const text = await client.upload(Buffer.from('tea'), 'a.txt');
  const elsewhere = await resourceClient(owner, (await t.makeSite(owner)).id).upload(await photo(9, 9), 'a.jpg');
  await add(products, { pictures: [{ resource: used.id }] });
  const statusOf = async (by: string) => (await client.post('replace', { ids: [used.id], by })).statusCode;
  expect([await statusOf(elsewhere.id), await statusOf(gone.id)]).toEqual([404, 422]);
  expect(await replace(client, { ids: [used.id], by: text.id })).toMatchObject({ batchId: null, changed: 0, remaining: 1 });
});

test('many records are changed by a job, which then removes what nothing uses', async () => {
  const [before, after] = [await upload(), await upload()];
  const records = Array.from({ length: 501 }, () => ({ pictures: [{ resource: before.id }] }));
  await on.add(secrets.id, records);
  const { jobId, changed } = await replace(client, { ids: [before.id], by: after.id, remove: true });
  expect([typeof jobId, changed]).toEqual(['string', 0]);
  const worker = startWorker(t.ctx, area.jobs ?? [], [], { pollEvery: 50 });
  await until(async () => (await client.read(before.id)).deletedAt !== null);
  await worker.close();
  expect((await client.read(after.id)).uses).toBe(501);
});

test('copies and images that look the same are found together', async () => {
  const own = resourceClient(owner, (await t.makeSite(owner)).id);
  const noise = Buffer.from(Array.from({ length: 32 * 24 * 3 }, (_, at) => (Math.imul(Math.floor(at / 12), 2_654_435_761) >>> 24) & 255));
  const noisy = sharp(noise, { raw: { width: 32, height: 24, channels: 3 } }).resize(320, 240);
  const picture = await noisy.clone().png().toBuffer();
  const first = await own.upload(picture, 'first.png');
  const smaller = await own.upload(await noisy.clone().resize(160, 120).jpeg({ quality: 60 }).toBuffer(), 'smaller.jpg');
  await own.upload(await photo(30, 20), 'other.jpg');
  const copy = await own.upload(picture, 'copy.png');
  const groups = async () => dataOf<{ groups: DuplicateGroup[]; total: number }>(await own.get('duplicates'));
  expect((await groups()).groups.map(({ exact, rows }) => [exact, rows.map(({ id }) => id)])).toEqual([[false, [first.id, smaller.id, copy.id]]]);
  expect(await replace(own, { ids: [smaller.id], by: first.id, remove: true })).toMatchObject({ removed: [smaller.id], remaining: 0 });
  expect((await groups()).groups.map(({ exact }) => exact)).toEqual([true]);
});

test('an earlier version becomes the current one again, with its edit', async () => {
  const first = await client.upload(await photo(40, 20, '#808080'), 'a.jpg');
  await client.change(first.id, 1, { rotation: 90 });
  const second = await client.upload(await photo(30, 30, '#909090'), 'b.jpg', { replaces: first.id });
  const versions = async () => dataOf<ResourceVersion[]>(await client.get(`items/${first.id}/versions`));
  expect(await versions()).toMatchObject([{ version: 1, sha256: first.sha256, width: 20, height: 40, rotation: 90 }]);
  const activate = (revision: number, version = 1, by = owner, base = client.base) =>
    by.send('POST', `${base}/items/${first.id}/versions/${version}/activate`, undefined, { 'if-match': `"${revision}"` });
  expect((await activate(1)).json()).toMatchObject({ code: 'stale_revision', current: { sha256: second.sha256 } });
  expect((await activate(second.revision, 9)).statusCode).toBe(404);
  expect((await activate(second.revision, 1, owner, resourceClient(owner, (await t.makeSite(owner)).id).base)).statusCode).toBe(404);
  expect(dataOf<Resource>(await activate(second.revision))).toMatchObject({ sha256: first.sha256, rotation: 90, version: 3 });
  expect(await versions()).toMatchObject([{ version: 2, sha256: second.sha256, rotation: 0 }]);
});

test.each([
  [{ crop: { x: 0.5, y: 0, width: 0.6, height: 1 } }],
  [{ crop: { x: 0, y: 0, width: 0, height: 1 } }],
  [{ crop: { x: -1, y: 0, width: 1, height: 1 } }],
  [{ rotation: 45 }],
  [{ rotation: 1e9 }],
])('the edit %j is refused', async (edit) => {
  const { id } = await upload();
  expect((await client.change(id, 1, edit)).statusCode).toBe(422);
});

test('only images can be turned and cropped', async () => {
  const { id } = await client.upload(Buffer.from('tea'), 'a.txt');
  expect((await client.change(id, 1, { rotation: 90 })).json()).toMatchObject({ fields: { rotation: { code: 'not_an_image' } } });
});

test('files behind addresses are stored, or say why not', async () => {
  const bytes = await photo(25, 25, '#a0a0a0');
  const web = createServer((request, response) => {
    if (request.url === '/tea.jpg' || request.url === '/a%E2%80%AEgpj.exe') response.end(bytes);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  web.unref();
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const from = async (url: string) => (await client.post('from-address', { url })).json<{ data: { resource: Resource | null; problem: string | null } }>();
  expect((await from(`${origin}/tea.jpg`)).data).toMatchObject({ resource: { name: 'tea.jpg', kind: 'image', width: 25 }, problem: null });
  expect((await from(`${origin}/a%E2%80%AEgpj.exe`)).data.resource?.name).toBe('a_gpj.exe');
  expect((await from(`${origin}/missing`)).data).toEqual({ resource: null, problem: 'unreachable' });
  expect((await client.post('from-address', { url: 'file:///etc/passwd' })).statusCode).toBe(422);
  Object.assign(t.ctx.config, { privateSites: false });
  expect((await from(`${origin}/tea.jpg`)).data).toEqual({ resource: null, problem: 'private' });
  web.close();
});

test('a resource that is about to be used is not removed', async () => {
  const { id } = await upload();
  const { db, pool } = t.ctx.postgres;
  const actor = { kind: 'system', id: null, name: '', tokenId: null, address: '', userAgent: '', requestId: '' } as const;
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%resources%'";
  const removing: Promise<string[]>[] = [];
  await db.transaction(async (tx) => {
    await usableResources(tx, site.id, [id]);
    removing.push(removeUnused(t.ctx, site, [id], actor));
    await until(async () => (await pool.query(waiting)).rows.length > 0);
    await tx.insert(resourceReferences).values({ siteId: site.id, resourceId: id, source: 'page', owner: 'pages', sourceId: 'home', place: 'body' });
  });
  expect(await removing[0]).toEqual([]);
});
