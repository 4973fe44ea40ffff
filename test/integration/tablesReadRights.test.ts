import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { getWithQuery, figures, link, page, position, putRecords, record, refusal, rule } from './tablesReadSupport';

/**
 * A viewer of articles may read title, kind, author and readers of open articles, and the names of people who are not hidden.
 * No query may reveal anything else.
 */
let program: TestApp;
let people: MadeTable;
let testTable: Tabled;
let viewer: Person;
let visibleIds: string[];
let closedIds: string[];
let open: string;
let hidden: string;
beforeAll(async () => {
  program = await makeTestApp();
  const first = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'wage', type: 'integer' },
    { key: 'hidden', type: 'switch' },
  ]);
  testTable = {
    ...first,
    ...(await addTestTable(
      first.owner,
      first.site.id,
      [
        { key: 'title', type: 'text' },
        {
          key: 'kind',
          type: 'select',
          options: {
            choices: [
              { id: 'a', title: '甲' },
              { id: 'b', title: '乙' },
            ],
          },
        },
        { key: 'note', type: 'text' },
        { key: 'cost', type: 'number' },
        { key: 'code', type: 'text', sensitive: true },
        { key: 'closed', type: 'switch' },
        { key: 'author', type: 'relation', options: { to: first.table.id } },
        { key: 'readers', type: 'relations', options: { to: first.table.id } },
        { key: 'editor', type: 'relation', options: { to: first.table.id } },
      ],
      { title: '文章' },
    )),
  };
  const works = await first.owner.send('POST', `${first.path}/fields`, {
    key: 'works',
    title: '作品',
    type: 'inverse',
    options: { of: testTable.f['author'] },
  });
  const edits = await first.owner.send('POST', `${first.path}/fields`, {
    key: 'edits',
    title: '编辑过',
    type: 'inverse',
    options: { of: testTable.f['editor'] },
  });
  if (works.statusCode !== 200 || edits.statusCode !== 200) throw new Error(works.body + edits.body);
  people = first;
  viewer = await program.makePerson('member');
  await program.grant(first.site.id, viewer.userId, 'viewer');
  const id = (key: string): string => testTable.f[key] ?? '';
  await rule(program, first.site.id, testTable.table.id, 'viewer', {
    fields: ['title', 'kind', 'author', 'readers'].map(id),
    filter: { field: id('closed'), op: 'ne', value: true },
  });
  const model = await first.owner.get(first.path);
  const fields = model.json<{ data: { fields: { id: string; key: string }[] } }>().data.fields;
  await rule(program, first.site.id, people.table.id, 'viewer', {
    fields: fields.filter((field) => ['name', 'works', 'edits'].includes(field.key)).map((field) => field.id),
    filter: { field: people.f['hidden'] ?? '', op: 'ne', value: true },
  });
  [open = '', hidden = ''] = await putRecords(program, first.site.id, people, [
    { values: { name: '公开', wage: 10 } },
    { values: { name: '隐藏', wage: 20, hidden: true } },
  ]);
  visibleIds = await putRecords(program, first.site.id, testTable, [
    { values: { title: 'one', kind: 'a', note: '机密', cost: '1', code: 'x1', author: open, editor: open } },
    { values: { title: 'two', kind: 'b', note: 'plain', cost: '2', author: hidden, editor: hidden } },
  ]);
  closedIds = await putRecords(program, first.site.id, testTable, [{ values: { title: 'closed', kind: 'a', closed: true, cost: '100', author: open } }]);
  await link(program, first.site.id, id('readers'), [
    [visibleIds[0] ?? '', hidden],
    [visibleIds[0] ?? '', open],
    [closedIds[0] ?? '', open],
  ]);
});
afterAll(() => program.close());
const idsOf = async (by: Person, query: Record<string, string | object>) => (await page(by, testTable.path, query)).rows.map((row) => row.id);

