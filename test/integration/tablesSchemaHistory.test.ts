import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { ContentTable, SchemaDifference, TableField } from '../../contract/tables/schemas';
import type { Site } from '../../contract/sites/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable } from '../support/tables';
import type { TestField } from '../support/tables';
import { designer, insertRows, storage } from './tablesSchemaSupport';
import type { Designing } from './tablesSchemaSupport';
import { definitionsOf, invalidSteps, isInvalid, requestsOf, steps } from './tablesSchemaSteps';
import type { StepRequest } from './tablesSchemaSteps';
import { caseCounts } from '../support/caseCounts';

jest.setTimeout(120_000);
let program: TestApp;
let owner: Person;
let site: Site;
let d: Designing;

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner);
  d = designer(owner, site.id);
});
afterAll(() => program.close());

const make = async (fields: readonly TestField[], options = {}) => (await addTestTable(owner, site.id, fields, options)).table;
const at = (table: ContentTable, rest = ''): string => `/tables/${table.id}${rest}`;
const fieldOf = (table: ContentTable, key: string): TableField => {
  const field = table.fields.find((one) => one.key === key);
  if (!field) throw new Error(`no field ${key}`);
  return field;
};
const sql = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await program.ctx.postgres.pool.query(text.replaceAll('$s.', `s_${site.id}.`), values)).rows as T[];

test('every kind of change can be reverted with its data', async () => {
  let table = await make([
    { key: 'name', type: 'text', localized: true },
    { key: 'price', type: 'number', options: { min: 0 } },
  ]);
  const price = fieldOf(table, 'price').id;
  await insertRows(program, site.id, table.id, [{ [price]: '12.50' }]);
  const revert = async (op: string) => {
    const change = (await d.history(table.id)).find((one) => one.op === op && one.revertible);
    if (!change) throw new Error(`nothing to revert: ${op}`);
    table = await d.send('POST', at(table, `/history/${change.id}/revert`));
    expect((await d.history(table.id)).find((one) => one.id === change.id)).toMatchObject({ reverted: true, revertible: false });
    expect((await d.refused('POST', at(table, `/history/${change.id}/revert`))).code).toBe('bad_transition');
  };

  await d.send('DELETE', at(table, '/fields/price'));
  await revert('field_removed');
  expect(await sql(`SELECT ${fieldOf(table, 'price').id} AS price FROM $s.${table.id}`)).toEqual([{ price: '12.50' }]);

  await d.send('PATCH', at(table, '/fields/price'), { key: 'cost', title: '成本', options: { min: 5, decimals: 2 }, required: true }, table.revision);
  await revert('field_changed');
  expect(fieldOf(table, 'price')).toMatchObject({ id: price, title: 'price', required: false, options: { min: 0 }, aliases: ['cost'] });

  await d.send('PUT', at(table, '/order'), { fields: [price] }, table.revision);
  await revert('fields_ordered');
  expect(table.fields.map((field) => field.key)).toEqual(['name', 'price']);

  await d.send('PATCH', at(table), { title: '别的', locales: [...table.locales, 'en'], drafts: true }, table.revision);
  await revert('table_changed');
  expect(table).toMatchObject({ title: '表', drafts: false });

  await d.send('POST', at(table, '/fields'), { type: 'date', title: '日期', key: 'day' });
  await revert('field_added');
  expect(table.fields.map((field) => field.key)).toEqual(['name', 'price']);

  await d.send('DELETE', at(table));
  expect(await d.get<ContentTable[]>('/tables?deleted=true')).toEqual([expect.objectContaining({ id: table.id })]);
  await revert('table_removed');
  expect(await d.get<ContentTable>(at(table))).toMatchObject({ deletedAt: null });
  const historyOps = (await d.history(table.id)).map((one) => one.op);
  expect(historyOps[0]).toBe('table_restored');
  expect(JSON.stringify(await d.history(table.id))).not.toContain('"$');
});

/** A site with a table that has a value, and another one to link to. */
async function makeChangingSite() {
  const place = await program.makeSite(owner);
  const call = designer(owner, place.id);
  const other = (await addTestTable(owner, place.id, [{ key: 'name', type: 'text' }])).table;
  const { table } = await addTestTable(owner, place.id, [{ key: 'kept', type: 'text' }]);
  const keptFieldId = fieldOf(table, 'kept').id;
  await insertRows(program, place.id, table.id, [{ [keptFieldId]: '在' }]);
  return { place, call, other, table, keptFieldId };
}

