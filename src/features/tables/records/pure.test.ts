import { fieldOf, recordOf } from '../../../../test/support/recordsScreen';
import { textOf } from '@contract/tables/fieldText';
import { typedValue } from './cellText';
import { groupLines, keysOf } from './groups';
import { conflictsIn, placeOf } from './useWriteFailure';

const group = (keys: unknown[], count: number) => ({ keys, count, values: {} });

test('headings say where their rows begin, level below level', () => {
  const lines = groupLines([group(['news', true], 3), group(['news', null], 2), group(['guide', true], 4)], [false, false]);
  expect(lines.map(({ key, depth, first, count }) => [depth, key, first, count])).toEqual([
    [0, 'news', 0, 5],
    [1, true, 0, 3],
    [1, null, 3, 2],
    [0, 'guide', 5, 4],
    [1, true, 5, 4],
  ]);
  expect(groupLines([group(['a'], 1), group(['b'], 2)], [true]).map(({ key, first }) => [key, first])).toEqual([
    ['b', 0],
    ['a', 2],
  ]);
  expect(keysOf(lines[1]?.id ?? '')).toEqual(['news', true]);
  expect(keysOf('{')).toEqual([]);
});

test('a refusal is told to the cell that it is about', () => {
  expect(placeOf('changes.3.values.f_titleaaaaaaa')).toEqual({ at: 3, name: 'f_titleaaaaaaa' });
  expect(placeOf('records.0.title@en')).toEqual({ at: 0, name: 'title' });
  expect(placeOf('price')).toEqual({ at: null, name: 'price' });
  const conflict = { revision: 2, record: recordOf(1), fields: {}, by: null };
  expect(conflictsIn([conflict])).toEqual([conflict]);
  expect(conflictsIn({ conflicts: [conflict] })).toEqual([conflict]);
  expect(conflictsIn('x')).toEqual([]);
});

test.each([
  ['integer', '１２', 12],
  ['integer', '1,200', 1200],
  ['integer', 'many', 'many'],
  ['currency', '¥ 12.50', '12.50'],
  ['number', '-0.1', '-0.1'],
  ['percent', '12.5%', '12.5'],
  ['duration', '1:05:09', 3909],
  ['date', '2026/1/2', '2026-01-02'],
  ['date', 'tomorrow', 'tomorrow'],
  ['time', '8:05', '08:05:00'],
  ['switch', '是', true],
  ['switch', 'no', false],
  ['switch', 'perhaps', 'perhaps'],
  ['number', '1.2万', '12000'],
  ['datetime', '2026-11-20 08:30', '2026-11-20T00:30:00.000Z'],
  ['tags', '茶，山 、水', ['茶', '山', '水']],
  ['text', '  ', null],
] as const)('typed into a field of type %s, “%s” is read as people mean it', (type, typed, value) => {
  expect(typedValue(fieldOf({ id: 'f_aaaaaaaaaaaa', type, title: 'x' }), typed, 'Asia/Shanghai')).toEqual({ value });
});

test('a choice is typed and copied by its title', () => {
  const field = fieldOf({ id: 'f_aaaaaaaaaaaa', type: 'select', title: 'x', options: { choices: [{ id: 'news', title: '新闻', color: 'blue' }] } });
  expect(typedValue(field, '新闻', 'Asia/Shanghai')).toEqual({ value: 'news' });
  expect(typedValue(field, '别的', 'Asia/Shanghai')).toEqual({ value: '别的' });
  expect(textOf(field, 'news')).toBe('新闻');
  expect(textOf(fieldOf({ id: 'f_aaaaaaaaaaaa', type: 'number', title: 'x' }), '12.50')).toBe('12.50');
});
