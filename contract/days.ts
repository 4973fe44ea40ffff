/** A day of a site's calendar, `2026-11-20`. Plain text: days have no zone and no daylight saving time. */
export type Day = string;
/** Days from `from` to `to`, both included. */
export type DayRange = { readonly from: Day; readonly to: Day };

const dayMs = 86_400_000;
const toMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

/** Whether it is a real calendar day: `2026-02-30` is not. */
export const isDay = (text: string): text is Day => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(toMs(text)) && toDay(toMs(text)) === text;
export const addDays = (day: Day, count: number): Day => toDay(toMs(day) + count * dayMs);
/** Days in the range, including both ends. */
export const dayCount = (range: DayRange): number => Math.round((toMs(range.to) - toMs(range.from)) / dayMs) + 1;

/** Adds months and keeps the day of the month, or uses the last one: 31 January + 1 is the end of February. */
export const addMonths = (day: Day, count: number): Day => {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month - 1 + count + 1, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + count, Math.min(date, lastDate)));
};

export const monthStart = (day: Day): Day => `${day.slice(0, 8)}01`;

/** Months from the month of `from` to that of `to`, both included. */
export const monthCount = ({ from, to }: DayRange): number =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7)) + 1;

/** The Monday of the week of a day: weeks begin on Monday (ISO 8601), in reports, ranges and calendars of both languages. */
export const weekStart = (day: Day): Day => addDays(day, -((new Date(toMs(day)).getUTCDay() + 6) % 7));

/** Whether the range consists of complete calendar months. */
export const isWholeMonths = ({ from, to }: DayRange): boolean => from === monthStart(from) && addDays(to, 1).endsWith('-01');
