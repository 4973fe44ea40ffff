import fc from 'fast-check';
import { activeRange, allRanges, clampSelection, fillTarget, moveCell, nextTabCell, selectBand, selectCell, singleCell } from './selection';

describe('selection', () => {
  const bounds = { rowCount: 20, cols: 5, page: 8 };
  test('Shift extends, Ctrl adds, and heads select rows and columns', () => {
    const first = selectCell(null, { displayIndex: 2, col: 1 }, { shift: false, ctrl: false });
    expect(activeRange(selectCell(first, { displayIndex: 0, col: 3 }, { shift: true, ctrl: false }))).toEqual({ top: 0, bottom: 2, left: 1, right: 3 });
    expect(allRanges(selectCell(first, { displayIndex: 9, col: 4 }, { shift: false, ctrl: true }))).toHaveLength(2);
    expect(activeRange(selectBand(first, 'displayIndex', 5, bounds, { shift: true, ctrl: false }))).toEqual({ top: 2, bottom: 5, left: 0, right: 4 });
    expect(activeRange(selectBand(null, 'col', 3, bounds, { shift: false, ctrl: false }))).toEqual({ top: 0, bottom: 19, left: 3, right: 3 });
  });
  test('no key leaves the list, and Tab reaches every cell', () => {
    const moves = ['up', 'down', 'left', 'right', 'pageUp', 'pageDown', 'home', 'end', 'top', 'bottom', 'first', 'last'] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...moves)), (keys) => {
        let cell = { displayIndex: 3, col: 3 };
        for (const key of keys) {
          cell = moveCell(cell, key, bounds, true);
          expect(cell.displayIndex >= -1 && cell.displayIndex < 20 && cell.col >= 0 && cell.col < 5).toBe(true);
        }
      }),
    );
    expect(moveCell({ displayIndex: 5, col: 0 }, 'pageUp', bounds, true).displayIndex).toBe(0);
    expect(moveCell({ displayIndex: 0, col: 0 }, 'up', bounds, false).displayIndex).toBe(0);
    expect(nextTabCell({ displayIndex: 0, col: 4 }, false, bounds)).toEqual({ displayIndex: 1, col: 0 });
    expect(nextTabCell({ displayIndex: 0, col: 0 }, true, bounds)).toBeNull();
    expect(nextTabCell({ displayIndex: 19, col: 4 }, false, bounds)).toBeNull();
  });
  test('a shorter list keeps the remaining part of the selection', () => {
    expect(clampSelection({ anchor: { displayIndex: 2, col: 0 }, head: { displayIndex: 19, col: 4 }, more: [] }, { ...bounds, rowCount: 10 })?.head).toEqual({
      displayIndex: 9,
      col: 4,
    });
    expect(clampSelection(singleCell({ displayIndex: 3, col: 3 }), { ...bounds, rowCount: 0 })).toBeNull();
  });
  test('the handle fills along the longer distance', () => {
    const range = { top: 2, bottom: 3, left: 1, right: 2 };
    expect(fillTarget(range, { displayIndex: 7, col: 3 })).toEqual({ way: 'down', range: { top: 4, bottom: 7, left: 1, right: 2 } });
    expect(fillTarget(range, { displayIndex: 0, col: 2 })).toEqual({ way: 'up', range: { top: 0, bottom: 1, left: 1, right: 2 } });
    expect(fillTarget(range, { displayIndex: 3, col: 5 })).toEqual({ way: 'right', range: { top: 2, bottom: 3, left: 3, right: 5 } });
    expect(fillTarget(range, { displayIndex: 2, col: 2 })).toBeNull();
  });
});
