import fc from 'fast-check';
import type { MenuItem } from '@contract/publishing/parts';
import { publishingLimits } from '@contract/publishing/terms';
import { itemsOf, placeItem, putItem, removeItem, rowsOf, stepItem } from './menuTree';
import type { MenuRows } from './menuTree';

const item = (id: string, items: readonly MenuItem[] = []): MenuItem => ({ id, label: { en: id }, target: { path: `/${id}` }, items });
/** `a b(c d(e))` as text, to compare trees at a glance. */
const textOf = (rows: MenuRows): string =>
  itemsOf(rows)
    .map(function text({ id, items }): string {
      return items.length === 0 ? id : `${id}(${items.map(text).join(' ')})`;
    })
    .join(' ');
const rows = rowsOf([item('a'), item('b', [item('c'), item('d', [item('e')])]), item('f')]);

test('rows and trees are the same menu', () => {
  expect(rows.map(({ depth, item: { id } }) => `${depth}${id}`)).toEqual(['0a', '0b', '1c', '1d', '2e', '0f']);
  expect(textOf(rows)).toBe('a b(c d(e)) f');
});

test.each([
  ['f', 'up', 'a f b(c d(e))'],
  ['b', 'up', 'b(c d(e)) a f'],
  ['a', 'down', 'b(c d(e)) a f'],
  ['d', 'up', 'a b(d(e) c) f'],
  ['f', 'in', 'a b(c d(e) f)'],
  ['d', 'out', 'a b(c) d(e) f'],
  ['c', 'out', 'a b(d(e)) c f'],
  ['e', 'out', 'a b(c d e) f'],
] as const)('a step of %s %s', (id, direction, result) => {
  expect(textOf(stepItem(rows, id, direction))).toBe(result);
});

test.each([
  ['a', 'up'],
  ['a', 'in'],
  ['a', 'out'],
  ['f', 'down'],
  // It would be deeper than a menu may be.
  ['b', 'in'],
  ['d', 'in'],
] as const)('%s cannot go %s', (id, direction) => {
  expect(stepItem(rows, id, direction)).toBe(rows);
});

test('a place is fitted to what surrounds it', () => {
  expect(textOf(placeItem(rows, 'a', { index: 0, depth: 2 }))).toBe('a b(c d(e)) f');
  expect(textOf(placeItem(rows, 'f', { index: 2, depth: 0 }))).toBe('a b(f c d(e))');
  expect(textOf(placeItem(rows, 'f', { index: 5, depth: 9 }))).toBe('a b(c d(e f))');
  expect(placeItem(rows, 'b', { index: 1, depth: 0 })).toEqual(rows);
});

test('an item is added, replaced and removed with all in it', () => {
  expect(textOf(putItem(rows, { id: 'g', label: {}, target: { path: '/' } }))).toBe('a b(c d(e)) f g');
  expect(putItem(rows, { id: 'e', label: { en: 'E' }, target: { path: '/e' } })[4]?.item.label).toEqual({ en: 'E' });
  expect(textOf(removeItem(rows, 'b'))).toBe('a f');
});

test('no move loses an item or exceeds the depth', () => {
  const ids = rows.map(({ item: { id } }) => id);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(6), fc.nat(3), fc.constantFrom('up', 'down', 'in', 'out', 'place')), { minLength: 1, maxLength: 30 }),
      (moves) => {
        const moved = moves.reduce<MenuRows>(
          (now, [id, index, depth, kind]) => (kind === 'place' ? placeItem(now, id, { index: Math.min(index, 5), depth }) : stepItem(now, id, kind)),
          rows,
        );
        expect(moved.map(({ item: { id } }) => id).sort()).toEqual([...ids].sort());
        expect(Math.max(...moved.map(({ depth }) => depth))).toBeLessThan(publishingLimits.menuDepth);
        expect(rowsOf(itemsOf(moved))).toEqual(moved);
      },
    ),
  );
});
