import fc from 'fast-check';
import type { ViewQuery } from '@contract/tables/views';
import { tableOf } from '../../../../test/support/recordsScreen';
import { plainQuery, same, visibleColumnsOf, effectiveQuery, sortText, toAddress, toDraft } from './viewState';

const filter = { field: 'f_titleaaaaaaa', op: 'contains', value: '茶' } as const;
const saved: ViewQuery = { ...plainQuery, filter, sort: [{ field: '$n', descending: true }], group: ['f_statusaaaaaa'] };
const none = { filter: '', sort: '', group: '' };

test('the address overrides the saved view, also with empty values', () => {
  expect(effectiveQuery(saved, {}, none)).toEqual(saved);
  const emptied = { ...none, ...toAddress(saved, { filter: null, sort: [], group: [] }) };
  expect(emptied).toEqual({ filter: '-', sort: '-', group: '-' });
  expect(effectiveQuery(saved, {}, emptied)).toMatchObject({ filter: null, sort: [], group: [] });
  // The saved query needs nothing in the address.
  expect(toAddress(saved, { filter, sort: saved.sort, group: saved.group })).toEqual(none);
});

test('any sorting survives the address', () => {
  const sorts = fc.uniqueArray(fc.record({ field: fc.constantFrom('$n', 'f_aaaaaaaaaaaa', 'title', '$updatedAt'), descending: fc.boolean() }), {
    selector: ({ field }) => field,
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(fc.property(sorts, (sort) => expect(effectiveQuery(plainQuery, {}, { ...none, ...toAddress(plainQuery, { sort }) }).sort).toEqual(sort)));
  expect(sortText([{ field: 'a', descending: true }])).toBe('-a');
});

test('a truncated or invalid filter in the address is ignored', () => {
  for (const broken of ['{"and":[', '[]', '"x"', 'null']) expect(effectiveQuery(plainQuery, {}, { ...none, filter: broken }).filter).toBeNull();
  expect(effectiveQuery(plainQuery, {}, { ...none, sort: '-a,,b;drop' }).sort).toEqual([{ field: 'a', descending: true }]);
});

test('a draft holds only differences, whatever the order of keys', () => {
  expect(same({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBe(true);
  expect(same({ a: 1 }, { a: 1, b: 2 })).toBe(false);
  const changed = toDraft(saved, {}, { rowHeight: 'tall', filter: null });
  expect(changed).toEqual({ rowHeight: 'tall' });
  expect(toDraft(saved, changed, { rowHeight: 'short' })).toEqual({});
});

test('the primary field is always shown, hidden and deleted fields never', () => {
  const table = tableOf();
  expect(visibleColumnsOf(table, { columns: null }).map(({ field }) => field)[0]).toBe('f_titleaaaaaaa');
  expect(visibleColumnsOf(table, { columns: [{ field: 'f_gone' }, { field: 'f_priceaaaaaaa' }] }).map(({ field }) => field)).toEqual([
    'f_titleaaaaaaa',
    'f_priceaaaaaaa',
  ]);
  const hidden = tableOf({ fields: table.fields.map((field) => (field.key === 'price' ? { ...field, hidden: true } : field)) });
  expect(visibleColumnsOf(hidden, { columns: null }).some(({ field }) => field === 'f_priceaaaaaaa')).toBe(false);
});
