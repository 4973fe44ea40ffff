import { editedSize } from '@contract/resources/edits';
import { cropWithRatio, fillingCrop, movedCrop, placed, resizedCrop, turned, withCrop } from './imageEdit';
import type { Edit } from './imageEdit';

const size = { width: 400, height: 200 };
const plain: Edit = { rotation: 0, crop: null, focalX: 0.5, focalY: 0.5 };
const left = { x: 0, y: 0, width: 0.5, height: 1 };

test('crop and focal point turn with the image, and four turns change nothing', () => {
  const edit = withCrop({ ...plain, focalX: 0.1, focalY: 0.2 }, left);
  const once = turned(edit, 1);
  expect(once).toEqual({ rotation: 90, crop: { x: 0, y: 0, width: 1, height: 0.5 }, focalX: 0.8, focalY: 0.2 });
  expect(turned(once, -1)).toEqual(edit);
  expect([1, 2, 3].reduce((at) => turned(at, 1), once)).toEqual(edit);
});

test('the focal point stays at its place when the crop changes', () => {
  const edit = withCrop({ ...plain, focalX: 0.25 }, left);
  expect(edit.focalX).toBe(0.5);
  expect(withCrop(edit, null).focalX).toBe(0.25);
  expect(withCrop({ ...plain, focalX: 0.9 }, left).focalX).toBe(1);
});

test('a ratio gives the largest part around the middle of the crop', () => {
  expect(cropWithRatio(size, { rotation: 0, crop: left }, 1)).toEqual(left);
  expect(cropWithRatio(size, { rotation: 90, crop: null }, 1)).toEqual({ x: 0, y: 0.25, width: 1, height: 0.5 });
  expect(editedSize(size, { rotation: 0, crop: cropWithRatio(size, plain, 4) })).toEqual({ width: 400, height: 100 });
});

test('a moved corner leaves the opposite one, and stays inside the image', () => {
  expect(resizedCrop(left, 'se', { x: 0.25, y: 0.5 }, null)).toEqual({ x: 0, y: 0, width: 0.75, height: 1 });
  expect(resizedCrop(left, 'nw', { x: 0.25, y: 0.5 }, null)).toEqual({ x: 0.25, y: 0.5, width: 0.25, height: 0.5 });
  expect(resizedCrop(left, 'se', { x: -0.25, y: 0 }, 0.5)).toEqual({ x: 0, y: 0, width: 0.25, height: 0.5 });
  expect(resizedCrop(left, 'se', { x: -9, y: -9 }, null)).toMatchObject({ width: 0.02, height: 0.02 });
  expect(movedCrop(left, { x: 9, y: -9 })).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
});

test('a filled box shows its part around the focal point', () => {
  expect(fillingCrop(size, { ...plain, focalX: 1 }, { width: 100, height: 100 })).toEqual({ x: 0.5, y: 0, width: 0.5, height: 1 });
  expect(fillingCrop(size, withCrop(plain, left), { width: 100, height: 50 })).toEqual({ x: 0, y: 0.25, width: 0.5, height: 0.5 });
});

test.each([
  [0, 'translate(-50.000%, 0.000%) rotate(0deg)'],
  [180, 'translate(50.000%, 100.000%) rotate(180deg)'],
])('an image turned by %i degrees is placed so that its right half fills the box', (rotation, transform) => {
  expect(placed(size, { rotation, crop: { x: 0.5, y: 0, width: 0.5, height: 1 } })).toEqual({ width: '200.000%', height: '100.000%', transform });
});

test('an image on its side is placed at the corner that turning moves away', () => {
  expect(placed(size, { rotation: 90, crop: null })).toEqual({
    width: '200.000%',
    height: '50.000%',
    transform: 'translate(50.000%, 0.000%) rotate(90deg)',
  });
  expect(placed(size, { rotation: 270, crop: null }).transform).toBe('translate(0.000%, 200.000%) rotate(270deg)');
});
