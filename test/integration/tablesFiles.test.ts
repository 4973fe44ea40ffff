import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ContentPage } from '../../contract/tables/access';
import type { RecordPage } from '../../contract/tables/records';
import type { ContentTable } from '../../contract/tables/schemas';
import type { Resource } from '../../contract/resources/schemas';
import type { Site } from '../../contract/sites/schemas';
import { area } from '../../server/areas/tables';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { createViewLink, guestOf } from '../support/publicLinks';
import { until } from '../support/until';
import { photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import { contentsIn } from './zip';
import type { Calls, Failed } from './tablesLifeSupport';

let program: TestApp;
let owner: Person;
let site: Site;
let on: Calls;
let resources: ResourceClient;
let table: ContentTable;
let picture: Resource;
let note: Resource;
let web: Server;
let worker: Worker;

beforeAll(async () => {
  program = await makeTestAppWithFolder({ config: { privateSites: true } });
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  on = callsOf(owner, site);
  resources = resourceClient(owner, site.id);
  table = await on.table({
    title: 'Products',
    key: 'products',
    drafts: true,
    fields: [
      { key: 'name', type: 'text', title: 'Name' },
      { key: 'pictures', type: 'image', title: 'Pictures' },
      { key: 'papers', type: 'file', title: 'Papers' },
      { key: 'body', type: 'richText', title: 'Body', localized: true },
      {
        key: 'steps',
        type: 'repeater',
        title: 'Steps',
        options: {
          items: [
            { key: 'text', title: 'Text', type: 'text', required: false },
            { key: 'pictures', title: 'Pictures', type: 'image', required: false },
          ],
        },
      },
    ],
  });
  const bytes = await photo(900, 600);
  picture = await resources.upload(bytes, 'tea.jpg');
  note = await resources.upload(Buffer.from('tea'), 'note.txt');
  web = createServer((request, response) => {
    if (request.url === '/tea.jpg') response.setHeader('content-type', 'text/html').end(bytes);
    else if (request.url === '/moved') response.writeHead(302, { location: '/tea.jpg' }).end();
    else if (request.url === '/page.jpg') response.setHeader('content-type', 'image/jpeg').end('<html><body>tea</body></html>');
    else if (request.url === '/broken.jpg') response.end(bytes.subarray(0, 300));
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  worker = startWorker(program.ctx, area.jobs ?? [], [], { pollEvery: 50 });
});
afterAll(async () => {
  await worker.close();
  web.close();
  await program.close();
});

const usesOf = async (id: string): Promise<number> => (await resources.read(id)).uses;
const picturesOf = async (id: string): Promise<{ readonly resource?: string }[]> =>
  (await on.rows(table.id, `ids=${id}`))[0]?.values['pictures'] as { resource?: string }[];
const add = async (values: object): Promise<string> => (await on.add(table.id, [values]))[0] ?? '';
const errorsOf = async (values: object): Promise<unknown> =>
  Object.entries((await on.send('POST', `tables/${table.id}/records`, { records: [values] })).json<Failed>().fields ?? {}).map(
    ([at, { code }]) => `${at} ${code}`,
  );

test('a record uses resources that exist and fit its field', async () => {
  const unknown = '0198c0de-0000-7000-8000-000000000001';
  expect(await errorsOf({ pictures: [{ resource: picture.id }, { resource: unknown }] })).toEqual(['records.0.pictures.1.resource unknown']);
  expect(await errorsOf({ pictures: [{ resource: note.id }] })).toEqual(['records.0.pictures.0.resource wrong_type']);
  expect(await errorsOf({ pictures: [{ resource: picture.id, url: '/a' }] })).toEqual(['records.0.pictures.0.url unknown_field']);
  expect(await errorsOf({ papers: [{ resource: note.id }, { resource: picture.id, alt: { en: 'Tea', '??': 'x' } }] })).toEqual([
    'records.0.papers.1.alt.?? unknown_field',
  ]);
  const other = callsOf(owner, await program.makeSite(owner));
  const elsewhere = await other.table({ title: 'Other', fields: [{ key: 'papers', type: 'file', title: 'Papers' }] });
  expect(await other.refused('POST', `tables/${elsewhere.id}/records`, { records: [{ papers: [{ resource: picture.id }] }] })).toBe('invalid_fields');
});

test('uses follow the record through its life', async () => {
  const before = await usesOf(picture.id);
  const uses = async (): Promise<number> => (await usesOf(picture.id)) - before;
  const id = await add({ name: 'Tea', pictures: [{ resource: picture.id }, { resource: picture.id }], papers: [{ resource: picture.id }] });
  expect(await uses()).toBe(2);
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  await on.send('PATCH', `tables/${table.id}/records`, { changes: [{ id, values: { pictures: null, papers: null } }] });
  // The published state still shows it.
  expect(await uses()).toBe(2);
  const { batchId } = (await on.send('POST', `tables/${table.id}/records/publish`, { target: { ids: [id] } })).json<{ data: { batchId: string } }>().data;
  expect(await uses()).toBe(0);
  await on.post(`batches/${batchId}/undo`, {});
  expect(await uses()).toBe(2);
  await on.post(`tables/${table.id}/records/trash`, { target: { ids: [id] } });
  await on.post(`tables/${table.id}/records/purge`, { ids: [id] });
  expect(await uses()).toBe(0);
});

test('a resource in the bin keeps its uses and gets no new ones', async () => {
  const gone = await resources.upload(await photo(20, 20, '#112233'), 'gone.jpg');
  const id = await add({ pictures: [{ resource: gone.id }] });
  await resources.post('remove', { ids: [gone.id] });
  expect(await errorsOf({ pictures: [{ resource: gone.id }] })).toEqual(['records.0.pictures.0.resource unknown']);
  const described = { resource: gone.id, alt: { en: 'Gone' } };
  expect((await on.send('PATCH', `tables/${table.id}/records`, { changes: [{ id, values: { pictures: [described] } }] })).statusCode).toBe(200);
  const page = await on.get<RecordPage>(`tables/${table.id}/records?ids=${id}`);
  expect(page.labels.resources?.[gone.id]).toMatchObject({ name: 'gone.jpg', deleted: true });
});

test('the public reads addresses, dimensions and texts', async () => {
  await setRule(program, table, site, { role: 'public', action: 'read', allowed: true });
  await resources.change(picture.id, (await resources.read(picture.id)).revision, { alt: { en: 'Leaves', 'zh-CN': '茶叶' } });
  const secret = await resources.upload(await photo(30, 30, '#445566'), 'secret.jpg');
  await resources.change(secret.id, secret.revision, { visibility: 'private' });
  const id = await add({
    name: 'Public',
    pictures: [{ resource: picture.id, alt: { en: 'A cup' } }, { resource: secret.id }, { url: 'https://tea.invalid/a.jpg' }],
  });
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  const answer = await owner.get(`/api/site/${site.id}/content/products?locale=en`);
  const row = answer.json<{ data: ContentPage }>().data.rows.find((one) => one.id === id);
  expect(row?.values['pictures']).toEqual([
    expect.objectContaining({
      id: picture.id,
      name: 'tea.jpg',
      width: 900,
      height: 600,
      alt: 'A cup',
      caption: '',
      url: expect.stringContaining(`${picture.id}/${picture.sha256.slice(0, 8)}/`),
      srcset: expect.stringMatching(/ 640w, .* 900w$/),
    }),
    { url: 'https://tea.invalid/a.jpg' },
  ]);
});

const publicValues = async (id: string): Promise<Record<string, unknown>> => {
  const answer = await owner.get(`/api/site/${site.id}/content/products?locale=en`);
  return answer.json<{ data: ContentPage }>().data.rows.find((one) => one.id === id)?.values ?? {};
};

test('pictures in rich text are uses, and the public reads them with sizes', async () => {
  const visible = await resources.upload(await photo(900, 450, '#aa5522'), 'leaf "1".jpg');
  const hidden = await resources.upload(await photo(31, 30, '#aa5523'), 'hidden.jpg');
  await resources.change(visible.id, visible.revision, { alt: { en: 'A "leaf"' } });
  const inText = (id: string, more = ''): string => `<p>Tea <img src="/_r/${id}/a.jpg"${more}></p>`;
  const hostile = '<img src="javascript:alert(1)"><img src="//evil.example/a.jpg" onerror="alert(1)"><img src="/_r/not-an-id/a.jpg">';
  const id = await add({ body: `${inText(visible.id)}${inText(visible.id, ' alt="" title="1 &lt; 2 $&amp;"')}${inText(hidden.id)}${hostile}` });
  expect([await usesOf(visible.id), await usesOf(hidden.id)]).toEqual([1, 1]);
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  await resources.change(hidden.id, hidden.revision, { visibility: 'private' });
  const { body } = await publicValues(id);
  const pictures = [...String(body).matchAll(/<img[^>]*>/g)].map(([tag]) => tag);
  expect(pictures.slice(0, 2)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^<img src="/_r/${visible.id}/${visible.sha256.slice(0, 8)}/medium/leaf%20%221%22\\.jpg" srcset="[^"]* 320w, [^"]* 900w" .*width="900" height="450" alt="A &quot;leaf&quot;"`,
      ),
    ),
    expect.stringMatching(/^<img title="1 &lt; 2 \$&amp;" src=.* alt="" /),
  ]);
  expect(String(body)).not.toMatch(new RegExp(`javascript|evil|onerror|${hidden.id}`));

  // The published state counts, too.
  await on.send('PATCH', `tables/${table.id}/records`, { changes: [{ id, values: { body: null } }] });
  expect(await usesOf(visible.id)).toBe(1);
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  expect(await usesOf(visible.id)).toBe(0);
});

test('pictures in repeaters are checked and used like others', async () => {
  const steps = (resource: string) => ({ steps: [{ text: 'Pick', pictures: [{ resource, alt: { en: 'Leaves' } }] }] });
  expect(await errorsOf(steps(note.id))).toEqual(['records.0.steps.0.pictures.0.resource wrong_type']);
  expect(await errorsOf(steps('0198c0de-0000-7000-8000-000000000001'))).toEqual(['records.0.steps.0.pictures.0.resource unknown']);
  const before = await usesOf(picture.id);
  const id = await add(steps(picture.id));
  expect((await usesOf(picture.id)) - before).toBe(1);
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  expect((await publicValues(id))['steps']).toEqual([
    { text: 'Pick', pictures: [expect.objectContaining({ id: picture.id, alt: 'Leaves', srcset: expect.stringContaining('640w') })] },
  ]);
});

test('replacing a resource everywhere reaches repeaters and rich text', async () => {
  const steps = (resource: string) => ({ steps: [{ text: 'Pick', pictures: [{ resource, alt: { en: 'Leaves' } }] }] });
  const [before, after] = [await resources.upload(await photo(12, 12, '#010203'), 'a.jpg'), await resources.upload(await photo(13, 13, '#010204'), 'b.jpg')];
  const both = await add({ ...steps(before.id), body: `<p><img src="/_r/${before.id}/a.jpg" /></p>` });
  expect((await resources.post('replace', { ids: [before.id], by: after.id })).json()).toMatchObject({ data: { changed: 1, remaining: 0 } });
  const [row] = await on.rows(table.id, `ids=${both}`);
  expect(row?.values).toMatchObject({ ...steps(after.id), body: expect.stringContaining(`/_r/${after.id}/`) });
});

test('an exported file is imported again by its address', async () => {
  const id = await add({ name: 'Export', pictures: [{ resource: picture.id }] });
  const csv = (await owner.get(on.path(`tables/${table.id}/export?format=csv&ids=${id}`))).body;
  const address = /\S*tea\.jpg/.exec(csv)?.[0].split(',').at(-1) ?? '';
  expect(address).toContain(picture.id);
  const fields = [table.fields.find(({ key }) => key === 'pictures')?.id];
  const pasted = await on.post<{ ids: string[] }>(`tables/${table.id}/records/paste`, { fields, rows: [{ id: null, cells: [address] }] });
  expect(await picturesOf(pasted.ids[0] ?? '')).toEqual([{ resource: picture.id }]);
});

test('a ZIP contains the table and its files', async () => {
  const svg = await resources.upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0h1"/></svg>'), '茶:1.svg');
  const id = await add({ name: 'Zip', pictures: [{ resource: picture.id }, { resource: svg.id }] });
  const archive = contentsIn((await owner.get(on.path(`tables/${table.id}/export?format=zip&ids=${id}`))).rawPayload);
  expect([...archive.keys()]).toEqual(['Products.csv', `_r/${picture.id}/tea.jpg`, `_r/${svg.id}/茶_1.svg`, '_r/files.jsonl']);
  expect(archive.get('Products.csv')?.toString()).toContain(`/_r/${picture.id}/tea.jpg`);
  expect(sha256(archive.get(`_r/${picture.id}/tea.jpg`) ?? Buffer.alloc(0))).toBe(picture.sha256);
  expect(archive.get(`_r/${svg.id}/茶_1.svg`)?.toString()).not.toContain('script');
});

test('files behind addresses are stored once and replace them', async () => {
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const links = [{ url: `${origin}/moved`, alt: 'Cup' }, { url: `${origin}/page.jpg` }, { url: `${origin}/broken.jpg` }, { url: `${origin}/missing` }];
  const id = await add({ name: 'Linked', pictures: links });
  await until(async () => (await picturesOf(id))[0]?.resource !== undefined);
  const stored = await picturesOf(id);
  expect(stored).toEqual([{ resource: expect.any(String), alt: { [table.locales[0] ?? '']: 'Cup' } }, ...links.slice(1)]);
  const [{ resource = '' } = {}] = stored;
  expect(await resources.read(resource)).toMatchObject({ name: 'moved', kind: 'image', sha256: picture.sha256, uses: 1 });
  expect((await resources.list('?q=broken')).total).toBe(0);
});

test('a blocked file is in no archive and in no public content', async () => {
  const blocked = await resources.upload(await photo(21, 20, '#667788'), 'blocked.jpg');
  const id = await add({ name: 'Blocked', pictures: [{ resource: blocked.id }], body: `<p><img src="/_r/${blocked.id}/a.jpg"></p>` });
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  await program.stores.postgres.pool.query("UPDATE blobs SET scan = 'too_large' WHERE sha256 = $1", [blocked.sha256]);
  const { body, pictures } = await publicValues(id);
  expect([pictures, String(body)]).toEqual([null, expect.not.stringContaining('<img')]);
  const archive = contentsIn((await owner.get(on.path(`tables/${table.id}/export?format=zip&ids=${id}`))).rawPayload);
  expect([...archive.keys()]).toEqual(['Products.csv']);
  const page = await on.get<RecordPage>(`tables/${table.id}/records?ids=${id}`);
  expect(page.labels.resources?.[blocked.id]).toMatchObject({ name: 'blocked.jpg', blocked: true });
});

test('a shared view names no private file and none in the bin', async () => {
  const [secret, gone] = [await resources.upload(await photo(22, 20), 'salaries.jpg'), await resources.upload(await photo(23, 20), 'gone.jpg')];
  await resources.change(secret.id, secret.revision, { visibility: 'private' });
  const id = await add({ name: 'Shared', pictures: [{ resource: secret.id }, { resource: picture.id }, { resource: gone.id }] });
  await on.post(`tables/${table.id}/records/publish`, { target: { ids: [id] } });
  await resources.post('remove', { ids: [gone.id] });
  const query = { columns: [{ field: 'pictures' }], filter: { field: 'name', op: 'eq' as const, value: 'Shared' } };
  const { secret: link } = await createViewLink(owner, site.id, { path: on.path(`tables/${table.id}`) }, query);
  expect(await guestOf(program, link).texts()).toEqual([['Shared', 'tea.jpg']]);
});

test('an address stays where the writer may not add resources', async () => {
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  for (const action of ['read', 'create'] as const) await setRule(program, table, site, { role: 'analyst', action, allowed: true });
  const jobs = async (): Promise<number> => (await program.stores.postgres.pool.query("SELECT 1 FROM jobs WHERE kind = 'tables.files'")).rowCount ?? 0;
  const before = await jobs();
  const analyst = callsOf(await personOn(program, site, 'analyst'), site);
  const pictures = [{ url: `${origin}/tea.jpg` }];
  const [plain = ''] = await analyst.add(table.id, [{ name: 'By an analyst', pictures }]);
  const id = await add({ name: 'By the owner', pictures });
  await until(async () => (await picturesOf(id))[0]?.resource !== undefined);
  expect([await picturesOf(plain), (await jobs()) - before]).toEqual([pictures, 1]);
});
