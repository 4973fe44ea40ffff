import { jest } from '@jest/globals';
import type { RecordView, ViewQuery } from '../../contract/tables/views';
import type { ContentTable } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let teas: ContentTable;
let at: (rest?: string) => string;
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      {
        type: 'select',
        title: 'Kind',
        key: 'kind',
        options: {
          choices: [
            { id: 'g', title: '绿茶' },
            { id: 'b', title: '红茶' },
          ],
        },
      },
      { type: 'date', title: 'Picked', key: 'picked' },
      { type: 'number', title: 'Cost', key: 'cost', sensitive: true },
    ],
  });
  at = (rest = '') => `tables/${teas.id}/views${rest}`;
});
const field = (key: string): string => teas.fields.find((one) => one.key === key)?.id ?? '';
const add = (input: object, by?: Person): Promise<RecordView> => calls.post<RecordView>(at(), input, by);
const list = (by?: Person): Promise<RecordView[]> => calls.get<RecordView[]>(at(), by);
const change = async (view: RecordView, body: object, by?: Person): Promise<RecordView> =>
  (await calls.send('PATCH', at(`/${view.id}`), body, view.revision, by)).json<{ data: RecordView }>().data;
const grid = (query: Partial<ViewQuery> = {}, more: object = {}) => ({ title: '网格', kind: 'grid', query, ...more });

test('a view stores field ids, and survives renames and the bin', async () => {
  const view = await add(
    grid({
      filter: { and: [{ field: 'kind', op: 'eq', value: 'g' }, { not: { field: 'picked', op: 'empty' } }] },
      sort: [
        { field: 'picked', descending: true },
        { field: '$updatedAt', descending: false },
      ],
      group: ['picked:month', 'kind'],
      columns: [{ field: 'name', width: 200 }, { field: 'kind' }],
      stack: 'kind',
    }),
  );
  const viewQuery = {
    filter: { and: [{ field: field('kind'), op: 'eq', value: 'g' }, { not: { field: field('picked'), op: 'empty' } }] },
    sort: [
      { field: field('picked'), descending: true },
      { field: '$updatedAt', descending: false },
    ],
    group: [`${field('picked')}:month`, field('kind')],
    columns: [{ field: field('name'), width: 200 }, { field: field('kind') }],
    stack: field('kind'),
  };
  expect(view.query).toMatchObject(viewQuery);
  const renamed = await calls.send('PATCH', `tables/${teas.id}/fields/kind`, { key: 'sort_of_tea', title: '茶类' }, teas.revision);
  expect(renamed.statusCode).toBe(200);
  expect((await list())[0]?.query).toMatchObject(viewQuery);
  const { revision } = renamed.json<{ data: ContentTable }>().data;
  expect((await calls.send('DELETE', `tables/${teas.id}/fields/sort_of_tea`, undefined, revision)).statusCode).toBe(200);
  expect((await list())[0]?.query).toMatchObject({
    filter: { and: [{ not: { field: field('picked'), op: 'empty' } }] },
    group: [`${field('picked')}:month`],
    columns: [{ field: field('name'), width: 200 }],
    stack: null,
  });
  await calls.post(`tables/${teas.id}/fields/${field('kind')}/restore`, {});
  expect((await list())[0]?.query).toMatchObject(viewQuery);
});

test('unknown or unsuitable fields in a view are refused by path', async () => {
  const fieldErrors = async (query: object) => (await calls.send('POST', at(), grid(query))).json<Failed>().fields;
  expect(await fieldErrors({ sort: [{ field: 'nothing', descending: true }] })).toEqual({ 'query.sort': { code: 'unknown' } });
  expect(await fieldErrors({ filter: { or: [{ field: 'f_aaaaaaaaaaaa', op: 'eq', value: 1 }] } })).toEqual({ 'query.filter': { code: 'unknown' } });
  expect(await fieldErrors({ filter: { field: 'picked', op: 'contains', value: 'x' } })).toEqual({ 'query.filter': { code: 'wrong_type' } });
  expect(await fieldErrors({ stack: 'name' })).toEqual({ 'query.stack': { code: 'wrong_type' } });
  expect(await fieldErrors({ date: 'kind' })).toEqual({ 'query.date': { code: 'wrong_type' } });
  expect(await fieldErrors({ group: ['picked:hour'] })).toEqual({ 'query.group': { code: 'pattern' } });
  expect(Object.keys((await fieldErrors({ columns: 'all' })) ?? {})).toEqual(['query.columns']);
  expect(await calls.refused('POST', 'tables/t_aaaaaaaaaaaa/views', grid())).toBe('not_found');
  expect(await list()).toEqual([]);
});

