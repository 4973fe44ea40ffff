import { jest } from '@jest/globals';
import { fieldTypes } from '../../contract/tables/terms';
import type { FieldType } from '../../contract/tables/terms';
import type { ContentTable, TableField } from '../../contract/tables/schemas';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { TestField, Tabled } from '../support/tables';
import { designer, insertRows, storage } from './tablesSchemaSupport';
import type { Designing } from './tablesSchemaSupport';

jest.setTimeout(60_000);
let program: TestApp;
let main: Tabled;
let d: Designing;

beforeAll(async () => {
  program = await makeTestApp();
  main = await makeTabled(program, [
    { key: 'title', type: 'text', title: '标题' },
    { key: 'slug', type: 'slug', options: { from: 'title' } },
  ]);
  d = designer(main.owner, main.site.id);
});
afterAll(() => program.close());

const make = async (fields: readonly TestField[], options = {}) => (await addTestTable(main.owner, main.site.id, fields, options)).table;
const fieldOf = (table: ContentTable, key: string): TableField => {
  const field = table.fields.find((one) => one.key === key);
  if (!field) throw new Error(`no field ${key}`);
  return field;
};
const at = (table: ContentTable, rest = ''): string => `/tables/${table.id}${rest}`;
const agreed = async () => {
  const { real, expected } = await storage(program, main.site.id);
  expect(real).toEqual(expected);
};

const needed: Partial<Record<FieldType, TestField['options']>> = {
  repeater: { items: [{ key: 'a', title: 'A', type: 'text' }] },
  lookup: { relation: 'relation', target: 'title' },
  rollup: { relation: 'relation', how: 'count' },
  formula: { formula: '1 + 1' },
  button: { label: 'Open', url: 'https://tea.example/' },
  inverse: { of: 'parent' },
};

test('one call creates a drafts table with fields of every type', async () => {
  const fields = fieldTypes.map((type): TestField => ({
    key: type.toLowerCase(),
    type,
    options: type === 'relation' || type === 'relations' ? { to: main.table.id } : (needed[type] ?? {}),
    indexed: type === 'multiSelect' || type === 'integer',
    unique: type === 'email',
  }));
  const table = await make([{ key: 'parent', type: 'relation', options: { to: 'every' } }, ...fields], { key: 'every', drafts: true });
  expect(table.fields.map((field) => field.type)).toEqual(['relation', ...fieldTypes]);
  expect(table.primaryField).toBe(fieldOf(table, 'text').id);
  expect(fieldOf(table, 'inverse').options.of).toBe(fieldOf(table, 'parent').id);
  await agreed();
});

test('a renamed field keeps its values and reserves its former key', async () => {
  let table = await make([{ key: 'name', type: 'text' }], { key: 'people', title: '人员' });
  const id = fieldOf(table, 'name').id;
  await insertRows(program, main.site.id, table.id, [{ [id]: '林' }]);
  table = await d.send('PATCH', at(table, '/fields/name'), { key: 'full_name', title: '姓名' }, table.revision);
  expect(table.fields[0]).toMatchObject({ id, key: 'full_name', aliases: ['name'], title: '姓名' });
  table = await d.send('PATCH', at(table, '/fields/name'), { help: '身份证上的名字' }, table.revision);
  expect((await d.refused('POST', at(table, '/fields'), { type: 'text', title: 'X', key: 'name' })).fields).toEqual({ key: { code: 'taken' } });
  expect((await d.refused('POST', at(table, '/fields'), { type: 'text', title: 'X', key: 'created_at' })).fields).toEqual({ key: { code: 'reserved' } });
  // A generated key avoids keys in use.
  table = await d.send('POST', at(table, '/fields'), { type: 'text', title: 'Name' });
  expect(table.fields[1]?.key).toBe('name_2');
  table = await d.send('PATCH', at(table, '/fields/full_name'), { dropAliases: ['name'] }, table.revision);
  expect((await d.send('POST', at(table, '/fields'), { type: 'text', title: 'X', key: 'name' })).fields[2]?.key).toBe('name');

  table = await d.send('PATCH', at(table), { key: 'staff' }, (await d.get<ContentTable>('/tables/people')).revision);
  expect((await d.get<ContentTable>('/tables/people')).id).toBe(table.id);
  expect((await d.refused('POST', '/tables', { title: 'P', key: 'people' })).fields).toEqual({ key: { code: 'taken' } });
  // The former key can be used again by its own table.
  expect(await d.send('PATCH', at(table), { key: 'people' }, table.revision)).toMatchObject({ key: 'people', aliases: ['staff'] });
});

