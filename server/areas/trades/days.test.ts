import fc from 'fast-check';
import { addDays } from '../../zone';
import { daysBetween, ledgerDay, nextPeriod } from './days';

test('the ledger counts days in Shanghai time', () => {
  expect(ledgerDay(Date.parse('2026-11-20T15:59:59Z'))).toBe('2026-11-20');
  expect(ledgerDay(Date.parse('2026-11-20T16:00:00Z'))).toBe('2026-11-21');
});

test.each([
  ['a year', '2026-01-01', '2026-12-31', '2027-01-01', '2027-12-31'],
  ['a year from within a month', '2026-11-20', '2027-11-19', '2027-11-20', '2028-11-19'],
  ['a year over a leap day', '2027-03-01', '2028-02-29', '2028-03-01', '2029-02-28'],
  ['a month', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28'],
  ['a month that is February', '2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31'],
  ['a month from the 31st', '2026-01-31', '2026-02-27', '2026-02-28', '2026-03-30'],
  ['and on', '2026-02-28', '2026-03-30', '2026-03-31', '2026-04-29'],
  ['and on', '2026-03-31', '2026-04-29', '2026-04-30', '2026-05-30'],
  ['a month from the 30th', '2026-01-30', '2026-02-27', '2026-02-28', '2026-03-29'],
  ['and on', '2026-02-28', '2026-03-29', '2026-03-30', '2026-04-29'],
  ['a month from the 15th', '2026-12-15', '2027-01-14', '2027-01-15', '2027-02-14'],
  ['a quarter', '2026-10-01', '2026-12-31', '2027-01-01', '2027-03-31'],
  ['half a year from the last of August', '2026-08-31', '2027-02-27', '2027-02-28', '2027-08-30'],
  ['from a leap day', '2028-02-29', '2029-02-27', '2029-02-28', '2030-02-27'],
  ['a day', '2026-11-20', '2026-11-20', '2026-11-21', '2026-11-21'],
  ['ten days', '2026-02-20', '2026-03-01', '2026-03-02', '2026-03-11'],
  ['90 days', '2026-01-01', '2026-03-31', '2026-04-01', '2026-06-30'],
  ['91 days', '2026-01-01', '2026-04-01', '2026-04-02', '2026-07-01'],
])('%s: %s to %s is followed by %s to %s', (_name, from, to, nextFrom, nextTo) => {
  expect(nextPeriod({ from, to })).toEqual({ from: nextFrom, to: nextTo });
});

test('periods are contiguous, never empty, and months follow the calendar', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('2020-01-01', n));
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 1500 }), (from, length) => {
      const period = { from, to: addDays(from, length) };
      const next = nextPeriod(period);
      expect(next.from).toBe(addDays(period.to, 1));
      // Months differ by three days at most, a leap year by one.
      expect(Math.abs(daysBetween(next.from, next.to) - length)).toBeLessThanOrEqual(4);
    }),
    { numRuns: 2000 },
  );
  // After twelve monthly renewals the end is on the same day of the next year, for any day the first period began on.
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 365 }), (n) => {
      const start = addDays('2025-01-01', n);
      const month = Number(start.slice(5, 7));
      const [year, next] = [Number(start.slice(0, 4)) + (month === 12 ? 1 : 0), (month % 12) + 1];
      const last = new Date(Date.UTC(year, next, 0)).getUTCDate();
      const end = `${year}-${String(next).padStart(2, '0')}-${String(Math.min(Number(start.slice(8)), last)).padStart(2, '0')}`;
      let period = { from: start, to: addDays(end, -1) };
      for (let i = 0; i < 12; i++) period = nextPeriod(period);
      expect([start, period.from.slice(5)]).toEqual([start, start.slice(5)]);
    }),
  );
});
