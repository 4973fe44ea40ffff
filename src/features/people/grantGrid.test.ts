import { cellAfter, headHeightOf, rowHeight } from './grantGrid';

const last = { row: 30, column: 4 };

test('keys move within the grid', () => {
  const at = { row: 1, column: 1 };
  expect(cellAfter('ArrowUp', false, at, last)).toEqual({ row: 0, column: 1 });
  expect(cellAfter('PageUp', false, at, last)).toEqual({ row: 0, column: 1 });
  expect(cellAfter('PageDown', false, at, last)).toEqual({ row: 11, column: 1 });
  expect(cellAfter('ArrowRight', false, last, last)).toEqual(last);
  expect(cellAfter('a', false, at, last)).toBeNull();
});

test('Home and End stay in the row, and with Ctrl lead to the corners', () => {
  const at = { row: 7, column: 2 };
  expect([cellAfter('Home', false, at, last), cellAfter('End', false, at, last)]).toEqual([
    { row: 7, column: 0 },
    { row: 7, column: 4 },
  ]);
  expect([cellAfter('Home', true, at, last), cellAfter('End', true, at, last)]).toEqual([{ row: 0, column: 0 }, last]);
});

test('the head has a second line only for a long name', () => {
  expect(headHeightOf([{ name: '茶社' }, { name: 'Tea house' }])).toBe(rowHeight);
  expect(headHeightOf([{ name: '海港茶业有限公司门店' }])).toBeGreaterThan(rowHeight);
});