describe('a reader limited to some fields and records', () => {
  it('gets only those, in lists and alone', async () => {
    const found = await page(viewer, testTable.path, { count: 'exact' });
    expect(found.rows.map((row) => Object.keys(row.values))).toEqual(visibleIds.map(() => ['title', 'kind', 'author', 'readers']));
    expect(found.rows.map((row) => row.id)).toEqual(visibleIds);
    expect(found.total).toBe(2);
    expect((await page(testTable.owner, testTable.path, { count: 'exact' })).total).toBe(3);
    expect(await refusal(viewer, `${testTable.path}/records/${closedIds[0]}`)).toBe('not_found');
    expect(Object.keys((await record(viewer, testTable.path, visibleIds[0] ?? '')).values)).toEqual(['title', 'kind', 'author', 'readers']);
    expect(await idsOf(viewer, { ids: closedIds.join(',') })).toEqual([]);
  });

  it('cannot select, filter, sort, group or aggregate other fields', async () => {
    const list = `${testTable.path}/records`;
    for (const name of ['note', 'cost', 'code', 'closed', 'editor', testTable.f['note'] ?? '']) {
      expect(await refusal(viewer, list, { fields: name })).toBe('invalid_fields fields:unknown_field');
      expect(await refusal(viewer, list, { filter: { field: name, op: 'notEmpty' } })).toBe('invalid_fields filter:unknown_field');
      expect(await refusal(viewer, list, { filter: { not: { or: [{ field: name, op: 'empty' }] } } })).toBe('invalid_fields filter:unknown_field');
      expect(await refusal(viewer, list, { sort: name })).toBe('invalid_fields sort:unknown_field');
      expect(await refusal(viewer, `${testTable.path}/aggregate`, { group: name })).toBe('invalid_fields group:unknown_field');
      expect(await refusal(viewer, `${testTable.path}/aggregate`, { of: `${name}:filled` })).toBe('invalid_fields of:unknown_field');
      expect(await refusal(viewer, `${testTable.path}/records/${visibleIds[0]}/position`, { sort: name })).toBe('invalid_fields sort:unknown_field');
    }
    expect(await refusal(viewer, list, { filter: { field: 'author', op: 'some', value: { field: 'wage', op: 'gt', value: 5 } } })).toBe(
      'invalid_fields filter:unknown_field',
    );
    expect(await refusal(viewer, `${people.path}/records`, { filter: { field: 'works', op: 'some', value: { field: 'cost', op: 'gt', value: 5 } } })).toBe(
      'invalid_fields filter:unknown_field',
    );
  });

  it('finds nothing by text of hidden fields', async () => {
    expect(await idsOf(testTable.owner, { q: '机密' })).toEqual([visibleIds[0]]);
    expect(await idsOf(viewer, { q: '机密' })).toEqual([]);
    expect(await idsOf(viewer, { q: 'plain' })).toEqual([]);
    expect(await idsOf(viewer, { q: 'two' })).toEqual([visibleIds[1]]);
    expect(await idsOf(viewer, { q: '甲' })).toEqual([visibleIds[0]]);
    expect(await idsOf(viewer, { q: 'closed' })).toEqual([]);
  });

  it('learns nothing of hidden records from aggregates, groups and positions', async () => {
    const found = await figures(viewer, testTable.path, { group: 'kind,author', of: 'title:distinct' });
    expect(found).toMatchObject({ count: 2, values: { 'title:distinct': 2 } });
    expect(found.groups.map((one) => [...one.keys, one.count])).toEqual(
      expect.arrayContaining([
        ['a', open, 1],
        ['b', null, 1],
      ]),
    );
    expect(found.labels.records).toEqual({ [open]: '公开' });
    expect(await position(viewer, testTable.path, visibleIds[1] ?? '', { sort: '-title' })).toBe(0);
    expect(await position(viewer, testTable.path, closedIds[0] ?? '')).toBeNull();
  });

  it('learns no names of hidden records from labels, sorting and filters', async () => {
    const found = await page(viewer, testTable.path, {});
    expect(found.labels.records).toEqual({ [open]: '公开' });
    // A hidden name sorts like an empty value: last in both directions.
    expect(await idsOf(viewer, { sort: 'author' })).toEqual(visibleIds);
    expect(await idsOf(viewer, { sort: '-author' })).toEqual(visibleIds);
    expect(await idsOf(viewer, { filter: { field: 'author', op: 'some', value: { field: 'name', op: 'eq', value: '隐藏' } } })).toEqual([]);
    expect(await idsOf(viewer, { filter: { field: 'readers', op: 'hasAny', value: [hidden] } })).toEqual([]);
    expect(await idsOf(testTable.owner, { filter: { field: 'readers', op: 'hasAny', value: [hidden] } })).toEqual([visibleIds[0]]);
  });

  it('gets no ids of hidden records in records, lists or exports', async () => {
    const list = await page(viewer, testTable.path);
    expect(list.rows.map((row) => [row.values['author'], row.values['readers']])).toEqual([
      [open, [open]],
      [null, []],
    ]);
    expect(JSON.stringify(await record(viewer, testTable.path, visibleIds[0] ?? ''))).not.toContain(hidden);
    for (const format of ['csv', 'json']) {
      const file = await getWithQuery(viewer, `${testTable.path}/export`, { format });
      expect([format, file.statusCode, file.body.includes(hidden)]).toEqual([format, 200, false]);
    }
    expect((await page(testTable.owner, testTable.path)).rows.map((row) => row.values['author'])).toEqual([open, hidden, open]);
  });

  it('sees links to hidden records as empty in filters', async () => {
    const by = (op: string, value?: unknown) => idsOf(viewer, { filter: { field: 'author', op, ...(value === undefined ? {} : { value }) } });
    expect(await by('eq', hidden)).toEqual([]);
    expect(await by('in', [hidden])).toEqual([]);
    expect(await by('in', [hidden, null])).toEqual([visibleIds[1]]);
    expect(await by('in', [open, hidden])).toEqual([visibleIds[0]]);
    expect(await by('ne', hidden)).toEqual(visibleIds);
    expect(await by('ne', open)).toEqual([visibleIds[1]]);
    expect(await by('nin', [hidden])).toEqual(visibleIds);
    expect(await by('nin', [null])).toEqual([visibleIds[0]]);
    expect(await by('nin', [open])).toEqual([visibleIds[1]]);
    expect(await by('empty')).toEqual([visibleIds[1]]);
    expect(await by('notEmpty')).toEqual([visibleIds[0]]);
    expect(await idsOf(viewer, { filter: { not: { field: 'author', op: 'eq', value: hidden } } })).toEqual(visibleIds);
    const counted = await figures(viewer, testTable.path, { of: 'author:filled,author:empty,author:distinct' });
    expect(counted.values).toEqual({ 'author:filled': 1, 'author:empty': 1, 'author:distinct': 1 });
    expect(await idsOf(testTable.owner, { filter: { field: 'author', op: 'eq', value: hidden } })).toEqual([visibleIds[1]]);
  });

  it('learns nothing of hidden records and fields through inverse relations', async () => {
    const found = await page(viewer, people.path, {});
    expect(found.rows.map((row) => row.values)).toEqual([{ name: '公开', works: [visibleIds[0]], edits: [] }]);
    expect(await refusal(viewer, `${people.path}/records`, { filter: { field: 'edits', op: 'notEmpty' } })).toBe('invalid_fields filter:unknown_field');
    const links = (await getWithQuery(viewer, `${people.path}/records/${open}/links`)).json<{ data: { fieldId: string; recordId: string }[] }>().data;
    expect(links.map((one) => [one.fieldId, one.recordId])).toEqual([
      [testTable.f['author'], visibleIds[0]],
      [testTable.f['readers'], visibleIds[0]],
    ]);
    expect(await refusal(viewer, `${people.path}/records/${hidden}/links`)).toBe('not_found');
  });

  it('cannot read the bin without the right to delete', async () => {
    expect(await refusal(viewer, `${testTable.path}/records`, { trash: 'true' })).toBe('forbidden');
    expect(await refusal(testTable.owner, `${testTable.path}/records`, { trash: 'true' })).toBe('200');
  });

  it('finds nothing under a closed table or a broken rule', async () => {
    const secret = await addTestTable(testTable.owner, testTable.site.id, [{ key: 'name', type: 'text' }], { title: '密' });
    await putRecords(program, testTable.site.id, secret, [{ values: { name: 'x' } }]);
    await rule(program, testTable.site.id, secret.table.id, 'viewer', { allowed: false });
    for (const path of ['records', 'aggregate']) expect(await refusal(viewer, `${secret.path}/${path}`)).toBe('not_found');
    const broken = await addTestTable(testTable.owner, testTable.site.id, [{ key: 'name', type: 'text' }], { title: '断' });
    await putRecords(program, testTable.site.id, broken, [{ values: { name: 'x' } }]);
    await rule(program, testTable.site.id, broken.table.id, 'viewer', { filter: { not: { field: 'f_aaaaaaaaaaaa', op: 'eq', value: 1 } } });
    expect((await page(viewer, broken.path, { count: 'exact' })).total).toBe(0);
    expect((await page(testTable.owner, broken.path, { count: 'exact' })).total).toBe(1);
  });

  it('does not see sensitive fields, which editors see', async () => {
    const other = await addTestTable(
      testTable.owner,
      testTable.site.id,
      [
        { key: 'name', type: 'text' },
        { key: 'code', type: 'text', sensitive: true },
      ],
      { title: '敏感' },
    );
    await putRecords(program, testTable.site.id, other, [{ values: { name: 'x', code: 'y' } }]);
    expect((await page(viewer, other.path)).rows[0]?.values).toEqual({ name: 'x' });
    const editor = await program.makePerson('member');
    await program.grant(testTable.site.id, editor.userId, 'editor');
    expect((await page(editor, other.path)).rows[0]?.values).toEqual({ name: 'x', code: 'y' });
  });
});
