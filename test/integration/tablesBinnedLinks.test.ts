import { jest } from '@jest/globals';
import type { AggregateResult, ContentRecord, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let teas: ContentTable;
let lists: ContentTable;
let ids: string[];
beforeEach(async () => {
  teas = await calls.table({ title: '茶', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  lists = await calls.table({
    title: '单',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'relations', title: 'Teas', key: 'teas', options: { to: teas.id } },
      { type: 'relation', title: 'Best', key: 'best', options: { to: teas.id, onDelete: 'cascade' } },
    ],
  });
  ids = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
});
const bin = (table: ContentTable, some: string[]) => calls.post<Written>(`tables/${table.id}/records/trash`, { target: { ids: some } });
const back = (table: ContentTable, some: string[]) => calls.post<Written>(`tables/${table.id}/records/restore`, { ids: some });
const listed = async () => (await calls.rows(lists.id)).map(({ values }) => values['teas']);
const found = async (filter: object) =>
  (await calls.rows(lists.id, `filter=${encodeURIComponent(JSON.stringify(filter))}`)).map(({ values }) => values['name']);

test('a relation list omits binned records until they are restored', async () => {
  const [a = '', b = ''] = ids;
  const [list = ''] = await calls.add(lists.id, [{ name: 'l', teas: [a, b] }]);
  await bin(teas, [a]);
  expect(await listed()).toEqual([[b]]);
  expect((await calls.get<ContentRecord>(`tables/${lists.id}/records/${list}`)).values['teas']).toEqual([b]);
  // Writing back what was read changes nothing and loses nothing.
  const same = await calls.send('PATCH', `tables/${lists.id}/records`, { changes: [{ id: list, values: { teas: [b] } }] });
  expect(same.json<{ data: Written }>().data).toMatchObject({ updated: 0, unchanged: 1 });
  await back(teas, [a]);
  expect(await listed()).toEqual([[a, b]]);
});

/** A record whose relation leads into the bin: both were binned together, and it was restored alone. */
async function strayed(): Promise<string> {
  const [a = ''] = ids;
  const [stray = ''] = await calls.add(lists.id, [{ name: 'stray', best: a }]);
  await bin(teas, [a]);
  await back(lists, [stray]);
  return a;
}

test('a relation to a binned record reads as empty until its restore', async () => {
  const a = await strayed();
  await calls.add(lists.id, [{ name: 'none' }]);
  const values = async () => (await calls.rows(lists.id)).map((row) => row.values['best']);
  const empty = { field: 'best', op: 'empty' };
  const figures = () => calls.get<AggregateResult>(`tables/${lists.id}/aggregate?of=best:filled&group=best`);
  expect(await values()).toEqual([null, null]);
  expect([await found(empty), await found({ field: 'best', op: 'eq', value: a }), await found({ field: 'best', op: 'ne', value: a })]).toEqual([
    ['stray', 'none'],
    [],
    ['stray', 'none'],
  ]);
  expect((await figures()).groups.map(({ keys, count }) => [keys, count])).toEqual([[[null], 2]]);
  await back(teas, [a]);
  expect(await values()).toEqual([a, null]);
  expect([await found(empty), await found({ field: 'best', op: 'in', value: [a] })]).toEqual([['none'], ['stray']]);
  expect((await figures()).values).toEqual({ 'best:filled': 1 });
});

describe('a relation that leads only to binned records counts as empty', () => {
  let orders: ContentTable;
  const message = 'Name a tea';
  beforeEach(async () => {
    orders = await calls.table({
      title: 'Orders',
      drafts: true,
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relations', title: 'Teas', key: 'teas', required: true, options: { to: teas.id } },
        { type: 'text', title: 'Note', key: 'note', rules: [{ filter: { field: 'teas', op: 'notEmpty' }, message }] },
      ],
    });
  });
  const publish = (id: string) => calls.send('POST', `tables/${orders.id}/records/publish`, { target: { ids: [id] } });
  const fieldErrorsOf = async (answer: ReturnType<typeof publish>) => (await answer).json<{ fields?: object }>().fields;
  /** An order for a tea in the bin. */
  const ordered = async (): Promise<string> => {
    const [id = ''] = await calls.add(orders.id, [{ name: 'o', teas: ids.slice(0, 1), note: 'x' }]);
    await bin(teas, ids.slice(0, 1));
    return id;
  };

  test('when a publish checks required fields and rules', async () => {
    const id = await ordered();
    expect(await fieldErrorsOf(publish(id))).toEqual({ teas: { code: 'required' }, note: { code: 'pattern', message } });
    await back(teas, ids.slice(0, 1));
    expect((await publish(id)).statusCode).toBe(200);
  });

  test('when a write checks rules in a table without drafts', async () => {
    const plain = await calls.table({
      title: 'Plain',
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relation', title: 'Tea', key: 'tea', options: { to: teas.id, onDelete: 'cascade' } },
        {
          type: 'text',
          title: 'Note',
          key: 'note',
          rules: [
            {
              filter: {
                or: [
                  { field: 'note', op: 'empty' },
                  { field: 'tea', op: 'notEmpty' },
                ],
              },
              message,
            },
          ],
        },
      ],
    });
    const [a = ''] = ids;
    const [id = ''] = await calls.add(plain.id, [{ name: 'p', tea: a }]);
    await bin(teas, [a]);
    await back(plain, [id]);
    const change = (values: object) => calls.send('PATCH', `tables/${plain.id}/records`, { changes: [{ id, values }] });
    expect(await fieldErrorsOf(change({ note: 'x' }))).toEqual({ 'changes.0.note': { code: 'pattern', message } });
    // Fields that the change does not touch are not checked.
    expect((await change({ name: 'other' })).statusCode).toBe(200);
    await back(teas, [a]);
    expect((await change({ note: 'x' })).statusCode).toBe(200);
  });

  test('but a record hidden from the writer still counts', async () => {
    const editor = await personOn(program, site, 'editor');
    const [id = ''] = await calls.add(orders.id, [{ name: 'o', teas: ids.slice(0, 1), note: 'x' }]);
    await setRule(program, teas, site, { role: 'editor', action: 'read', allowed: false });
    await setRule(program, orders, site, { role: 'editor', action: 'publish', allowed: true });
    expect((await calls.send('POST', `tables/${orders.id}/records/publish`, { target: { ids: [id] } }, undefined, editor)).statusCode).toBe(200);
  });
});
