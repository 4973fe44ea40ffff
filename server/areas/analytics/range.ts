import { comparisonDays } from '../../../contract/analytics/comparison';
import type { CompareMode, Granularity } from '../../../contract/analytics/schemas';
import { fail } from '../../http/failure';
import { DAY, HOUR, MINUTE, addDays, changeBetween, dayAt, dayCount, dayFromNumber, dayNumber, dayStart, instantOf, labelAt, wallAt } from '../../zone';
import type { Day } from '../../zone';

/** Longest range: three years. */
export const MAX_DAYS = 1096;
/** Longest range by hours: 744 steps are the most that a chart can show. */
export const MAX_HOUR_DAYS = 31;

/** Days of a site, and the instants [start, end) that they cover. */
export type Range = { readonly from: Day; readonly to: Day; readonly zone: string; readonly start: number; readonly end: number };

/** A step of the time axis; `start` and `end` are epoch ms. */
export type Step = { readonly label: string; readonly start: number; readonly end: number };

export type RangeQuery = {
  readonly from: Day;
  readonly to: Day;
  readonly gran?: Granularity | undefined;
  readonly compare: CompareMode;
  readonly compareFrom?: Day | undefined;
  readonly compareTo?: Day | undefined;
};

export type Plan = {
  readonly range: Range;
  readonly gran: Granularity;
  readonly comparison: Range | null;
  /** Where the comparison ends because the range is not over yet; null if it is counted completely. */
  readonly compareUntil: number | null;
};

/** Both days are included. Throws `range_not_allowed` for a range that ends before it begins, is longer than three years or lies outside 1971–2199. */
export function rangeOf(from: Day, to: Day, zone: string): Range {
  const days = dayCount(from, to);
  if (!(days >= 1 && days <= MAX_DAYS) || from < '1971-01-01' || to > '2199-12-31') fail('range_not_allowed');
  return { from, to, zone, start: dayStart(from, zone), end: dayStart(addDays(to, 1), zone) };
}

/** The days that a list of visits is limited to; null: no limit. Throws like `rangeOf`, and if only one end is given. */
export function beganIn({ from, to }: { readonly from?: Day | undefined; readonly to?: Day | undefined }, zone: string): Range | null {
  if (from === undefined && to === undefined) return null;
  return from === undefined || to === undefined ? fail('range_not_allowed') : rangeOf(from, to, zone);
}

/** Hours up to two days, days up to a quarter, weeks up to a year, months beyond. */
export function defaultGranularity(days: number): Granularity {
  if (days <= 2) return 'hour';
  if (days <= 92) return 'day';
  return days <= 366 ? 'week' : 'month';
}

/** Minutes for today only, hours up to 31 days, the others always. */
export function allowsGranularity(range: Range, gran: Granularity, now: number): boolean {
  if (gran === 'minute') return range.from === range.to && range.from === dayAt(now, range.zone);
  return gran !== 'hour' || dayCount(range.from, range.to) <= MAX_HOUR_DAYS;
}

/** The range with which another is compared, by the rule of the contract; null without a comparison. Throws `range_not_allowed`. */
export function comparisonOf(range: Range, { compare, compareFrom, compareTo }: RangeQuery): Range | null {
  const custom = compareFrom === undefined || compareTo === undefined ? null : { from: compareFrom, to: compareTo };
  if (compare === 'custom' && custom === null) fail('range_not_allowed');
  const days = comparisonDays(range, compare, custom);
  return days && rangeOf(days.from, days.to, range.zone);
}

/** The instant in the comparison that corresponds to `now` in the range: the same number of days and the same time of day from its start. */
export function comparableUntil(range: Range, comparison: Range, now: number): number | null {
  if (now < range.start || now >= range.end) return null;
  const today = dayAt(now, range.zone);
  const day = addDays(comparison.from, dayNumber(today) - dayNumber(range.from));
  if (day > comparison.to) return null;
  const timeOfDay = wallAt(now, range.zone) - dayNumber(today) * DAY;
  return Math.min(instantOf(day, timeOfDay, range.zone), comparison.end);
}

