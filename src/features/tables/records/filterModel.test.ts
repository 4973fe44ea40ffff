import fc from 'fast-check';
import type { RecordFilter } from '@contract/tables/recordFilter';
import { RecordFilterSchema, measureFilter } from '@contract/tables/recordFilter';
import { filterOps } from '@contract/tables/terms';
import { tableOf } from '../../../../test/support/recordsScreen';
import { filterColumns, emptyGroup, findFilterColumn, operandFor, fromFilter, newRule, operators, toFilter, operandKind } from './filterModel';

const table = tableOf();

/** A filter without redundant groups, as the builder writes it. */
const condition = fc.record({
  field: fc.constantFrom('f_titleaaaaaaa', '$n', 'f_gone'),
  op: fc.constant('eq' as const),
  value: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
});
const filters = fc.letrec<{ node: RecordFilter }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    condition,
    fc.record({ and: fc.array(tie('node'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ or: fc.array(tie('node'), { minLength: 2, maxLength: 4 }) }),
    fc.record({ not: tie('node').filter((inner) => !('or' in inner)) }),
  ),
})).node;

test('every filter survives the builder', () => {
  fc.assert(fc.property(filters, (filter) => expect(toFilter(fromFilter(filter))).toEqual(filter)));
});

test('an incomplete condition filters nothing and keeps its place', () => {
  const open = newRule(table, 'f_titleaaaaaaa');
  if (!open) throw new Error('no rule');
  const group = emptyGroup('or', [open, { ...open, id: 'x', value: 'tea' }]);
  expect(toFilter(group)).toEqual({ field: 'f_titleaaaaaaa', op: 'contains', value: 'tea' });
  expect(toFilter(emptyGroup())).toBeNull();
  expect(toFilter(emptyGroup('and', [{ ...open, op: 'between', value: ['1', ''] }]))).toBeNull();
  expect(toFilter(emptyGroup('and', [{ ...open, op: 'empty', value: null }]))).toEqual({ field: 'f_titleaaaaaaa', op: 'empty' });
});

test('every operator starts with a valid value or none', () => {
  for (const filterField of filterColumns(table))
    for (const op of operators(filterField)) {
      const value = operandFor(filterField, op, null);
      const rule = emptyGroup('and', [{ kind: 'rule', id: 'r', field: filterField.id, op, value }]);
      const filter = toFilter(rule);
      if (filter !== null) expect(RecordFilterSchema.safeParse(filter).success).toBe(true);
      // Another operator keeps the operand where it fits.
      const typed = operandFor(filterField, op, '2026-11-20');
      expect(operandKind(op) === 'one' && filterField.kind !== 'boolean' ? typed : '2026-11-20').toBe('2026-11-20');
    }
  expect(filterOps.every((op) => typeof operandKind(op) === 'string')).toBe(true);
});

test('a nested filter on related records applies once it is complete', () => {
  const inner = newRule(table, 'f_titleaaaaaaa');
  if (!inner) throw new Error('no rule');
  const rule = (value: unknown) => emptyGroup('and', [{ kind: 'rule' as const, id: 'r', field: 'f_authoraaaaaa', op: 'some' as const, value }]);
  expect(toFilter(rule(emptyGroup('and', [inner])))).toBeNull();
  const whole = toFilter(rule(emptyGroup('and', [{ ...inner, value: 'Lin' }])));
  expect(whole).toEqual({ field: 'f_authoraaaaaa', op: 'some', value: { field: 'f_titleaaaaaaa', op: 'contains', value: 'Lin' } });
  expect(measureFilter(whole)).toEqual({ depth: 2, conditions: 2 });
});

test('a field is found by id, key or alias', () => {
  expect(findFilterColumn(table, 'headline')?.id).toBe('f_titleaaaaaaa');
  expect(findFilterColumn(table, 'title')?.id).toBe('f_titleaaaaaaa');
  expect(findFilterColumn(table, '$state')).toBeDefined();
  expect(findFilterColumn(tableOf({ drafts: false }), '$state')).toBeUndefined();
});
