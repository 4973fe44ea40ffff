import type { FormulaTrial } from '../../contract/tables/formulaEndpoints';
import type { ContentTable, TableField } from '../../contract/tables/schemas';
import { siteModel, tableOf } from '../../server/areas/tables/core/model';
import { listRecords } from '../../server/areas/tables/core/read';
import { contentFields } from '../../server/areas/tables/core/schema';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { personOn } from './tablesLifeSupport';
import { figures, link, page, putRecords, rule } from './tablesReadSupport';

let program: TestApp;
let authors: Tabled;
let books: MadeTable;
let owner: Person;
let siteId: string;
let [lao, ba]: string[] = [];
const choices = [
  { id: 'novel', title: '小说' },
  { id: 'essay', title: '散文' },
];

beforeAll(async () => {
  program = await makeTestApp();
  authors = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'born', type: 'date' },
    { key: 'secret', type: 'text', sensitive: true },
  ]);
  owner = authors.owner;
  siteId = authors.site.id;
  books = await addTestTable(owner, siteId, [
    { key: 'title', type: 'text' },
    { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
    { key: 'count', type: 'integer' },
    { key: 'cost', type: 'number', sensitive: true },
    { key: 'kind', type: 'select', options: { choices } },
    { key: 'author', type: 'relation', options: { to: authors.table.id }, inverseTitle: '著作' },
    { key: 'readers', type: 'relations', options: { to: authors.table.id }, inverseTitle: '读过' },
    { key: 'total', type: 'formula', options: { formula: '{price} * {count}', decimals: 2 } },
    { key: 'grand', type: 'formula', options: { formula: 'IF({total} > 100, "高：" & {total}, "低")' } },
    { key: 'writer', type: 'lookup', options: { relation: 'author', target: 'name' } },
    { key: 'hidden_name', type: 'lookup', options: { relation: 'author', target: 'secret' } },
    { key: 'reader_names', type: 'lookup', options: { relation: 'readers', target: 'name' } },
    { key: 'first_birth', type: 'rollup', options: { relation: 'readers', target: 'born', how: 'min' } },
    { key: 'margin', type: 'formula', options: { formula: '{price} - {cost}' } },
    { key: 'line', type: 'formula', options: { formula: '{title} & "/" & {author} & "/" & {readers} & "/" & {kind}' } },
    { key: 'open', type: 'button', options: { label: '查看', url: 'https://x.test/{kind}?q={title}' } },
  ]);
  authors = { ...authors, ...(await reread(authors)) };
  [lao, ba] = await putRecords(program, siteId, authors, [
    { values: { name: '老舍', born: '1899-02-03', secret: '甲' } },
    { values: { name: '巴金', born: '1904-11-25', secret: '乙' } },
    { values: { name: '无名' } },
    { values: { name: '已删', born: '1800-01-01' }, deleted: true },
  ]);
  const ids = await putRecords(program, siteId, books, [
    { values: { title: '茶馆 & 其他', price: '12.50', count: 10, cost: '3.3', kind: 'novel', author: lao } },
    { values: { title: '家', price: '30', count: 2, kind: 'essay', author: ba } },
    { values: { title: '空' } },
  ]);
  await link(program, siteId, books.f['readers'] ?? '', [
    [ids[0] ?? '', ba ?? ''],
    [ids[0] ?? '', lao ?? ''],
    [ids[1] ?? '', lao ?? ''],
  ]);
});
afterAll(() => program.close());

const sorted = (rows: readonly { values: Record<string, unknown> }[], key: string): unknown[] => rows.map((row) => row.values[key]);
const column = async (key: string, by: Person = owner, of: MadeTable = books): Promise<unknown[]> => sorted((await page(by, of.path)).rows, key);
async function reread(of: MadeTable): Promise<MadeTable> {
  const { data: table } = (await owner.get(of.path)).json<{ data: ContentTable }>();
  return { ...of, table, f: Object.fromEntries(table.fields.map((field) => [field.key, field.id])) };
}
const fieldNow = async (of: MadeTable, key: string): Promise<TableField | undefined> => (await reread(of)).table.fields.find((one) => one.key === key);
async function changed(of: MadeTable, method: 'POST' | 'PATCH' | 'DELETE', rest: string, body?: object): Promise<{ status: number; body: string }> {
  const { table } = await reread(of);
  const answer = await owner.send(method, `${of.path}/${rest}`, body, { 'if-match': `"${table.revision}"` });
  return { status: answer.statusCode, body: answer.body };
}
const tried = async (of: MadeTable, body: object): Promise<FormulaTrial> => {
  const answer = await owner.send('POST', `${of.path}/formula`, body);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<{ data: FormulaTrial }>().data;
};

