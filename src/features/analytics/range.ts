import type { CompareMode, Granularity } from '@contract/analytics/schemas';
import { comparisonDays } from '@contract/analytics/comparison';
import { isWholeMonths, monthCount } from '@contract/days';
import { addDays, addMonths, type Day, type DayRange, dayCount, monthStart, weekStart } from '@/lib/days';

export type Range = DayRange;
export const presets = [
  'today',
  'yesterday',
  'last7',
  'last14',
  'last30',
  'last90',
  'thisWeek',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const;
export type Preset = (typeof presets)[number];

/** The days of a preset; ranges named "last n days" include today. */
export const presetRange = (preset: Preset, today: Day): Range => {
  const lastMonth = addMonths(monthStart(today), -1);
  const year = Number(today.slice(0, 4));
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'last7':
      return { from: addDays(today, -6), to: today };
    case 'last14':
      return { from: addDays(today, -13), to: today };
    case 'last30':
      return { from: addDays(today, -29), to: today };
    case 'last90':
      return { from: addDays(today, -89), to: today };
    case 'thisWeek':
      return { from: weekStart(today), to: today };
    case 'lastWeek':
      return { from: addDays(weekStart(today), -7), to: addDays(weekStart(today), -1) };
    case 'thisMonth':
      return { from: monthStart(today), to: today };
    case 'lastMonth':
      return { from: lastMonth, to: addDays(monthStart(today), -1) };
    case 'thisYear':
      return { from: `${year}-01-01`, to: today };
    case 'lastYear':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
  }
};

/** The range between two chosen days, in order. */
export const orderedRange = (one: Day, other: Day): Range => (one <= other ? { from: one, to: other } : { from: other, to: one });

/** The previous or next period of the same length; whole months shift by whole months. */
export const shiftRange = (range: Range, direction: -1 | 1): Range => {
  if (isWholeMonths(range)) {
    const months = direction * monthCount(range);
    return { from: addMonths(range.from, months), to: addDays(addMonths(addDays(range.to, 1), months), -1) };
  }
  const by = direction * dayCount(range);
  return { from: addDays(range.from, by), to: addDays(range.to, by) };
};

/** What “the previous period” of a preset means where its days alone do not say it: on 20 January this year and this month are the same days. */
const previousOf: Readonly<Record<Preset | 'custom', CompareMode>> = {
  today: 'weekday',
  yesterday: 'weekday',
  last7: 'weekday',
  last14: 'weekday',
  last30: 'weekday',
  last90: 'weekday',
  thisWeek: 'weekday',
  lastWeek: 'weekday',
  thisMonth: 'calendar',
  lastMonth: 'calendar',
  thisYear: 'year',
  lastYear: 'calendar',
  custom: 'previous',
};

/** The comparison to request for a choice of range and comparison. */
export const compareModeOf = (preset: Preset | 'custom', compare: CompareMode): CompareMode => (compare === 'previous' ? previousOf[preset] : compare);

type Compared = { readonly preset: Preset | 'custom'; readonly range: Range; readonly compare: CompareMode; readonly compareTo: Range | null };

/** The days that the server compares with; null without a comparison. */
export const compareRange = ({ preset, range, compare, compareTo }: Compared): Range | null => comparisonDays(range, compareModeOf(preset, compare), compareTo);

/** Granularities that give a readable line for a range; the first is the default. Minutes are available for today only. */
export const granularitiesFor = (range: Range, today: Day): readonly Granularity[] => {
  const days = dayCount(range);
  if (days <= 1) return range.to === today ? ['hour', 'minute'] : ['hour'];
  if (days <= 2) return ['hour', 'day'];
  if (days <= 14) return days < 8 ? ['day', 'hour'] : ['day', 'hour', 'week'];
  if (days <= 31) return ['day', 'hour', 'week'];
  if (days <= 92) return ['day', 'week', 'month'];
  if (days <= 400) return ['week', 'day', 'month'];
  return ['month', 'week'];
};
