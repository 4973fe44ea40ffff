import { type Column, nextSort, sortRows } from './tableColumns';

type Row = { name: string; n: number | null; m: number };
const columns: Column<Row>[] = [
  { id: 'name', name: 'Name', cell: (row) => row.name, value: (row) => row.name },
  { id: 'n', name: 'N', cell: (row) => row.n, value: (row) => row.n },
  { id: 'm', name: 'M', cell: (row) => row.m, value: (row) => row.m },
];
const rows: Row[] = [
  { name: 'b', n: 1, m: 2 },
  { name: 'a', n: null, m: 1 },
  { name: 'c', n: 2, m: 1 },
  { name: 'd', n: 2, m: 3 },
];
const names = (sorted: readonly Row[]) => sorted.map((row) => row.name).join('');

test('numbers sort descending first, text ascending, and a second click reverses', () => {
  expect(nextSort([], 'n', false, true)).toEqual([{ id: 'n', dir: 'desc' }]);
  expect(nextSort([{ id: 'n', dir: 'desc' }], 'n', false, true)).toEqual([{ id: 'n', dir: 'asc' }]);
  expect(nextSort([], 'name', false, false)).toEqual([{ id: 'name', dir: 'asc' }]);
});

test('Shift adds a column, reverses it, then removes it', () => {
  const two = nextSort([{ id: 'n', dir: 'desc' }], 'm', true, true);
  expect(two).toEqual([
    { id: 'n', dir: 'desc' },
    { id: 'm', dir: 'desc' },
  ]);
  const turned = nextSort(two, 'm', true, true);
  expect(turned[1]).toEqual({ id: 'm', dir: 'asc' });
  expect(nextSort(turned, 'm', true, true)).toEqual([{ id: 'n', dir: 'desc' }]);
});

test('rows sort by several columns, with unknown values always last', () => {
  expect(
    names(
      sortRows(rows, columns, [
        { id: 'n', dir: 'desc' },
        { id: 'm', dir: 'asc' },
      ]),
    ),
  ).toBe('cdba');
  expect(names(sortRows(rows, columns, [{ id: 'n', dir: 'asc' }]))).toBe('bcda');
  expect(sortRows(rows, columns, [])).toBe(rows);
});
