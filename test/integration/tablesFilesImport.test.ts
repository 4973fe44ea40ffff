import type { Resource } from '../../contract/resources/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TableImport } from '../../contract/tables/transfers';
import { jobHandlers } from '../../server/areas';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { photo, resourceClient } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';
import { columnsTo, importsOf } from './tablesTransferSupport';
import type { Imports } from './tablesTransferSupport';
import { contentsIn, zipOf } from './zip';

type Place = { readonly site: Site; readonly on: Calls; readonly resources: ResourceClient; readonly imports: Imports; readonly table: ContentTable };
const keys = ['name', 'pictures', 'papers', 'body', 'steps'];
/** Texts that a record has of its own for a picture. */
const ownTexts = { alt: { en: 'Green, "tea"', 'zh-Hans': '绿茶，热的' }, caption: { en: 'From the hill' } };

let t: TestApp;
let owner: Person;
let worker: Worker;
let source: Place;
let exported: Buffer;

/** A site with an empty table. */
async function newPlace(): Promise<Place> {
  const site = await t.makeSite(owner);
  const on = callsOf(owner, site);
  const items = [
    { key: 'text', title: 'Text', type: 'text' as const, required: false },
    { key: 'pictures', title: 'Pictures', type: 'image' as const, required: false },
  ];
  const table = await on.table({
    title: 'Products',
    key: 'products',
    fields: [
      { key: 'name', type: 'text', title: 'Name' },
      { key: 'pictures', type: 'image', title: 'Pictures' },
      { key: 'papers', type: 'file', title: 'Papers' },
      { key: 'body', type: 'richText', title: 'Body' },
      { key: 'steps', type: 'repeater', title: 'Steps', options: { items } },
    ],
  });
  return { site, on, resources: resourceClient(owner, site.id), imports: importsOf(t, owner, site), table };
}

const exportOf = async ({ on, table }: Place): Promise<Buffer> => (await owner.get(on.path(`tables/${table.id}/export?format=zip`))).rawPayload;
const listed = async ({ resources }: Place, deleted = false): Promise<Resource[]> => (await resources.list(`?size=100&deleted=${deleted}`)).rows;
const names = (rows: readonly Resource[]): string[] => rows.map(({ name }) => name).toSorted();
/** Where an export has a file, and how its table names it. */
function fileIn(archive: Buffer, ending: string): { readonly path: string; readonly cell: string; readonly content: Buffer } {
  const [path, content] = [...contentsIn(archive)].find(([name]) => name.endsWith(ending)) ?? ['', Buffer.alloc(0)];
  return { path, cell: `/_r/${path.split('/')[1]}/file`, content };
}
const importInto = (place: Place, archive: Buffer, plan = {}): Promise<TableImport> => place.imports.run(place.table, 'products.zip', archive, keys, plan);

/** An export with the names of its files in place of their ids. */
function withoutIds(archive: Buffer): Map<string, string> {
  const contents = contentsIn(archive);
  const details = (contents.get('_r/files.jsonl')?.toString() ?? '').trim().split('\n');
  const ids = new Map(details.map((line) => JSON.parse(line) as { id: string; name: string }).map(({ id, name }) => [id, name]));
  const named = (text: string): string => text.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => ids.get(id) ?? id);
  const sorted = (text: string): string => text.split('\n').toSorted().join('\n');
  return new Map(
    [...contents]
      .map(([path, content]): [string, string] => {
        const text = content.toString('latin1');
        return [named(path), path === '_r/files.jsonl' ? sorted(named(content.toString())) : path.startsWith('_r/') ? text : named(content.toString())];
      })
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

beforeAll(async () => {
  t = await makeTestAppWithFolder();
  owner = await t.signUpOwner();
  worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 30 });
  source = await newPlace();
  const { resources, on, table } = source;
  const picture = await resources.upload(await photo(90, 60), '茶 #1 (绿).jpg');
  await resources.change(picture.id, 1, { alt: { en: 'Tea' }, caption: { 'zh-Hans': '绿茶' }, tags: ['tea'], rotation: 90, focalX: 0.25 });
  const svg = await resources.upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script><path d="M0 0h1"/></svg>'), 'leaf:1.svg');
  const paper = await resources.upload(Buffer.from('%PDF-1.7\n%%EOF'), 'paper.pdf');
  await resources.change(paper.id, 1, { visibility: 'private' });
  await resources.upload(Buffer.from('unused'), 'unused.txt');
  await on.add(table.id, [
    { name: 'Green, "tea"', pictures: [{ resource: picture.id, ...ownTexts }, { resource: svg.id }], papers: [{ resource: paper.id }] },
    {
      name: 'Black tea',
      pictures: [{ resource: picture.id }],
      body: `<p>Tea <img src="/_r/${picture.id}/a.jpg"></p>`,
      steps: [{ text: 'Pick', pictures: [{ resource: svg.id }] }],
    },
    { name: 'No files' },
  ]);
  exported = await exportOf(source);
});
afterAll(async () => {
  await worker.close();
  await t.close();
});

