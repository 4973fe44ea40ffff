import fc from 'fast-check';
import { dayAt, dayStart, daySpanAt } from './zone';

const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Havana', 'Pacific/Apia'];

test('the span of a day contains the instant and has exact bounds', () => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: Date.UTC(2011, 0), max: Date.UTC(2031, 0) }), (zone, at) => {
      const { day, dayBefore, start, end } = daySpanAt(at, zone);
      expect(at).toBeGreaterThanOrEqual(start);
      expect(at).toBeLessThan(end);
      expect([day, dayStart(day, zone)]).toEqual([dayAt(at, zone), start]);
      expect(dayBefore).toBe(dayAt(start - 1, zone));
      expect(daySpanAt(end, zone).start).toBe(end);
    }),
    { numRuns: 400 },
  );
});

test('an evening repeated after midnight belongs to the new day', () => {
  // St. John’s went from 00:01 back to 23:01 on 7 November 2010.
  const again = Date.parse('2010-11-07T03:00:00Z');
  expect(dayAt(again, 'America/St_Johns')).toBe('2010-11-06');
  expect(daySpanAt(again, 'America/St_Johns').day).toBe('2010-11-07');
});
