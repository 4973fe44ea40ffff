import type { QuietHours } from '../../../contract/contacts/schemas';

const minute = 60_000;
const day = 24 * 60;
/** Maximum clock change of any zone, in minutes. */
const largestShift = 180;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const clocks = new Map<string, Intl.DateTimeFormat>();
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clocks.set(timeZone, clock);
  return clock;
}

/** Minutes since midnight in local time of this zone. */
const wallClock = (timeZone: string, at: number): number => minutesOf(clockOf(timeZone).format(at));

const inside = (now: number, from: number, to: number): boolean => (from < to ? now >= from && now < to : now >= from || now < to);

/**
 * The end (epoch ms, a whole minute) of the quiet hours that contain `at`; null outside quiet hours. Local time of the zone is used, so a night with a change
 * to or from daylight saving time is shorter or longer by that hour. Quiet hours that begin and end at the same time are empty.
 */
export function quietUntil({ timeZone, from, to }: QuietHours, at: number): number | null {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const now = wallClock(timeZone, at);
  if (start === end || !inside(now, start, end)) return null;
  // Skips the remaining minutes minus the largest clock change; from there on local time is checked minute by minute.
  const remaining = (end - now + day) % day;
  let moment = Math.floor(at / minute) * minute + Math.max(1, remaining - largestShift) * minute;
  while (inside(wallClock(timeZone, moment), start, end)) moment += minute;
  return moment;
}
