import type { CompareMode, Granularity } from '@contract/analytics/schemas';
import { addDays, addMonths, type Day, dayCount } from '@/lib/days';

export type Range = { readonly from: Day; readonly to: Day };
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

const monthStart = (day: Day): Day => `${day.slice(0, 8)}01`;
/** Weeks begin on Monday (ISO 8601), as in the server's reports. */
const weekStart = (day: Day): Day => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

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
  const wholeMonths = range.from.endsWith('-01') && addDays(range.to, 1).endsWith('-01');
  if (wholeMonths) {
    const end = addDays(range.to, 1);
    const months = (Number(end.slice(0, 4)) - Number(range.from.slice(0, 4))) * 12 + Number(end.slice(5, 7)) - Number(range.from.slice(5, 7));
    return { from: addMonths(range.from, direction * months), to: addDays(addMonths(end, direction * months), -1) };
  }
  const by = direction * dayCount(range);
  return { from: addDays(range.from, by), to: addDays(range.to, by) };
};

/**
 * The days of a comparison, as the server computes them: the preceding period; whole weeks back so that weekdays match; the same days a year earlier.
 */
export const compareRange = (range: Range, mode: CompareMode, custom: Range | null): Range | null => {
  const length = dayCount(range);
  switch (mode) {
    case 'none':
      return null;
    case 'previous':
      return { from: addDays(range.from, -length), to: addDays(range.to, -length) };
    case 'weekday': {
      const by = Math.ceil(length / 7) * 7;
      return { from: addDays(range.from, -by), to: addDays(range.to, -by) };
    }
    case 'year':
      return { from: addMonths(range.from, -12), to: addMonths(range.to, -12) };
    case 'custom':
      return custom;
  }
};

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