test('titles in any script become valid keys', async () => {
  const titles = ['价格（元）', 'Größe', '値段', 'السعر', '🍵', '2 面', 'Id', 'SELECT * FROM users; --', '价格 元', 'f_aaaaaaaaaaaa'];
  const table = await make(titles.map((title): TestField => ({ type: 'text', title })));
  const keys = table.fields.map((field) => field.key);
  expect(keys.slice(0, 3)).toEqual(['jia_ge_yuan', 'grosse', expect.stringMatching(/^[a-z]\w*$/)]);
  for (const key of keys) expect(key).toMatch(/^(?![ft]_[a-z2-7]{12}$)[a-z][a-z0-9_]{0,62}$/);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).not.toContain('id');
  await agreed();
});

test('invalid options are refused with their paths', async () => {
  const table = await make([{ key: 'name', type: 'text' }]);
  const { site: stranger } = { site: await program.makeSite(main.owner) };
  const foreign = (await addTestTable(main.owner, stranger.id, [{ key: 'name', type: 'text' }])).table;
  const cases: [object, Record<string, string>][] = [
    [{ type: 'text', options: { choices: [] } }, { 'options.choices': 'unknown_field' }],
    [{ type: 'text', options: { minLength: 5, maxLength: 2 } }, { 'options.maxLength': 'out_of_range' }],
    [{ type: 'text', options: { pattern: '(a+' } }, { 'options.pattern': 'pattern' }],
    [{ type: 'text', options: { pattern: '(?=x)a' } }, { 'options.pattern': 'pattern' }],
    [{ type: 'number', options: { min: '2026-01-01' } }, { 'options.min': 'wrong_type' }],
    [{ type: 'date', options: { min: 5 } }, { 'options.min': 'wrong_type' }],
    [{ type: 'integer', options: { min: 1.5 } }, { 'options.min': 'wrong_type' }],
    [{ type: 'rating', options: { max: 11 } }, { 'options.max': 'out_of_range' }],
    [{ type: 'currency', options: { currency: 'QQQ' } }, { 'options.currency': 'unknown' }],
    [{ type: 'relation' }, { 'options.to': 'required' }],
    [{ type: 'relation', options: { to: foreign.id } }, { 'options.to': 'unknown' }],
    [{ type: 'inverse', options: { of: 'name' } }, { 'options.of': 'wrong_type' }],
    [{ type: 'lookup', options: { relation: 'name', target: 'name' } }, { 'options.relation': 'wrong_type' }],
    [{ type: 'slug', options: { from: 'nothing' } }, { 'options.from': 'unknown' }],
    [{ type: 'button', options: { label: 'x', url: 'javascript:alert(1)' } }, { 'options.url': 'not_a_url' }],
    [{ type: 'formula', required: true, options: { formula: '1' } }, { required: 'wrong_type' }],
    [{ type: 'json', unique: true }, { unique: 'wrong_type' }],
    [{ type: 'number', localized: true }, { localized: 'wrong_type' }],
    [{ type: 'text', sensitive: true, searchable: true }, { searchable: 'wrong_type' }],
    [{ type: 'integer', default: { kind: 'value', value: 'many' } }, { default: 'wrong_type' }],
    [{ type: 'text', default: { kind: 'now' } }, { default: 'wrong_type' }],
    [{ type: 'text', unique: true, default: { kind: 'value', value: 'x' } }, { default: 'duplicate' }],
    [
      { type: 'select', options: { choices: ['a', 'a'].map((id) => ({ id, title: id })) } },
      { 'options.choices.1.id': 'duplicate', 'options.choices.1.title': 'duplicate' },
    ],
    [{ type: 'text', rules: [{ filter: { field: 'gone', op: 'empty' }, message: 'x' }] }, { 'rules.0.filter': 'unknown' }],
    [{ type: 'text', title: 'NAME' }, { title: 'taken' }],
    [{ type: 'text', inverseTitle: 'x' }, { inverseTitle: 'wrong_type' }],
  ];
  for (const [input, expectedErrors] of cases) {
    const { code, fields = {} } = await d.refused('POST', at(table, '/fields'), { title: 'New', ...input });
    expect([input, code, Object.fromEntries(Object.entries(fields).map(([path, error]) => [path, error.code]))]).toEqual([
      input,
      'invalid_fields',
      expectedErrors,
    ]);
  }
  expect((await d.get<ContentTable>(at(table))).fields).toHaveLength(1);
});

