import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { asked, figures, link, page, position, putRecords, record, refusal, rule } from './tablesReadSupport';

/**
 * A viewer of articles may read title, kind, author and readers of open articles, and the names of people who are not hidden.
 * No query may reveal anything else.
 */
let program: TestApp;
let people: MadeTable;
let made: Tabled;
let viewer: Person;
let shown: string[];
let kept: string[];
let open: string;
let hidden: string;
beforeAll(async () => {
  program = await makeTestApp();
  const first = await makeTabled(program, [
    { key: 'name', type: 'text' },
    { key: 'wage', type: 'integer' },
    { key: 'hidden', type: 'switch' },
  ]);
  made = {
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
  const works = await first.owner.send('POST', `${first.path}/fields`, { key: 'works', title: '作品', type: 'inverse', options: { of: made.f['author'] } });
  const edits = await first.owner.send('POST', `${first.path}/fields`, { key: 'edits', title: '编辑过', type: 'inverse', options: { of: made.f['editor'] } });
  if (works.statusCode !== 200 || edits.statusCode !== 200) throw new Error(works.body + edits.body);
  people = first;
  viewer = await program.makePerson('member');
  await program.grant(first.site.id, viewer.userId, 'viewer');
  const id = (key: string): string => made.f[key] ?? '';
  await rule(program, first.site.id, made.table.id, 'viewer', {
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
  shown = await putRecords(program, first.site.id, made, [
    { values: { title: 'one', kind: 'a', note: '机密', cost: '1', code: 'x1', author: open, editor: open } },
    { values: { title: 'two', kind: 'b', note: 'plain', cost: '2', author: hidden, editor: hidden } },
  ]);
  kept = await putRecords(program, first.site.id, made, [{ values: { title: 'closed', kind: 'a', closed: true, cost: '100', author: open } }]);
  await link(program, first.site.id, id('readers'), [
    [shown[0] ?? '', hidden],
    [shown[0] ?? '', open],
    [kept[0] ?? '', open],
  ]);
});
afterAll(() => program.close());
const idsOf = async (by: Person, query: Record<string, string | object>) => (await page(by, made.path, query)).rows.map((row) => row.id);

describe('a reader limited to some fields and records', () => {
  it('gets only those, in lists and alone', async () => {
    const found = await page(viewer, made.path, { count: 'exact' });
    expect(found.rows.map((row) => Object.keys(row.values))).toEqual(shown.map(() => ['title', 'kind', 'author', 'readers']));
    expect(found.rows.map((row) => row.id)).toEqual(shown);
    expect(found.total).toBe(2);
    expect((await page(made.owner, made.path, { count: 'exact' })).total).toBe(3);
    expect(await refusal(viewer, `${made.path}/records/${kept[0]}`)).toBe('not_found');
    expect(Object.keys((await record(viewer, made.path, shown[0] ?? '')).values)).toEqual(['title', 'kind', 'author', 'readers']);
    expect(await idsOf(viewer, { ids: kept.join(',') })).toEqual([]);
  });

  it('cannot select, filter, sort, group or aggregate other fields', async () => {
    const list = `${made.path}/records`;
    for (const name of ['note', 'cost', 'code', 'closed', 'editor', made.f['note'] ?? '']) {
      expect(await refusal(viewer, list, { fields: name })).toBe('invalid_fields fields:unknown_field');
      expect(await refusal(viewer, list, { filter: { field: name, op: 'notEmpty' } })).toBe('invalid_fields filter:unknown_field');
      expect(await refusal(viewer, list, { filter: { not: { or: [{ field: name, op: 'empty' }] } } })).toBe('invalid_fields filter:unknown_field');
      expect(await refusal(viewer, list, { sort: name })).toBe('invalid_fields sort:unknown_field');
      expect(await refusal(viewer, `${made.path}/aggregate`, { group: name })).toBe('invalid_fields group:unknown_field');
      expect(await refusal(viewer, `${made.path}/aggregate`, { of: `${name}:filled` })).toBe('invalid_fields of:unknown_field');
      expect(await refusal(viewer, `${made.path}/records/${shown[0]}/position`, { sort: name })).toBe('invalid_fields sort:unknown_field');
    }
    expect(await refusal(viewer, list, { filter: { field: 'author', op: 'some', value: { field: 'wage', op: 'gt', value: 5 } } })).toBe(
      'invalid_fields filter:unknown_field',
    );
    expect(await refusal(viewer, `${people.path}/records`, { filter: { field: 'works', op: 'some', value: { field: 'cost', op: 'gt', value: 5 } } })).toBe(
      'invalid_fields filter:unknown_field',
    );
  });

  it('finds nothing by text of hidden fields', async () => {
    expect(await idsOf(made.owner, { q: '机密' })).toEqual([shown[0]]);
    expect(await idsOf(viewer, { q: '机密' })).toEqual([]);
    expect(await idsOf(viewer, { q: 'plain' })).toEqual([]);
    expect(await idsOf(viewer, { q: 'two' })).toEqual([shown[1]]);
    expect(await idsOf(viewer, { q: '甲' })).toEqual([shown[0]]);
    expect(await idsOf(viewer, { q: 'closed' })).toEqual([]);
  });

  it('learns nothing of hidden records from aggregates, groups and positions', async () => {
    const found = await figures(viewer, made.path, { group: 'kind,author', of: 'title:distinct' });
    expect(found).toMatchObject({ count: 2, values: { 'title:distinct': 2 } });
    expect(found.groups.map((one) => [...one.keys, one.count])).toEqual(
      expect.arrayContaining([
        ['a', open, 1],
        ['b', null, 1],
      ]),
    );
    expect(found.labels.records).toEqual({ [open]: '公开' });
    expect(await position(viewer, made.path, shown[1] ?? '', { sort: '-title' })).toBe(0);
    expect(await position(viewer, made.path, kept[0] ?? '')).toBeNull();
  });

  it('learns no names of hidden records from labels, sorting and filters', async () => {
    const found = await page(viewer, made.path, {});
    expect(found.labels.records).toEqual({ [open]: '公开' });
    // A hidden name sorts like an empty value: last in both directions.
    expect(await idsOf(viewer, { sort: 'author' })).toEqual(shown);
    expect(await idsOf(viewer, { sort: '-author' })).toEqual(shown);
    expect(await idsOf(viewer, { filter: { field: 'author', op: 'some', value: { field: 'name', op: 'eq', value: '隐藏' } } })).toEqual([]);
    expect(await idsOf(viewer, { filter: { field: 'readers', op: 'hasAny', value: [hidden] } })).toEqual([]);
    expect(await idsOf(made.owner, { filter: { field: 'readers', op: 'hasAny', value: [hidden] } })).toEqual([shown[0]]);
  });

  it('gets no ids of hidden records in records, lists or exports', async () => {
    const list = await page(viewer, made.path);
    expect(list.rows.map((row) => [row.values['author'], row.values['readers']])).toEqual([
      [open, [open]],
      [null, []],
    ]);
    expect(JSON.stringify(await record(viewer, made.path, shown[0] ?? ''))).not.toContain(hidden);
    for (const format of ['csv', 'json']) {
      const file = await asked(viewer, `${made.path}/export`, { format });
      expect([format, file.statusCode, file.body.includes(hidden)]).toEqual([format, 200, false]);
    }
    expect((await page(made.owner, made.path)).rows.map((row) => row.values['author'])).toEqual([open, hidden, open]);
  });

  it('sees links to hidden records as empty in filters', async () => {
    const by = (op: string, value?: unknown) => idsOf(viewer, { filter: { field: 'author', op, ...(value === undefined ? {} : { value }) } });
    expect(await by('eq', hidden)).toEqual([]);
    expect(await by('in', [hidden])).toEqual([]);
    expect(await by('in', [hidden, null])).toEqual([shown[1]]);
    expect(await by('in', [open, hidden])).toEqual([shown[0]]);
    expect(await by('ne', hidden)).toEqual(shown);
    expect(await by('ne', open)).toEqual([shown[1]]);
    expect(await by('nin', [hidden])).toEqual(shown);
    expect(await by('nin', [null])).toEqual([shown[0]]);
    expect(await by('nin', [open])).toEqual([shown[1]]);
    expect(await by('empty')).toEqual([shown[1]]);
    expect(await by('notEmpty')).toEqual([shown[0]]);
    expect(await idsOf(viewer, { filter: { not: { field: 'author', op: 'eq', value: hidden } } })).toEqual(shown);
    const counted = await figures(viewer, made.path, { of: 'author:filled,author:empty,author:distinct' });
    expect(counted.values).toEqual({ 'author:filled': 1, 'author:empty': 1, 'author:distinct': 1 });
    expect(await idsOf(made.owner, { filter: { field: 'author', op: 'eq', value: hidden } })).toEqual([shown[1]]);
  });

  it('learns nothing of hidden records and fields through inverse relations', async () => {
    const found = await page(viewer, people.path, {});
    expect(found.rows.map((row) => row.values)).toEqual([{ name: '公开', works: [shown[0]], edits: [] }]);
    expect(await refusal(viewer, `${people.path}/records`, { filter: { field: 'edits', op: 'notEmpty' } })).toBe('invalid_fields filter:unknown_field');
    const links = (await asked(viewer, `${people.path}/records/${open}/links`)).json<{ data: { fieldId: string; recordId: string }[] }>().data;
    expect(links.map((one) => [one.fieldId, one.recordId])).toEqual([
      [made.f['author'], shown[0]],
      [made.f['readers'], shown[0]],
    ]);
    expect(await refusal(viewer, `${people.path}/records/${hidden}/links`)).toBe('not_found');
  });

  it('cannot read the bin without the right to delete', async () => {
    expect(await refusal(viewer, `${made.path}/records`, { trash: 'true' })).toBe('forbidden');
    expect(await refusal(made.owner, `${made.path}/records`, { trash: 'true' })).toBe('200');
  });

  it('finds nothing under a closed table or a broken rule', async () => {
    const secret = await addTestTable(made.owner, made.site.id, [{ key: 'name', type: 'text' }], { title: '密' });
    await putRecords(program, made.site.id, secret, [{ values: { name: 'x' } }]);
    await rule(program, made.site.id, secret.table.id, 'viewer', { allowed: false });
    for (const path of ['records', 'aggregate']) expect(await refusal(viewer, `${secret.path}/${path}`)).toBe('not_found');
    const broken = await addTestTable(made.owner, made.site.id, [{ key: 'name', type: 'text' }], { title: '断' });
    await putRecords(program, made.site.id, broken, [{ values: { name: 'x' } }]);
    await rule(program, made.site.id, broken.table.id, 'viewer', { filter: { not: { field: 'f_aaaaaaaaaaaa', op: 'eq', value: 1 } } });
    expect((await page(viewer, broken.path, { count: 'exact' })).total).toBe(0);
    expect((await page(made.owner, broken.path, { count: 'exact' })).total).toBe(1);
  });

  it('does not see sensitive fields, which editors see', async () => {
    const other = await addTestTable(
      made.owner,
      made.site.id,
      [
        { key: 'name', type: 'text' },
        { key: 'code', type: 'text', sensitive: true },
      ],
      { title: '敏感' },
    );
    await putRecords(program, made.site.id, other, [{ values: { name: 'x', code: 'y' } }]);
    expect((await page(viewer, other.path)).rows[0]?.values).toEqual({ name: 'x' });
    const editor = await program.makePerson('member');
    await program.grant(made.site.id, editor.userId, 'editor');
    expect((await page(editor, other.path)).rows[0]?.values).toEqual({ name: 'x', code: 'y' });
  });
});
