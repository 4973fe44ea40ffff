import { addDays, isDay, weekStart } from './days';
import type { Day } from './days';

/** A calendar day from typed text: `2026-11-20`, also `2026/1/2`, `2026.1.2`, `20260102` or `2026年1月2日`. null: not a calendar day. */
export function readDay(text: string): Day | null {
  const plain = text.trim();
  const match = /^(\d{4})[-/.\u5e74](\d{1,2})[-/.\u6708](\d{1,2})\u65e5?$/.exec(plain) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(plain);
  if (!match) return null;
  const [, year = '', month = '', day = ''] = match;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(iso) ? iso : null;
}

/** A time of day, `08:30:00`, from `8:30`, `08:30:15` or `0830`. null: not a time of day. */
export function readTime(text: string): string | null {
  const plain = text.trim();
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(plain) ?? /^(\d\d)(\d\d)$/.exec(plain);
  if (!match) return null;
  const [, hour = '', minute = '', second = '00'] = match;
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60 ? `${hour.padStart(2, '0')}:${minute}:${second}` : null;
}

/** The six weeks, from Monday, that cover a month; `month` is `2026-11`. */
export function weeksOf(month: string): readonly Day[] {
  const start = weekStart(`${month}-01`);
  return Array.from({ length: 42 }, (_, place) => addDays(start, place));
}

/** The month `count` months after `month`, `2026-11`. */
export function addMonth(month: string, count: number): string {
  const [year = 2000, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
