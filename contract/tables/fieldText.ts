import type { FieldOptions } from './schemas';
import { columnOf, tableLimits } from './terms';
import type { FieldType } from './terms';

/**
 * Between a value of a field and plain text: what a cell is copied and exported as, and how typed, pasted or imported text is read. Pure, for the
 * console and the server alike; both languages are understood whatever the reader's own is. Whether a value may be kept is decided where it is written.
 */
type TextField = { readonly type: FieldType; readonly options: Pick<FieldOptions, 'choices' | 'decimals'> };
/** Titles of records and people that ids stand for, and the zone in which moments are told (IANA). */
export type TextNames = {
  readonly records?: Readonly<Record<string, string>>;
  readonly people?: Readonly<Record<string, string>>;
  readonly timeZone?: string;
  /** What a choice is called that is not there any more; left out, it is its id, which leads back to the same value. */
  readonly removed?: string;
};
/** What the reader of a language calls a choice that is not there any more. */
export const removedChoice = (locale: string): string => (locale.startsWith('zh') ? '已删除的选项' : 'Removed choice');
/** How a text was read: a value for the field (`null`: nothing), or why it is none. `missing`: titles that name no choice (or no record or person). */
export type ReadText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'wrong_type' | 'unknown'; readonly missing: readonly string[] };
/** Ids by title, where a field holds ids of records or people. */
export type TextLookup = (title: string) => string | null;

const value = (given: unknown): ReadText => ({ ok: true, value: given });
const wrong: ReadText = { ok: false, code: 'wrong_type', missing: [] };

// ---------- Numbers ----------

/** Digits and signs of full width as the usual ones. */
const narrow = (text: string): string => text.normalize('NFKC');
const units: Readonly<Record<string, number>> = { 千: 3, 万: 4, 萬: 4, 亿: 8, 億: 8, k: 3, m: 6, b: 9 };
const currencySigns = /^(?:[¥$€£₩₹]|CN¥|US\$|HK\$|RMB|CNY|USD|EUR)\s*|\s*(?:元|圆|块|RMB|CNY|USD|EUR)$/giu;

/**
 * A number as people write it: `1,234.5`, `１２３`, `1.2万`, `3亿`, `1.20E+03`, `(12)`, `¥ 5`, `12.5 %`. Decimal text, or null. Groups must be whole (`1,23` is no number: it may
 * mean 1.23).
 */
