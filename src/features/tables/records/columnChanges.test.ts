import { columnGestures, withFigure, withMovedColumn, withNewColumn, withSort } from './columnChanges';
import type { Column } from './viewState';

const columns: Column[] = [
  { field: 'a', pinned: true },
  { field: 'b', width: 100 },
  { field: 'c', aggregate: 'sum' },
];

test('a column moves before another one, or to the end', () => {
  expect(withMovedColumn(columns, 'c', 'b', false).map(({ field }) => field)).toEqual(['a', 'c', 'b']);
  expect(withMovedColumn(columns, 'b', null, false).map(({ field }) => field)).toEqual(['a', 'c', 'b']);
});

test('a moved column takes the pinning of its new position', () => {
  expect(withMovedColumn(columns, 'a', null, false).at(-1)).toEqual({ field: 'a' });
  expect(withMovedColumn(columns, 'b', 'a', true)[0]).toEqual({ field: 'b', width: 100, pinned: true });
});

test('a summary is chosen and removed', () => {
  expect(withFigure(columns, 'b', 'avg')[1]).toEqual({ field: 'b', width: 100, aggregate: 'avg' });
  expect(withFigure(columns, 'c', null)[2]).toEqual({ field: 'c' });
});

test('adding a sort keeps the order of the last five columns', () => {
  const sort = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, descending: false }));
  expect(withSort(sort, 'f', 'desc', true).map(({ field }) => field)).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(withSort(sort, 'f', 'desc', false)).toEqual([{ field: 'f', descending: true }]);
  expect(withSort(sort, 'a', null, true)).toHaveLength(4);
});

test('the primary field cannot be hidden', () => {
  const put = jest.fn();
  const gestures = columnGestures(columns, 'a', put);
  gestures.onHide('a');
  expect(put).not.toHaveBeenCalled();
  gestures.onHide('b');
  expect(put).toHaveBeenCalledTimes(1);
});

test('a column dropped at its own place changes nothing', () => {
  const put = jest.fn();
  const gestures = columnGestures([{ field: 'z', pinned: false }, ...columns], 'a', put);
  gestures.onMoveColumn('b', 'c', false);
  gestures.onMoveColumn('z', 'a', false);
  gestures.onMoveColumn('c', null, false);
  expect(put).not.toHaveBeenCalled();
  gestures.onMoveColumn('b', 'c', true);
  expect(put).toHaveBeenCalledTimes(1);
});

test('a new column stands beside another, pinned only between pinned ones', () => {
  expect(withNewColumn(columns, 'n', { field: 'b', side: 'left' })).toEqual([columns[0], { field: 'n' }, columns[1], columns[2]]);
  expect(withNewColumn(columns, 'n', { field: 'a', side: 'left' })[0]).toEqual({ field: 'n', pinned: true });
  expect(withNewColumn(columns, 'n', null).at(-1)).toEqual({ field: 'n' });
});
