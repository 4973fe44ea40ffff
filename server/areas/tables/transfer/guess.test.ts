import { typeOf } from './guess';

test.each([
  [['1,234.50', '99.00'], 'number'],
  [['￥99', '￥1,234.50'], 'number'],
  [['1.20E+06', '3.5E+05'], 'number'],
  [['12E5', '13E4'], 'text'],
  [['1,234', '12'], 'integer'],
  [['007', '008'], 'text'],
] as const)('a column of %j is of type %s', (values, type) => expect(typeOf(values)).toBe(type));
