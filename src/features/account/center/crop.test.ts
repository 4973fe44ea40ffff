import fc from 'fast-check';
import { clampCrop, firstCrop, mostZoom, moveCrop, sideOf, zoomCrop } from './crop';
import type { Crop, Size } from './crop';

const sizes = fc.record({ width: fc.integer({ min: 1, max: 20_000 }), height: fc.integer({ min: 1, max: 20_000 }) });
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('move' as const), dx: fc.double({ min: -5, max: 5, noNaN: true }), dy: fc.double({ min: -5, max: 5, noNaN: true }) }),
    fc.record({ kind: fc.constant('zoom' as const), zoom: fc.double({ min: -3, max: 40 }) }),
  ),
  { maxLength: 20 },
);
const inside = (size: Size, crop: Crop): void => {
  const side = sideOf(size, crop.zoom);
  const slack = 1e-6 * Math.max(size.width, size.height);
  expect(crop.zoom).toBeGreaterThanOrEqual(1);
  expect(crop.zoom).toBeLessThanOrEqual(mostZoom);
  expect(crop.x - side / 2).toBeGreaterThanOrEqual(-slack);
  expect(crop.y - side / 2).toBeGreaterThanOrEqual(-slack);
  expect(crop.x + side / 2).toBeLessThanOrEqual(size.width + slack);
  expect(crop.y + side / 2).toBeLessThanOrEqual(size.height + slack);
};

test('the square stays inside the picture after any drag and zoom', () => {
  fc.assert(
    fc.property(sizes, steps, (size, list) => {
      let crop = firstCrop(size);
      inside(size, crop);
      for (const step of list) {
        crop = step.kind === 'move' ? moveCrop(size, crop, step.dx, step.dy) : zoomCrop(size, crop, step.zoom);
        inside(size, crop);
      }
    }),
  );
});

test('an opposite move restores the position where there was room', () => {
  const size = { width: 4000, height: 3000 };
  const start = zoomCrop(size, firstCrop(size), 4);
  expect(moveCrop(size, moveCrop(size, start, 0.25, -0.5), -0.25, 0.5)).toEqual(start);
});

test('a wide picture moves only sideways until it is zoomed in', () => {
  const size = { width: 4000, height: 1000 };
  const moved = moveCrop(size, firstCrop(size), 0.5, 0.5);
  expect(moved).toEqual({ x: 2500, y: 500, zoom: 1 });
  const corner = clampCrop(size, { x: 4000, y: 1000, zoom: 8 });
  expect(zoomCrop(size, corner, 1)).toEqual({ x: 3500, y: 500, zoom: 1 });
});
