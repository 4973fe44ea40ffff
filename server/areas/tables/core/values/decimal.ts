/**
 * Normalizes a decimal number to its plain form (`-0012.50` → `-12.50`, `1.5e3` → `1500`), keeping all digits; null if it is not a number. At most 60
 * digits before the point.
 */
export function decimalOf(text: string): string | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', part = '', exponent = '0'] = match;
  if (whole === '' && part === '') return null;
  const shift = Number(exponent);
  const digits = whole + part;
  const point = whole.length + shift;
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0');
  const at = Math.max(1, point);
  const before = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const after = padded.slice(at);
  if (before.length > 60 || after.length > 100) return null;
  const zero = /^0*$/.test(before + after);
  return `${sign === '-' && !zero ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

export const decimalsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;
/** Trailing zeros do not count as precision. */
const trimmed = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);
/** With exactly `decimals` decimals; null if it has more. */
export function withDecimals(decimal: string, decimals: number): string | null {
  const short = trimmed(decimal);
  const [whole = '', part = ''] = short.split('.');
  if (part.length > decimals) return null;
  return decimals === 0 ? whole : `${whole}.${part.padEnd(decimals, '0')}`;
}

/** Negative, zero or positive, as `a` is less than, equal to or greater than `b`; exact. */
export function compareDecimals(a: string, b: string): number {
  const places = Math.max(decimalsOf(a), decimalsOf(b));
  const scaled = (text: string): bigint => BigInt((text.split('.')[0] ?? '') + (text.split('.')[1] ?? '').padEnd(places, '0'));
  const [left, right] = [scaled(a), scaled(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
