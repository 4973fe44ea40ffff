/** The local date and time of a point in time in a zone: `2026-11-20` and `08:05:00`. null: not a point in time. */
export function wallClockOf(iso: string, timeZone: string): { readonly day: string; readonly time: string } | null {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return null;
  const list = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(ms);
  const part = (type: string): string => list.find((one) => one.type === type)?.value ?? '00';
  return { day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}:${part('second')}` };
}

/**
 * The point in time of a local date and time in a zone, ISO 8601 in UTC. An ambiguous time (clocks set back) is the first of the two; a skipped time (clocks
 * set forward) moves on by the length of the gap. null: not a valid day or time.
 */
export function instantOf(day: string, time: string, timeZone: string): string | null {
  const asUtc = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (ms: number): number => {
    const wall = wallClockOf(new Date(ms).toISOString(), timeZone);
    return wall ? Date.parse(`${wall.day}T${wall.time}Z`) - ms : 0;
  };
  // The offsets a day before and a day after: at most one clock change lies between them.
  const offsets = [offsetAt(asUtc - 86_400_000), offsetAt(asUtc + 86_400_000)];
  const fitting = offsets.map((offset) => asUtc - offset).filter((ms) => offsetAt(ms) === asUtc - ms);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : asUtc - (offsets[0] ?? 0)).toISOString();
}

/** A point in time as the value of a `datetime-local` input: `2026-11-20T08:05` in the zone; '' for none. */
export const localOf = (iso: string | null, timeZone: string): string => {
  const wall = iso === null ? null : wallClockOf(iso, timeZone);
  return wall ? `${wall.day}T${wall.time.slice(0, 5)}` : '';
};
/**
 * The point in time of the value of a `datetime-local` input. null: empty or not a valid time. The seconds, which the input does not show, are those of
 * `stored` while hour and minute are its own.
 */
export const isoOf = (local: string, timeZone: string, stored: string | null): string | null => {
  const [day = '', time = ''] = local.split('T');
  if (day === '' || time === '') return null;
  const storedTime = stored === null ? '' : (wallClockOf(stored, timeZone)?.time ?? '');
  return instantOf(day, storedTime.startsWith(time) ? storedTime : time, timeZone);
};
