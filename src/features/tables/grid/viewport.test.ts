import { gridColumn } from '../../../../test/support/gridScreen';
import { layoutColumns } from './columnLayout';
import { makeDisplayRows } from './displayRows';
import { cellGeometry, renderWindow, sameWindow } from './viewport';

const displayRows = makeDisplayRows(1000, 'short');
const layout = layoutColumns([gridColumn('p', { pinned: true, width: 100 }), gridColumn('a', { width: 100 }), gridColumn('b', { width: 100 })], 50, 400);
const size = { width: 400, height: 360 };

test('some rows beyond the visible ones are rendered', () => {
  expect(renderWindow(displayRows, layout, { top: 3600, virtual: 3600 }, 0, size)).toMatchObject({ first: 96, last: 116 });
});

test('scrolling within a row renders nothing new', () => {
  const before = renderWindow(displayRows, layout, { top: 3600, virtual: 3600 }, 0, size);
  expect(sameWindow(before, renderWindow(displayRows, layout, { top: 3610, virtual: 3610 }, 0, size))).toBe(true);
  expect(sameWindow(before, renderWindow(displayRows, layout, { top: 3720, virtual: 3720 }, 0, size))).toBe(false);
});

test('an empty list renders no rows', () => {
  expect(renderWindow(makeDisplayRows(0, 'short'), layout, { top: 0, virtual: 0 }, 0, size)).toMatchObject({ first: 0, last: 0 });
});

describe('a scroller at (20, 10), scrolled by (60, 720) px', () => {
  const geometry = cellGeometry(displayRows, layout, () => ({ left: 20, top: 10, virtual: 720, scrollLeft: 60 }));

  test('the cell under a point is found', () => {
    expect(geometry.cellAt(20 + 60, 10 + 36)).toEqual({ displayIndex: 20, col: 0 });
    expect(geometry.cellAt(20 + 200, 10 + 36 + 40)).toEqual({ displayIndex: 21, col: 2 });
  });

  test('pinned columns do not scroll sideways', () => {
    expect(geometry.boxOf({ displayIndex: 20, col: 0 })).toEqual({ left: 50, top: 36, width: 100, height: 36 });
    expect(geometry.boxOf({ displayIndex: 21, col: 1 })).toEqual({ left: 90, top: 72, width: 100, height: 36 });
  });

  test('column heads are above the rows', () => {
    expect(geometry.boxOf({ displayIndex: -1, col: 1 })).toMatchObject({ top: 0, height: 36 });
  });
});
