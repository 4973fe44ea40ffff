import { objectPosition } from './crop';

const wide = { width: 400, height: 100 };
const square = { width: 100, height: 100 };

test.each([
  ['centre', 0.5, '50% 50%'],
  ['left edge', 0, '0% 50%'],
  ['near the left edge', 0.1, '0% 50%'],
  ['right edge', 1, '100% 50%'],
  ['a quarter', 0.25, '16.7% 50%'],
])('a crop keeps the focal point in view: %s', (_where, x, expected) => {
  expect(objectPosition(wide, square, { x, y: 0.9 })).toBe(expected);
});
