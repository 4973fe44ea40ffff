import { fillDownWrites, fillSideWrites } from './fillWrites';
import { gridColumn as column } from '../../../../test/support/gridScreen';

const rows = [1, 2, 3, 4].map((n) => ({ id: `r${String(n)}`, values: { n: String(n * 10), t: `t${String(n)}` } }));

test('filling writes only changed values and skips computed and locked columns', () => {
  const [first, second, third, fourth] = rows;
  if (!first || !second || !third || !fourth) throw new Error('rows');
  const target = { rows: [{ ...third, locked: true }, fourth], indexes: [2, 3] };
  const columns = [column('n', { kind: 'number', series: 'number' }), column('t', { kind: 'text' }), column('f', { kind: 'formula', edit: 'none' })];
  expect(fillDownWrites([first, second], target, columns, true)).toEqual([{ rowId: 'r4', index: 3, column: 't', value: 't2' }]);
});
test('filling sideways writes only values the target column can parse', () => {
  const number = column('n', { kind: 'number', parse: (text) => (/^\d+$/.test(text) ? { value: text } : { error: 'no' }) });
  const row = { id: 'r', values: { t: 'word', u: '7', n: null } };
  expect(fillSideWrites({ rows: [row], indexes: [5] }, [column('t', { kind: 'text' })], [number])).toEqual([]);
  expect(fillSideWrites({ rows: [row], indexes: [5] }, [column('u', { kind: 'text' })], [number])).toEqual([{ rowId: 'r', index: 5, column: 'n', value: '7' }]);
});