test('an inverse field is removed and restored with its relation', async () => {
  const authors = await make([{ key: 'name', type: 'text' }]);
  let books = await make([{ key: 'title', type: 'text' }], { drafts: true });
  books = await d.send('POST', at(books, '/fields'), { type: 'relations', title: '作者', key: 'authors', options: { to: authors.id }, inverseTitle: '著作' });
  const mirrorOf = async () => (await d.get<ContentTable>(at(authors))).fields.find((field) => field.type === 'inverse');
  const relation = fieldOf(books, 'authors').id;
  expect(await mirrorOf()).toMatchObject({ title: '著作', options: { of: relation } });
  const mirror = (await mirrorOf())?.id ?? '';

  await d.send('DELETE', at(authors, `/fields/${mirror}`));
  expect(fieldOf(await d.get<ContentTable>(at(books)), 'authors').id).toBe(relation);
  await d.send('POST', at(authors, `/fields/${mirror}/restore`));
  await d.send('DELETE', at(books, '/fields/authors'));
  expect(await mirrorOf()).toBeUndefined();
  expect((await d.refused('POST', at(authors, `/fields/${mirror}/restore`))).code).toBe('conflict');
  await d.send('POST', at(books, '/fields/authors/restore'));
  expect(await mirrorOf()).toMatchObject({ id: mirror });

  // When the other table is removed, relations to it are removed too; restoring brings all of it back.
  await d.send('DELETE', at(authors));
  expect((await d.get<ContentTable>(at(books))).fields.map((field) => field.key)).toEqual(['title']);
  await d.send('POST', at(authors, '/restore'));
  expect((await d.get<ContentTable>(at(books))).fields.map((field) => field.key)).toEqual(['title', 'authors']);
  expect(await mirrorOf()).toMatchObject({ id: mirror, options: { of: relation } });
  await agreed();
});

test('a stale definition change is refused, concurrent new fields are all kept', async () => {
  const table = await make([{ key: 'name', type: 'text' }]);
  const colleague = await program.makePerson('member');
  await program.grant(main.site.id, colleague.userId, 'admin');
  const other = designer(colleague, main.site.id);
  await other.send('PATCH', at(table), { note: '他人的说明' }, table.revision);
  const late = await d.refused('PATCH', at(table), { note: '我的说明' }, table.revision);
  expect(late).toMatchObject({ status: 409, code: 'stale_revision', current: { note: '他人的说明', id: table.id } });
  expect((await d.refused('PATCH', at(table), { note: 'x' })).code).toBe('precondition_required');

  await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? other : d).send('POST', at(table, '/fields'), { type: 'text', title: `并行 ${i}` })));
  const now = await d.get<ContentTable>(at(table));
  expect(now.fields).toHaveLength(31);
  expect(new Set(now.fields.map((field) => field.key)).size).toBe(31);
  await agreed();
});

test('a singleton starts with its one record', async () => {
  const table = await make([{ key: 'slogan', type: 'text' }], { kind: 'singleton', key: 'settings' });
  const { rows } = await program.ctx.postgres.pool.query(`SELECT n, rev FROM s_${main.site.id}.${table.id}`);
  expect(rows).toEqual([{ n: '1', rev: 1 }]);
});

