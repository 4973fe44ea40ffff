import type { ContentRecord } from '@contract/tables/records';
import type { TableField } from '@contract/tables/schemas';
import { monthDays, movedValues, newOnDay, recordsOn, weekDays } from './calendarDays';

const fieldOf = (id: string, type: TableField['type']) => ({ id, type }) as TableField;
const dates = { field: fieldOf('from', 'date'), end: fieldOf('to', 'date'), timeZone: 'Asia/Shanghai' };
const times = { field: fieldOf('from', 'datetime'), end: undefined, timeZone: 'Asia/Shanghai' };
const record = (values: Record<string, unknown>) => ({ values }) as ContentRecord;

test('a month has five or six weeks from Monday, a week seven days', () => {
  expect([monthDays('2026-11').length, monthDays('2026-11')[0]]).toEqual([42, '2026-10-26']);
  expect([monthDays('2026-12').length, monthDays('2026-12').at(-1)]).toEqual([35, '2027-01-03']);
  expect(weekDays('2026-11-29')).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29']);
});

test('a record is on each day of its range, at least on its first', () => {
  const long = record({ from: '2026-11-20', to: '2026-11-22' });
  const reversed = record({ from: '2026-11-20', to: '2026-11-01' });
  const daysOf = (one: ContentRecord) => monthDays('2026-11').filter((day) => recordsOn([one], day, dates).length > 0);
  expect(daysOf(long)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22']);
  expect(daysOf(reversed)).toEqual(['2026-11-20']);
});

test('a moved record keeps its length and its local time of day', () => {
  expect(movedValues(dates, { value: '2026-11-20', end: '2026-11-22' }, '2026-11-30')).toEqual({ from: '2026-11-30', to: '2026-12-02' });
  expect(movedValues(times, { value: '2026-11-20T18:30:00.000Z', end: null }, '2026-11-25')).toEqual({ from: '2026-11-24T18:30:00.000Z' });
  expect(movedValues(dates, { value: '2026-11-20', end: null }, '2026-11-20')).toBeNull();
});

test('a record added on a day begins at 9:00 local time', () => {
  expect([newOnDay(dates, '2026-11-20'), newOnDay(times, '2026-11-20')]).toEqual(['2026-11-20', '2026-11-20T01:00:00.000Z']);
});
