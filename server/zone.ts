/**
 * Local times and instants of time zones. The start of every day and hour is computed here and passed to SQL as an instant, so that the program and ClickHouse
 * cannot disagree about days on which the clocks change.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A calendar day, `2026-11-20`. */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

/** Milliseconds to add to UTC to get the local time of `zone` at `instant`. Throws RangeError for an unknown zone. */
export function offsetAt(instant: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant)) part[type] = Number(value);
  const wall = Date.UTC(part['year'] ?? 0, (part['month'] ?? 1) - 1, part['day'] ?? 1, part['hour'] ?? 0, part['minute'] ?? 0, part['second'] ?? 0);
  return wall - Math.floor(instant / 1000) * 1000;
}

/** Local time as if it were UTC: `new Date(wallAt(…))` read with getUTC* gives the zone's year, month, hour. */
export const wallAt = (instant: number, zone: string): number => instant + offsetAt(instant, zone);

export const dayAt = (instant: number, zone: string): Day => new Date(wallAt(instant, zone)).toISOString().slice(0, 10);

/** `2026-11-20T08:00`, local time of `zone`. */
export const labelAt = (instant: number, zone: string): string => new Date(wallAt(instant, zone)).toISOString().slice(0, 16);

export const dayNumber = (day: Day): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
export const dayFromNumber = (n: number): Day => new Date(n * DAY).toISOString().slice(0, 10);
export const addDays = (day: Day, n: number): Day => dayFromNumber(dayNumber(day) + n);
/** Days from `from` to `to`, both inclusive. */
export const dayCount = (from: Day, to: Day): number => dayNumber(to) - dayNumber(from) + 1;

/** The instant at which the offset changes in (a, b], or null. At most one change is expected in the interval. */
export function changeBetween(a: number, b: number, zone: string): number | null {
  const before = offsetAt(a, zone);
  if (offsetAt(b, zone) === before) return null;
  let low = a;
  let high = b;
  // Offsets change on whole seconds, in practice on whole minutes.
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The first instant whose local time in `zone` is `day` and `millis` since midnight or later. If that local time is skipped (clocks go forward, or the whole
 * day does not exist) it is the instant of the change; if it occurs twice, the first.
 */
export function instantOf(day: Day, millis: number, zone: string): number {
  const wall = dayNumber(day) * DAY + millis;
  const early = offsetAt(wall - DAY, zone);
  const late = offsetAt(wall + DAY, zone);
  // The larger offset gives the earlier instant.
  for (const offset of early > late ? [early, late] : [late, early]) {
    if (offsetAt(wall - offset, zone) === offset) return wall - offset;
  }
  return changeBetween(wall - DAY, wall + DAY, zone) ?? wall - late;
}

/** The instant at which `day` begins in `zone`. */
export const dayStart = (day: Day, zone: string): number => instantOf(day, 0, zone);

/** A day of a zone, the previous day, and the instants [start, end) that it covers. */
export type DaySpan = { readonly day: Day; readonly dayBefore: Day; readonly start: number; readonly end: number };

const latestSpans = new Map<string, DaySpan>();

/** The day of `zone` that contains an instant. Consecutive times are mostly on the same day, so the latest span of each zone is cached. */
export function daySpanAt(instant: number, zone: string): DaySpan {
  const latest = latestSpans.get(zone);
  if (latest && instant >= latest.start && instant < latest.end) return latest;
  let day = dayAt(instant, zone);
  let end = dayStart(addDays(day, 1), zone);
  // If the clocks go back across midnight, the previous day's date occurs again: the new day has already begun.
  if (end <= instant) {
    day = addDays(day, 1);
    end = dayStart(addDays(day, 1), zone);
  }
  const start = dayStart(day, zone);
  const span = { day, dayBefore: dayAt(start - 1, zone), start, end };
  latestSpans.set(zone, span);
  return span;
}
