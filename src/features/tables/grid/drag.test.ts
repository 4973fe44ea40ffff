import { gridColumn } from '../../../../test/support/gridScreen';
import { layoutColumns } from './columnLayout';
import { autoScrollStep, columnDrop, columnDropIndex, draggedWidth } from './drag';

const columns = [gridColumn('p', { pinned: true, width: 100 }), gridColumn('a', { width: 100 }), gridColumn('b', { width: 100 })];
const layout = layoutColumns(columns, 50, 1000);

test('a column resizes with its edge, within the limits', () => {
  const drag = { kind: 'width', id: 'a', x: 300, from: 120, width: 120 } as const;
  expect(draggedWidth(drag, 330)).toBe(150);
  expect(draggedWidth(drag, -900)).toBe(48);
  expect(draggedWidth(drag, 9000)).toBe(1200);
});

test("a column is dropped before the one under the pointer's left half", () => {
  expect(columnDropIndex(layout, 160, 0)).toBe(1);
  expect(columnDropIndex(layout, 240, 0)).toBe(2);
  expect(columnDropIndex(layout, 160, 100)).toBe(2);
  expect(columnDropIndex(layout, 900, 0)).toBe(3);
});

test('a column dropped beside itself stays', () => {
  expect(columnDrop(layout, 'a', 1)).toBeNull();
  expect(columnDrop(layout, 'a', 2)).toBeNull();
});

test('a column dropped among pinned ones is pinned', () => {
  expect(columnDrop(layout, 'b', 0)).toEqual({ before: 'p', pinned: true });
  expect(columnDrop(layout, 'p', 3)).toEqual({ before: null, pinned: false });
});

test('the list scrolls only near an edge, faster further out', () => {
  const box = { left: 100, right: 500, top: 100, bottom: 400 };
  expect(autoScrollStep(box, { x: 300, y: 250 })).toEqual({ right: 0, down: 0 });
  expect(autoScrollStep(box, { x: 300, y: 400 })).toEqual({ right: 0, down: 16 });
  expect(autoScrollStep(box, { x: 40, y: 500 })).toEqual({ right: -46, down: 66 });
});