/** Sends a request, compares its outcome with the expected one, and returns it; a refused request must not have changed anything. */
async function sendStep(siteId: string, call: Designing, { method, path, body, revision, refusal }: StepRequest): Promise<'accepted' | 'refused'> {
  const before = await definitionsOf(program, siteId);
  const answer = await owner.send(method, `${call.base}${path}`, body, revision === undefined ? {} : { 'if-match': `"${revision}"` });
  if (answer.statusCode < 300 && refusal === undefined) return 'accepted';
  const { code, fields } = answer.json<{ code?: string; fields?: Record<string, { code: string }> }>();
  const codes = fields && Object.fromEntries(Object.entries(fields).map(([name, error]) => [name, error.code]));
  expect([method, path, { status: answer.statusCode, code, ...(codes && { fields: codes }) }]).toEqual([method, path, refusal]);
  expect(await definitionsOf(program, siteId)).toEqual(before);
  return 'refused';
}

async function expectConsistent(call: Designing): Promise<void> {
  const tables = await call.get<ContentTable[]>('/tables');
  const live = new Set(tables.flatMap((one) => [one.id, ...one.fields.map((field) => field.id)]));
  for (const { fields } of tables) {
    const names = fields.flatMap((field) => [field.key, ...field.aliases]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    for (const { options } of fields) for (const id of [options.to, options.of]) if (id !== undefined) expect(live).toContain(id);
  }
}

test('any sequence of changes keeps the data consistent, and a refused one changes nothing', async () => {
  const outcomes = caseCounts('accepted', 'refused');
  const invalidCases = caseCounts(...invalidSteps);
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { place, call, other, table, keptFieldId } = await makeChangingSite();
      for (const [number, step] of all.entries()) {
        const tables = await call.get<ContentTable[]>('/tables');
        const now = tables.find((one) => one.id === table.id);
        const requests: readonly StepRequest[] = now
          ? await requestsOf(step, { call, number, tables, table: now, otherId: other.id, pick: step.pick })
          : [{ method: 'POST', path: `/tables/${table.id}/restore` }];
        for (const request of requests) outcomes.count(await sendStep(place.id, call, request));
        if (now && requests.length > 0 && isInvalid(step.do)) invalidCases.count(step.do);
      }
      const { real, expected } = await storage(program, place.id);
      expect(real).toEqual(expected);
      await expectConsistent(call);
      const rows = await program.ctx.postgres.pool.query(`SELECT ${keptFieldId} AS value FROM s_${place.id}.${table.id}`);
      expect(rows.rows).toEqual([{ value: '在' }]);
    }),
    // The first case has every kind of refusal.
    { numRuns: 12, examples: [[(['add', ...invalidSteps] as const).map((kind) => ({ do: kind, pick: 0 }))]] },
  );
  outcomes.expectAtLeast(30);
  invalidCases.expectAtLeast(1);
});

test('templates are complete in both languages', async () => {
  const english = await program.makePerson('member');
  await program.grant(site.id, english.userId, 'admin');
  for (const template of ['articles', 'products', 'pages', 'faq', 'team']) {
    const zh = await d.send('POST', '/tables', { title: template, template });
    const answer = await english.send('POST', `${d.base}/tables`, { title: `${template} en`, template }, { 'accept-language': 'en' });
    const en = answer.json<{ data: ContentTable }>().data;
    expect(en.fields.map((field) => field.key).sort()).not.toEqual([]);
    expect(zh.locales).toEqual(['zh-Hans', 'en']);
    expect(zh.drafts).toBe(template === 'articles' || template === 'pages');
    expect(zh.fields.every((field) => /\p{Script=Han}|SKU/u.test(field.title))).toBe(true);
    expect(zh.fields.filter((field) => field.problem !== null)).toEqual([]);
    // An empty record can be added at once: it is a draft, or nothing is required.
    expect(zh.fields.some(({ required }) => required)).toBe(zh.drafts);
    for (const field of zh.fields) if (field.options.to !== undefined) expect(field.options.to).toBe(zh.id);
    await d.send('DELETE', at(zh));
    await d.send('DELETE', at(en));
  }
});

