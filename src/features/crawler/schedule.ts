/** How often a crawler runs, as people choose it. `custom`: any cron expression of five fields. */
export type Schedule =
  | { readonly every: 'never' }
  | { readonly every: 'day'; readonly time: string }
  | { readonly every: 'week'; readonly time: string; readonly weekday: number }
  | { readonly every: 'month'; readonly time: string; readonly day: number }
  | { readonly every: 'custom'; readonly expression: string };

const two = (value: string | undefined): string => (value ?? '').padStart(2, '0');

export function readSchedule(expression: string | null): Schedule {
  if (expression === null) return { every: 'never' };
  const found = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[0-6])$/.exec(expression);
  if (!found) return { every: 'custom', expression };
  const [, minute, hour, day, weekday] = found;
  const time = `${two(hour)}:${two(minute)}`;
  if (day === '*' && weekday === '*') return { every: 'day', time };
  if (day === '*') return { every: 'week', time, weekday: Number(weekday) };
  return weekday === '*' ? { every: 'month', time, day: Number(day) } : { every: 'custom', expression };
}

export function writeSchedule(schedule: Schedule): string | null {
  if (schedule.every === 'never') return null;
  if (schedule.every === 'custom') return schedule.expression.trim();
  const [hour = 0, minute = 0] = schedule.time.split(':').map(Number);
  const at = `${String(minute)} ${String(hour)}`;
  if (schedule.every === 'day') return `${at} * * *`;
  return schedule.every === 'week' ? `${at} * * ${String(schedule.weekday)}` : `${at} ${String(schedule.day)} * *`;
}
