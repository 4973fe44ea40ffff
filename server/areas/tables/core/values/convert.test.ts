import fc from 'fast-check';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { columnOf } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import { canConvert } from '../../../../../contract/tables/fieldTypes';
import { fieldTypes } from '../../../../../contract/tables/terms';
import { rounded } from '../fieldTypes/numbers';
import { Choices, convertValue } from './convert';
import type { Converted, Side } from './convert';
import { caseCounts } from '../../../../../test/support/caseCounts';

const choices = [
  { id: 'a', title: '红', color: 'red' as const },
  { id: 'b', title: '蓝, 绿', color: 'blue' as const },
];
type Case = readonly [
  from: FieldType,
  options: FieldOptions,
  to: FieldType,
  options: FieldOptions,
  values: readonly (readonly [before: unknown, after: unknown])[],
];
const png = { url: 'https://a.cn/a.png' };
/** What people would write down by hand as the result. A `choice:` stands for the id of the choice of that title. */
const cases: readonly Case[] = [
  ['text', {}, 'longText', {}, [['茶', '茶']]],
  ['text', {}, 'markdown', {}, [['# 茶', '# 茶']]],
  ['text', {}, 'richText', {}, [['a < b & c', '<p>a &lt; b &amp; c</p>']]],
  ['longText', {}, 'text', {}, [['一\n二', '一 二']]],
  ['richText', {}, 'longText', {}, [['<p>一<strong>二</strong></p><p>三<br />四</p>', '一二\n\n三\n四']]],
  [
    'text',
    {},
    'email',
    {},
    [
      ['a@b.cn', 'a@b.cn'],
      ['没有', null],
    ],
  ],
  [
    'text',
    {},
    'url',
    {},
    [
      ['https://a.cn', 'https://a.cn'],
      ['javascript:alert(1)', null],
    ],
  ],
  ['text', {}, 'slug', {}, [['绿茶 2026', 'lv-cha-2026']]],
  ['text', {}, 'phone', {}, [['+86 138-0013-8000', '+86 138-0013-8000']]],
  [
    'text',
    {},
    'color',
    {},
    [
      ['#ABC', '#aabbcc'],
      ['red', null],
    ],
  ],
  [
    'text',
    {},
    'integer',
    {},
    [
      ['1,234', 1234],
      ['１２', 12],
      ['12.5', 13],
      ['x', null],
    ],
  ],
  [
    'text',
    {},
    'number',
    {},
    [
      ['1.2万', '12000'],
      ['-0.50', '-0.50'],
      ['twelve', null],
    ],
  ],
  ['text', {}, 'currency', { currency: 'CNY', decimals: 2 }, [['¥ 1,234.565', '1234.57']]],
  ['text', {}, 'percent', {}, [['12.5 %', '12.5']]],
  [
    'text',
    {},
    'rating',
    { max: 5 },
    [
      ['★★★', 3],
      ['9', null],
    ],
  ],
  [
    'text',
    {},
    'duration',
    {},
    [
      ['1:30', 90],
      ['1小时30分', 5400],
    ],
  ],
  [
    'text',
    {},
    'switch',
    {},
    [
      ['是', true],
      ['no', false],
      ['也许', null],
    ],
  ],
  [
    'text',
    {},
    'date',
    {},
    [
      ['2026年11月20日', '2026-11-20'],
      ['昨天', null],
    ],
  ],
  ['text', {}, 'time', {}, [['下午3:30', '15:30:00']]],
  ['text', {}, 'datetime', {}, [['2026-11-20 08:00', '2026-11-20T00:00:00.000Z']]],
  [
    'text',
    {},
    'select',
    {},
    [
      ['红', 'choice:红'],
      ['新', 'choice:新'],
    ],
  ],
  ['text', {}, 'multiSelect', {}, [['红、新', ['choice:红', 'choice:新']]]],
  ['text', {}, 'tags', {}, [['a, b；c', ['a', 'b', 'c']]]],
  ['text', {}, 'geo', {}, [['31.2, 121.5', { lat: 31.2, lng: 121.5 }]]],
  [
    'text',
    {},
    'json',
    {},
    [
      ['{"a":1}', { a: 1 }],
      ['{a', null],
    ],
  ],
  ['text', {}, 'image', {}, [['https://a.cn/a.png', [png]]]],
  ['select', { choices }, 'text', {}, [['a', '红']]],
  ['select', { choices }, 'multiSelect', {}, [['b', ['b']]]],
  ['select', { choices }, 'tags', {}, [['b', ['蓝, 绿']]]],
  ['multiSelect', { choices }, 'text', {}, [[['a', 'b'], '红, "蓝, 绿"']]],
  ['multiSelect', { choices }, 'select', {}, [[['b', 'a'], 'b']]],
  [
    'tags',
    {},
    'multiSelect',
    {},
    [
      [
        ['甲', '乙'],
        ['choice:甲', 'choice:乙'],
      ],
    ],
  ],
  ['integer', {}, 'number', {}, [[12, '12']]],
  ['integer', {}, 'text', {}, [[-5, '-5']]],
  ['integer', {}, 'duration', {}, [[90, 90]]],
  [
    'integer',
    {},
    'switch',
    {},
    [
      [0, false],
      [3, true],
    ],
  ],
  [
    'number',
    {},
    'integer',
    {},
    [
      ['12.5', 13],
      ['-12.5', -13],
      ['1e30', null],
    ],
  ],
  ['number', {}, 'currency', { currency: 'CNY', decimals: 2 }, [['12.345', '12.35']]],
  ['currency', { currency: 'CNY', decimals: 2 }, 'text', {}, [['12.50', '12.50']]],
  ['percent', {}, 'number', {}, [['12.5', '12.5']]],
  ['percent', {}, 'text', {}, [['12.5', '12.5%']]],
  ['rating', { max: 5 }, 'integer', {}, [[4, 4]]],
  ['duration', {}, 'text', {}, [[3723, '1:02:03']]],
  [
    'switch',
    {},
    'integer',
    {},
    [
      [true, 1],
      [false, 0],
    ],
  ],
  ['switch', {}, 'text', {}, [[true, '是']]],
  ['date', {}, 'datetime', {}, [['2026-11-20', '2026-11-19T16:00:00.000Z']]],
  ['datetime', {}, 'date', {}, [['2026-11-19T16:30:00.000Z', '2026-11-20']]],
  ['datetime', {}, 'time', {}, [['2026-11-19T16:30:00.000Z', '00:30:00']]],
  ['datetime', {}, 'text', {}, [['2026-11-19T16:30:00.000Z', '2026-11-20 00:30']]],
  ['json', {}, 'longText', {}, [[{ a: [1] }, '{"a":[1]}']]],
  ['image', {}, 'file', {}, [[[png], [png]]]],
  ['image', {}, 'url', {}, [[[png, { url: 'https://a.cn/b.png' }], 'https://a.cn/a.png']]],
  ['geo', {}, 'text', {}, [[{ lat: 1, lng: 2 }, '1, 2']]],
];

