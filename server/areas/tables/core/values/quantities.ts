import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { compareDecimals, decimalOf, withDecimals } from './decimal';
import { refuse } from './valueErrors';

const bound = (value: number | string | undefined): string | null => (typeof value === 'number' ? decimalOf(String(value)) : null);

function checkRange(decimal: string, { min, max }: FieldOptions): void {
  const [least, most] = [bound(min), bound(max)];
  if ((least !== null && compareDecimals(decimal, least) < 0) || (most !== null && compareDecimals(decimal, most) > 0))
    refuse('out_of_range', { ...(typeof min === 'number' ? { min } : {}), ...(typeof max === 'number' ? { max } : {}) });
}

/** A whole number within ±(2⁵³ − 1), also as a text of digits. */
export function integerOf(options: FieldOptions, raw: unknown): number {
  if (typeof raw === 'string' && !/^-?\d{1,17}$/.test(raw)) return refuse(/^-?\d+$/.test(raw) ? 'out_of_range' : 'wrong_type');
  if (typeof raw !== 'number' && typeof raw !== 'string') return refuse('wrong_type');
  const value = Number(raw);
  if (!Number.isFinite(value) || !Number.isInteger(value)) return refuse('wrong_type');
  if (!Number.isSafeInteger(value)) return refuse('out_of_range', { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
  checkRange(String(value === 0 ? 0 : value), options);
  return value === 0 ? 0 : value;
}

/** A decimal number as text, exact apart from insignificant zeros; with `decimals`, padded to that many decimals. */
export function numberOf(options: FieldOptions, raw: unknown): string {
  if (typeof raw !== 'number' && typeof raw !== 'string') return refuse('wrong_type');
  const decimal = decimalOf(String(raw));
  if (decimal === null) return refuse(typeof raw === 'string' && /^[+-]?\d+$/.test(raw) ? 'out_of_range' : 'wrong_type');
  const { decimals } = options;
  const exact = decimals === undefined ? decimal : withDecimals(decimal, decimals);
  // Numbers with too many digits are refused, never rounded.
  if (exact === null) return refuse('too_many_decimals', decimals === undefined ? {} : { max: decimals });
  checkRange(exact, options);
  return exact;
}

const lastDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Whether `YYYY-MM-DD` exists in the calendar. */
const isRealDay = (day: string): boolean => {
  const [year, month, date] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
  if (year < 1 || month < 1 || month > 12 || date < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return date <= (month === 2 && isLeap ? 29 : (lastDays[month - 1] ?? 0));
};
function checkDays(day: string, { min, max }: FieldOptions): void {
  if ((typeof min === 'string' && day < min) || (typeof max === 'string' && day > max)) refuse('out_of_range');
}

/** `YYYY-MM-DD`, an existing day in the years 1 to 9999. */
export function dateOf(options: FieldOptions, raw: unknown): string {
  if (typeof raw !== 'string') return refuse('wrong_type');
  if (!/^\d{4}-\d\d-\d\d$/.test(raw)) return refuse('pattern');
  if (!isRealDay(raw)) return refuse('out_of_range');
  checkDays(raw, options);
  return raw;
}

/** `HH:MM:SS`; seconds are optional. */
export function timeOf(raw: unknown): string {
  if (typeof raw !== 'string') return refuse('wrong_type');
  const match = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(raw);
  if (!match) return refuse('pattern');
  const [, hours = '', minutes = '', seconds = '00'] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return refuse('out_of_range');
  return `${hours}:${minutes}:${seconds}`;
}

/** Already in the stored format. */
const asKept = /^.{10}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
/** ISO 8601 with a UTC offset; stored in UTC, to the millisecond. */
export function datetimeOf(options: FieldOptions, raw: unknown): string {
  if (typeof raw !== 'string') return refuse('wrong_type');
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/.exec(raw);
  if (!match) return refuse('pattern');
  if (!isRealDay(match[1] ?? '')) return refuse('out_of_range');
  if (asKept.test(raw)) {
    checkDays(raw.slice(0, 10), options);
    return raw;
  }
  const at = new Date(raw);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999) return refuse('out_of_range');
  const text = at.toISOString();
  checkDays(text.slice(0, 10), options);
  return text;
}