test('definitions are copied to another site as a file of names', async () => {
  const place = await program.makeSite(owner);
  const from = designer(owner, place.id);
  const people = (await addTestTable(owner, place.id, [{ key: 'name', type: 'text' }], { key: 'people', title: '人' })).table;
  await addTestTable(
    owner,
    place.id,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'author', type: 'relation', options: { to: people.id }, inverseTitle: '文章' },
      { key: 'slug', type: 'slug', unique: true, options: { from: 'title' } },
      { key: 'shout', type: 'formula', options: { formula: '{title} & "!"' } },
      { key: 'note', type: 'text', conditions: [{ filter: { field: 'author', op: 'some', value: { field: 'name', op: 'notEmpty' } }, then: 'hidden' }] },
    ],
    { key: 'articles', title: '文章', drafts: true, locales: ['zh-Hans', 'en'] },
  );
  const file = await from.get<{ tables: unknown[] }>('/schema');
  expect(JSON.stringify(file)).not.toMatch(/[tf]_[a-z2-7]{12}/);

  const target = await program.makeSite(owner);
  const to = designer(owner, target.id);
  const found = await to.send<SchemaDifference[]>('POST', '/schema/compare', { file });
  expect(found.map(({ table, change }) => [table, change])).toEqual([
    ['people', 'add'],
    ['articles', 'add'],
  ]);
  await to.send('POST', '/schema/apply', { file });
  expect(await to.get('/schema')).toEqual(file);
  expect(await to.send('POST', '/schema/compare', { siteId: place.id })).toEqual([]);
  const { real, expected } = await storage(program, target.id);
  expect(real).toEqual(expected);

  // Differences are applied, tables and fields missing in the source stay, and a different type is only reported.
  const articles = (await from.get<ContentTable[]>('/tables')).find((one) => one.key === 'articles');
  if (!articles) throw new Error('no articles');
  let now = await from.send('PATCH', `/tables/${articles.id}/fields/title`, { required: true, options: { maxLength: 80 } }, articles.revision);
  now = await from.send('DELETE', `/tables/${articles.id}/fields/note`);
  now = await from.send('POST', `/tables/${articles.id}/fields`, { type: 'date', title: '日期', key: 'day' });
  const again = await to.send<SchemaDifference[]>('POST', '/schema/compare', { siteId: place.id });
  expect(again.map(({ field, change }) => [field, change])).toEqual([
    ['title', 'change'],
    ['day', 'add'],
    ['note', 'missing'],
  ]);
  await to.send('POST', '/schema/apply', { siteId: place.id, only: ['articles.title'] });
  expect((await to.send<SchemaDifference[]>('POST', '/schema/compare', { siteId: place.id })).map(({ field }) => field)).toEqual(['day', 'note']);
  expect(now.fields.map((field) => field.key)).toContain('day');

  // Comparing requires design rights on the other site.
  const outsider = await program.makePerson('member');
  await program.grant(target.id, outsider.userId, 'admin');
  expect((await designer(outsider, target.id).refused('POST', '/schema/compare', { siteId: place.id })).status).toBe(404);
  expect(
    (
      await to.refused('POST', '/schema/apply', {
        file: {
          format: 'sitewright-tables',
          version: 1,
          tables: [{ key: 'x', title: 'x', locales: ['en'], fields: [{ key: 'a', type: 'nothing', title: 'A' }] }],
        },
      })
    ).fields,
  ).toEqual({
    'file.tables.0.fields.0.type': { code: 'pattern' },
  });
  // All or nothing: a relation without a target creates no table.
  const broken = {
    format: 'sitewright-tables',
    version: 1,
    tables: [{ key: 'half', title: 'x', locales: ['en'], fields: [{ key: 'a', type: 'relation', title: 'A', options: { to: 'nowhere' } }] }],
  };
  expect((await to.refused('POST', '/schema/apply', { file: broken })).fields).toEqual({ 'file.tables.0.fields.0.options.to': { code: 'unknown' } });
  expect((await to.get<ContentTable[]>('/tables')).map((one) => one.key)).not.toContain('half');
});

