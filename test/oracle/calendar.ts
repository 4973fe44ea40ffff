/** Days and steps of a time zone, derived from the wall clock that Intl shows, without computing boundaries. */

type Clock = { format: Intl.DateTimeFormat; read: Map<number, string> };
const clocks = new Map<string, Clock>();
/** `2026-11-01 01:30 GMT-04:00`; cached, as the same instants are formatted thousands of times. */
function clock(at: number, zone: string): string {
  let own = clocks.get(zone);
  if (!own) {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    });
    clocks.set(zone, (own = { format, read: new Map() }));
  }
  let text = own.read.get(at);
  if (text === undefined) own.read.set(at, (text = own.format.format(at)));
  return text;
}
export const dayOf = (at: number, zone: string): string => clock(at, zone).slice(0, 10);
/** `01:30`. */
export const timeOf = (at: number, zone: string): string => clock(at, zone).slice(11, 16);

export const laterDay = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
export function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = laterDay(day, 1)) days.push(day);
  return days;
}
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
/** The latest days before a range that fall on the same weekdays: tried one shift after the other. */
export function sameWeekdaysBefore(from: string, to: string): readonly [string, string] {
  for (let shift = 1; ; shift += 1) {
    const [first, last] = [laterDay(from, -shift), laterDay(to, -shift)];
    if (last < from && weekday(first) === weekday(from)) return [first, last];
  }
}
/** The days of the month before with the dates of a range that begins a month; of a complete month all of them. */
export function sameDatesOfMonthBefore(from: string, to: string): readonly [string, string] {
  const month = laterDay(from, -1).slice(0, 7);
  const all = daysFrom(laterDay(from, -31), laterDay(from, -1)).filter((day) => day.startsWith(month));
  const complete = laterDay(to, 1).slice(0, 7) !== to.slice(0, 7);
  const days = all.filter((day) => complete || day.slice(8) <= to.slice(8));
  return [days[0] ?? '', days.at(-1) ?? ''];
}

export type Gran = 'minute' | 'hour' | 'day' | 'week' | 'month';
/** Names the step of an instant; two hours with the same label and different offsets are distinct. */
export function stepOf(at: number, zone: string, gran: Gran): string {
  const text = clock(at, zone);
  if (gran === 'minute') return text;
  if (gran === 'hour') return `${text.slice(0, 13)} ${text.slice(17)}`;
  if (gran === 'day') return text.slice(0, 10);
  if (gran === 'month') return text.slice(0, 7);
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return `week of ${day.toISOString().slice(0, 10)}`;
}
