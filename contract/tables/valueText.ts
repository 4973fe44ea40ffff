/**
 * Parses and formats plain-text values: numbers, durations, dates, moments and lists, as written in either language. Pure; used by the field types
 * (`fieldTypes/`).
 */

// ---------- Numbers ----------

/** Full-width digits and signs as ASCII. */
export const narrow = (text: string): string => text.normalize('NFKC');
const units: Readonly<Record<string, number>> = { 千: 3, 万: 4, 萬: 4, 亿: 8, 億: 8, k: 3, m: 6, b: 9 };
const currencySigns = /^(?:[¥$€£₩₹]|CN¥|US\$|HK\$|RMB|CNY|USD|EUR)\s*|\s*(?:元|圆|块|RMB|CNY|USD|EUR)$/giu;

/**
 * Parses a number: `1,234.5`, `１２３`, `1.2万`, `3亿`, `1.20E+03`, `(12)`, `¥ 5`, `12.5 %`. Decimal text, or null. Groups must have three digits (`1,23` is
 * no number: it may mean 1.23).
 */
export function readNumber(input: string): string | null {
  let text = narrow(input).trim().replaceAll(currencySigns, '').replace(/\s*%$/, '');
  const negative = /^\((.*)\)$/.exec(text);
  if (negative) text = `-${negative[1] ?? ''}`;
  text = text.replace(/^[−–]/, '-').replace(/^([+-])\s*(?:[¥$€£]\s*)?/, '$1');
  const power = /^([+-]?)(\d+)(?:\.(\d*))?e([+-]?\d{1,2})$/i.exec(text);
  if (power) return movedPoint(power[1] ?? '', power[2] ?? '', power[3] ?? '', Number(power[4]));
  const match = /^([+-]?)(\d{1,3}(?:[,' \u00a0]\d{3})+|\d*)(?:\.(\d*))?\s*([千万萬亿億]|[kmb])?$/iu.exec(text);
  if (!match) return null;
  const [, sign = '', grouped = '', part = '', unit = ''] = match;
  const whole = grouped.replaceAll(/[,' \u00a0]/g, '');
  if (whole === '' && part === '') return null;
  const shift = units[unit.toLowerCase()] ?? 0;
  const moved = part.padEnd(shift, '0');
  const before = (whole + moved.slice(0, shift)).replace(/^0+(?=\d)/, '') || '0';
  const after = moved.slice(shift);
  const zero = /^0*$/.test(before + after);
  return `${sign === '-' && !zero ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

/** Expands scientific notation, as spreadsheets show large numbers: 1.20E+03 is 1200. Drops insignificant trailing zeros. */
function movedPoint(sign: string, whole: string, part: string, power: number): string {
  const digits = `${'0'.repeat(Math.max(0, -power))}${whole}${part}${'0'.repeat(Math.max(0, power))}`;
  const point = Math.max(0, -power) + whole.length + power;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(point).replace(/0+$/, '');
  const zero = /^0*$/.test(before + after);
  return `${sign === '-' && !zero ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

/** Parses a duration: `1:30` is a minute and a half, `1:02:03` over an hour; `90` seconds; `1h 30m`, `1小时30分`. Whole seconds, or null. */
export function readDuration(input: string): number | null {
  const text = narrow(input).trim().toLowerCase();
  const sign = text.startsWith('-') ? -1 : 1;
  const rest = text.replace(/^[+-]\s*/, '');
  if (/^\d+$/.test(rest)) return sign * Number(rest);
  const clock = /^(?:(\d+):)?(\d+):([0-5]\d)$/.exec(rest);
  if (clock) {
    const [, hours = '0', minutes = '0', seconds = '0'] = clock;
    if (clock[1] !== undefined && Number(minutes) > 59) return null;
    return sign * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  }
  const match =
    /^(?:(\d+)\s*(?:d|天|日))?\s*(?:(\d+)\s*(?:h|hr|hours?|小时|时))?\s*(?:(\d+)\s*(?:m|min|minutes?|分钟?))?\s*(?:(\d+)\s*(?:s|sec|seconds?|秒钟?))?$/.exec(
      rest,
    );
  if (!match || rest === '') return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return sign * (Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
/** `1:30`, `1:02:03`, `0:05`. */
export function durationText(seconds: number): string {
  const all = Math.abs(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${seconds < 0 ? '-' : ''}${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(rest)}`;
}

// ---------- Dates ----------

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const two = (part: number): string => String(part).padStart(2, '0');
function dayOf(year: number, month: number, day: number): string | null {
  if (year < 1 || year > 9999) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` : null;
}

/**
 * Parses a date: `2026-11-20`, `2026/11/20`, `2026.11.20`, `20261120`, `2026年11月20日`, `20 Nov 2026`, `Nov 20, 2026`. `11/20/2026` only if unambiguous
 * (the second number is above 12); ambiguous dates are refused. A time after it is ignored.
 */
export function readDate(input: string): string | null {
  const text = narrow(input).trim().toLowerCase();
  const year = /^(\d{4})\s*([-/.年])\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?(?=$|[\st])/.exec(text);
  if (year) return dayOf(Number(year[1]), Number(year[3]), Number(year[4]));
  const plain = /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (plain) return dayOf(Number(plain[1]), Number(plain[2]), Number(plain[3]));
  const named = /^(?:(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?|([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?),?\s+(\d{4})(?=$|[\s,])/.exec(text);
  if (named) {
    const month = months.indexOf((named[2] ?? named[3] ?? '').slice(0, 3));
    return month < 0 ? null : dayOf(Number(named[5]), month + 1, Number(named[1] ?? named[4]));
  }
  const parts = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?=$|\s)/.exec(text);
  if (!parts) return null;
  const [first, second, last] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (first > 12) return dayOf(last, second, first);
  return second > 12 || first === second ? dayOf(last, first, second) : null;
}

/** Parses a time of day: `9:05`, `09:05:30`, `下午3:30`, `3:30 pm`, `15点30分`, `9am`. `HH:MM:SS`, or null. */
export function readTime(input: string): string | null {
  const text = narrow(input).trim().toLowerCase();
  const match =
    /^(上午|早上|凌晨|中午|下午|晚上)?\s*(\d{1,2})(?:\s*[:点时]\s*(\d{1,2})?\s*(?:分)?(?:\s*:?\s*(\d{1,2})\s*(?:秒)?)?(?:\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?$/.exec(
      text,
    );
  if (!match || (match[3] === undefined && match[5] === undefined && match[1] === undefined && !/[点时]/.test(text))) return null;
  const [, chinese = '', hour = '0', minute = '0', second = '0', english = ''] = match;
  const later = /下午|晚上/.test(chinese) || english.startsWith('p') || (chinese === '中午' && Number(hour) < 11);
  const earlier = /上午|早上|凌晨/.test(chinese) || english.startsWith('a');
  let hours = Number(hour);
  if ((later || earlier) && hours > 12 && english !== '') return null;
  if (later && hours < 12) hours += 12;
  if (earlier && hours === 12) hours = 0;
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return `${two(hours)}:${two(Number(minute))}:${two(Number(second))}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();
/** Formats `2026-11-20 17:05:00` in a zone. Cached: creating a formatter takes fifty times as long as using it. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) clocks.set(timeZone, (clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })));
  return clock;
}
/** Offset of a zone from UTC at an instant, ms. */
function aheadAt(instant: number, timeZone: string): number {
  // Years before 1000 are formatted with fewer digits.
  const local = clockOf(timeZone).format(instant).padStart(19, '0');
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
/** Parses a moment: date and time in the zone, or ISO 8601 with a UTC offset. A date alone means midnight. ISO 8601 in UTC, or null. */
export function readMoment(input: string, timeZone = 'UTC'): string | null {
  const text = narrow(input).trim();
  const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d:?\d\d)$/i.exec(text);
  if (iso) {
    const at = new Date(text.replace(' ', 'T').replace(/\s/g, ''));
    return dayOf(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))) === null || Number.isNaN(at.getTime())
      ? null
      : at.toISOString();
  }
  const split = /^(.*?(?:\d{4}|[日号]|\d))(?:[tT]|\s+|(?<=[日号])\s*)((?:上午|早上|凌晨|中午|下午|晚上)?\s*\d{1,2}\s*[:点时].*|\d{1,2}\s*[ap]\.?m\.?)$/i.exec(
    text,
  );
  const day = readDate(split?.[1] ?? text);
  const time = split ? readTime((split[2] ?? '').replace(/\.\d+$/, '')) : '00:00:00';
  if (day === null || time === null) return null;
  const [, thousandths = ''] = /:\d{1,2}:\d{1,2}\.(\d{1,3})\d*$/.exec(split?.[2] ?? '') ?? [];
  const wall = Date.parse(`${day}T${time}.${thousandths.padEnd(3, '0')}Z`);
  if (Number.isNaN(wall)) return null;
  // Twice: the first guess may be on the other side of a change of local time.
  const first = wall - aheadAt(wall, timeZone);
  if (Number.isNaN(first)) return null;
  const at = new Date(wall - aheadAt(first, timeZone));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
/** `2026-11-20T17:05:00.000Z` in local time of a zone; null if it is no moment. */
function wallOf(iso: string, timeZone: string): string | null {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? null : new Date(at.getTime() + aheadAt(at.getTime(), timeZone)).toISOString();
}
/** `2026-11-20 17:05:00.123` in the zone. */
export const exactMomentText = (iso: string, timeZone = 'UTC'): string => wallOf(iso, timeZone)?.replace('T', ' ').replace('Z', '') ?? '';
/** `2026-11-20 17:05:00` in the zone; seconds are omitted if zero. */
export function momentText(iso: string, timeZone = 'UTC'): string {
  const local = wallOf(iso, timeZone);
  if (local === null) return '';
  return `${local.slice(0, 10)} ${local.slice(17, 19) === '00' ? local.slice(11, 16) : local.slice(11, 19)}`;
}

// ---------- Lists ----------

/** `a, b、c；d`, also on several lines; a quoted part keeps its commas (`"a, b", c`). */
export function splitList(input: string): string[] {
  const parts: string[] = [];
  for (const match of input.matchAll(/\s*(?:"((?:[^"]|"")*)"(?=\s*(?:[,，、;；\n]|$))|([^,，、;；\n]*))(?:[,，、;；\n]|$)/g)) {
    const part = match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"');
    if (part !== '') parts.push(part);
  }
  return [...new Set(parts)];
}
export const listText = (parts: readonly string[]): string =>
  parts.map((part) => (/[,，、;；\n"]/.test(part) || part !== part.trim() ? `"${part.replaceAll('"', '""')}"` : part)).join(', ');

export const yes = new Set(['true', 'yes', 'y', 'on', '1', '是', '对', '有', '真', '√', '✓', '✔', '☑', '✅', 'checked', '已完成']);
export const no = new Set(['false', 'no', 'n', 'off', '0', '否', '不', '无', '假', '×', '✗', '✘', '☐', '❌', 'unchecked']);

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter((one): one is string => typeof one === 'string') : [];

/**
 * Maximum length of numbers, moments and locations (UTF-16 units). Longer texts are not parsed: a megabyte of blanks would keep backtracking patterns
 * busy for an hour.
 */
export const longestRead = 1000;