test('switching drafts on publishes existing records, switching off drops published state', async () => {
  const tags = await make([{ key: 'name', type: 'text' }]);
  let table = await make([
    { key: 'name', type: 'text' },
    { key: 'tags', type: 'relations', options: { to: tags.id } },
  ]);
  const [tag = ''] = await insertRows(program, main.site.id, tags.id, [{}]);
  const [one = '', two] = await insertRows(program, main.site.id, table.id, [{ [fieldOf(table, 'name').id]: '龙井' }, { [fieldOf(table, 'name').id]: '普洱' }]);
  const { pool } = program.ctx.postgres;
  await pool.query(`UPDATE s_${main.site.id}.${table.id} SET deleted_at = now() WHERE id = $1`, [two]);
  await pool.query(`INSERT INTO s_${main.site.id}.l_${fieldOf(table, 'tags').id.slice(2)} VALUES ($1, $2, 1)`, [one, tag]);
  table = await d.send('PATCH', at(table), { drafts: true }, table.revision);
  const { rows } = await pool.query(
    `SELECT p.id, p.${fieldOf(table, 'name').id} AS name, p.${fieldOf(table, 'tags').id} AS tags, t.published_rev = t.rev AS same
     FROM s_${main.site.id}.p_${table.id.slice(2)} p JOIN s_${main.site.id}.${table.id} t ON t.id = p.id`,
  );
  expect(rows).toEqual([{ id: one, name: '龙井', tags: [tag], same: true }]);
  await agreed();
  table = await d.send('PATCH', at(table), { drafts: false }, table.revision);
  await agreed();
  expect((await pool.query(`SELECT count(*)::int AS n FROM s_${main.site.id}.${table.id} WHERE published_rev IS NOT NULL`)).rows).toEqual([{ n: 0 }]);
});

test('languages can be added, but the first cannot be swapped', async () => {
  let table = await make([{ key: 'title', type: 'text', localized: true }], { locales: ['zh-Hans', 'en'] });
  table = await d.send('PATCH', at(table), { locales: ['zh-Hans', 'en', 'ja'] }, table.revision);
  expect((await d.refused('PATCH', at(table), { locales: ['en', 'zh-Hans'] }, table.revision)).code).toBe('conflict');
  expect((await d.refused('PATCH', at(table), { locales: ['zh-Hans', 'en', 'en'] }, table.revision)).fields).toEqual({ locales: { code: 'duplicate' } });
});

test('non-designers read visible definitions, other sites find nothing', async () => {
  const table = await make([
    { key: 'name', type: 'text' },
    { key: 'salary', type: 'currency', sensitive: true },
  ]);
  const viewer = await program.makePerson('member');
  await program.grant(main.site.id, viewer.userId, 'viewer');
  const viewerDesigner = designer(viewer, main.site.id);
  expect((await viewerDesigner.get<ContentTable>(at(table))).fields.map((field) => field.key)).toEqual(['name']);
  expect((await viewerDesigner.get<ContentTable>(at(table))).may).toEqual(['read']);
  expect(JSON.stringify(await viewerDesigner.history(table.id))).not.toContain('salary');
  expect((await viewerDesigner.refused('POST', at(table, '/fields'), { type: 'text', title: 'x' })).code).toBe('forbidden');
  expect((await viewer.get(`${viewerDesigner.base}/schema`)).statusCode).toBe(403);
  const other = await program.makeSite(main.owner);
  expect((await designer(main.owner, other.id).refused('POST', at(table, '/fields'), { type: 'text', title: 'x' })).status).toBe(404);
  expect((await d.refused('PATCH', `/tables/${table.id}/fields/${main.f['title']}`, { title: 'x' }, table.revision)).status).toBe(404);
});

test('the primary field falls to the next suitable one and returns', async () => {
  let table = await make([
    { key: 'name', type: 'text' },
    { key: 'cover', type: 'image' },
    { key: 'mail', type: 'email' },
  ]);
  expect((await d.refused('PATCH', at(table), { primaryField: fieldOf(table, 'cover').id }, table.revision)).fields).toEqual({
    primaryField: { code: 'wrong_type' },
  });
  table = await d.send('DELETE', at(table, '/fields/name'));
  expect(table.primaryField).toBe(fieldOf(table, 'mail').id);
  table = await d.send('POST', at(table, '/fields/name/restore'));
  expect(table.primaryField).toBe(fieldOf(table, 'name').id);
  table = await d.send('PUT', at(table, '/order'), { fields: [fieldOf(table, 'mail').id] }, table.revision);
  expect(table.fields.map((field) => field.key)).toEqual(['mail', 'name', 'cover']);
});

