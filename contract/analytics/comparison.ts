import { type DayRange, addDays, addMonths, dayCount, isWholeMonths, monthCount, monthStart } from '../days';
import type { CompareMode, Granularity } from './terms';

/** Moved back by the fewest whole weeks that avoid an overlap, so that a Monday is compared with a Monday. */
function sameWeekdays(range: DayRange): DayRange {
  const by = Math.ceil(dayCount(range) / 7) * 7;
  return { from: addDays(range.from, -by), to: addDays(range.to, -by) };
}

/** The shortest of month, quarter and year that begins with the range and contains it, in months; complete months by their number; null: neither. */
function calendarMonths(range: DayRange): number | null {
  if (range.from !== monthStart(range.from)) return null;
  const months = monthCount(range);
  if (isWholeMonths(range)) return months;
  const monthOfYear = Number(range.from.slice(5, 7)) - 1;
  return [1, 3, 12].find((period) => monthOfYear % period === 0 && months <= period) ?? null;
}

/** The calendar period before; of an unfinished one the same days of the one before, as far as the month has them. */
function calendarBefore(range: DayRange): DayRange | null {
  const months = calendarMonths(range);
  if (months === null) return null;
  const to = isWholeMonths(range) ? addDays(addMonths(addDays(range.to, 1), -months), -1) : addMonths(range.to, -months);
  return { from: addMonths(range.from, -months), to };
}

/** A day, and days that fill whole weeks, are no beginning of a month, even if they begin with one. */
function isDaysOrWeeks(range: DayRange): boolean {
  const days = dayCount(range);
  return (days === 1 || days % 7 === 0) && !isWholeMonths(range);
}

/**
 * The days with which a range is compared; console and server compute them here.
 * - `previous`: a calendar month, quarter or year, complete or begun, with the one before; any other range, and a day or whole weeks, as `weekday` does.
 * - `calendar`: the same, without the exception for a day and whole weeks: what “this month” means on its first and seventh day.
 * - `weekday`: moved back by the fewest whole weeks that avoid an overlap.
 * - `year`: the same dates a year earlier; 29 February becomes the 28th.
 * - `custom`: the given days; null without them.
 *
 * Only `year` and `custom` can overlap the range.
 */
export function comparisonDays(range: DayRange, mode: CompareMode, custom: DayRange | null): DayRange | null {
  switch (mode) {
    case 'none':
      return null;
    case 'previous':
      return isDaysOrWeeks(range) ? sameWeekdays(range) : (calendarBefore(range) ?? sameWeekdays(range));
    case 'calendar':
      return calendarBefore(range) ?? sameWeekdays(range);
    case 'weekday':
      return sameWeekdays(range);
    case 'year':
      return { from: addMonths(range.from, -12), to: addMonths(range.to, -12) };
    case 'custom':
      return custom;
  }
}

/** Names a bucket by its day, counted from the first, and its local time; a repeated hour gets a number. */
function bucketKeys(labels: readonly string[], gran: Granularity): string[] {
  const first = labels[0]?.slice(0, 10) ?? '';
  const repeats = new Map<string, number>();
  return labels.map((label, index) => {
    if (gran === 'week' || gran === 'month') return String(index);
    const day = dayCount({ from: first, to: label.slice(0, 10) });
    const key = gran === 'day' ? String(day) : `${day} ${label.slice(11)}`;
    const repeat = (repeats.get(key) ?? 0) + 1;
    repeats.set(key, repeat);
    return repeat === 1 ? key : `${key} ${repeat}`;
  });
}

/**
 * For each bucket of a series that of its comparison: the same day from the start and the same local time, so that a day of 23 or 25 hours shifts nothing.
 * undefined where the comparison has none. Weeks and months correspond by position.
 */
export function matchBuckets<B extends { readonly label: string }>(series: readonly B[], comparison: readonly B[], gran: Granularity): (B | undefined)[] {
  const keysOf = (buckets: readonly B[]): string[] =>
    bucketKeys(
      buckets.map(({ label }) => label),
      gran,
    );
  const found = new Map(keysOf(comparison).map((key, index) => [key, comparison[index]]));
  return keysOf(series).map((key) => found.get(key));
}
