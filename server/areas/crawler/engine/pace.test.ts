import { createPace } from './pace';
import { createSpacing } from './spacing';

test('a pace rises slowly, falls fast, and ends after five quiet seconds', () => {
  const pace = createPace();
  let now = 1000;
  const announce = (slow: boolean): number | null => {
    now += 500;
    pace.receive(now, slow);
    // Another process announces the same.
    pace.receive(now + 10, slow);
    return pace.at(now + 10);
  };
  expect(pace.at(now)).toBeNull();
  expect([announce(true), announce(false), announce(false)]).toEqual([30, 34, 38]);
  expect([announce(true), announce(true)]).toEqual([27, 19]);
  const slowest = Array.from({ length: 10 }, () => announce(true)).at(-1);
  expect([slowest, announce(false)]).toEqual([10, 14]);
  const fastest = Array.from({ length: 1000 }, () => announce(false)).at(-1);
  expect([fastest, announce(true)]).toEqual([200, 140]);
  expect(pace.at(now + 4900)).toBe(140);
  expect(pace.at(now + 5010)).toBeNull();
  now += 60_000;
  expect(announce(false)).toBe(30);
});

test('requests keep to the pace and make up for little lost time', () => {
  const spacing = createSpacing();
  const requestsIn = (from: number, ms: number, every: number): number => {
    let count = 0;
    for (let now = from; now < from + ms; now += every) {
      while (spacing.readyAt() <= now && count < 1000) {
        spacing.started(now);
        count += 1;
      }
    }
    return count;
  };
  expect(requestsIn(0, 10, 1)).toBe(1000);
  spacing.set(20);
  expect(requestsIn(1000, 10_000, 1)).toBeGreaterThanOrEqual(200);
  expect(requestsIn(12_000, 10_000, 30)).toBeLessThanOrEqual(202);
  spacing.set(null);
  expect(requestsIn(23_000, 10, 1)).toBe(1000);
});

test('a pace is shown while it holds requests back, and two seconds longer', () => {
  const spacing = createSpacing();
  spacing.set(20);
  expect(spacing.isSet()).toBe(true);
  spacing.started(23_000);
  spacing.started(23_000);
  expect([spacing.holds(23_010, () => false), spacing.holding(23_010)]).toEqual([true, null]);
  expect([spacing.holds(23_020, () => true), spacing.holding(25_010), spacing.holding(25_020)]).toEqual([true, 20, null]);
  expect(spacing.holds(23_100, () => true)).toBe(false);
  spacing.set(null);
  expect([spacing.holding(23_000), spacing.readyAt(), spacing.isSet()]).toEqual([null, 0, false]);
});