test('the search index follows the searchable fields', async () => {
  let table = await make([
    { key: 'name', type: 'text' },
    { key: 'note', type: 'text', searchable: false },
  ]);
  await insertRows(program, main.site.id, table.id, [{ [fieldOf(table, 'name').id]: '龙井', [fieldOf(table, 'note').id]: '新茶上市' }]);
  const indexedLexemes = async () =>
    (await program.ctx.postgres.pool.query<{ lexemes: string[] }>(`SELECT tsvector_to_array(q) AS lexemes FROM s_${main.site.id}.${table.id}`)).rows[0]
      ?.lexemes;
  table = await d.send('PATCH', at(table, '/fields/note'), { searchable: true }, table.revision);
  expect(await indexedLexemes()).toEqual(expect.arrayContaining(['龙井', '新茶', '上市']));
  table = await d.send('DELETE', at(table, '/fields/note'));
  expect(await indexedLexemes()).not.toContain('新茶');
  await d.send('POST', at(table, '/fields/note/restore'));
  expect(await indexedLexemes()).toContain('新茶');
});

test('a new autonumber field numbers existing records', async () => {
  let table = await make([{ key: 'name', type: 'text' }]);
  await insertRows(program, main.site.id, table.id, [{}, {}, {}]);
  table = await d.send('POST', at(table, '/fields'), { type: 'autonumber', title: '编号', key: 'no' });
  const { rows } = await program.ctx.postgres.pool.query<{ no: string }>(
    `SELECT ${fieldOf(table, 'no').id} AS no FROM s_${main.site.id}.${table.id} ORDER BY n`,
  );
  expect(rows.map((row) => row.no)).toEqual(['1', '2', '3']);
});

test('an invalid computed field is refused, one broken later shows why', async () => {
  let table = await make([
    { key: 'price', type: 'number' },
    { key: 'twice', type: 'formula', options: { formula: '{price} * 2' } },
  ]);
  const refused = async (formula: string) => (await d.refused('POST', at(table, '/fields'), { type: 'formula', title: 'F', options: { formula } })).fields;
  expect(await refused('{nothing} + 1')).toEqual({ 'options.formula': { code: 'unknown' } });
  expect(await refused('1 +')).toEqual({ 'options.formula': { code: 'pattern' } });
  expect((await d.refused('PATCH', at(table, '/fields/twice'), { options: { formula: '{twice} + 1' } }, table.revision)).fields).toEqual({
    'options.formula': { code: 'duplicate' },
  });
  expect(
    (await d.refused('POST', at(table, '/fields'), { type: 'button', title: 'B', options: { label: 'x', url: 'https://x.example/{gone}' } })).fields,
  ).toEqual({
    'options.url': { code: 'unknown' },
  });
  // The formula survives a rename, and reports a removed field.
  table = await d.send('PATCH', at(table, '/fields/price'), { key: 'cost', title: '成本' }, table.revision);
  expect(fieldOf(table, 'twice').problem).toBeNull();
  table = await d.send('DELETE', at(table, '/fields/cost'));
  expect(fieldOf(table, 'twice').problem).toBe('missing_field');
  expect(fieldOf(await d.send('POST', at(table, '/fields/cost/restore')), 'twice').problem).toBeNull();
});

test('the usage of a field is listed', async () => {
  const people = await make([{ key: 'name', type: 'text' }]);
  let table = await make([
    { key: 'title', type: 'text' },
    { key: 'slug', type: 'slug', options: { from: 'title' } },
    { key: 'who', type: 'relation', options: { to: people.id }, inverseTitle: '文章' },
    { key: 'label', type: 'formula', options: { formula: '{title} & "!"' } },
    { key: 'its_name', type: 'lookup', options: { relation: 'who', target: 'name' } },
    { key: 'note', type: 'text', conditions: [{ filter: { field: 'title', op: 'empty' }, then: 'hidden' }] },
  ]);
  table = await d.send('PATCH', at(table), { pages: { pattern: '/tea/{title}' } }, table.revision);
  await d.send('PUT', at(table, '/rules'), { rules: [{ role: 'viewer', action: 'read', allowed: true, fields: ['title'] }] }, table.revision);
  const kinds = async (of: ContentTable, key: string) => (await d.get<{ kind: string }[]>(at(of, `/fields/${key}/usage`))).map((one) => one.kind).sort();
  expect(await kinds(table, 'title')).toEqual(['formula', 'pages', 'right', 'rule', 'slug']);
  expect(await kinds(table, 'who')).toEqual(['lookup', 'relation']);
  expect(await kinds(people, 'name')).toEqual(['lookup']);
});