export function readNumber(given: string): string | null {
  let text = narrow(given).trim().replaceAll(currencySigns, '').replace(/\s*%$/, '');
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

/** A number in powers of ten, as spreadsheets show large ones, written out: 1.20E+03 is 1200. Zeros that say nothing at the end of a fraction go. */
function movedPoint(sign: string, whole: string, part: string, power: number): string {
  const digits = `${'0'.repeat(Math.max(0, -power))}${whole}${part}${'0'.repeat(Math.max(0, power))}`;
  const point = Math.max(0, -power) + whole.length + power;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const after = digits.slice(point).replace(/0+$/, '');
  const zero = /^0*$/.test(before + after);
  return `${sign === '-' && !zero ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

/** `1:30` is a minute and a half, `1:02:03` an hour and more; `90` seconds; `1h 30m`, `1小时30分`. Whole seconds, or null. */
export function readDuration(given: string): number | null {
  const text = narrow(given).trim().toLowerCase();
  const sign = text.startsWith('-') ? -1 : 1;
  const rest = text.replace(/^[+-]\s*/, '');
  if (/^\d+$/.test(rest)) return sign * Number(rest);
  const clock = /^(?:(\d+):)?(\d+):([0-5]\d)$/.exec(rest);
  if (clock) {
    const [, hours = '0', minutes = '0', seconds = '0'] = clock;
    if (clock[1] !== undefined && Number(minutes) > 59) return null;
    return sign * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  }
  const words =
    /^(?:(\d+)\s*(?:d|天|日))?\s*(?:(\d+)\s*(?:h|hr|hours?|小时|时))?\s*(?:(\d+)\s*(?:m|min|minutes?|分钟?))?\s*(?:(\d+)\s*(?:s|sec|seconds?|秒钟?))?$/.exec(
      rest,
    );
  if (!words || rest === '') return null;
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = words;
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
  const made = new Date(0);
  made.setUTCFullYear(year, month - 1, day);
  return made.getUTCMonth() === month - 1 && made.getUTCDate() === day ? `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}` : null;
}

/**
 * A day: `2026-11-20`, `2026/11/20`, `2026.11.20`, `20261120`, `2026年11月20日`, `20 Nov 2026`, `Nov 20, 2026`. `11/20/2026` only where it cannot mean another
 * day (the second number is above 12); everything that could be two days is none. A time behind it is left out.
 */
export function readDate(given: string): string | null {
  const text = narrow(given).trim().toLowerCase();
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

/** A time of day: `9:05`, `09:05:30`, `下午3:30`, `3:30 pm`, `15点30分`, `9am`. `HH:MM:SS`, or null. */
export function readTime(given: string): string | null {
  const text = narrow(given).trim().toLowerCase();
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
/** Writes `2026-11-20 17:05:00` in a zone. Kept: making one takes fifty times as long as writing with it. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) clocks.set(timeZone, (clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })));
  return clock;
}
/** How far a zone is ahead of UTC at an instant, ms. */
function aheadAt(instant: number, timeZone: string): number {
  // The years before 1000 are written with fewer digits.
  const local = clockOf(timeZone).format(instant).padStart(19, '0');
  return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(instant / 1000) * 1000;
}
/** A moment: a day and a time in the zone, or ISO 8601 with its own distance from UTC. A day alone begins at midnight. ISO 8601 in UTC, or null. */
export function readMoment(given: string, timeZone = 'UTC'): string | null {
  const text = narrow(given).trim();
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
  // Twice: the first guess may lie on the other side of a change of the clock.
  const first = wall - aheadAt(wall, timeZone);
  if (Number.isNaN(first)) return null;
  const at = new Date(wall - aheadAt(first, timeZone));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
/** `2026-11-20T17:05:00.000Z` as the clock of a zone shows it; null of what is no moment. */
function wallOf(iso: string, timeZone: string): string | null {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? null : new Date(at.getTime() + aheadAt(at.getTime(), timeZone)).toISOString();
}
/** `2026-11-20 17:05:00.123` in the zone. */
export const exactMomentText = (iso: string, timeZone = 'UTC'): string => wallOf(iso, timeZone)?.replace('T', ' ').replace('Z', '') ?? '';
/** `2026-11-20 17:05:00` in the zone; seconds are left out where there are none. */
export function momentText(iso: string, timeZone = 'UTC'): string {
  const local = wallOf(iso, timeZone);
  if (local === null) return '';
  return `${local.slice(0, 10)} ${local.slice(17, 19) === '00' ? local.slice(11, 16) : local.slice(11, 19)}`;
}

// ---------- Lists ----------

/** `a, b、c；d`, also of several lines; a part in quotes keeps its commas (`"a, b", c`). */
export function splitList(given: string): string[] {
  const parts: string[] = [];
  for (const match of given.matchAll(/\s*(?:"((?:[^"]|"")*)"(?=\s*(?:[,，、;；\n]|$))|([^,，、;；\n]*))(?:[,，、;；\n]|$)/g)) {
    const part = match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"');
    if (part !== '') parts.push(part);
  }
  return [...new Set(parts)];
}
const listText = (parts: readonly string[]): string =>
  parts.map((part) => (/[,，、;；\n"]/.test(part) || part !== part.trim() ? `"${part.replaceAll('"', '""')}"` : part)).join(', ');

const yes = new Set(['true', 'yes', 'y', 'on', '1', '是', '对', '有', '真', '√', '✓', '✔', '☑', '✅', 'checked', '已完成']);
const no = new Set(['false', 'no', 'n', 'off', '0', '否', '不', '无', '假', '×', '✗', '✘', '☐', '❌', 'unchecked']);

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null && !Array.isArray(given);
const texts = (given: unknown): string[] => (Array.isArray(given) ? (given as readonly unknown[]).filter((one): one is string => typeof one === 'string') : []);

/** A value as plain text, for the clipboard and files; '' for nothing. Passwords are never text. */
export function textOf(field: TextField, given: unknown, names: TextNames = {}): string {
  if (given === null || given === undefined) return '';
  const choice = (id: string): string => field.options.choices?.find((one) => one.id === id)?.title ?? names.removed ?? id;
  switch (field.type) {
    case 'password':
      return '';
    case 'switch':
      return given === true ? '是' : '否';
    case 'duration':
      return typeof given === 'number' ? durationText(given) : '';
    case 'percent':
      return typeof given === 'string' ? `${given}%` : '';
    case 'datetime':
      return typeof given === 'string' ? momentText(given, names.timeZone) : '';
    case 'select':
      return typeof given === 'string' ? choice(given) : '';
    case 'multiSelect':
      return listText(texts(given).map(choice));
    case 'tags':
      return listText(texts(given));
    case 'user':
      return typeof given === 'string' ? (names.people?.[given] ?? given) : '';
    case 'relation':
      return typeof given === 'string' ? (names.records?.[given] ?? given) : '';
    case 'relations':
    case 'inverse':
      return listText(texts(given).map((id) => names.records?.[id] ?? id));
    case 'geo':
      return isObject(given) ? `${String(given.lat)}, ${String(given.lng)}` : '';
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return Array.isArray(given)
        ? (given as readonly unknown[]).flatMap((one) => (isObject(one) && typeof one.url === 'string' ? [one.url] : [])).join('\n')
        : '';
    default:
      // What a lookup or a formula yields.
      if (Array.isArray(given) && given.every((one) => typeof one === 'string')) return listText(texts(given));
      return typeof given === 'string' ? given : typeof given === 'number' || typeof given === 'boolean' ? String(given) : JSON.stringify(given);
  }
}

/**
 * Numbers, moments and places are never longer than this (UTF-16 units). What is longer is not read at all: a megabyte of blanks would keep patterns that try
 * every place of it busy for an hour.
 */
const longestRead = 1000;
const shortTypes: ReadonlySet<FieldType> = new Set<FieldType>([
  ...(['integer', 'rating', 'duration', 'number', 'currency', 'percent'] as const),
  ...(['switch', 'date', 'time', 'datetime', 'geo'] as const),
]);

/** Typed, pasted or imported text as a value of a field. `find`: ids of records or people by their titles (or the ids themselves). */
export function readText(field: TextField, given: string, how: { readonly timeZone?: string; readonly find?: TextLookup } = {}): ReadText {
  const text = given.trim();
  if (text === '') return value(null);
  if (text.length > longestRead && shortTypes.has(field.type)) return wrong;
  const orWrong = (read: unknown): ReadText => (read === null ? wrong : value(read));
  switch (field.type) {
    case 'text':
      return value(given.replaceAll(/[\r\n\u2028\u2029]+/g, ' '));
    case 'longText':
    case 'markdown':
    case 'richText':
    case 'password':
      return value(given);
    case 'integer':
    case 'rating':
      return wholeNumber(text);
    case 'duration':
      return orWrong(readDuration(text));
    case 'number':
    case 'currency':
    case 'percent':
      return orWrong(readNumber(text));
    case 'switch': {
      const word = narrow(text).toLowerCase();
      return yes.has(word) ? value(true) : no.has(word) ? value(false) : wrong;
    }
    case 'date':
      return orWrong(readDate(text));
    case 'time':
      return orWrong(readTime(text));
    case 'datetime':
      return orWrong(readMoment(text, how.timeZone));
    case 'select':
    case 'multiSelect':
      return choices(field, text);
    case 'tags':
      return value(splitList(text));
    case 'user':
    case 'relation':
    case 'relations':
    case 'inverse':
      return linked(field.type, text, how.find);
    case 'geo': {
      const match = /^\(?\s*(-?\d+(?:\.\d+)?)\s*[,，\s]\s*(-?\d+(?:\.\d+)?)\s*\)?$/.exec(narrow(text));
      return match ? value({ lat: Number(match[1]), lng: Number(match[2]) }) : wrong;
    }
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return value(
        text
          .split(/[\s,，]+/)
          .filter((url) => url !== '')
          .map((url) => ({ url })),
      );
    case 'json':
    case 'repeater':
      try {
        return value(JSON.parse(text) as unknown);
      } catch {
        return wrong;
      }
    default:
      // Addresses, numbers of telephones, colours: their own checks read them as they are.
      return columnOf[field.type] === 'text' ? value(text) : wrong;
  }
}

function wholeNumber(text: string): ReadText {
  const read = readNumber(text.replace(/[★⭐☆]+$/u, (stars) => (text === stars ? String([...stars].filter((star) => star !== '☆').length) : stars)));
  const whole = read === null ? null : /^(-?\d+)(?:\.0*)?$/.exec(read);
  const number = whole ? Number(whole[1]) : Number.NaN;
  return Number.isSafeInteger(number) ? value(number) : wrong;
}

const sameTitle = (a: string, b: string): boolean => narrow(a).trim().toLowerCase() === narrow(b).trim().toLowerCase();
function choices({ type, options }: TextField, text: string): ReadText {
  const all = options.choices ?? [];
  const idFor = (title: string): string | undefined =>
    (all.find((one) => one.title === title) ?? all.find((one) => sameTitle(one.title, title)) ?? all.find((one) => one.id === title))?.id;
  // No choice has so long a title.
  const whole = text.length > longestRead ? undefined : idFor(text);
  if (type === 'select') return whole === undefined ? { ok: false, code: 'unknown', missing: [text] } : value(whole);
  // A title may have a comma in it.
  if (whole !== undefined) return value([whole]);
  const titles = [...new Set(splitList(text))];
  // More than a selection can have; each would be compared with each of its choices.
  if (titles.length > tableLimits.choices || titles.some((title) => title.length > longestRead)) return wrong;
  const missing = titles.filter((title) => idFor(title) === undefined);
  return missing.length > 0 ? { ok: false, code: 'unknown', missing } : value([...new Set(titles.flatMap((title) => idFor(title) ?? []))]);
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
function linked(type: 'user' | 'relation' | 'relations' | 'inverse', text: string, find: TextLookup | undefined): ReadText {
  const idFor = (title: string): string | null => find?.(title) ?? (uuid.test(title) ? title.toLowerCase() : null);
  const whole = idFor(text);
  const single = type === 'user' || type === 'relation';
  if (whole !== null) return value(single ? whole : [whole]);
  const titles = single ? [text] : splitList(text);
  const missing = titles.filter((title) => idFor(title) === null);
  return missing.length > 0 ? { ok: false, code: 'unknown', missing } : value([...new Set(titles.flatMap((title) => idFor(title) ?? []))]);
}
