import type { StoredSupportSettings } from '../../../contract/support/settings';
import type { AwayReason } from '../../../contract/support/terms';
import { addDays, DAY, dayAt, instantOf, labelAt, MINUTE } from '../../zone';

export type Availability = {
  readonly open: boolean;
  readonly reason: AwayReason | null;
  /** When hours or the pause next open or close, epoch ms; null: not within two weeks. */
  readonly changesAt: number | null;
};

export type Hours = StoredSupportSettings['hours'];
/** An opening in epoch ms. */
type Span = { readonly from: number; readonly to: number };

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
/** 1: Monday. */
const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
const daysAhead = 15;

const wholeDay = { open: '00:00', close: '24:00' } as const;

/** Openings of a day of the time zone, in their order. */
export function openingsOn({ timeZone, always, week, holidays }: Hours, day: string): Span[] {
  if (holidays.some(({ date }) => date === day)) return [];
  const rows = always ? [wholeDay] : week.filter((row) => row.day === weekdayOf(day)).toSorted((a, b) => (a.open < b.open ? -1 : 1));
  return rows.flatMap(({ open, close }) => {
    const from = instantOf(day, minutesOf(open) * MINUTE, timeZone);
    const to = close === '24:00' ? instantOf(addDays(day, 1), 0, timeZone) : instantOf(day, minutesOf(close) * MINUTE, timeZone);
    return to > from ? [{ from, to }] : [];
  });
}

/** Openings from the day before to two weeks ahead, those that meet (22:00–24:00, 00:00–06:00) joined. */
function spansOf(hours: Hours, now: number): Span[] {
  const first = addDays(dayAt(now, hours.timeZone), -1);
  const spans: Span[] = [];
  for (let i = 0; i < daysAhead; i++)
    for (const { from, to } of openingsOn(hours, addDays(first, i))) {
      const last = spans.at(-1);
      if (last && last.to >= from) spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to) };
      else spans.push({ from, to });
    }
  return spans;
}

/** Whether visitors are answered now, by pause, hours and holidays, and by the number of agents who are there. */
export function availabilityOf(
  { hours, needsAgent }: Pick<StoredSupportSettings, 'hours' | 'needsAgent'>,
  { pausedUntil, agentsOnline, now }: { readonly pausedUntil: Date | null; readonly agentsOnline: number; readonly now: number },
): Availability {
  const paused = pausedUntil !== null && pausedUntil.getTime() > now ? pausedUntil.getTime() : null;
  const withinHours = ofHours(hours, now);
  if (paused !== null) return { open: false, reason: 'paused', changesAt: paused };
  if (!withinHours.open) return withinHours;
  if (needsAgent && agentsOnline === 0) return { open: false, reason: 'agents', changesAt: null };
  return withinHours;
}

/** The same by hours and holidays alone. */
export function ofHours(hours: Hours, now: number): Availability {
  const today = labelAt(now, hours.timeZone).slice(0, 10);
  const isHoliday = hours.holidays.some(({ date }) => date === today);
  if (hours.always)
    return isHoliday ? { open: false, reason: 'holiday', changesAt: endOfHolidays(hours, today) } : { open: true, reason: null, changesAt: null };
  const spans = spansOf(hours, now);
  const current = spans.find(({ from, to }) => from <= now && now < to);
  if (current) return { open: true, reason: null, changesAt: current.to - now > (daysAhead - 2) * DAY ? null : current.to };
  return { open: false, reason: isHoliday ? 'holiday' : 'hours', changesAt: spans.find(({ from }) => from > now)?.from ?? null };
}

/** Beginning of the first day after consecutive holidays. */
function endOfHolidays({ holidays, timeZone }: Hours, today: string): number {
  const closed = new Set(holidays.map(({ date }) => date));
  let day = addDays(today, 1);
  while (closed.has(day)) day = addDays(day, 1);
  return instantOf(day, 0, timeZone);
}