test('a copied table has its own records, linked to each other', async () => {
  const table = await make(
    [
      { key: 'name', type: 'text', localized: true },
      { key: 'parent', type: 'relation', options: { to: 'tree' } },
      { key: 'near', type: 'relations', options: { to: 'tree' } },
      { key: 'shout', type: 'formula', options: { formula: '{name} & "!"' } },
      { key: 'kind', type: 'select', options: { choices: [{ id: 'oak', title: '橡树' }] } },
    ],
    { key: 'tree', locales: ['zh-Hans', 'en'] },
  );
  const add = async (values: object): Promise<string> => {
    const created = await d.send<{ records: { id: string }[] }>('POST', at(table, '/records'), { records: [values] });
    return created.records[0]?.id ?? '';
  };
  const root = await add({ name: '根', kind: 'oak' });
  await d.send('PATCH', at(table, `/records/${root}`), { values: { name: 'root' }, locale: 'en' }, 1);
  const leaf = await add({ name: '叶', parent: root, near: [root] });
  const copy = await d.send('POST', at(table, '/duplicate'), { title: '副本', records: true });
  expect(copy.fields.map((field) => [field.key, field.type])).toEqual(table.fields.map((field) => [field.key, field.type]));
  expect(fieldOf(copy, 'shout').options.formula).toContain(fieldOf(copy, 'name').id);
  const own = (key: string) => fieldOf(copy, key).id;
  const rows = await sql<{ id: string; name: string; parent: string | null; tr: unknown; words: string[] }>(
    `SELECT id, ${own('name')} AS name, ${own('parent')} AS parent, tr, tsvector_to_array(q) AS words FROM $s.${copy.id} ORDER BY n`,
  );
  expect(rows.map((row) => row.name)).toEqual(['根', '叶']);
  expect(rows[1]?.parent).toBe(rows[0]?.id);
  expect([root, leaf]).not.toContain(rows[0]?.id);
  expect(rows[0]?.tr).toEqual({ en: { [own('name')]: 'root' } });
  expect(rows[0]?.words.toSorted()).toEqual([`=${own('kind')}:oak`, 'root', '根']);
  const found = async (q: string) => (await d.get<{ rows: { n: number }[] }>(at(copy, `/records?q=${encodeURIComponent(q)}`))).rows.map((row) => row.n);
  expect([await found('橡树'), await found('root'), await found('叶'), await found('根叶')]).toEqual([[1], [1], [2], []]);
  expect(await sql(`SELECT a, b FROM $s.l_${own('near').slice(2)}`)).toEqual([{ a: rows[1]?.id, b: rows[0]?.id }]);
  const [next] = await sql<{ n: string }>(`SELECT nextval('$s.n_${copy.id.slice(2)}') AS n`);
  expect(next?.n).toBe('3');
});

test('changes of rules appear in the history and revert as one', async () => {
  const table = await make([
    { key: 'name', type: 'text' },
    { key: 'kind', type: 'text' },
  ]);
  type RulesResponse = { revision: number; rules: { role: string; action: string; explicit: boolean }[] };
  const rules = () => d.get<RulesResponse>(at(table, '/rules'));
  const explicitRules = async () => (await rules()).rules.filter((rule) => rule.explicit);
  const put = async (all: object[]) => d.send('PUT', at(table, '/rules'), { rules: all }, (await rules()).revision);
  const closed = { role: 'support', action: 'read', allowed: false };
  const narrow = { role: 'viewer', action: 'read', allowed: true, fields: ['name'], filter: { field: 'kind', op: 'eq', value: 'a' } };
  await put([closed]);
  await put([closed, narrow]);
  const [last] = await d.history(table.id);
  expect(last).toMatchObject({ op: 'rules_changed', fieldId: null, before: { 'viewer.read': null }, revertible: true });
  expect(last?.after['viewer.read']).toEqual({
    allowed: true,
    fields: [fieldOf(table, 'name').id],
    filter: { field: fieldOf(table, 'kind').id, op: 'eq', value: 'a' },
  });
  const editor = await program.makePerson('member');
  await program.grant(site.id, editor.userId, 'editor');
  expect((await designer(editor, site.id).history(table.id)).map(({ op }) => op)).toEqual(['table_added']);

  await d.send('POST', at(table, `/history/${last?.id ?? ''}/revert`));
  expect(await explicitRules()).toEqual([expect.objectContaining({ role: 'support', action: 'read' })]);
  const [back] = await d.history(table.id);
  await d.send('POST', at(table, `/history/${back?.id ?? ''}/revert`));
  expect(await explicitRules()).toHaveLength(2);

  // A rule whose filter uses a removed field cannot be reverted to.
  await put([closed]);
  const [removed] = await d.history(table.id);
  await d.send('DELETE', at(table, '/fields/kind'));
  expect((await d.history(table.id)).find((one) => one.id === removed?.id)).toMatchObject({ revertible: false });
  expect((await d.refused('POST', at(table, `/history/${removed?.id ?? ''}/revert`))).code).toBe('bad_transition');
  expect(await explicitRules()).toHaveLength(1);
});

