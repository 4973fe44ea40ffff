import type { Day, DayRange } from './days';
import { useLanguage } from './useTexts';

type DateInput = number | string | Date;

/** Intl writes 3分钟前 and 1.2万; Latin letters and digits beside Han characters get an ordinary space. */
export const spaceBesideHan = (text: string): string =>
  text.replaceAll(/(?<=[\p{Script=Latin}\d])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\p{Script=Latin}\d])/gu, ' ');

/** Intl writes negative numbers with a hyphen; people read a minus sign. Files and inputs keep the hyphen, which other programs can parse. */
export const withMinus = (number: string): string => number.replace('-', '−');

/** By zone; a formatter is expensive to create, and a screen of records has hundreds of dates. */
const clocks = new Map<string | undefined, Intl.DateTimeFormat>();
function clockOf(timeZone: string | undefined): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-CA', {
      ...(timeZone === undefined ? {} : { timeZone }),
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(timeZone, clock);
  }
  return clock;
}

/** Writes days of a calendar, which have no zone: `17 Nov` and `17–23 Nov 2026`, `11月17日` and `11月17日–23日`. */
function makeDayFormat(locale: string) {
  const zh = locale.startsWith('zh');
  const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
  const shortWeekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const at = (day: Day): Date => new Date(`${day}T00:00:00Z`);
  const yearOf = (day: Day): string => day.slice(0, 4);
  const date = (day: Day): string => `${Number(day.slice(8))}${zh ? '日' : ''}`;
  const monthDay = (day: Day): string => (zh ? `${Number(day.slice(5, 7))}月${date(day)}` : `${date(day)} ${shortMonth.format(at(day))}`);
  const withYear = (text: string, day: Day): string => (zh ? `${yearOf(day)}年${text}` : `${text} ${yearOf(day)}`);
  return {
    /** 17 Nov · 11月17日. */
    monthDay,
    /** Tue 17 Nov · 11月17日 周二; with the year unless `today` is in the same one. */
    day: (day: Day, today?: Day): string => {
      const text = today !== undefined && yearOf(today) === yearOf(day) ? monthDay(day) : withYear(monthDay(day), day);
      const weekday = shortWeekday.format(at(day));
      return zh ? `${text} ${weekday}` : `${weekday} ${text}`;
    },
    /** Nov 2026 · 2026年11月. */
    month: (day: Day): string => (zh ? `${yearOf(day)}年${Number(day.slice(5, 7))}月` : `${shortMonth.format(at(day))} ${yearOf(day)}`),
    /** 17–23 Nov 2026, 28 Oct – 3 Nov 2026 · 11月17日–23日, 10月28日–11月3日; in Chinese the year is omitted if `today` is in the same one. */
    days: ({ from, to }: DayRange, today?: Day): string => {
      const oneYear = yearOf(from) === yearOf(to);
      const oneMonth = from.slice(0, 7) === to.slice(0, 7);
      if (zh) {
        const isThisYear = oneYear && today !== undefined && yearOf(today) === yearOf(to);
        const start = isThisYear ? monthDay(from) : withYear(monthDay(from), from);
        if (from === to) return start;
        return `${start}–${oneMonth ? date(to) : oneYear ? monthDay(to) : withYear(monthDay(to), to)}`;
      }
      const end = withYear(monthDay(to), to);
      if (from === to) return end;
      return oneMonth ? `${date(from)}–${end}` : `${oneYear ? monthDay(from) : withYear(monthDay(from), from)} – ${end}`;
    },
  };
}