test('formulas, lookups, rollups and buttons are read with their records', async () => {
  expect(await column('total')).toEqual(['125', '60', null]);
  expect(await column('grand')).toEqual(['高：125', '低', '低']);
  expect(await column('writer')).toEqual(['老舍', '巴金', null]);
  expect(await column('reader_names')).toEqual([['巴金', '老舍'], ['老舍'], null]);
  expect(await column('first_birth')).toEqual(['1899-02-03', '1899-02-03', null]);
  expect(await column('line')).toEqual(['茶馆 & 其他/老舍/巴金, 老舍/小说', '家/巴金/老舍/散文', '空///']);
  expect(await column('open')).toEqual([
    `https://x.test/${encodeURIComponent('小说')}?q=${encodeURIComponent('茶馆 & 其他')}`,
    `https://x.test/${encodeURIComponent('散文')}?q=${encodeURIComponent('家')}`,
    `https://x.test/?q=${encodeURIComponent('空')}`,
  ]);
  expect((await fieldNow(books, 'reader_names'))?.yields).toBe('list');
});

test('computed fields filter, sort, group and aggregate like other fields', async () => {
  expect(sorted((await page(owner, books.path, { filter: { field: 'total', op: 'gt', value: 100 } })).rows, 'title')).toEqual(['茶馆 & 其他']);
  expect(sorted((await page(owner, books.path, { filter: { field: 'reader_names', op: 'hasAny', value: ['巴金'] } })).rows, 'title')).toEqual(['茶馆 & 其他']);
  expect(sorted((await page(owner, books.path, { sort: 'total' })).rows, 'total').filter((one) => one !== null)).toEqual(['60', '125']);
  const { values, groups } = await figures(owner, books.path, { of: 'total:sum', group: 'grand' });
  expect(Object.values(values).map(Number)).toEqual([185]);
  expect(groups.map((group) => [group.keys[0], group.count])).toEqual(
    expect.arrayContaining([
      ['低', 2],
      ['高：125', 1],
    ]),
  );
});

test('every rollup function works over relations and inverse fields', async () => {
  const inverse = authors.table.fields.filter((field) => field.type === 'inverse');
  const back = (of: string | undefined): string => inverse.find((field) => field.options.of === of)?.id ?? '';
  const author = back(books.f['author']);
  const readers = back(books.f['readers']);
  const add = async (key: string, relation: string, how: string, target?: string): Promise<void> => {
    const answer = await changed(authors, 'POST', 'fields', { key, title: key, type: 'rollup', options: { relation, how, ...(target ? { target } : {}) } });
    if (answer.status !== 200) throw new Error(answer.body);
  };
  for (const how of ['sum', 'avg', 'min', 'max', 'median', 'filled', 'empty', 'distinct']) await add(`r_${how}`, readers, how, 'price');
  await add('r_count', readers, 'count');
  await add('r_total', author, 'sum', 'total');
  const { rows } = await page(owner, authors.path);
  const of = (row: number): Record<string, unknown> => Object.fromEntries(Object.entries(rows[row]?.values ?? {}).filter(([key]) => key.startsWith('r_')));
  expect(of(0)).toEqual({
    r_sum: '42.5',
    r_avg: '21.25',
    r_min: '12.5',
    r_max: '30',
    r_median: '21.25',
    r_filled: '2',
    r_empty: '0',
    r_distinct: '2',
    r_count: '2',
    r_total: '125',
  });
  expect(of(2)).toEqual({
    r_sum: null,
    r_avg: null,
    r_min: null,
    r_max: null,
    r_median: null,
    r_filled: '0',
    r_empty: '0',
    r_distinct: '0',
    r_count: '0',
    r_total: null,
  });
});

test('computed fields reveal nothing that the reader may not see', async () => {
  const viewer = await personOn(program, authors.site, 'viewer');
  expect(await column('writer', viewer)).toEqual(['老舍', '巴金', null]);
  // A sensitive field stays sensitive in lookups and in everything computed from it.
  expect(await column('hidden_name')).toEqual(['甲', '乙', null]);
  expect(await column('hidden_name', viewer)).toEqual([null, null, null]);
  expect(await column('margin')).toEqual(['9.2', null, null]);
  expect(await column('margin', viewer)).toEqual([null, null, null]);
  const found = await page(viewer, books.path, { filter: { field: 'margin', op: 'gt', value: 0 } });
  expect(found.rows).toEqual([]);
  // Limited by record: only people born after 1900.
  await rule(program, siteId, authors.table.id, 'support', { filter: { field: 'born', op: 'gte', value: '1900-01-01' } });
  const support = await personOn(program, authors.site, 'support');
  expect(await column('writer', support)).toEqual([null, '巴金', null]);
  expect(await column('reader_names', support)).toEqual([['巴金'], null, null]);
  expect(await column('line', support)).toEqual(['茶馆 & 其他//巴金/小说', '家/巴金//散文', '空///']);
  // No access to the other table.
  await rule(program, siteId, authors.table.id, 'analyst', { allowed: false });
  const analyst = await personOn(program, authors.site, 'analyst');
  expect(await column('writer', analyst)).toEqual([null, null, null]);
  expect(await column('first_birth', analyst)).toEqual([null, null, null]);
  expect(await column('total', analyst)).toEqual(['125', '60', null]);
});