test('rules are exported by keys; existing tables adopt them only when selected', async () => {
  const place = await program.makeSite(owner);
  const from = designer(owner, place.id);
  const { table } = await addTestTable(
    owner,
    place.id,
    [
      { key: 'name', type: 'text' },
      { key: 'kind', type: 'text' },
      { key: 'who', type: 'user' },
    ],
    { key: 'notes', title: '笔记' },
  );
  const put = async (call: Designing, id: string, all: object[]) => {
    const { revision } = await call.get<{ revision: number }>(`/tables/${id}/rules`);
    await call.send('PUT', `/tables/${id}/rules`, { rules: all }, revision);
  };
  const explicitRules = async (call: Designing, id = 'notes') =>
    (await call.get<{ rules: { role: string; action: string; explicit: boolean; allowed: boolean; filter: unknown }[] }>(`/tables/${id}/rules`)).rules.filter(
      (rule) => rule.explicit,
    );
  const narrow = { role: 'viewer', action: 'read', allowed: true, fields: ['name'], filter: { field: 'kind', op: 'eq', value: 'a' } };
  await put(from, table.id, [
    narrow,
    { role: 'support', action: 'read', allowed: true, filter: { field: 'who', op: 'in', value: [owner.userId] } },
    { role: 'analyst', action: 'read', allowed: true, filter: { field: 'who', op: 'in', value: ['$user'] } },
  ]);
  const file = await from.get<{ tables: { rights: object[] }[] }>('/schema');
  expect(JSON.stringify(file)).not.toContain(owner.userId);
  expect(file.tables[0]?.rights).toEqual([
    { role: 'analyst', action: 'read', allowed: true, fields: null, filter: { field: 'who', op: 'in', value: ['$user'] } },
    { role: 'support', action: 'read', allowed: false, fields: null, filter: null },
    { ...narrow, fields: ['name'] },
  ]);

  const bare = designer(owner, (await program.makeSite(owner)).id);
  await bare.send('POST', '/schema/apply', { file, only: ['notes'] });
  expect(await explicitRules(bare)).toEqual([]);
  const to = designer(owner, (await program.makeSite(owner)).id);
  await to.send('POST', '/schema/apply', { file });
  expect(await explicitRules(to)).toHaveLength(3);
  expect(await to.get('/schema')).toEqual(file);

  // Different rules of an existing table are reported, and applied only when selected.
  await put(from, table.id, [{ role: 'viewer', action: 'read', allowed: false }]);
  const compare = () => to.send<SchemaDifference[]>('POST', '/schema/compare', { siteId: place.id });
  const [difference] = await compare();
  expect(difference).toMatchObject({ table: 'notes', field: '$rights', change: 'change', after: { 'analyst.read': null, 'support.read': null } });
  expect(await to.send('POST', '/schema/apply', { siteId: place.id })).toEqual([]);
  expect(await explicitRules(to)).toHaveLength(3);
  await to.send('POST', '/schema/apply', { siteId: place.id, only: ['notes.$rights'] });
  expect(await explicitRules(to)).toEqual([expect.objectContaining({ role: 'viewer', action: 'read', allowed: false })]);
  expect(await compare()).toEqual([]);

  // A file without rules changes none; a file with an invalid filter is refused as a whole.
  const { rights: _rights, ...silent } = file.tables[0] ?? { rights: [] };
  expect(await to.send('POST', '/schema/compare', { file: { ...file, tables: [silent] } })).toEqual([]);
  const lost = { ...narrow, filter: { field: 'gone', op: 'empty' } };
  const refused = await to.refused('POST', '/schema/apply', { file: { ...file, tables: [{ ...silent, rights: [lost] }] }, only: ['notes.$rights'] });
  expect(refused.fields).toEqual({ 'file.tables.0.rights.filter': { code: 'unknown' } });
});
