import fc from 'fast-check';
import { chooseDue } from './order';
import type { Waiting } from './order';
import { caseCounts } from '../../../../test/support/caseCounts';

const now = new Date(1_000_000);
const moment = fc.option(
  fc.integer({ min: -5, max: 5 }).map((seconds) => new Date(now.getTime() + seconds * 1000)),
  { nil: null },
);
const rows = fc
  .array(fc.record({ recordIds: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }), nextAt: moment, leaseUntil: moment }), {
    maxLength: 12,
  })
  .map((all) => all.map((row, id): Waiting => ({ id, ...row })));
const isTaken = ({ leaseUntil }: Waiting): boolean => leaseUntil !== null && leaseUntil > now;

test('deliveries keep the order per record, never repeat, and respect limits', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), (window, capacity, most) => {
      const chosen = chooseDue(window, now, capacity, most);
      const leasedCount = window.filter(isTaken).length;
      expect(chosen.length).toBeLessThanOrEqual(Math.max(0, Math.min(capacity, most - leasedCount)));
      for (const id of chosen) {
        const row = window[id] as Waiting;
        expect(row.nextAt !== null && row.nextAt <= now && !isTaken(row)).toBe(true);
        expect(window.slice(0, id).some((older) => older.recordIds.some((one) => row.recordIds.includes(one)))).toBe(false);
      }
    }),
  );
});

test('every due delivery that is first for its records is sent', () => {
  const cases = caseCounts();
  fc.assert(
    fc.property(rows, (window) => {
      const chosen = new Set(chooseDue(window, now, 100, 100));
      for (const row of window) {
        const isFirst = !window.slice(0, row.id).some((older) => older.recordIds.some((one) => row.recordIds.includes(one)));
        if (row.nextAt === null || row.nextAt > now || isTaken(row) || !isFirst) continue;
        cases.count();
        expect(chosen).toContain(row.id);
      }
    }),
  );
  cases.expectAtLeast(11);
});
