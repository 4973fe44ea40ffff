import { jest } from '@jest/globals';
import type { ContentTable, FormLayout, LayoutWidth, SchemaDifference } from '../../contract/tables/schemas';
import { layoutOf } from '../../contract/tables/formLayout';
import type { Site } from '../../contract/sites/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable } from '../support/tables';
import { designer } from './tablesSchemaSupport';
import type { Designing } from './tablesSchemaSupport';

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

type Place = string | readonly [string, string];
const sectionOf = (title: string, fields: readonly Place[], rest: Partial<FormLayout['sections'][number]> = {}) => ({
  title,
  note: '',
  collapsed: false,
  fields: fields.map((one) => (typeof one === 'string' ? { field: one, width: 'full' as const } : { field: one[0], width: one[1] as LayoutWidth })),
  ...rest,
});
const at = (table: ContentTable, rest = ''): string => `/tables/${table.id}${rest}`;
const make = async () => {
  const { table } = await addTestTable(
    owner,
    site.id,
    ['name', 'price', 'stock', 'note'].map((key) => ({ key, type: key === 'price' || key === 'stock' ? ('number' as const) : ('text' as const) })),
  );
  const id = (key: string): string => table.fields.find((field) => field.key === key)?.id ?? '';
  const layout: FormLayout = {
    style: 'groups',
    sections: [
      sectionOf('', [id('name')]),
      sectionOf(
        '库存',
        [
          [id('price'), 'half'],
          [id('stock'), 'half'],
        ],
        { note: '以仓库为准', collapsed: true },
      ),
    ],
    hidden: [id('note')],
  };
  return { table, id, layout };
};
const save = (table: ContentTable, layout: FormLayout | null) => d.send('PATCH', at(table), { layout }, table.revision);
/** Titles of sections with the keys of their fields, as the form shows them. */
const drawn = (table: ContentTable) => layoutOf(table, table.fields).sections.map(({ title, fields }) => [title, ...fields.map(({ field }) => field.key)]);

test('a layout is stored as sent, and its change can be reverted', async () => {
  const { table, layout } = await make();
  expect(table.layout).toBeNull();
  expect(drawn(table)).toEqual([['', 'name', 'price', 'stock', 'note']]);
  const saved = await save(table, layout);
  expect(saved.layout).toEqual(layout);
  expect(drawn(saved)).toEqual([
    ['', 'name'],
    ['库存', 'price', 'stock'],
  ]);
  // Saving the same layout again changes nothing.
  expect((await save(saved, layout)).revision).toBe(saved.revision);

  const [change] = await d.history(table.id);
  expect(change).toMatchObject({ op: 'table_changed', revertible: true, before: { layout: null }, after: { layout } });
  const reverted = await d.send('POST', at(table, `/history/${change?.id}/revert`));
  expect(reverted.layout).toBeNull();
  const [again] = await d.history(table.id);
  expect((await d.send('POST', at(table, `/history/${again?.id}/revert`))).layout).toEqual(layout);
});

test('added fields come last, restored ones return to their place', async () => {
  const { table, id, layout } = await make();
  let now = await save(table, layout);
  now = await d.send('POST', at(table, '/fields'), { type: 'text', title: '产地', key: 'origin' });
  expect(drawn(now)).toEqual([
    ['', 'name'],
    ['库存', 'price', 'stock'],
    [null, 'origin'],
  ]);
  now = await d.send('DELETE', at(table, '/fields/price'));
  now = await d.send('DELETE', at(table, '/fields/note'));
  expect(now.layout).toMatchObject({ sections: [{}, { fields: [{ field: id('stock') }] }], hidden: [] });
  // Somebody else rearranges the form without seeing the binned fields.
  now = await save(now, { ...layout, sections: [sectionOf('全部', [id('stock'), id('name')])], hidden: [] });
  await d.send('POST', at(table, `/fields/${id('price')}/restore`));
  now = await d.send('POST', at(table, `/fields/${id('note')}/restore`));
  expect(drawn(now)).toEqual([
    ['全部', 'price', 'stock', 'name'],
    [null, 'origin'],
  ]);
  expect(now.layout?.hidden).toEqual([id('note')]);

  now = await d.send('PATCH', at(table, '/fields/price'), { key: 'cost', title: '成本' }, now.revision);
  expect(drawn(now)[0]).toEqual(['全部', 'cost', 'stock', 'name']);
});

test('reverting a layout ignores fields removed since', async () => {
  const { table, id, layout } = await make();
  let now = await save(table, layout);
  now = await save(now, null);
  const [change] = await d.history(table.id);
  await d.send('DELETE', at(table, '/fields/price'));
  await d.send('DELETE', at(table, '/fields/stock'));
  await program.ctx.postgres.pool.query('DELETE FROM content_fields WHERE id = $1', [id('stock')]);
  now = await d.send('POST', at(table, `/history/${change?.id}/revert`));
  expect(drawn(now)).toEqual([['', 'name']]);
  now = await d.send('POST', at(table, `/fields/${id('price')}/restore`));
  expect(now.layout?.sections[1]?.fields).toEqual([{ field: id('price'), width: 'half' }]);
});

