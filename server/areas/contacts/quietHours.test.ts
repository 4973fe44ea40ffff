import fc from 'fast-check';
import { quietUntil } from './quietHours';
import { caseCounts } from '../../../test/support/caseCounts';

const at = (iso: string) => Date.parse(iso);
const until = (hours: Parameters<typeof quietUntil>[0], iso: string) => {
  const moment = quietUntil(hours, at(iso));
  return moment === null ? null : new Date(moment).toISOString();
};
const shanghai = { timeZone: 'Asia/Shanghai', from: '22:00', to: '08:00' };
const day = { timeZone: 'Asia/Shanghai', from: '12:00', to: '14:00' };
const berlin = { timeZone: 'Europe/Berlin', from: '22:00', to: '07:00' };

test.each([
  [shanghai, '2026-11-20T13:59:59.000Z', null],
  [shanghai, '2026-11-20T14:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  [shanghai, '2026-11-20T16:30:30.500Z', '2026-11-21T00:00:00.000Z'],
  [shanghai, '2026-11-20T23:59:00.000Z', '2026-11-21T00:00:00.000Z'],
  [shanghai, '2026-11-21T00:00:00.000Z', null],
  [day, '2026-11-20T03:59:00.000Z', null],
  [day, '2026-11-20T04:00:00.000Z', '2026-11-20T06:00:00.000Z'],
  [day, '2026-11-20T06:00:00.000Z', null],
  [{ ...day, to: '12:00' }, '2026-11-20T04:00:00.000Z', null],
])('quiet hours %j at %s', (hours, now, end) => {
  expect(until(hours, now)).toBe(end);
});

test.each([
  ['the night that loses an hour', '2026-03-28T21:30:00.000Z', '2026-03-29T05:00:00.000Z'],
  ['the night that gains an hour', '2026-10-24T20:30:00.000Z', '2026-10-25T06:00:00.000Z'],
  ['within the hour that comes twice', '2026-10-25T01:30:00.000Z', '2026-10-25T06:00:00.000Z'],
])('summer time: %s', (_name, now, end) => {
  expect(until(berlin, now)).toBe(end);
});

test('an end inside the skipped hour moves to the hour after it', () => {
  expect(until({ ...berlin, to: '02:30' }, '2026-03-29T00:30:00.000Z')).toBe('2026-03-29T01:00:00.000Z');
});

test('a delayed notice waits at most 25 hours, until quiet hours end', () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
  const hours = fc.record({
    timeZone: fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'),
    from: time,
    to: time,
  });
  const cases = caseCounts();
  fc.assert(
    fc.property(hours, fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }), (quiet, now) => {
      const end = quietUntil(quiet, now.getTime());
      if (end === null) return;
      cases.count();
      expect(end).toBeGreaterThan(now.getTime());
      expect(end - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
      expect(quietUntil(quiet, end)).toBeNull();
    }),
    { numRuns: 300 },
  );
  cases.expectAtLeast(51);
});
