import { jest } from '@jest/globals';
import type { AggregateAnswer, ContentRecord, Written } from '../../contract/records';
import type { Site } from '../../contract/sites';
import type { ContentTable } from '../../contract/tables';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { callsOf } from './tablesLifeSupport';
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

test('a list names no record in the bin, and has it again in its place once it is restored', async () => {
  const [a = '', b = ''] = ids;
  const [list = ''] = await calls.add(lists.id, [{ name: 'l', teas: [a, b] }]);
  await bin(teas, [a]);
  expect(await listed()).toEqual([[b]]);
  expect((await calls.get<ContentRecord>(`tables/${lists.id}/records/${list}`)).values['teas']).toEqual([b]);
  // What was shown is written back: no change, and nothing is lost.
  const same = await calls.send('PATCH', `tables/${lists.id}/records`, { changes: [{ id: list, values: { teas: [b] } }] });
  expect(same.json<{ data: Written }>().data).toMatchObject({ updated: 0, unchanged: 1 });
  await back(teas, [a]);
  expect(await listed()).toEqual([[a, b]]);
});

/** A record whose relation leads into the bin: it went along, and came back alone. */
async function strayed(): Promise<string> {
  const [a = ''] = ids;
  const [stray = ''] = await calls.add(lists.id, [{ name: 'stray', best: a }]);
  await bin(teas, [a]);
  await back(lists, [stray]);
  return a;
}

test('a relation to a record in the bin is empty in answers, filters, figures and groups, until that record is restored', async () => {
  const a = await strayed();
  await calls.add(lists.id, [{ name: 'none' }]);
  const values = async () => (await calls.rows(lists.id)).map((row) => row.values['best']);
  const empty = { field: 'best', op: 'empty' };
  const figures = () => calls.get<AggregateAnswer>(`tables/${lists.id}/aggregate?of=best:filled&group=best`);
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
