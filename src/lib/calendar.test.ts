import fc from 'fast-check';
import { addMonth, readDay, readTime, weeksOf } from './calendar';

test('common date and time formats are read, impossible ones refused', () => {
  expect([readDay('2026年1月2日'), readDay('11/20/2026')]).toEqual(['2026-01-02', null]);
  expect([readDay('2026/1/2'), readDay('2026.11.20'), readDay('20261120'), readDay('2026-02-29'), readDay('2026-13-01'), readDay('x')]).toEqual([
    '2026-01-02',
    '2026-11-20',
    '2026-11-20',
    null,
    null,
    null,
  ]);
  expect([readTime('8:05'), readTime('0830'), readTime('24:00'), readTime('8:5')]).toEqual(['08:05:00', '08:30:00', null, null]);
});

test('a month is shown in whole weeks from Monday', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), (step) => {
      const month = addMonth('1950-01', step);
      const days = weeksOf(month);
      expect(days).toHaveLength(42);
      expect(days.slice(0, 7)).toContain(`${month}-01`);
      expect(new Date(`${days[0] ?? ''}T00:00:00Z`).getUTCDay()).toBe(1);
    }),
  );
});
