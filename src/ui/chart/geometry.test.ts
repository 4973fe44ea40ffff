import { axesOf, nearestPoint, pointX, lineSegments } from './geometry';
import type { ChartLine } from './types';

const line = (id: string, unit: ChartLine['unit'], values: readonly (number | null)[]): ChartLine => ({
  id,
  name: id,
  unit,
  values,
  write: String,
  writeTick: String,
});

test('a missing value is a gap, not zero', () => {
  expect(lineSegments([1, 2, null, 4], null).map((one) => one.spots.map((spot) => spot.index))).toEqual([[0, 1], [3]]);
});

test('only the segment to the unfinished point is dashed', () => {
  const found = lineSegments([1, 2, 3, null], 2);
  expect(found.map((one) => [one.dashed, one.spots.map((spot) => spot.index)])).toEqual([
    [false, [0, 1]],
    [true, [1, 2]],
  ]);
  expect(lineSegments([5], 0)).toEqual([{ dashed: true, spots: [{ index: 0, value: 5 }] }]);
});

test('measures of one unit share an axis, and axes share grid lines', () => {
  const same = axesOf([line('a', 'count', [10]), line('b', 'count', [1000])], 100);
  expect(same.get('a')?.axis).toBe(same.get('b')?.axis);
  const two = axesOf([line('a', 'count', [1000]), line('b', 'seconds', [95])], 100);
  expect(two.get('b')?.side).toBe('right');
  expect(two.get('a')?.axis.ticks).toHaveLength(two.get('b')?.axis.ticks.length ?? 0);
  expect(two.get('a')?.axis.y(0)).toBe(100);
});

test('shares beside counts have round values up to 100 %', () => {
  const axes = axesOf([line('a', 'count', [12_000]), line('b', 'ratio', [0.9])], 100);
  expect(axes.get('a')?.axis.ticks).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  expect(axes.get('b')?.axis.ticks).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

test('the nearest point is found at both ends and beyond them', () => {
  expect(pointX(0, 1, 200)).toBe(100);
  expect([-50, 0, 99, 101, 500].map((x) => nearestPoint(x, 3, 200))).toEqual([0, 0, 1, 1, 2]);
});
