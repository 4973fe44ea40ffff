import type { DateRange } from './terms';

/**
 * Resolves dates in filters at a moment and in a zone. The only implementation: SQL receives the days and instants that these functions return, and the
 * console uses them for evaluation.
 */
export type FilterMoment = { /** Epoch ms. */ readonly now: number; /** IANA zone of the site. */ readonly zone: string };
/** A calendar day of the site (`YYYY-MM-DD`), or an instant (epoch ms). */
export type FilterDate = { readonly day: string } | { readonly instant: number };

const dayMs = 86_400_000;
const toMs = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Four-digit years; records cannot have dates outside this range. */
const first = toMs('0001-01-01');
const last = toMs('9999-12-31') + dayMs;
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && text >= '0001' && !Number.isNaN(toMs(text)) && toDay(toMs(text)) === text;
const within = (ms: number): boolean => ms >= first && ms < last;

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const numeric = 'numeric';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      // Without it, some engines use the Julian calendar before 1582.
      calendar: 'iso8601',
    });
    formats.set(zone, format);
  }
  return format;
}
/** Offset of the zone from UTC, ms. Throws RangeError for an unknown zone. */
function offsetAt(instant: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) part[type] = Number(value);
  const wall = new Date(0);
  wall.setUTCFullYear(part['year'] ?? 1970, (part['month'] ?? 1) - 1, part['day'] ?? 1);
  wall.setUTCHours(part['hour'] ?? 0, part['minute'] ?? 0, part['second'] ?? 0);
  return wall.getTime() - Math.floor(instant / 1000) * 1000;
}
/** The first instant at which local time is this or later, where it skips or repeats an hour. */
function instantOf(wall: number, zone: string): number {
  const early = offsetAt(wall - dayMs, zone);
  const late = offsetAt(wall + dayMs, zone);
  for (const offset of [Math.max(early, late), Math.min(early, late)]) if (offsetAt(wall - offset, zone) === offset) return wall - offset;
  // In a gap of local time, the result is the moment of the change.
  let low = wall - dayMs;
  let high = wall + dayMs;
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle, zone) === early) low = middle;
    else high = middle;
  }
  return high;
}

/** The day of an instant (epoch ms). */
export const dayOf = (instant: number, zone: string): string => toDay(instant + offsetAt(instant, zone));
/** The first instant (epoch ms) of a day. */
export const startOfDay = (day: string, zone: string): number => instantOf(toMs(day), zone);
export const daysLater = (day: string, count: number): string => toDay(toMs(day) + count * dayMs);
/** Keeps the day of the month, or uses the last one: 31 January plus a month is the end of February. */
function monthsLater(day: string, count: number): string {
  const at = new Date(toMs(day));
  const date = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + count);
  const days = new Date(at);
  days.setUTCMonth(days.getUTCMonth() + 1, 0);
  at.setUTCDate(Math.min(date, days.getUTCDate()));
  return toDay(at.getTime());
}

const weekday = (day: string): number => (new Date(toMs(day)).getUTCDay() + 6) % 7;
const monthStart = (day: string): string => `${day.slice(0, 8)}01`;
const whole = (start: string, months: number): [string, string] => [start, daysLater(monthsLater(start, months), -1)];
const week = (today: string, by: number): [string, string] => {
  const monday = daysLater(today, by * 7 - weekday(today));
  return [monday, daysLater(monday, 6)];
};
const ranges: Record<DateRange, (today: string) => [string, string]> = {
  today: (day) => [day, day],
  yesterday: (day) => [daysLater(day, -1), daysLater(day, -1)],
  tomorrow: (day) => [daysLater(day, 1), daysLater(day, 1)],
  thisWeek: (day) => week(day, 0),
  lastWeek: (day) => week(day, -1),
  nextWeek: (day) => week(day, 1),
  thisMonth: (day) => whole(monthStart(day), 1),
  lastMonth: (day) => whole(monthsLater(monthStart(day), -1), 1),
  nextMonth: (day) => whole(monthsLater(monthStart(day), 1), 1),
  thisYear: (day) => whole(`${day.slice(0, 4)}-01-01`, 12),
  last7: (day) => [daysLater(day, -6), day],
  last30: (day) => [daysLater(day, -29), day],
  last90: (day) => [daysLater(day, -89), day],
  next7: (day) => [day, daysLater(day, 6)],
  next30: (day) => [day, daysLater(day, 29)],
};
/** First and last day of a named range, inclusive; both `last…` and `next…` include today. null for an unknown name. */
export function daysOfRange(name: unknown, at: FilterMoment): readonly [string, string] | null {
  if (typeof name !== 'string' || !Object.hasOwn(ranges, name)) return null;
  return ranges[name as DateRange](dayOf(at.now, at.zone));
}

const relative = /^\$(now|today)(?:([+-])(\d{1,6})([mhdwMy]))?$/;
const smallUnits: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/**
 * `2026-11-20` and `$today` are days; `$now` and ISO 8601 moments are instants (local time in the zone if without an offset). `$now-7d`, `$today+1M`:
 * days, weeks, months and years keep the time of day across changes of local time. null: not a date.
 */
export function filterDate(value: unknown, at: FilterMoment): FilterDate | null {
  if (typeof value !== 'string') return null;
  if (isDay(value)) return { day: value };
  const match = relative.exec(value);
  if (!match) return momentOf(value, at.zone);
  const count = Number(match[3] ?? 0) * (match[2] === '-' ? -1 : 1);
  const unit = match[4] ?? 'd';
  const today = dayOf(at.now, at.zone);
  const small = smallUnits[unit];
  if (small !== undefined) return match[1] === 'now' && within(at.now + count * small) ? { instant: at.now + count * small } : null;
  const months = unit === 'M' ? count : unit === 'y' ? count * 12 : 0;
  if (Math.abs(months) > 120_000) return null;
  const days = unit === 'd' ? count : unit === 'w' ? count * 7 : 0;
  const rough = toMs(today) + days * dayMs + months * 30.44 * dayMs;
  if (rough < first + 40 * dayMs || rough > last - 40 * dayMs) return null;
  const day = daysLater(monthsLater(today, months), days);
  if (match[1] === 'today') return { day };
  const timeOfDay = at.now + offsetAt(at.now, at.zone) - toMs(today);
  return { instant: count === 0 ? at.now : instantOf(toMs(day) + timeOfDay, at.zone) };
}

function momentOf(text: string, zone: string): FilterDate | null {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!parts || !isDay(parts[1] ?? '')) return null;
  const ms = Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`);
  if (Number.isNaN(ms) || !within(ms)) return null;
  return { instant: parts[3] === undefined ? instantOf(ms, zone) : ms };
}

/**
 * The interval [from, until) of instants that a filter date covers: a whole day, or a millisecond for an instant. So `lte` a day includes all of it, and
 * `gt` a day starts with the next.
 */
export function instantsOf(date: FilterDate, zone: string): readonly [number, number] {
  if ('instant' in date) return [date.instant, date.instant + 1];
  return [startOfDay(date.day, zone), startOfDay(daysLater(date.day, 1), zone)];
}
/** The day that contains it. */
export const filterDay = (date: FilterDate, zone: string): string => ('day' in date ? date.day : dayOf(date.instant, zone));
