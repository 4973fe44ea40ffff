import type { ContentRecord } from '@contract/tables/records';
import type { RecordFilter } from '@contract/tables/recordFilter';
import type { TableField } from '@contract/tables/schemas';
import { weeksOf } from '@/lib/calendar';
import { addDays } from '@/lib/days';
import { instantOf, wallClockOf } from '@/lib/zoned';

/** The date fields of a calendar, and the zone that decides days. Without `end`, a record is on one day. */
export type CalendarFields = { readonly field: TableField; readonly end: TableField | undefined; readonly timeZone: string };

/** The day of a value in the site's time zone. */
export const dayOf = (field: TableField, value: unknown, timeZone: string): string | null =>
  typeof value !== 'string' ? null : field.type === 'date' ? value : (wallClockOf(value, timeZone)?.day ?? null);
/** The same time on another day; for date fields just that day. */
const onDay = (field: TableField, value: string, day: string, timeZone: string): string | null =>
  field.type === 'date' ? day : instantOf(day, wallClockOf(value, timeZone)?.time ?? '09:00:00', timeZone);
/** The value of a record that is added on a day: 09:00 for date-times. */
export const newOnDay = ({ field, timeZone }: CalendarFields, day: string): string | null => onDay(field, '', day, timeZone);
const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The weeks that cover a month; a sixth week without a day of the month is omitted. */
export function monthDays(month: string): readonly string[] {
  const six = weeksOf(month);
  return six.slice(35).every((one) => !one.startsWith(month)) ? six.slice(0, 35) : six;
}
/** The week of a day, from Monday. */
export function weekDays(day: string): readonly string[] {
  const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
  return Array.from({ length: 7 }, (_, place) => addDays(monday, place));
}

/** Filter of the records that overlap the visible days: they begin before the end, and end (or begin) after the start. */
export function filterOf({ field: start, end, timeZone }: CalendarFields, days: readonly string[]): RecordFilter {
  const edge = (field: TableField, day: string, time: string) => (field.type === 'date' ? day : (instantOf(day, time, timeZone) ?? day));
  const first = days[0] ?? '';
  const last = days.at(-1) ?? '';
  const begins = { field: start.id, op: 'lte', value: edge(start, last, '23:59:59') } as const;
  const from = { field: start.id, op: 'gte', value: edge(start, first, '00:00:00') } as const;
  return end ? { and: [begins, { or: [from, { field: end.id, op: 'gte', value: edge(end, first, '00:00:00') }] }] } : { and: [from, begins] };
}

/** The records of a day, including those that began before it and have not ended. */
export const recordsOn = (records: readonly ContentRecord[], day: string, { field, end, timeZone }: CalendarFields): readonly ContentRecord[] =>
  records.filter(({ values }) => {
    const from = dayOf(field, values[field.id], timeZone);
    const to = (end && dayOf(end, values[end.id], timeZone)) ?? from;
    return from !== null && to !== null && from <= day && day <= (to < from ? from : to);
  });

/** The values of a record that is moved to another day; one of several days moves as a whole. null: it does not move. */
export function movedValues(
  { field, end, timeZone }: CalendarFields,
  dates: { readonly value: string; readonly end: unknown },
  to: string,
): Readonly<Record<string, string | null>> | null {
  const from = dayOf(field, dates.value, timeZone);
  const value = onDay(field, dates.value, to, timeZone);
  if (value === null || from === to) return null;
  const last = end && typeof dates.end === 'string' && from !== null ? dayOf(end, dates.end, timeZone) : null;
  const moved = end && last !== null && from !== null ? { [end.id]: onDay(end, String(dates.end), addDays(last, daysBetween(from, to)), timeZone) } : {};
  return { [field.id]: value, ...moved };
}