/** The range, granularity and comparison of a report. Throws `range_not_allowed`. */
export function planRange(query: RangeQuery, zone: string, now: number): Plan {
  const range = rangeOf(query.from, query.to, zone);
  const gran = query.gran ?? defaultGranularity(dayCount(range.from, range.to));
  if (!allowsGranularity(range, gran, now)) fail('range_not_allowed');
  const comparison = comparisonOf(range, query);
  // Minutes are allowed for today only, which the comparison never is, so its length is checked instead: its own axis uses the same granularity.
  if (comparison && gran === 'hour' && dayCount(comparison.from, comparison.to) > MAX_HOUR_DAYS) fail('range_not_allowed');
  if (comparison && gran === 'minute' && comparison.from !== comparison.to) fail('range_not_allowed');
  return { range, gran, comparison, compareUntil: comparison ? comparableUntil(range, comparison, now) : null };
}

/** The steps of a series that ends with its range or with now. Throws `range_not_allowed`. */
export function seriesSteps(
  query: Pick<RangeQuery, 'from' | 'to' | 'gran'>,
  zone: string,
  now: number,
): { readonly gran: Granularity; readonly steps: readonly Step[] } {
  const { range, gran } = planRange({ ...query, compare: 'none' }, zone, now);
  return { gran, steps: stepsOf(range, gran).filter(({ start }) => start <= now) };
}

/** Instants at which the days of a range begin. A day that a zone skipped (Apia, 30 December 2011) has none. */
export function dayEdges(range: Range): number[] {
  const edges: number[] = [];
  for (let n = dayNumber(range.from), last = dayNumber(range.to); n <= last; n += 1) edges.push(dayStart(dayFromNumber(n), range.zone));
  return edges.filter((edge, index) => edge < (edges[index + 1] ?? range.end));
}

/**
 * Local-time steps of `size` ms. A clock change also begins a step: a repeated hour appears twice, a skipped hour not at all, and where clocks move by half an
 * hour the steps around the change are shorter.
 */
function clockEdges(range: Range, size: number): number[] {
  const edges: number[] = [];
  const days = dayEdges(range);
  for (const [index, day] of days.entries()) {
    const end = days[index + 1] ?? range.end;
    const changes = changeBetween(day, end, range.zone) !== null;
    let at = day;
    while (at < end) {
      edges.push(at);
      const next = at + size - (changes || at === day ? ((wallAt(at, range.zone) % size) + size) % size : 0);
      at = Math.min((changes ? changeBetween(at, next, range.zone) : null) ?? next, end);
    }
  }
  return edges;
}

const beginsWeek = (day: Day): boolean => new Date(dayNumber(day) * DAY).getUTCDay() === 1;
const beginsMonth = (day: Day): boolean => day.endsWith('-01');

/** Instants at which the steps of a range begin. Weeks begin on Monday; the first week or month begins with the range. */
export function edgesOf(range: Range, gran: Granularity): number[] {
  switch (gran) {
    case 'minute':
      return clockEdges(range, MINUTE);
    case 'hour':
      return clockEdges(range, HOUR);
    case 'day':
      return dayEdges(range);
    case 'week':
    case 'month': {
      const begins = gran === 'week' ? beginsWeek : beginsMonth;
      return dayEdges(range).filter((edge, index) => index === 0 || begins(dayAt(edge, range.zone)));
    }
  }
}

/** An axis in minutes shows the last six hours, the most steps that a chart can draw separately; other axes are shown completely. */
export const MINUTE_HOURS = 6;
export const shownSteps = (steps: readonly Step[], gran: Granularity, until: number): readonly Step[] =>
  gran === 'minute' ? steps.filter(({ start }) => start <= until && start > until - MINUTE_HOURS * HOUR) : steps;

/** The complete time axis of a range, without gaps. */
export function stepsOf(range: Range, gran: Granularity): Step[] {
  const edges = edgesOf(range, gran);
  return edges.map((start, index) => ({ label: labelAt(start, range.zone), start, end: edges[index + 1] ?? range.end }));
}
