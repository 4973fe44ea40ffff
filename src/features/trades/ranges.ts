import { addDays, addMonths, isDay } from '@/lib/days';
import type { Day } from '@/lib/days';

export type Days = { readonly from: Day; readonly to: Day };
export const rangeIds = ['thisMonth', 'lastMonth', 'thisQuarter', 'thisYear', 'lastYear'] as const;
export type RangeId = (typeof rangeIds)[number];

const first = (day: Day): Day => `${day.slice(0, 7)}-01`;
/** The whole month of a day. */
export const monthOf = (day: Day): Days => ({ from: first(day), to: addDays(addMonths(first(day), 1), -1) });

/** Preset ranges of an account: whole months and years, as books are closed by them. */
export function rangeOf(id: RangeId, today: Day): Days {
  const year = Number(today.slice(0, 4));
  switch (id) {
    case 'thisMonth':
      return monthOf(today);
    case 'lastMonth':
      return monthOf(addMonths(first(today), -1));
    case 'thisQuarter': {
      const from = addMonths(first(today), -((Number(today.slice(5, 7)) - 1) % 3));
      return { from, to: addDays(addMonths(from, 3), -1) };
    }
    case 'thisYear':
      return { from: `${String(year)}-01-01`, to: `${String(year)}-12-31` };
    case 'lastYear':
      return { from: `${String(year - 1)}-01-01`, to: `${String(year - 1)}-12-31` };
  }
}

/** The preset that equals these days; `custom` if none does. */
export const rangeIdOf = (days: Days, today: Day): RangeId | 'custom' =>
  rangeIds.find((id) => {
    const range = rangeOf(id, today);
    return range.from === days.from && range.to === days.to;
  }) ?? 'custom';

/** Two days from the address; null unless both are valid and in order. */
export const readDays = (from: string, to: string): Days | null => (isDay(from) && isDay(to) && from <= to ? { from, to } : null);

/** The previous or next period: shifted by whole months if it consists of them, otherwise by its own length. */
export function shiftDays(days: Days, direction: -1 | 1): Days {
  const months = (Number(days.to.slice(0, 4)) - Number(days.from.slice(0, 4))) * 12 + Number(days.to.slice(5, 7)) - Number(days.from.slice(5, 7)) + 1;
  if (days.from === first(days.from) && days.to === monthOf(days.to).to) {
    const from = addMonths(days.from, direction * months);
    return { from, to: addDays(addMonths(from, months), -1) };
  }
  const length = Math.round((Date.parse(days.to) - Date.parse(days.from)) / 86_400_000) + 1;
  return { from: addDays(days.from, direction * length), to: addDays(days.to, direction * length) };
}
