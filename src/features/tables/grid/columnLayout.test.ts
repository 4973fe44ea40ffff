import { gridColumn } from '../../../../test/support/gridScreen';
import { columnAt, columnsWithin, layoutColumns, scrollToColumn } from './columnLayout';

describe('columns', () => {
  const column = (id: string, width: number, pinned = false) => gridColumn(id, { width, pinned });
  const wide = layoutColumns([column('a', 100), column('b', 200, true), column('c', 300), column('d', 150, true)], 60, 1000);
  test('pinned columns come first, and a phone keeps one narrow one', () => {
    expect(wide.all.map((one) => [one.column.id, one.left])).toEqual([
      ['b', 60],
      ['d', 260],
      ['a', 410],
      ['c', 510],
    ]);
    expect([wide.pins, wide.pinned, wide.width]).toEqual([2, 410, 810]);
    const phone = layoutColumns([column('a', 100), column('b', 200, true), column('c', 300), column('d', 150, true)], 40, 390);
    expect(phone.all.map((one) => one.column.id)).toEqual(['b', 'a', 'c', 'd']);
    expect(phone.pinned).toBeLessThanOrEqual(195);
  });
  test('only visible columns are rendered, and scrolling reveals a column fully', () => {
    expect(columnsWithin(wide, 410, 500)).toEqual([2, 3]);
    expect(columnsWithin(wide, 505, 520)).toEqual([2, 4]);
    expect(columnAt(wide, 100, 400)).toBe(0);
    expect(columnAt(wide, 420, 100)).toBe(3);
    expect(scrollToColumn(wide, 3, 0, 600)).toBe(100 + 300 - 190 - 110);
    expect(scrollToColumn(wide, 0, 250, 600)).toBe(250);
  });
});