/** Formatters of numbers and dates in one language. `timeZone` is the site's, where a site is meant; absent: the reader's own. */
export function makeFormat(locale: string) {
  const zh = locale.startsWith('zh');
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const parts = (value: DateInput, timeZone: string | undefined) => {
    const list = clockOf(timeZone).formatToParts(new Date(value));
    return Object.fromEntries(list.map((part) => [part.type, part.value])) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>;
  };
  const number = (value: number): string => withMinus(whole.format(value));
  const fixed = new Map<string, Intl.NumberFormat>();
  const withDigits = (digits: number, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = `${String(digits)} ${options.style ?? ''} ${options.signDisplay ?? ''}`;
    const known = fixed.get(key) ?? new Intl.NumberFormat(locale, { ...options, minimumFractionDigits: digits, maximumFractionDigits: digits });
    fixed.set(key, known);
    return known;
  };
  const date = (value: DateInput, { timeZone, weekday = true }: { timeZone?: string | undefined; weekday?: boolean } = {}): string => {
    const p = parts(value, timeZone);
    const day = `${p.year}-${p.month}-${p.day}`;
    return weekday
      ? `${day} ${new Intl.DateTimeFormat(locale, { weekday: 'short', ...(timeZone === undefined ? {} : { timeZone }) }).format(new Date(value))}`
      : day;
  };
  const time = (value: DateInput, { timeZone, seconds = false }: { timeZone?: string | undefined; seconds?: boolean } = {}): string => {
    const p = parts(value, timeZone);
    return `${p.hour}:${p.minute}${seconds ? `:${p.second}` : ''}`;
  };
  return {
    locale,
    number,
    /** 1.2 万, 3.4 亿 · 12.3K, 1.2M. The exact number belongs in a title. */
    compact: (value: number): string => (Math.abs(value) < 10_000 ? number(value) : spaceBesideHan(withMinus(short.format(value)))),
    /** A fixed number of decimals, so that the figures of a column align: 2.40 above 2.35. */
    decimal: (value: number, digits = 2): string => withMinus(withDigits(digits, {}).format(value)),
    /** `value` is a ratio, 0…1; with a fixed number of decimals: 40.0% above 38.5%. */
    percent: (value: number, digits = 1): string => withMinus(withDigits(digits, { style: 'percent' }).format(value)),
    /** The same with its sign: +12%, −3.4%, 0%. */
    change: (value: number, digits = 0): string => withMinus(withDigits(digits, { style: 'percent', signDisplay: 'exceptZero' }).format(value)),
    /** The same for an axis, whose values are round: 40%. */
    percentTick: (value: number): string => withMinus(new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value)),
    /** Seconds as text, in two units at most: 4 分 01 秒 · 4 m 01 s. */
    duration: (seconds: number): string => {
      const s = Math.round(seconds);
      const [hours, minutes, rest] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60), s % 60];
      const [hour, minute, second] = zh ? ['小时', '分', '秒'] : ['h', 'm', 's'];
      const two = (n: number): string => String(n).padStart(2, '0');
      if (hours > 0) return `${String(hours)} ${hour} ${two(minutes)} ${minute}`;
      return minutes > 0 ? `${String(minutes)} ${minute} ${two(rest)} ${second}` : `${String(rest)} ${second}`;
    },
    /** Tea, salt and oil · 茶、盐和油. The items stay as they are; only what joins them gets spaces beside Latin letters. */
    list: (items: readonly string[]): string =>
      // British lists have no comma before “and”, as everywhere in the English texts.
      new Intl.ListFormat(zh ? locale : 'en-GB')
        .formatToParts(items)
        .map(({ type, value }, at, all) => {
          if (type === 'element') return value;
          const [before = '', after = ''] = [all[at - 1]?.value.at(-1), all[at + 1]?.value.at(0)];
          return spaceBesideHan(`${before}${value}${after}`).slice(before.length, after === '' ? undefined : -after.length);
        })
        .join(''),
    ...makeDayFormat(locale),
    /** 2026-11-20 周五 · 2026-11-20 Fri. */
    date,
    /** 08:05, 24 hours in both languages. */
    time,
    dateTime: (value: DateInput, options: { timeZone?: string | undefined; seconds?: boolean } = {}): string =>
      `${date(value, { ...options, weekday: false })} ${time(value, options)}`,
    /** 3 分钟前 within 24 hours, otherwise the date. */
    relative: (value: DateInput, now: number = Date.now()): string => {
      const seconds = (new Date(value).getTime() - now) / 1000;
      const abs = Math.abs(seconds);
      if (abs >= 86_400) return date(value, { weekday: false });
      const [amount, unit] =
        abs < 59.5 ? ([seconds, 'second'] as const) : abs < 3570 ? ([seconds / 60, 'minute'] as const) : ([seconds / 3600, 'hour'] as const);
      // Not “now”: it describes a past event, often in the middle of a sentence.
      return spaceBesideHan(new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(amount) || -1, unit).replace('秒钟', '秒'));
    },
  };
}

export type Format = ReturnType<typeof makeFormat>;

/** By language: a list with a thousand numbers creates the formatters of Intl, which are expensive, once. */
const formats = new Map<string, Format>();
function formatIn(language: string): Format {
  const known = formats.get(language);
  if (known) return known;
  const format = makeFormat(language);
  formats.set(language, format);
  return format;
}

/** The formatters of the interface's language. */
export const useFormat = (): Format => formatIn(useLanguage());
