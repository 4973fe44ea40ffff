import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../zone';
import { answerDueAt, overdueSince } from './replyTime';
import { defaultSettings } from './settings';

const zone = 'Asia/Shanghai';
const hours = { ...defaultSettings(zone).hours, always: false, week: [1, 2, 3, 4, 5].map((day) => ({ day, open: '09:00', close: '18:00' })) };
/** A moment of Shanghai's clock. 2026-11-27 is a Friday. */
const at = (text: string): number => Date.parse(`${text}:00+08:00`);

test.each([
  ['2026-11-27T10:00', '2026-11-27T10:30'],
  ['2026-11-27T17:50', '2026-11-30T09:20'],
  ['2026-11-28T12:00', '2026-11-30T09:30'],
])('only openings count: %s', (since, due) => {
  expect(answerDueAt({ hours, replyMinutes: 30 }, at(since))).toBe(at(due));
});

test('holidays do not count, and nothing does without openings', () => {
  const holidays = [{ date: '2026-11-27', label: '' }];
  expect(answerDueAt({ hours: { ...hours, always: true, holidays }, replyMinutes: 60 }, at('2026-11-26T23:30'))).toBe(at('2026-11-28T00:30'));
  const closed = { hours: { ...hours, week: [] }, replyMinutes: 1 };
  expect([answerDueAt(closed, 0), overdueSince(closed, DAY)]).toEqual([null, null]);
});

test('a visitor is overdue once the answer was due', () => {
  const offset = fc.integer({ min: 0, max: 30 * 24 * 60 });
  fc.assert(
    fc.property(
      offset,
      offset,
      fc.integer({ min: 1, max: 1440 }),
      fc.constantFrom('Asia/Shanghai', 'Europe/Berlin'),
      (from, waited, replyMinutes, timeZone) => {
        const target = { hours: { ...hours, timeZone, holidays: [{ date: '2026-10-20', label: '' }] }, replyMinutes };
        const since = at('2026-10-12T00:00') + from * MINUTE;
        const now = since + waited * MINUTE;
        const due = answerDueAt(target, since);
        const before = overdueSince(target, now);
        expect(before !== null && since <= before).toBe(due !== null && due <= now);
        expect(due === null || due - since < 60 * DAY + HOUR).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});
