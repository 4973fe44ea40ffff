import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

type DateInput = number | string | Date;

/** Intl writes 3分钟前 and 1.2万; Latin letters and digits beside Han characters get an ordinary space. */
export const spaceBesideHan = (text: string): string =>
  text.replaceAll(/(?<=[\p{Script=Latin}\d])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=[\p{Script=Latin}\d])/gu, ' ');

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

/** Formatters of numbers and dates in one language. `timeZone` is the site's, where a site is meant; absent: the reader's own. */
export function makeFormat(locale: string) {
  const zh = locale.startsWith('zh');
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const parts = (value: DateInput, timeZone: string | undefined) => {
    const list = clockOf(timeZone).formatToParts(new Date(value));
    return Object.fromEntries(list.map((part) => [part.type, part.value])) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>;
  };
  const number = (value: number): string => whole.format(value);
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
    compact: (value: number): string => (Math.abs(value) < 10_000 ? number(value) : spaceBesideHan(short.format(value))),
    /** A fixed number of decimals, so that the figures of a column align: 2.40 above 2.35. */
    decimal: (value: number, digits = 2): string =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    /** `value` is a ratio, 0…1; with a fixed number of decimals: 40.0% above 38.5%. */
    percent: (value: number, digits = 1): string =>
      new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    /** The same for an axis, whose values are round: 40%. */
    percentTick: (value: number): string => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value),
    /** Seconds as text: 3 分 12 秒 · 3m 12s. */
    duration: (seconds: number): string => {
      const s = Math.round(seconds);
      const list = [
        [Math.floor(s / 3600), zh ? ' 小时' : 'h'],
        [Math.floor((s % 3600) / 60), zh ? ' 分' : 'm'],
        [s % 60, zh ? ' 秒' : 's'],
      ] as const;
      const first = list.findIndex(([n]) => n > 0);
      if (first === -1) return `0${list[2][1]}`;
      return list
        .slice(first, first + 2)
        .filter(([n]) => n > 0)
        .map(([n, unit]) => `${String(n)}${unit}`)
        .join(' ');
    },
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
      const [amount, unit] = abs < 60 ? ([seconds, 'second'] as const) : abs < 3600 ? ([seconds / 60, 'minute'] as const) : ([seconds / 3600, 'hour'] as const);
      // Not “now”: it describes a past event, often in the middle of a sentence.
      return spaceBesideHan(new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(amount) || -1, unit));
    },
  };
}

export type Format = ReturnType<typeof makeFormat>;

/** The formatters of the interface's language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  return useMemo(() => makeFormat(i18n.language), [i18n.language]);
}
