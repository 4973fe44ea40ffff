import fc from 'fast-check';
import { addDays, dayCount } from '@/lib/days';
import { rangeIds, rangeIdOf, rangeOf, readDays, shiftDays } from './ranges';
import { caseCounts } from '../../../test/support/caseCounts';

const day = fc.integer({ min: 0, max: 20_000 }).map((count) => addDays('2000-01-01', count));

test('preset ranges are whole months, not in the future, and recognized', () => {
  fc.assert(
    fc.property(day, fc.constantFrom(...rangeIds), (today, id) => {
      const range = rangeOf(id, today);
      expect(range.from.slice(8)).toBe('01');
      expect(addDays(range.to, 1).slice(8)).toBe('01');
      expect(range.from <= today).toBe(true);
      expect(range.to < today).toBe(id.startsWith('last'));
      const named = rangeIdOf(range, today);
      expect(named === 'custom' ? null : rangeOf(named, today)).toEqual(range);
    }),
  );
});

const isWhole = ({ from, to }: { from: string; to: string }): boolean => from.endsWith('-01') && addDays(to, 1).endsWith('-01');

test('the previous period ends before this one and shifts forward to it', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 800 }), (from, length) => {
      const days = { from, to: addDays(from, length) };
      const before = shiftDays(days, -1);
      expect(addDays(before.to, 1)).toBe(days.from);
      // Shifting days that are not whole months may arrive at whole months, which shift by months from then on.
      if (isWhole(before) !== isWhole(days)) return;
      cases.count();
      expect(shiftDays(before, 1)).toEqual(days);
    }),
  );
  cases.expectAtLeast(50);
  expect(shiftDays({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(dayCount(shiftDays({ from: '2026-03-01', to: '2026-03-10' }, -1))).toBe(10);
});

test('invalid days in an address are not requested', () => {
  expect(readDays('2026-02-30', '2026-03-01')).toBeNull();
  expect(readDays('2026-03-02', '2026-03-01')).toBeNull();
  expect(readDays('', '2026-03-01')).toBeNull();
  expect(readDays('2026-03-01', '2026-03-01')).toEqual({ from: '2026-03-01', to: '2026-03-01' });
});