test('an export with files is the same after an import into another site', async () => {
  const place = await newPlace();
  expect(await importInto(place, exported)).toMatchObject({ state: 'done', error: null, counts: { insert: 3, fail: 0 } });
  expect(names(await listed(place))).toEqual(['leaf:1.svg', 'paper.pdf', '茶 #1 (绿).jpg']);
  expect((await listed(place)).map(({ uses }) => uses).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  const again = await exportOf(place);
  expect(withoutIds(again)).toEqual(withoutIds(exported));
  expect([...withoutIds(again).keys()]).toEqual(expect.arrayContaining(['Products.csv', '_r/茶 #1 (绿).jpg/茶 #1 (绿).jpg', '_r/files.jsonl']));
  expect(again.includes(Buffer.from((await listed(source))[0]?.id ?? ''))).toBe(false);
  const imported = (await place.on.rows(place.table.id)).map(({ values }) => values['pictures'] ?? null);
  const resource: unknown = expect.any(String);
  expect(imported).toEqual([[{ resource, ...ownTexts }, { resource }], [{ resource }], null]);

  // Contents that the site has are used again.
  expect(await importInto(place, exported)).toMatchObject({ state: 'done', counts: { insert: 3 } });
  expect((await listed(place)).map(({ uses }) => uses).toSorted((a, b) => a - b)).toEqual([2, 4, 6]);
});

test('a dry run finds every error and adds nothing', async () => {
  const place = await newPlace();
  const archive = contentsIn(exported);
  const missing = '/_r/0198c0de-0000-7000-8000-000000000001/a.jpg';
  const rows = `Name,Pictures\nPaper,${fileIn(exported, '.pdf').cell}\nMissing,${missing}\nGood,${fileIn(exported, '.jpg').cell}\n`;
  const files = Object.fromEntries([...archive].filter(([path]) => path.startsWith('_r/')));
  const { id } = await place.imports.upload(place.table, 'a.zip', zipOf({ 'a.csv': rows, ...files }));
  expect((await place.imports.look(id)).columns.map(({ name, field }) => [name, field !== null])).toEqual([
    ['Name', true],
    ['Pictures', true],
  ]);
  await place.imports.start(id, { columns: columnsTo(['name', 'pictures']) }, { dryRun: true });
  expect(await place.imports.ended(id)).toMatchObject({ state: 'checked', counts: { insert: 1, fail: 2 } });
  expect((await place.imports.rows(id, 'outcome=fail')).rows.map(({ errors }) => errors[0]?.code)).toEqual(['wrong_type', 'unknown']);
  expect(await listed(place)).toEqual([]);
  await place.imports.start(id, { columns: columnsTo(['name', 'pictures']), leaveOut: true });
  expect(await place.imports.ended(id)).toMatchObject({ state: 'done', counts: { insert: 1, fail: 2 } });
  expect([names(await listed(place)), names(await listed(place, true))]).toEqual([['茶 #1 (绿).jpg'], ['paper.pdf']]);
});

test('one undo takes records and files back, and redo returns them', async () => {
  const place = await newPlace();
  const own = await place.resources.upload(fileIn(exported, '.pdf').content, 'own.pdf');
  const { id, batchId } = await importInto(place, exported);
  const svg = (await listed(place)).find(({ kind }) => kind === 'svg');
  await place.on.add(place.table.id, [{ name: 'Mine', pictures: [{ resource: svg?.id }] }]);
  expect((await owner.send('POST', place.imports.path(`${id}/undo`))).statusCode).toBe(200);
  expect((await place.imports.ended(id)).undone).toBe(true);
  expect((await place.on.rows(place.table.id)).map(({ values }) => values['name'])).toEqual(['Mine']);
  expect([names(await listed(place)), names(await listed(place, true))]).toEqual([['leaf:1.svg', 'own.pdf'], ['茶 #1 (绿).jpg']]);
  expect((await place.resources.read(own.id)).uses).toBe(1);
  await place.on.post(`batches/${batchId}/redo`, {});
  expect([(await place.on.rows(place.table.id)).length, names(await listed(place, true))]).toEqual([4, []]);
  await place.on.post(`batches/${batchId}/undo`, {});
  expect(names(await listed(place, true))).toEqual(['茶 #1 (绿).jpg']);
});

test('an import stops where the site has no room, and goes on later', async () => {
  const place = await newPlace();
  const limit = (maxBytes: number | null, revision: number) =>
    owner.send('PUT', `${place.resources.base}/storage`, { maxBytes, maxFileBytes: null }, { 'if-match': `"${revision}"` });
  await limit(2 ** 20, 0);
  await place.resources.upload(Buffer.alloc(2 ** 20 - 100), 'large.bin');
  const stopped = await importInto(place, exported);
  expect([stopped.state, await place.on.rows(place.table.id)]).toEqual(['failed', []]);
  await limit(null, 1);
  await place.imports.start(stopped.id, { columns: columnsTo(keys) });
  expect(await place.imports.ended(stopped.id)).toMatchObject({ state: 'done', counts: { insert: 3 } });
  expect(names(await listed(place))).toEqual(['large.bin', 'leaf:1.svg', 'paper.pdf', '茶 #1 (绿).jpg']);
});

test('a new table and its files go together', async () => {
  const place = await newPlace();
  const { id } = await place.imports.upload(null, 'tea.zip', exported);
  const columns = [
    { column: 0, to: { new: { title: 'Name', type: 'text' as const } } },
    { column: 1, to: { new: { title: 'Pictures', type: 'image' as const } } },
  ];
  await place.imports.start(id, { columns }, { title: 'Tea' });
  expect(await place.imports.ended(id)).toMatchObject({ state: 'done', counts: { insert: 3 } });
  expect(names(await listed(place))).toEqual(['leaf:1.svg', '茶 #1 (绿).jpg']);
  await owner.send('POST', place.imports.path(`${id}/undo`));
  expect((await place.imports.ended(id)).undone).toBe(true);
  expect([names(await listed(place)), (await listed(place, true)).length]).toEqual([[], 2]);
});

test('an edited file replaces nothing: it becomes another resource', async () => {
  const before = await listed(source);
  const { path, cell } = fileIn(exported, '.jpg');
  const files = Object.fromEntries([...contentsIn(exported)].filter(([one]) => one.startsWith('_r/')));
  const rows = `Name,Pictures\nEdited,${cell}\nSame,${fileIn(exported, '.svg').cell}\n`;
  const archive = zipOf({
    'Tea/a.csv': rows,
    ...Object.fromEntries(Object.entries({ ...files, [path]: await photo(91, 61) }).map(([one, content]) => [`Tea/${one}`, content])),
    '__MACOSX/._a.csv': 'x',
  });
  expect(await source.imports.run(source.table, 'edited.zip', archive, ['name', 'pictures'])).toMatchObject({ state: 'done', counts: { insert: 2 } });
  const added = (await listed(source)).filter(({ id }) => before.every((one) => one.id !== id));
  expect(added).toMatchObject([{ width: 61, height: 91, rotation: 90, alt: { en: 'Tea' }, uses: 1 }]);
});

test('whoever may not add resources uses only those of the site', async () => {
  const place = await newPlace();
  for (const action of ['read', 'create'] as const) await setRule(t, place.table, place.site, { role: 'analyst', action, allowed: true });
  const analyst = await personOn(t, place.site, 'analyst');
  const { id } = await place.imports.upload(place.table, 'a.zip', exported, analyst);
  await place.imports.start(id, { columns: columnsTo(['name', 'pictures']), leaveOut: true }, {}, analyst);
  expect(await place.imports.ended(id)).toMatchObject({ state: 'done', counts: { insert: 1, fail: 2 } });
  expect(await listed(place)).toEqual([]);
});

describe('an archive is refused', () => {
  const id = '0198c0de-0000-7000-8000-00000000000a';
  const table = { 'a.csv': 'Name,Pictures\nA,\n' };
  const flagged = (archive: Buffer, at: string, offset: number, value: number): Buffer => {
    const copy = Buffer.from(archive);
    for (let from = copy.indexOf(at, 0, 'latin1'); from >= 0; from = copy.indexOf(at, from + 4, 'latin1')) copy[from + offset] = value;
    return copy;
  };
  const central = 'PK\u0001\u0002';
  test.each<[string, () => Buffer]>([
    ['with two tables', () => zipOf({ ...table, 'b.csv': 'x' })],
    ['without a table', () => zipOf({ [`_r/${id}/a.txt`]: 'x' })],
    ['with a file elsewhere', () => zipOf({ ...table, 'a.exe': 'x' })],
    ['with a file in a deeper folder', () => zipOf({ ...table, [`_r/${id}/b/a.txt`]: 'x' })],
    ['with two files of one id', () => zipOf({ ...table, [`_r/${id}/a.txt`]: 'x', [`_r/${id}/b.txt`]: 'x' })],
    ['with a name that leads out', () => zipOf({ ...table, [`_r/${id}/../../../a.txt`]: 'x' })],
    ['with an absolute name', () => zipOf({ ...table, '/etc/a.csv': 'x' })],
    ['with a backslash in a name', () => zipOf({ ...table, 'b\\\\a.csv': 'x' })],
    ['with a password', () => flagged(zipOf(table), central, 8, 1)],
    ['with a bomb', () => zipOf({ ...table, [`_r/${id}/a.txt`]: Buffer.alloc(2 ** 21) })],
    ['with a wrong checksum', () => flagged(zipOf(table), central, 16, 1)],
    ['that is cut', () => zipOf(table).subarray(0, 60)],
  ])('%s', async (_name, archive) => {
    const { imports, table: target } = source;
    const started = await imports.upload(target, 'a.zip', archive());
    expect(await imports.unread(started.id)).toMatch(/^(?:A ZIP must|The ZIP is|ZIP 里|ZIP 解压)/);
  });

  test('by a file whose content is not as announced, without trace', async () => {
    const place = await newPlace();
    const rows = { 'a.csv': `Name,Papers\nA,/_r/${id}/a.txt\n`, [`_r/${id}/a.txt`]: 'tea' };
    const whole = zipOf(rows);
    const at = whole.lastIndexOf(central, undefined, 'latin1');
    const archive = Buffer.from(whole);
    archive[at + 16] = (archive[at + 16] ?? 0) ^ 1;
    expect(await place.imports.run(place.table, 'a.zip', archive, ['name', 'papers'])).toMatchObject({ state: 'failed' });
    expect([await listed(place), await place.on.rows(place.table.id)]).toEqual([[], []]);
  });
});