const names = { timeZone: 'Asia/Shanghai', names: {}, find: () => null };
const selection = ({ type, options }: Side): Choices | null => (type === 'select' || type === 'multiSelect' ? new Choices(options.choices ?? [], true) : null);
const valueIn = (conversion: Converted): unknown => ('value' in conversion ? conversion.value : null);

test.each(cases)('%s %j → %s %j', (from, fromOptions, to, toOptions, all) => {
  const goal: Side = { type: to, options: toOptions };
  const known = selection({ type: to, options: { ...toOptions, choices: toOptions.choices ?? fromOptions.choices } });
  const titled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(titled)
      : typeof value === 'string' && value.startsWith('choice:')
        ? known?.all.find((one) => one.title === value.slice(7))?.id
        : value;
  const found = all.map(([before]) => valueIn(convertValue({ type: from, options: fromOptions }, goal, before, names, known)));
  expect(found).toEqual(all.map(([, after]) => titled(after)));
});

test.each<readonly [FieldType, FieldOptions, FieldType, FieldOptions, unknown, string]>([
  ['text', {}, 'number', {}, '12.50', 'convertible'],
  ['text', {}, 'number', {}, '1,250', 'lossy'],
  ['text', {}, 'currency', { decimals: 2 }, '128', 'convertible'],
  ['text', {}, 'currency', { decimals: 2 }, '68.5', 'convertible'],
  ['text', {}, 'currency', { decimals: 2 }, '007', 'lossy'],
  ['text', {}, 'integer', {}, '1.0', 'lossy'],
  ['text', {}, 'switch', {}, '是', 'convertible'],
  ['text', {}, 'switch', {}, 'yes', 'lossy'],
  ['number', {}, 'currency', { decimals: 2 }, '12.5', 'convertible'],
  ['number', {}, 'currency', { decimals: 2 }, '12.505', 'lossy'],
  ['datetime', {}, 'date', {}, '2026-11-19T16:00:00.000Z', 'convertible'],
  ['datetime', {}, 'date', {}, '2026-11-19T16:00:01.000Z', 'lossy'],
  ['multiSelect', { choices }, 'select', { choices }, ['a'], 'convertible'],
  ['multiSelect', { choices }, 'select', { choices }, ['a', 'b'], 'lossy'],
  ['richText', {}, 'longText', {}, '<p>茶</p>', 'convertible'],
  ['richText', {}, 'longText', {}, '<p><strong>茶</strong></p>', 'lossy'],
  ['text', {}, 'integer', {}, '', 'empty'],
  ['text', {}, 'rating', { max: 5 }, '6', 'failing'],
])('%s %j → %s %j: %j is %s', (from, fromOptions, type, options, value, kind) => {
  const goal: Side = { type, options };
  expect(convertValue({ type: from, options: fromOptions }, goal, value, names, selection(goal)).kind).toBe(kind);
});

test('a convertible value converts back to the original', () => {
  const stored = fieldTypes.filter((type) => columnOf[type] !== 'none' && !['relation', 'user', 'password', 'autonumber', 'repeater'].includes(type));
  const checked = caseCounts();
  fc.assert(
    fc.property(
      fc.constantFrom(...stored),
      fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('2026-11-20', '是', '1:30', 'a, b', '{"a":[1]}', '12.50')),
      (type, text) => {
        if (!canConvert('text', type)) return;
        const from: Side = { type: 'text', options: {} };
        const goal: Side = { type, options: {} };
        const known = selection(goal);
        const conversion = convertValue(from, goal, text, names, known);
        if (conversion.kind !== 'convertible' || type === 'markdown') return;
        checked.count();
        const back = convertValue({ ...goal, options: known ? { choices: known.all } : {} }, from, conversion.value, names, null);
        expect(valueIn(back)).toEqual(text);
      },
    ),
    { numRuns: 2000 },
  );
  checked.expectAtLeast(101);
});

test('numbers are rounded half away from zero, exactly', () => {
  expect(
    ['0.5', '1.005', '-2.5', '9.995', '-0.004', '12', '99999999999999999999.5'].map((text) =>
      rounded(text, text.includes('00') || text.includes('9.995') ? 2 : 0),
    ),
  ).toEqual(['1', '1.01', '-3', '10.00', '0.00', '12', '100000000000000000000']);
});
