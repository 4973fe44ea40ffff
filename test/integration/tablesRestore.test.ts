import { jest } from '@jest/globals';
import type { ContentRecord, RestoreResult, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let teas: ContentTable;
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    drafts: true,
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'text', title: 'Code', key: 'code', unique: true },
    ],
  });
});
const shelf = (onDelete: 'clear' | 'cascade', to = teas.id, more: Partial<ContentTable> = {}) =>
  calls.table({
    title: `架 ${onDelete}`,
    drafts: more.drafts ?? false,
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'text', title: 'Code', key: 'code', unique: true },
      { type: 'relation', title: 'Tea', key: 'tea', options: { to, onDelete } },
    ],
  });
const trash = (ids: string[], by?: Person, table = teas) => calls.post<Written>(`tables/${table.id}/records/trash`, { target: { ids } }, by);
const restore = (ids: string[], by?: Person, table = teas) => calls.post<RestoreResult>(`tables/${table.id}/records/restore`, { ids }, by);
const linksOf = async (table: ContentTable) => Object.fromEntries((await calls.rows(table.id)).map(({ values }) => [values['name'], values['tea']]));
const fieldOf = (table: ContentTable, key: string): string => table.fields.find((field) => field.key === key)?.id ?? '';

test('restoring a record restores the relations that its removal cleared', async () => {
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const shelves = await shelf('clear');
  await calls.add(shelves.id, [
    { name: 'first', tea: a },
    { name: 'second', tea: a },
    { name: 'other', tea: b },
  ]);
  await trash([a, b]);
  expect(await linksOf(shelves)).toEqual({ first: null, second: null, other: null });
  expect(await restore([a])).toMatchObject({ updated: 3, skipped: [], skippedCount: 0 });
  expect(await linksOf(shelves)).toEqual({ first: a, second: a, other: null });
  await restore([b]);
  expect(await linksOf(shelves)).toEqual({ first: a, second: a, other: b });
});

test('restoring a record restores the records removed with it', async () => {
  const [a = ''] = await calls.add(teas.id, [{ name: 'A' }]);
  const shelves = await shelf('cascade');
  const [first = '', early = ''] = await calls.add(shelves.id, [
    { name: 'first', tea: a },
    { name: 'early', tea: a },
  ]);
  const labels = await shelf('cascade', shelves.id);
  const notes = await shelf('clear', shelves.id);
  await calls.add(labels.id, [{ name: 'label', tea: first }]);
  await calls.add(notes.id, [{ name: 'note', tea: first }]);
  await trash([early], undefined, shelves);
  await trash([a]);
  const all = () => Promise.all([shelves, labels, notes].map(linksOf));
  expect(await all()).toEqual([{}, {}, { note: null }]);
  const { batchId } = await restore([a]);
  expect(await all()).toEqual([{ first: a }, { label: first }, { note: first }]);
  // One batch, which can be undone.
  await calls.post(`batches/${batchId}/undo`, {});
  expect([await all(), await calls.rows(teas.id)]).toEqual([[{}, {}, { note: null }], []]);
});

test('a relation changed since the removal stays and is reported', async () => {
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const shelves = await shelf('clear');
  const [first = '', second = ''] = await calls.add(shelves.id, [
    { name: 'first', tea: a },
    { name: 'second', tea: a },
  ]);
  await trash([a]);
  await calls.send('PATCH', `tables/${shelves.id}/records`, { changes: [{ id: first, values: { tea: b } }] });
  await trash([second], undefined, shelves);
  const answer = await restore([a]);
  expect(answer.skippedCount).toBe(2);
  expect(answer.skipped).toEqual(
    expect.arrayContaining([
      { tableId: shelves.id, recordId: first, field: fieldOf(shelves, 'tea') },
      { tableId: shelves.id, recordId: second, field: null },
    ]),
  );
  expect(await linksOf(shelves)).toEqual({ first: b });
});

test('a cascaded record stays binned when its unique value is taken', async () => {
  const [a = ''] = await calls.add(teas.id, [{ name: 'A' }]);
  const shelves = await shelf('cascade');
  const [first = ''] = await calls.add(shelves.id, [{ name: 'first', code: '1', tea: a }]);
  await trash([a]);
  await calls.add(shelves.id, [{ name: 'new', code: '1' }]);
  expect((await restore([a])).skipped).toEqual([{ tableId: shelves.id, recordId: first, field: null }]);
  expect(Object.keys(await linksOf(shelves))).toEqual(['new']);
});

test('restoring changes only tables that the caller may change', async () => {
  const [a = ''] = await calls.add(teas.id, [{ name: 'A' }]);
  const [clearing, cascading, secret] = [await shelf('clear'), await shelf('cascade'), await shelf('clear')];
  const [first = ''] = await calls.add(clearing.id, [{ name: 'first', tea: a }]);
  const [along = ''] = await calls.add(cascading.id, [{ name: 'along', tea: a }]);
  await calls.add(secret.id, [{ name: 'hidden', tea: a }]);
  await setRule(program, clearing, site, { role: 'editor', action: 'update', allowed: false });
  await setRule(program, cascading, site, { role: 'editor', action: 'delete', allowed: false });
  await setRule(program, secret, site, { role: 'editor', action: 'read', allowed: false });
  await trash([a]);
  expect((await restore([a], editor)).skipped).toEqual([
    { tableId: cascading.id, recordId: along, field: null },
    { tableId: clearing.id, recordId: first, field: fieldOf(clearing, 'tea') },
  ]);
  expect([await linksOf(clearing), await linksOf(cascading), await linksOf(secret)]).toEqual([{ first: null }, {}, { hidden: null }]);
});

test('published records are published again by those with the right', async () => {
  const shelves = await shelf('cascade', teas.id, { drafts: true });
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const [first = ''] = await calls.add(shelves.id, [{ name: 'first', tea: a }]);
  for (const [table, ids] of [[teas, [a, b]] as const, [shelves, [first]] as const])
    await calls.post(`tables/${table.id}/records/publish`, { target: { ids } });
  const states = async (table: ContentTable) => (await calls.rows(table.id)).map(({ values, state }: ContentRecord) => [values['name'], state]);
  await trash([a, b]);
  await restore([a]);
  expect([await states(teas), await states(shelves)]).toEqual([[['A', 'published']], [['first', 'published']]]);
  expect(await ask(program, site, `select id from $site.p_${teas.id.slice(2)}`)).toEqual([{ id: a }]);
  await setRule(program, teas, site, { role: 'editor', action: 'publish', allowed: false });
  await restore([b], editor);
  expect(await states(teas)).toEqual([
    ['A', 'published'],
    ['B', 'draft'],
  ]);
});

test('a record without history is restored alone', async () => {
  const [a = ''] = await calls.add(teas.id, [{ name: 'A' }]);
  const shelves = await shelf('clear');
  await calls.add(shelves.id, [{ name: 'first', tea: a }]);
  await trash([a]);
  await ask(program, site, 'delete from $site.h');
  expect(await restore([a])).toMatchObject({ updated: 1, skippedCount: 0 });
  expect(await linksOf(shelves)).toEqual({ first: null });
});
