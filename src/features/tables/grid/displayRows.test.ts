import fc from 'fast-check';
import { makeDisplayRows } from './displayRows';
import type { GridGroup } from './types';

describe('display rows', () => {
  const group = (id: string, depth: number, first: number, count: number): GridGroup => ({ id, depth, first, count, label: id, name: id });
  const groups = [group('a', 0, 0, 5), group('a1', 1, 0, 2), group('a2', 1, 2, 3), group('b', 0, 5, 4)];
  const displayed = (folded: readonly string[]): string[] => {
    const displayRows = makeDisplayRows(10, 'short', groups, new Set(folded));
    return Array.from({ length: displayRows.count }, (_, displayIndex) => {
      const one = displayRows.at(displayIndex);
      return one?.kind === 'row' ? String(one.index) : (one?.group.id ?? '?');
    });
  };
  test('headings precede their rows, and ungrouped rows come last', () => {
    expect(displayed([])).toEqual(['a', 'a1', '0', '1', 'a2', '2', '3', '4', 'b', '5', '6', '7', '8', '9']);
    expect(displayed(['a'])).toEqual(['a', 'b', '5', '6', '7', '8', '9']);
    expect(displayed(['a1', 'b'])).toEqual(['a', 'a1', 'a2', '2', '3', '4', 'b', '9']);
  });
  test('display indexes, indexes and pixels convert to each other', () => {
    fc.assert(
      fc.property(fc.subarray(['a', 'a1', 'a2', 'b']), fc.constantFrom('short' as const, 'tall' as const), (folded, height) => {
        const displayRows = makeDisplayRows(10, height, groups, new Set(folded));
        expect(displayRows.topOf(displayRows.count)).toBe(displayRows.height);
        for (let displayIndex = 0; displayIndex < displayRows.count; displayIndex += 1) {
          expect(displayRows.displayIndexAt(displayRows.topOf(displayIndex))).toBe(displayIndex);
          expect(displayRows.displayIndexAt(displayRows.topOf(displayIndex + 1) - 1)).toBe(displayIndex);
          const one = displayRows.at(displayIndex);
          if (one?.kind === 'row') expect(displayRows.displayIndexOf(one.index)).toBe(displayIndex);
        }
        expect(displayRows.at(displayRows.count)).toBeNull();
      }),
    );
  });
});
