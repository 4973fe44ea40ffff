import fc from 'fast-check';
import { isStuck, makeScale, placeAfterScroll, placeAtRest } from './scrollScale';
import type { ScrollPlace } from './scrollScale';

describe('scrolling beyond the maximum height of an element', () => {
  test('both ends are reachable, order is preserved, and positions convert back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400_000_000 }),
        fc.integer({ min: 100, max: 2000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (content, viewport, part) => {
          const scale = makeScale(content, viewport);
          expect(scale.physical).toBeLessThanOrEqual(6_000_000);
          expect(scale.toVirtual(0)).toBe(0);
          expect(scale.toVirtual(scale.physicalEnd)).toBe(scale.end);
          const virtual = Math.round(part * scale.end);
          const step = Math.max(1, content / scale.physical);
          expect(Math.abs(scale.toVirtual(scale.toPhysical(virtual)) - virtual)).toBeLessThanOrEqual(step);
          expect(scale.toVirtual(scale.toPhysical(virtual) + 1)).toBeGreaterThanOrEqual(scale.toVirtual(scale.toPhysical(virtual)));
        },
      ),
    );
  });
  test('a wheel scrolls by its exact distance, and rest moves nothing', () => {
    const scale = makeScale(36_000_000, 700);
    let place: ScrollPlace = placeAfterScroll({ top: 0, virtual: 0 }, 3_000_000, scale);
    const from = place.virtual;
    for (let step = 1; step <= 50; step += 1) place = placeAfterScroll(place, place.top + 120, scale);
    expect(place.virtual - from).toBe(6000);
    expect(placeAtRest(place, scale)?.virtual ?? place.virtual).toBe(place.virtual);
  });
  test('every row is reachable by wheel alone', () => {
    const scale = makeScale(8_000_000, 700);
    let place: ScrollPlace = placeAfterScroll({ top: 0, virtual: 0 }, 4_000_000, scale);
    for (let step = 0; step < 4000 && place.virtual > 0; step += 1) {
      place = placeAfterScroll(place, Math.max(0, place.top - 3000), scale);
      if (step % 50 === 0 || isStuck(place, scale)) place = placeAtRest(place, scale) ?? place;
    }
    expect(place).toEqual({ top: 0, virtual: 0 });
    for (let step = 0; step < 4000 && place.virtual < scale.end; step += 1) {
      place = placeAfterScroll(place, Math.min(scale.physicalEnd, place.top + 3000), scale);
      if (isStuck(place, scale)) place = placeAtRest(place, scale) ?? place;
    }
    expect(place.virtual).toBe(scale.end);
  });
});
