import { createWaits } from '../../../http/use';
import { createPace } from './pace';
import { createSpacing } from './spacing';

test('the pace grows by steps, falls by a factor, and ends when it is quiet', () => {
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

test('waits are long compared with usual ones, which follow them slowly', () => {
  const isSlow = createWaits();
  const over = (wait: number, times: number): number => Array.from({ length: times }, () => isSlow(wait)).filter(Boolean).length;
  expect([over(2, 20), over(3, 20), over(9, 20)]).toEqual([0, 0, 20]);
  // Where all waits are long, these become the usual ones.
  expect(over(9, 200)).toBeLessThan(200);
  expect(over(9, 20)).toBe(0);
  over(1, 20);
  expect(over(9, 1)).toBe(1);
});

test('requests are spread evenly over the pace, and lost time is made up for only shortly', () => {
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
  expect(spacing.isSet()).toBe(true);
  expect(requestsIn(1000, 10_000, 1)).toBeGreaterThanOrEqual(200);
  expect(requestsIn(12_000, 10_000, 30)).toBeLessThanOrEqual(202);
  spacing.started(23_000);
  spacing.started(23_000);
  expect([spacing.holds(23_010, () => false), spacing.holding(23_010)]).toEqual([true, null]);
  expect([spacing.holds(23_020, () => true), spacing.holding(25_010), spacing.holding(25_020)]).toEqual([true, 20, null]);
  expect(spacing.holds(23_100, () => true)).toBe(false);
  spacing.set(null);
  expect([spacing.holding(23_000), spacing.readyAt(), spacing.isSet()]).toEqual([null, 0, false]);
});
