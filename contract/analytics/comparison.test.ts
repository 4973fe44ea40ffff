import fc from 'fast-check';
import { type DayRange, addDays, addMonths, dayCount, monthStart, weekStart } from '../days';
import { comparisonDays, matchBuckets } from './comparison';

const before = (from: string, to: string, mode: 'previous' | 'calendar' | 'weekday' | 'year' = 'previous') => {
  const days = comparisonDays({ from, to }, mode, null);
  return days && [days.from, days.to];
};

describe('the previous period', () => {
  test.each([
    ['a month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['March', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['February, four whole weeks', '2027-02-01', '2027-02-28', '2027-01-01', '2027-01-31'],
    ['two months', '2026-09-01', '2026-10-31', '2026-07-01', '2026-08-31'],
    ['a quarter', '2026-04-01', '2026-06-30', '2026-01-01', '2026-03-31'],
    ['a year', '2024-01-01', '2024-12-31', '2023-01-01', '2023-12-31'],
    ['a month in progress', '2026-11-01', '2026-11-20', '2026-10-01', '2026-10-20'],
    ['the 30th of March', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
    ['a quarter in progress', '2026-10-01', '2026-11-20', '2026-07-01', '2026-08-20'],
    ['a year in progress', '2026-01-01', '2026-11-20', '2025-01-01', '2025-11-20'],
    ['a week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['a week that begins with a month', '2026-06-01', '2026-06-07', '2026-05-25', '2026-05-31'],
    ['a day', '2026-11-20', '2026-11-20', '2026-11-13', '2026-11-13'],
    ['the first day of a month', '2026-11-01', '2026-11-01', '2026-10-25', '2026-10-25'],
    ['thirty days', '2026-10-22', '2026-11-20', '2026-09-17', '2026-10-16'],
    ['nine days', '2026-11-12', '2026-11-20', '2026-10-29', '2026-11-06'],
  ])('of %s', (_name, from, to, expectedFrom, expectedTo) => expect(before(from, to)).toEqual([expectedFrom, expectedTo]));
});

test('a month in progress is a month on its first and seventh day', () => {
  expect(before('2026-06-01', '2026-06-01', 'calendar')).toEqual(['2026-05-01', '2026-05-01']);
  expect(before('2026-06-01', '2026-06-07', 'calendar')).toEqual(['2026-05-01', '2026-05-07']);
  expect(before('2026-11-18', '2026-11-20', 'calendar')).toEqual(['2026-11-11', '2026-11-13']);
});

test('a year earlier are the same dates', () => {
  expect(before('2026-11-01', '2026-11-20', 'year')).toEqual(['2025-11-01', '2025-11-20']);
  expect(before('2024-02-29', '2024-02-29', 'year')).toEqual(['2023-02-28', '2023-02-28']);
});

const day = fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('1990-01-01', n));
const range = fc.tuple(day, fc.integer({ min: 0, max: 1095 })).map(([from, days]): DayRange => ({ from, to: addDays(from, days) }));
const rolling = fc.constantFrom('previous', 'calendar', 'weekday' as const);
const monthEnd = (first: string): string => addDays(addMonths(first, 1), -1);

describe('for any range', () => {
  test('the comparison ends before the range begins', () =>
    fc.assert(
      fc.property(range, rolling, (days, mode) => {
        const earlier = comparisonDays(days, mode, null) as DayRange;
        expect(earlier.from <= earlier.to && earlier.to < days.from).toBe(true);
      }),
    ));

  test('the same weekdays correspond at every position', () =>
    fc.assert(
      fc.property(range, (days) => {
        const earlier = comparisonDays(days, 'weekday', null) as DayRange;
        expect(dayCount(earlier)).toBe(dayCount(days));
        const apart = dayCount({ from: earlier.from, to: days.from }) - 1;
        expect(apart % 7).toBe(0);
        expect(apart - dayCount(days)).toBeLessThan(7);
      }),
    ));

  test('days and whole weeks meet the same weekdays', () =>
    // Not 91: the second quarter has as many days, and is compared with the first.
    fc.assert(
      fc.property(day, fc.constantFrom(1, 7, 14, 35, 84, 98), (from, length) => {
        const days = { from, to: addDays(from, length - 1) };
        expect(comparisonDays(days, 'previous', null)).toEqual(comparisonDays(days, 'weekday', null));
      }),
    ));

  test('a month, complete or begun, meets the month before', () =>
    fc.assert(
      fc.property(day, (to) => {
        const first = monthStart(to);
        const monthBefore = addMonths(first, -1);
        expect(comparisonDays({ from: first, to: monthEnd(first) }, 'previous', null)).toEqual({ from: monthBefore, to: monthEnd(monthBefore) });
        const begun = comparisonDays({ from: first, to }, 'calendar', null) as DayRange;
        expect(begun.from).toBe(monthBefore);
        const whole = to === monthEnd(first);
        const sameDate = `${monthBefore.slice(0, 8)}${to.slice(8)}`;
        expect(begun.to).toBe(whole || sameDate > monthEnd(monthBefore) ? monthEnd(monthBefore) : sameDate);
      }),
    ));

  test('whole months meet as many whole months', () =>
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 36 }), (any, months) => {
        const from = monthStart(any);
        const earlier = comparisonDays({ from, to: addDays(addMonths(from, months), -1) }, 'previous', null);
        expect(earlier).toEqual({ from: addMonths(from, -months), to: addDays(from, -1) });
      }),
    ));

  test('weeks begin on Monday', () =>
    fc.assert(
      fc.property(day, (any) => {
        const monday = weekStart(any);
        expect(new Date(`${monday}T00:00:00Z`).getUTCDay()).toBe(1);
        expect(dayCount({ from: monday, to: any })).toBeLessThanOrEqual(7);
      }),
    ));
});