test('an invalid layout is refused by position, a stale one by revision', async () => {
  const { table, id, layout } = await make();
  const { table: other } = await addTestTable(owner, site.id, [{ key: 'x', type: 'text' }]);
  const foreign = other.fields[0]?.id ?? '';
  const refused = async (layoutInput: unknown) => (await d.refused('PATCH', at(table), { layout: layoutInput }, table.revision)).fields;
  const [first] = layout.sections;
  expect(await refused({ ...layout, sections: [sectionOf('', [id('name'), foreign])] })).toEqual({ 'layout.sections.0.fields.1.field': { code: 'unknown' } });
  expect(await refused({ ...layout, sections: [first, sectionOf('二', [id('name')])] })).toEqual({ 'layout.sections.1.fields.0.field': { code: 'duplicate' } });
  expect(await refused({ ...layout, hidden: [id('name')] })).toEqual({ 'layout.hidden.0': { code: 'duplicate' } });
  expect(await refused({ ...layout, style: 'tabs' })).toEqual({ 'layout.sections.0.title': { code: 'required' } });
  expect(await refused({ ...layout, sections: [{ ...first, collapsed: true }] })).toEqual({ 'layout.sections.0.title': { code: 'required' } });
  expect(await refused({ ...layout, sections: [sectionOf('长'.repeat(101), [])] })).toEqual({
    'layout.sections.0.title': { code: 'too_long', max: 100 },
  });
  expect(await refused({ ...layout, sections: Array.from({ length: 31 }, () => sectionOf('', [])) })).toMatchObject({
    'layout.sections': { code: 'too_long', max: 30 },
  });
  expect(Object.keys((await refused({ ...layout, sections: [sectionOf('', [[id('name'), 'wide']])] })) ?? {})).toEqual(['layout.sections.0.fields.0.width']);
  await save(table, layout);
  expect(await d.refused('PATCH', at(table), { layout: null }, table.revision)).toMatchObject({ status: 409, code: 'stale_revision', current: { layout } });
});

test('a copied table has the same layout with its own fields', async () => {
  const { table, id, layout } = await make();
  await save(table, layout);
  const copy = await d.send('POST', at(table, '/duplicate'), { title: '副本', records: false });
  expect(drawn(copy)).toEqual([
    ['', 'name'],
    ['库存', 'price', 'stock'],
  ]);
  expect(JSON.stringify(copy.layout)).not.toContain(id('name'));
  expect(copy.layout?.sections[1]).toMatchObject({ note: '以仓库为准', collapsed: true, fields: [{ width: 'half' }, { width: 'half' }] });
});

test('files carry layouts by field keys between sites', async () => {
  const { table, layout } = await make();
  await save(table, layout);
  const file = await d.get<{ tables: { key: string; layout: unknown }[] }>('/schema');
  const exported = file.tables.find(({ key }) => key === table.key);
  expect(exported?.layout).toMatchObject({ sections: [{ fields: [{ field: 'name' }] }, { title: '库存' }], hidden: ['note'] });
  const source = { format: 'sitewright-tables', version: 1, tables: [exported] };

  const site2 = await program.makeSite(owner);
  const there = designer(owner, site2.id);
  await there.send<SchemaDifference[]>('POST', '/schema/apply', { file: source });
  const applied = await there.get<ContentTable>(`/tables/${table.key}`);
  expect(drawn(applied)).toEqual([
    ['', 'name'],
    ['库存', 'price', 'stock'],
  ]);
  expect(await there.send<SchemaDifference[]>('POST', '/schema/compare', { file: source })).toEqual([]);

  // A different layout is a difference; a file without a layout is none.
  const plain = await there.send('PATCH', `/tables/${table.key}`, { layout: null }, applied.revision);
  expect(await there.send<SchemaDifference[]>('POST', '/schema/compare', { file: source })).toMatchObject([{ change: 'change', before: { layout: null } }]);
  const { layout: _layout, ...without } = exported ?? { layout: null };
  expect(await there.send<SchemaDifference[]>('POST', '/schema/compare', { file: { ...source, tables: [without] } })).toEqual([]);
  expect((await there.get<ContentTable>(`/tables/${plain.id}`)).layout).toBeNull();

  const bad = { ...exported, layout: { ...layout, sections: [sectionOf('', ['nothing'])], hidden: [] } };
  expect((await there.refused('POST', '/schema/compare', { file: { ...source, tables: [bad] } })).fields).toEqual({
    'file.tables.0.layout.sections.0.fields.0.field': { code: 'unknown' },
  });
});

test('a layout omits fields that its reader may not see', async () => {
  const { table, id, layout } = await make();
  let now = await save(table, layout);
  now = await d.send('PATCH', at(table, '/fields/price'), { sensitive: true }, now.revision);
  const viewer = await program.makePerson('member');
  await program.grant(site.id, viewer.userId, 'viewer');
  const visibleLayout = (await designer(viewer, site.id).get<ContentTable>(at(now))).layout;
  expect(JSON.stringify(visibleLayout)).not.toContain(id('price'));
  expect(visibleLayout?.sections[1]?.fields).toEqual([{ field: id('stock'), width: 'half' }]);
});