test('a rule may expose a computed field without its inputs', async () => {
  await rule(program, siteId, books.table.id, 'editor', { fields: [books.f['title'] ?? '', books.f['margin'] ?? ''] });
  const editor = await personOn(program, authors.site, 'editor');
  const [row] = (await page(editor, books.path)).rows;
  expect(row?.values).toEqual({ title: '茶馆 & 其他', margin: '9.2' });
});

test('formulas survive renaming, removal and restoration of their fields', async () => {
  const testTable = await addTestTable(owner, siteId, [
    { key: 'one', type: 'number', title: '单价' },
    { key: 'two', type: 'formula', title: '双倍', options: { formula: '{单价} * 2' } },
    { key: 'four', type: 'formula', title: '四倍', options: { formula: '{双倍} * 2' } },
  ]);
  await putRecords(program, siteId, testTable, [{ values: { one: '1.5' } }]);
  expect((await fieldNow(testTable, 'two'))?.options.formula).toBe(`{${testTable.f['one']}} * 2`);
  expect((await changed(testTable, 'PATCH', 'fields/one', { title: '价格 } 新', key: 'amount' })).status).toBe(200);
  expect(await column('four', owner, testTable)).toEqual(['6']);
  expect((await changed(testTable, 'DELETE', `fields/${testTable.f['one']}`)).status).toBe(200);
  expect((await fieldNow(testTable, 'two'))?.problem).toBe('missing_field');
  expect((await fieldNow(testTable, 'four'))?.problem).toBe('missing_field');
  expect((await page(owner, testTable.path)).rows).toHaveLength(1);
  expect((await changed(testTable, 'POST', `fields/${testTable.f['one']}/restore`)).status).toBe(200);
  expect((await fieldNow(testTable, 'four'))?.problem).toBeNull();
  expect(await column('four', owner, testTable)).toEqual(['6']);
});

test('cyclic, mistyped and unknown references are refused on save', async () => {
  const ring = await changed(books, 'PATCH', `fields/${books.f['total']}`, { options: { formula: 'LEN({grand}) + 1' } });
  expect(ring.status).toBe(422);
  expect((await changed(books, 'POST', 'fields', { title: 'x', type: 'formula', options: { formula: '{title} * 2' } })).status).toBe(422);
  expect((await changed(books, 'POST', 'fields', { title: 'x', type: 'formula', options: { formula: '{nothing}' } })).status).toBe(422);
  expect((await changed(books, 'POST', 'fields', { title: 'x', type: 'rollup', options: { relation: 'readers', target: 'name', how: 'sum' } })).status).toBe(
    422,
  );
  expect(await column('total')).toEqual(['125', '60', null]);
});

test('trying a formula shows sample results or the position of its error', async () => {
  expect(await tried(books, { formula: '{price} * 1.1', decimals: 1 })).toMatchObject({
    formula: `{${books.f['price']}} * 1.1`,
    yields: 'number',
    error: null,
    samples: [
      { label: '茶馆 & 其他', value: '13.8' },
      { label: '家', value: '33' },
      { label: '空', value: null },
    ],
  });
  // The position refers to the text as typed, where names are shorter than ids.
  expect(await tried(books, { formula: '{price} + {title}' })).toMatchObject({
    yields: null,
    problem: 'wrong_type',
    error: { code: 'wrong_type', at: 10, length: 7 },
    samples: [],
  });
  expect(await tried(books, { formula: '{price} + FOO({title})' })).toMatchObject({ error: { code: 'unknown_function', at: 10, length: 3, name: 'FOO' } });
  expect(await tried(books, { formula: '1 + {grand}', field: 'total' })).toMatchObject({ problem: 'cycle', error: { code: 'broken_field', at: 4, length: 7 } });
  expect((await owner.send('POST', `${books.path}/formula`, { formula: '1', field: 'nothing' })).statusCode).toBe(404);
  expect((await owner.send('POST', `${books.path}/formula`, { formula: 'x'.repeat(10_001) })).statusCode).toBe(422);
  const editor = await personOn(program, authors.site, 'editor');
  expect((await editor.send('POST', `${books.path}/formula`, { formula: '1' })).statusCode).toBe(403);
});

