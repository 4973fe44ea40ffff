import type { ImportLook } from '@contract/tables/transfers';
import { ImportPlan } from '@contract/tables/transfers';
import { fieldOf, tableOf } from '../../../../test/support/recordsScreen';
import { fileErrorOf, isSameFile, sendableName, tableTitleOf } from './importFile';
import { firstMapping, fitted, keyFields, mappingErrors, newOfGoal, planOf, suggested } from './mapping';
import { stepOf } from './importStep';

const column = (at: number, name: string, change: Partial<ImportLook['columns'][number]> = {}): ImportLook['columns'][number] => ({
  column: at,
  name,
  samples: [],
  type: 'text',
  field: null,
  locale: null,
  ...change,
});
const lookOf = (...columns: ImportLook['columns']): ImportLook => ({
  read: { format: 'csv', encoding: 'utf-8', delimiter: ',', sheet: '', header: 1 },
  sheets: [],
  columns,
  rows: [],
  notes: [],
});
const table = tableOf({ locales: ['zh-Hans', 'en'] });
const mapped = (look: ImportLook, of = table as typeof table | null, plan: ImportPlan | null = null) =>
  fitted(firstMapping(plan, '春季新品.csv', true), look, plan, of);

test('columns map to writable fields that match, each at most once', () => {
  const formulaTable = tableOf({ ...table, fields: [...table.fields, fieldOf({ id: 'f_sumaaaaaaaaa', type: 'formula', title: '合计' })] });
  const look = lookOf(
    column(0, '标题', { field: 'f_titleaaaaaaa' }),
    column(1, 'Title', { field: 'f_titleaaaaaaa', locale: 'en' }),
    column(2, 'headline', { field: 'f_titleaaaaaaa' }),
    column(3, '合计', { field: 'f_sumaaaaaaaaa' }),
    column(4, '备注'),
  );
  expect(suggested(look, formulaTable)).toEqual([{ field: 'f_titleaaaaaaa' }, { field: 'f_titleaaaaaaa', locale: 'en' }, null, null, null]);
});

test('a new table gets a uniquely named, typed field per column', () => {
  const look = lookOf(column(0, '名称'), column(1, '名称', { type: 'date' }), column(2, '', { type: 'formula' }), column(3, '长'.repeat(200)));
  const mapping = mapped(look, null);
  expect(mapping.goals.map((goal) => newOfGoal(goal))).toEqual([
    { title: '名称', type: 'text' },
    { title: '名称 2', type: 'date' },
    { title: '3', type: 'text' },
    { title: '长'.repeat(100), type: 'text' },
  ]);
  expect(mapping.title).toBe('春季新品');
  expect(mappingErrors(mapping, look, null)).toEqual([]);
  expect(mappingErrors({ ...mapping, title: ' ' }, look, null).map(({ code }) => code)).toEqual(['tableTitle']);
});

test('mapping problems are listed by column', () => {
  const look = lookOf(column(0, '甲'), column(1, '乙'), column(2, '丙'));
  const errorsOf = (goals: ReturnType<typeof suggested>, change = {}) =>
    mappingErrors({ ...mapped(look), goals, ...change }, look, table).map(({ code, column: at }) => [code, at]);
  expect(errorsOf([null, null, null])).toEqual([['none', null]]);
  expect(errorsOf([{ field: 'f_titleaaaaaaa' }, { field: 'f_titleaaaaaaa' }, { field: 'f_titleaaaaaaa', locale: 'en' }])).toEqual([['twice', 1]]);
  expect(errorsOf([{ new: { title: ' ', type: 'text' } }, { new: { title: '标题', type: 'text' } }, { new: { title: '作者页', type: 'relation' } }])).toEqual([
    ['title', 0],
    ['sameTitle', 1],
    ['link', 2],
  ]);
  expect(errorsOf([{ field: 'f_titleaaaaaaa' }, null, null], { key: ['f_priceaaaaaaa'] })).toEqual([['key', null]]);
  expect(errorsOf([{ field: 'f_titleaaaaaaa' }, null, null], { key: ['f_titleaaaaaaa'], onMatch: 'skip', onNew: 'skip' })).toEqual([['nothing', null]]);
});

test("key fields are plain and in the table's default language", () => {
  const look = lookOf(column(0, 'Title'), column(1, '作者'), column(2, '价格'));
  const goals = [{ field: 'f_titleaaaaaaa', locale: 'en' }, { field: 'f_authoraaaaaa' }, { field: 'f_priceaaaaaaa' }];
  expect(keyFields({ ...mapped(look), goals }, table).map(({ title }) => title)).toEqual(['价格', '作者']);
});

test('the import plan is valid, round-trips, and resets for another sheet', () => {
  const look = lookOf(column(0, '标题', { field: 'f_titleaaaaaaa' }), column(1, '备注'), column(2, '价格', { field: 'f_priceaaaaaaa' }));
  const mapping = { ...mapped(look), key: ['f_titleaaaaaaa'], read: { header: 2 } };
  const plan = ImportPlan.parse(planOf(mapping, look));
  expect(plan.columns).toEqual([
    { column: 0, to: { field: 'f_titleaaaaaaa' } },
    { column: 2, to: { field: 'f_priceaaaaaaa' } },
  ]);
  expect(mapped(look, table, plan)).toMatchObject({ goals: mapping.goals, key: mapping.key, read: { header: 2 } });
  // The user excluded the third column; it stays excluded until the columns change.
  const chosen = { ...mapping, goals: [mapping.goals[0] ?? null, null, null] };
  expect(fitted(chosen, look, plan, table)).toBe(chosen);
  const other = lookOf(column(0, '日期', { field: 'f_dayaaaaaaaaa' }));
  expect(fitted(chosen, other, plan, table)).toMatchObject({ goals: [{ field: 'f_dayaaaaaaaaa' }], key: [] });
});

test('the requested step is shown where the state of the import allows', () => {
  const it = (state: 'ready' | 'checked' | 'cancelled' | 'done', batchId: string | null = null) => ({ state, batchId, plan: null });
  expect(stepOf(null, 'done')).toBe('file');
  expect(stepOf(it('ready'), '')).toBe('read');
  expect(stepOf(it('ready'), 'map')).toBe('map');
  expect(stepOf(it('checked'), '')).toBe('check');
  expect(stepOf(it('checked'), 'run')).toBe('check');
  expect(stepOf(it('cancelled', 'b'), 'map')).toBe('run');
  expect(stepOf(it('done', 'b'), 'check')).toBe('done');
});

test('files are checked before upload and recognized by name and size', () => {
  expect(fileErrorOf({ name: 'a.csv', size: 0 })).toBe('empty');
  expect(fileErrorOf({ name: 'a.XLS', size: 10 })).toBe('old');
  expect(fileErrorOf({ name: 'a.xlsx', size: 60 * 2 ** 20 })).toBe('large');
  expect(fileErrorOf({ name: 'a.csv', size: 60 * 2 ** 20 })).toBeNull();
  const name = `${'长'.repeat(300)}\n\u0007.csv`;
  const sent = sendableName(name);
  expect(sent).toMatch(/^长{150}\.csv$/);
  expect(sendableName('\u0000')).toBe('file');
  const it = { file: { name: sent, size: 4, stored: 1 } };
  expect(isSameFile(it, { name, size: 4 })).toBe(true);
  expect(isSameFile(it, { name, size: 5 })).toBe(false);
  expect(tableTitleOf('春季 新品.v2.xlsx')).toBe('春季 新品.v2');
});
