import { textOf } from '@contract/tables/fieldText';
import { fieldOf } from '../../../../test/support/recordsScreen';
import { typedValue } from './cellText';

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
] as const)('in a field of type %s, “%s” is parsed as usual', (type, typed, value) => {
  expect(typedValue(fieldOf({ id: 'f_aaaaaaaaaaaa', type, title: 'x' }), typed, 'Asia/Shanghai')).toEqual({ value });
});

test('a choice is typed and copied by its title', () => {
  const field = fieldOf({ id: 'f_aaaaaaaaaaaa', type: 'select', title: 'x', options: { choices: [{ id: 'news', title: '新闻', color: 'blue' }] } });
  expect(typedValue(field, '新闻', 'Asia/Shanghai')).toEqual({ value: 'news' });
  expect(typedValue(field, '别的', 'Asia/Shanghai')).toEqual({ value: '别的' });
  expect(textOf(field, 'news')).toBe('新闻');
  expect(textOf(fieldOf({ id: 'f_aaaaaaaaaaaa', type: 'number', title: 'x' }), '12.50')).toBe('12.50');
});
