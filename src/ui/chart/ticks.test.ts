import fc from 'fast-check';
import { axisTicks, labelledIndexes } from './ticks';

test.each([
  ['count', [0, 3], [0, 1, 2, 3]],
  ['count', [0, 100], [0, 50, 100]],
  ['count', [7, 17_300], [0, 5000, 10_000, 15_000, 20_000]],
  ['count', [230_000_000], [0, 100_000_000, 200_000_000, 300_000_000]],
  ['ratio', [0.31, 0.42], [0, 0.2, 0.4, 0.6]],
  ['seconds', [95], [0, 30, 60, 90, 120]],
  ['seconds', [4000], [0, 1800, 3600, 5400]],
  ['decimal', [1.7, 2.4], [0, 1, 2, 3]],
  ['decimal', [-3, 5], [-4, -2, 0, 2, 4, 6]],
] as const)('%s %j has an axis of %j', (unit, values, ticks) => expect(axisTicks(values, unit)).toEqual(ticks));

test('missing values and zeros alone still have an axis', () => {
  expect(axisTicks([], 'count')).toEqual([0, 1]);
  expect(axisTicks([0, null, 0], 'count')).toEqual([0, 1]);
  expect(axisTicks([0], 'ratio')).toEqual([0, 0.25]);
});

test('an axis of shares never goes beyond 100 %', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000)),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      (values, steps, exactly) => {
        const ticks = axisTicks(values, 'ratio', steps, exactly);
        expect(ticks.at(-1)).toBeLessThanOrEqual(1);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values) * (1 - 1e-6));
        if (exactly) expect(ticks).toHaveLength(steps + 1);
      },
    ),
  );
});

test('an axis always contains zero and every value, in few steps', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 100),
        { minLength: 1 },
      ),
      fc.constantFrom('count', 'decimal', 'seconds'),
      (values, unit) => {
        const ticks = axisTicks(values, unit);
        expect(ticks).toContain(0);
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(0, ...values) + 1e-6);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values) * (1 - 1e-6));
        expect(ticks.length).toBeLessThanOrEqual(8);
      },
    ),
  );
});

test('labels below the axis never overlap and begin with the first point', () => {
  expect(labelledIndexes(24, 12)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
  expect(labelledIndexes(7, 20)).toHaveLength(7);
  expect(labelledIndexes(0, 5)).toEqual([]);
  expect(labelledIndexes(365, 6).length).toBeLessThanOrEqual(6);
});
