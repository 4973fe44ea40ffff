import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { figures, page, putRecords, refusal, rule } from './tablesReadSupport';

let program: TestApp;
let people: MadeTable;
let testTable: Tabled;
beforeAll(async () => {
  program = await makeTestApp();
  const first = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'wage', type: 'integer' },
  ]);
  people = first;
  testTable = {
    ...first,
    ...(await addTestTable(
      first.owner,
      first.site.id,
      [
        { key: 'title', type: 'text' },
        { key: 'price', type: 'number' },
        { key: 'author', type: 'relation', options: { to: people.table.id } },
      ],
      { title: '书' },
    )),
  };
  const add = async (path: string, field: object): Promise<string> => {
    const answer = await testTable.owner.send('POST', `${path}/fields`, field);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    const { data } = (await testTable.owner.get(path)).json<{ data: { fields: { id: string; key: string }[] } }>();
    return data.fields.find((one) => one.key === (field as { key: string }).key)?.id ?? '';
  };
  const { author, price } = testTable.f;
  await add(testTable.path, { key: 'double', title: 'double', type: 'formula', options: { formula: '{price} * 2' } });
  await add(testTable.path, { key: 'shout', title: 'shout', type: 'formula', options: { formula: 'UPPER({title})' } });
  await add(testTable.path, { key: 'names', title: 'names', type: 'lookup', options: { relation: author, target: people.f['name'] } });
  await add(testTable.path, { key: 'wages', title: 'wages', type: 'lookup', options: { relation: author, target: people.f['wage'] } });
  const works = await add(people.path, { key: 'works', title: 'works', type: 'inverse', options: { of: author } });
  await add(people.path, { key: 'earned', title: 'earned', type: 'rollup', options: { relation: works, target: price, how: 'sum' } });
  const [lin = '', chen = ''] = await putRecords(program, testTable.site.id, people, [
    { values: { name: '林', wage: 5 } },
    { values: { name: '陈', wage: 7 } },
  ]);
  await putRecords(program, testTable.site.id, testTable, [
    { values: { title: 'a', price: '1.5', author: chen } },
    { values: { title: 'b', price: '4', author: lin } },
    { values: { title: 'c', author: lin } },
    { values: { title: 'd', price: '3', author: lin } },
  ]);
});
afterAll(() => program.close());

const titles = async (query: Record<string, string | object>) =>
  (await page(testTable.owner, testTable.path, query)).rows.map((row) => row.values['title']).join('');

describe('formulas, lookups and rollups', () => {
  it('are read, filtered and sorted like stored fields', async () => {
    const { rows } = await page(testTable.owner, testTable.path, { fields: 'double,shout' });
    expect(rows.map((row) => [Number(row.values['double']), row.values['shout']])).toEqual([
      [3, 'A'],
      [8, 'B'],
      [expect.anything(), 'C'],
      [6, 'D'],
    ]);
    expect(await titles({ filter: { field: 'double', op: 'gt', value: '5.5' } })).toBe('bd');
    expect(await titles({ filter: { not: { field: 'shout', op: 'in', value: ['A', 'D'] } } })).toBe('bc');
    expect(await titles({ sort: '-shout' })).toBe('dcba');
    expect(await titles({ sort: '-double', filter: { field: 'price', op: 'notEmpty' } })).toBe('bda');
    const earned = (await page(testTable.owner, people.path, { sort: '-earned' })).rows.map((row) => [row.values['name'], Number(row.values['earned'])]);
    expect(earned).toEqual([
      ['林', 7],
      ['陈', 1.5],
    ]);
    expect((await page(testTable.owner, people.path, { filter: { field: 'earned', op: 'lt', value: 2 } })).rows.map((row) => row.values['name'])).toEqual([
      '陈',
    ]);
  });

  it('are paged by cursors', async () => {
    const first = await page(testTable.owner, testTable.path, { sort: '-shout', limit: 2 });
    const rest = await page(testTable.owner, testTable.path, { sort: '-shout', limit: 2, cursor: first.next ?? '' });
    expect([...first.rows, ...rest.rows].map((row) => row.values['title']).join('')).toBe('dcba');
    expect(rest.next).toBeNull();
  });

  it('are grouped and aggregated', async () => {
    const found = await figures(testTable.owner, testTable.path, { group: 'shout', of: 'double:max' });
    expect(found.groups.map((one) => [one.keys[0], one.count])).toEqual([
      ['A', 1],
      ['B', 1],
      ['C', 1],
      ['D', 1],
    ]);
    expect(Number(found.values['double:max'])).toBe(8);
  });

  it('reveal nothing that the reader may not see', async () => {
    const viewer = await program.makePerson('member');
    await program.grant(testTable.site.id, viewer.userId, 'viewer');
    await rule(program, testTable.site.id, people.table.id, 'viewer', {
      fields: [people.f['name'] ?? ''],
      filter: { field: people.f['name'] ?? '', op: 'ne', value: '陈' },
    });
    const { rows } = await page(viewer, testTable.path, { fields: 'names,wages' });
    expect(JSON.stringify(rows.map((row) => row.values))).not.toMatch(/陈|7|5/);
    expect(JSON.stringify(rows.map((row) => row.values['names']))).toContain('林');
    expect(await refusal(viewer, `${people.path}/records`, { sort: 'earned' })).toBe('invalid_fields sort:unknown_field');
  });
});

describe('long queries', () => {
  it('fit into a URL up to the limits of the contract', async () => {
    const address = await program.app.listen({ port: 0, host: '127.0.0.1' });
    const cookie = [...testTable.owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const filter = { field: 'title', op: 'in', value: Array.from({ length: 900 }, (_, at) => `some title ${at}`) };
    const answer = await fetch(`${address}${testTable.path}/records?filter=${encodeURIComponent(JSON.stringify(filter))}`, { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { data: { rows: unknown[] } }).data.rows).toEqual([]);
  });
});