test('published computed fields use published values of linked records', async () => {
  const people = await addTestTable(owner, siteId, [{ key: 'name', type: 'text' }], { drafts: true });
  const notes = await addTestTable(
    owner,
    siteId,
    [
      { key: 'title', type: 'text' },
      { key: 'by', type: 'relation', options: { to: people.table.id }, inverseTitle: '写过' },
      { key: 'seen', type: 'relations', options: { to: people.table.id }, inverseTitle: '看过' },
      { key: 'by_name', type: 'lookup', options: { relation: 'by', target: 'name' } },
      { key: 'seen_names', type: 'lookup', options: { relation: 'seen', target: 'name' } },
    ],
    { drafts: true },
  );
  const names = (await reread(people)).table.fields.filter((field) => field.type === 'inverse');
  for (const [i, field] of names.entries()) {
    const added = await changed(people, 'POST', 'fields', {
      key: `titles_${i}`,
      title: `t${i}`,
      type: 'lookup',
      options: { relation: field.id, target: 'title' },
    });
    expect(added.status).toBe(200);
  }
  const [one = '', two = ''] = await putRecords(program, siteId, people, [{ values: { name: '新名' } }, { values: { name: '草稿' } }]);
  const [note = ''] = await putRecords(program, siteId, notes, [{ values: { title: '新题', by: one } }]);
  await link(program, siteId, notes.f['seen'] ?? '', [
    [note, two],
    [note, one],
  ]);
  // Published earlier under other names; the second person was never published.
  const publish = (testTable: MadeTable, values: string, columns: string, id: string): Promise<unknown> =>
    program.ctx.postgres.pool.query(
      `INSERT INTO s_${siteId}.p_${testTable.table.id.slice(2)} (id, n, ord, created_at, updated_at, published_at, ${columns}) SELECT '${id}', 1, 1, now(), now(), now(), ${values}`,
    );
  await publish(people, `'旧名'`, `${people.f['name']}`, one);
  await publish(notes, `'旧题', '${one}', ARRAY['${two}', '${one}']::uuid[]`, `${notes.f['title']}, ${notes.f['by']}, ${notes.f['seen']}`, note);
  for (const testTable of [people, notes]) await rule(program, siteId, testTable.table.id, 'public', {});
  const read = async (testTable: MadeTable, published: boolean): Promise<Record<string, unknown>> => {
    const model = await siteModel(program.ctx, siteId);
    const reader = published ? ({ role: 'public', userId: null } as const) : ({ role: 'admin', userId: null } as const);
    const { rows } = await listRecords(program.ctx, { model, table: tableOf(model, testTable.table.id), reader, timeZone: 'UTC' }, { limit: 1, published });
    return rows[0]?.values ?? {};
  };
  expect(await read(notes, true)).toMatchObject({ title: '旧题', by_name: '旧名', seen_names: ['旧名'] });
  expect(await read(notes, false)).toMatchObject({ title: '新题', by_name: '新名', seen_names: ['草稿', '新名'] });
  expect(await read(people, true)).toMatchObject({ titles_0: ['旧题'], titles_1: ['旧题'] });
  expect(await read(people, false)).toMatchObject({ titles_0: ['新题'], titles_1: ['新题'] });
});

test('two hundred formulas are read in one query', async () => {
  const testTable = await addTestTable(owner, siteId, [
    { key: 'num', type: 'number' },
    { key: 'txt', type: 'text' },
  ]);
  const first = { title: 'f', type: 'formula' as const, tableId: testTable.table.id };
  await program.ctx.postgres.db.insert(contentFields).values(
    Array.from({ length: 200 }, (_, i) => ({
      ...first,
      id: `f_${String(i)
        .padStart(3, '0')
        .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}aaaaaaaaa`,
      key: `f${i}`,
      position: 10 + i,
      options: { formula: `IF({${testTable.f['num']}} > ${i}, {${testTable.f['txt']}} & " " & ROUND({${testTable.f['num']}} / ${i + 1}, 2), "–${i}")` },
    })),
  );
  await program.ctx.postgres.pool.query('UPDATE content_sites SET revision = revision + 1 WHERE site_id = $1', [siteId]);
  await putRecords(
    program,
    siteId,
    testTable,
    Array.from({ length: 50 }, (_, i) => ({ values: { num: String(i * 4), txt: `r${i}` } })),
  );
  const { rows } = await page(owner, testTable.path, { limit: 50 });
  expect(rows).toHaveLength(50);
  for (const [at, row] of rows.entries()) {
    const n = at * 4;
    for (let i = 0; i < 200; i += 1) expect(row.values[`f${i}`]).toBe(n > i ? `r${at} ${Math.round((n / (i + 1)) * 100 + 1e-9) / 100}` : `–${i}`);
  }
});
