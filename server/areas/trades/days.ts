import { addDays, dayAt, dayNumber } from '../../zone';
import type { Day } from '../../zone';

/** The time zone of the ledger: its days apply to order numbers, due dates, renewals and statements, independent of the reader. */
export const ledgerZone = 'Asia/Shanghai';
export const ledgerDay = (at: number): Day => dayAt(at, ledgerZone);

/** Whole days from `a` to `b`. */
export const daysBetween = (a: Day, b: Day): number => dayNumber(b) - dayNumber(a);

const partsOf = (day: Day): [year: number, month: number, dayOfMonth: number] => {
  const [y = 0, m = 1, d = 1] = day.split('-').map(Number);
  return [y, m, d];
};
const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The day `dayOfMonth` of the month that is `months` after that of `day`, or the last day of a month that is shorter. */
function inMonth(day: Day, months: number, dayOfMonth: number): Day {
  const [y, m] = partsOf(day);
  const index = y * 12 + (m - 1) + months;
  const [year, month] = [Math.floor(index / 12), (index % 12) + 1];
  return new Date(Date.UTC(year, month - 1, Math.min(dayOfMonth, lastDayOf(year, month)))).toISOString().slice(0, 10);
}

/** Both ends are inclusive. */
export type Period = { readonly from: Day; readonly to: Day };

/**
 * The following period of the same length. Whole months stay whole months: a month from 31 January ends on 27 February and is followed by one that ends on 30
 * March, because the end of a month stays the end of a month. Other periods are counted in days.
 */
export function nextPeriod({ from, to }: Period): Period {
  const end = addDays(to, 1);
  const [fromYear, fromMonth, fromDay] = partsOf(from);
  const [endYear, endMonth, endDay] = partsOf(end);
  const months = (endYear - fromYear) * 12 + endMonth - fromMonth;
  const whole = months > 0 && (inMonth(from, months, fromDay) === end || inMonth(end, -months, endDay) === from);
  if (!whole) return { from: end, to: addDays(to, daysBetween(from, end)) };
  const monthEnds = fromDay === lastDayOf(fromYear, fromMonth) && endDay === lastDayOf(endYear, endMonth);
  return { from: end, to: addDays(inMonth(end, months, monthEnds ? 31 : Math.max(fromDay, endDay)), -1) };
}