describe('buckets and those of the comparison', () => {
  const hours = (date: string, times: readonly number[]) => times.map((hour, at) => ({ label: `${date}T${String(hour).padStart(2, '0')}:00`, at }));
  const all = Array.from({ length: 24 }, (_, hour) => hour);
  const labels = (found: readonly ({ readonly label: string } | undefined)[]) => found.map((bucket) => bucket?.label.slice(11));

  test('a skipped hour shifts nothing', () => {
    const spring = hours('2026-03-08', all.toSpliced(2, 1));
    const usual = hours('2026-03-01', all);
    expect(labels(matchBuckets(spring, usual, 'hour'))).toEqual(spring.map(({ label }) => label.slice(11)));
    expect(labels(matchBuckets(usual, spring, 'hour'))).toEqual(all.map((hour) => (hour === 2 ? undefined : `${String(hour).padStart(2, '0')}:00`)));
  });

  test('a repeated hour has no counterpart', () => {
    const autumn = hours('2026-11-01', all.toSpliced(2, 0, 1));
    const found = matchBuckets(autumn, hours('2026-10-25', all), 'hour');
    expect(found[2]).toBeUndefined();
    expect(labels(found).toSpliced(2, 1)).toEqual(all.map((hour) => `${String(hour).padStart(2, '0')}:00`));
  });

  test('days correspond by date from the start, weeks by position', () => {
    const october = Array.from({ length: 31 }, (_, n) => ({ label: `${addDays('2026-10-01', n)}T00:00` }));
    const september = Array.from({ length: 30 }, (_, n) => ({ label: `${addDays('2026-09-01', n)}T00:00` }));
    const found = matchBuckets(october, september, 'day');
    expect([found[0]?.label, found[29]?.label, found[30]]).toEqual(['2026-09-01T00:00', '2026-09-30T00:00', undefined]);
    expect(matchBuckets(october.slice(0, 2), september.slice(4, 6), 'week')).toEqual(september.slice(4, 6));
  });
});