test('personal, shared and locked views have different editors', async () => {
  const own = await add(grid({}, { scope: 'personal', title: 'mine' }), viewer);
  const shared = await add(grid({}, { title: 'ours' }), editor);
  expect((await list(viewer)).map(({ title, own: mine }) => [title, mine])).toEqual([
    ['mine', true],
    ['ours', false],
  ]);
  expect((await list()).map(({ title }) => title)).toEqual(['ours']);
  expect(await calls.refused('PATCH', at(`/${own.id}`), { title: 'theirs' }, own.revision)).toBe('not_found');
  expect(await calls.refused('DELETE', at(`/${own.id}`))).toBe('not_found');
  expect(await calls.refused('POST', at(), grid(), undefined, viewer)).toBe('forbidden');
  expect(await calls.refused('PATCH', at(`/${shared.id}`), { title: 'x' }, shared.revision, viewer)).toBe('forbidden');
  expect(await calls.refused('PATCH', at(`/${shared.id}`), { scope: 'locked' }, shared.revision, editor)).toBe('forbidden');
  expect(await calls.refused('PATCH', at(`/${shared.id}`), { scope: 'personal' }, shared.revision)).toBe('forbidden');
  const locked = await change(shared, { scope: 'locked' });
  expect(locked).toMatchObject({ scope: 'locked', revision: 2 });
  expect(await calls.refused('PATCH', at(`/${shared.id}`), { title: 'x' }, locked.revision, editor)).toBe('forbidden');
  expect(await calls.refused('DELETE', at(`/${shared.id}`), undefined, undefined, editor)).toBe('forbidden');
  expect((await calls.send('DELETE', at(`/${shared.id}`))).statusCode).toBe(204);
  expect(await list()).toEqual([]);
});

test('a stale change of a view gets the current version', async () => {
  const view = await add(grid());
  await change(view, { title: '新的' }, editor);
  const late = await calls.send('PATCH', at(`/${view.id}`), { title: 'late' }, view.revision);
  expect([late.statusCode, late.json<Failed>()]).toEqual([
    409,
    expect.objectContaining({ code: 'stale_revision', current: expect.objectContaining({ title: '新的', revision: 2 }) }),
  ]);
  expect(await calls.refused('PATCH', at(`/${view.id}`), { title: 'x' })).toBe('precondition_required');
});

test('views can be reordered, apart from the personal views of others', async () => {
  const [a, , c] = [await add(grid({}, { title: 'a' })), await add(grid({}, { title: 'b' })), await add(grid({}, { title: 'c' }))];
  await add(grid({}, { scope: 'personal', title: 'v' }), viewer);
  await change(c, { position: 0 });
  expect((await list()).map(({ title }) => title)).toEqual(['c', 'a', 'b']);
  await change(a, { position: 1000 });
  expect((await list()).map(({ title }) => title)).toEqual(['c', 'b', 'a']);
  expect((await list(viewer)).map(({ title }) => title)).toEqual(['c', 'b', 'v', 'a']);
});

test('views omit hidden fields, and their readers cannot overwrite them', async () => {
  await setRule(program, teas, site, { role: 'analyst', action: 'update', allowed: true });
  const analyst = await personOn(program, site, 'analyst');
  const view = await add(grid({ filter: { field: 'cost', op: 'gt', value: '9' }, columns: [{ field: 'name' }, { field: 'cost' }] }));
  expect((await list(editor))[0]?.query.filter).toEqual({ field: field('cost'), op: 'gt', value: '9' });
  expect((await list(analyst))[0]?.query).toMatchObject({ filter: null, columns: [{ field: field('name') }] });
  expect(await calls.refused('PATCH', at(`/${view.id}`), { query: {} }, view.revision, analyst)).toBe('forbidden');
  expect(await change(view, { title: 'still' }, analyst)).toMatchObject({ title: 'still' });
  expect((await list())[0]?.query.columns).toHaveLength(2);
});

test('views of another site or a removed table are not found', async () => {
  const view = await add(grid());
  const other = await program.makeSite(owner, { name: '酒馆' });
  const there = callsOf(owner, other);
  expect(await there.refused('PATCH', at(`/${view.id}`), { title: 'x' }, 1)).toBe('not_found');
  const elsewhere = await there.table({ title: '酒', fields: [{ type: 'text', title: 'Name' }] });
  expect(await there.refused('DELETE', `tables/${elsewhere.id}/views/${view.id}`)).toBe('not_found');
  expect((await list()).length).toBe(1);
});
