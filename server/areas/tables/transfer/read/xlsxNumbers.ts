/** What the number in a cell means, by its format. `instant`: a date and time whose format shows fractions of a second. */
export type CellStyle = 'number' | 'percent' | 'date' | 'time' | 'datetime' | 'instant' | 'duration';

/** Built-in number formats (ECMA-376, part 1, 18.8.30), including the East Asian ones. */
const known: Readonly<Record<number, CellStyle>> = {
  9: 'percent',
  10: 'percent',
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'datetime',
  27: 'date',
  28: 'date',
  29: 'date',
  30: 'date',
  31: 'date',
  32: 'time',
  33: 'time',
  34: 'time',
  35: 'time',
  36: 'date',
  45: 'duration',
  46: 'duration',
  47: 'duration',
  50: 'date',
  51: 'date',
  52: 'date',
  53: 'date',
  54: 'date',
  55: 'time',
  56: 'time',
  57: 'date',
  58: 'date',
};

/** Maximum length of a format (Excel: 255). */
const mostFormat = 500;

export function styleOf(id: number, formats: ReadonlyMap<number, string>): CellStyle {
  const format = formats.get(id)?.slice(0, mostFormat);
  if (format === undefined) return known[id] ?? 'number';
  // Quoted texts, escaped characters, colours and locales do not affect the kind of number.
  const [plain = ''] = format
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(plain)) return 'duration';
  if (/general/i.test(plain)) return 'number';
  const day = /[yd]|[年月日]/i.test(plain) || /m{3,}/i.test(plain) || (/m/i.test(plain) && !/[hs]/i.test(plain));
  const time = /[hs]/i.test(plain);
  if (day && /s+\.0/i.test(plain)) return 'instant';
  if (day) return time ? 'datetime' : 'date';
  if (time) return 'time';
  return plain.includes('%') ? 'percent' : 'number';
}

const two = (part: number): string => String(part).padStart(2, '0');
/** Without an exponent, with the fifteen digits that a spreadsheet keeps (further IEEE 754 digits are noise). */
function plainNumber(value: number): string {
  const rounded = Number(value.toPrecision(15));
  const text = String(rounded);
  if (!text.includes('e')) return text;
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', part = ''] = mantissa.replace('-', '').split('.');
  const sign = rounded < 0 ? '-' : '';
  const shift = Number(exponent);
  if (shift >= 0) return `${sign}${whole}${part.padEnd(shift, '0')}`;
  return shift < -30 ? '0' : `${sign}0.${'0'.repeat(-shift - 1)}${whole}${part}`;
}

const day = 86_400;
const dayOne = (since1904: boolean): number => (since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30));
/** `2026-11-20 17:05:00.123`. */
const instantText = (value: number, since1904: boolean): string =>
  new Date(Math.round(value * day * 1000) + dayOne(since1904)).toISOString().replace('T', ' ').replace('Z', '');
/** The number of a cell as displayed: `2026-11-20`, `12.5%`, `0.1`. Serial dates count from 1899-12-30, or from 1904-01-01. */
export function textOfNumber(text: string, style: CellStyle, since1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  if (style === 'number') return plainNumber(value);
  if (style === 'percent') return `${plainNumber(value * 100)}%`;
  const seconds = Math.round(value * day);
  if (style === 'duration') return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const time = `${two(Math.floor((((seconds % day) + day) % day) / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (style === 'time' && value >= 0 && value < 1) return time;
  // Excel treats 1900 as a leap year: dates before its 29 February are off by one.
  const late = !since1904 && value < 60 ? 1 : 0;
  const at = new Date((Math.floor(seconds / day) + late) * day * 1000 + dayOne(since1904));
  if (value < 0 || Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999) return plainNumber(value);
  const date = at.toISOString().slice(0, 10);
  if (style === 'instant') return instantText(value, since1904);
  return style === 'date' && seconds % day === 0 ? date : `${date} ${time}`;
}
