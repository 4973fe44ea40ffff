/**
 * Formulas with their expected values, computed independently: numbers as integers of 10⁻²⁰, dates with JavaScript's calendar, texts as lists of
 * characters. No code under test is used. The zone is `Etc/GMT-8`, eight hours ahead in all years.
 */
export type OracleRow = {
  readonly a: string | null;
  readonly b: string | null;
  readonly i: number | null;
  readonly t: string | null;
  readonly u: string | null;
  readonly s: boolean | null;
  readonly d: string | null;
  readonly e: string | null;
  readonly m: string | null;
};
export type FormulaCase<T> = { readonly source: string; readonly value: (row: OracleRow, now: number) => T };
/** null is empty; so is an empty string. */
export type Num = FormulaCase<bigint | null>;
export type Text = FormulaCase<string>;
export type Bool = FormulaCase<boolean>;
/** Days since 1970, and milliseconds. */
export type Day = FormulaCase<number | null>;
export type Moment = FormulaCase<number | null>;

export const one = 10n ** 20n;
const bound = one * 10n ** 60n;
export const away = (n: bigint, by: bigint): bigint => {
  const [x, y] = by < 0n ? [-n, -by] : [n, by];
  return x < 0n ? -((-x * 2n + y) / (y * 2n)) : (x * 2n + y) / (y * 2n);
};
export const scaled = (text: string): bigint => {
  const [whole = '', part = ''] = text.replace(/^[+-]/, '').split('.');
  const n = BigInt(whole + part.slice(0, 20).padEnd(20, '0')) + ((part[20] ?? '0') < '5' ? 0n : 1n);
  return text.startsWith('-') ? -n : n;
};
const held = (n: bigint | null): bigint | null => (n === null || n >= bound || n <= -bound ? null : n);
/** At most ten decimals, as it is displayed. */
export function plain(n: bigint, digits = 10): string {
  const rounded = away(n, 10n ** BigInt(20 - digits));
  const text = String(rounded < 0n ? -rounded : rounded).padStart(digits + 1, '0');
  const part = digits === 0 ? '' : text.slice(-digits).replace(/0+$/, '');
  return `${rounded < 0n ? '-' : ''}${text.slice(0, text.length - digits)}${part && `.${part}`}`;
}
export const floor = (n: bigint, by: bigint): bigint => {
  const [x, y] = by < 0n ? [-n, -by] : [n, by];
  return x >= 0n ? x / y : -((-x + y - 1n) / y);
};
export const trunc = (n: bigint): bigint => n / one;
export const dayMs = 86_400_000;
export const zone = 8 * 3_600_000;
export const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / dayMs;
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
const [firstDay, lastDay] = [dayOf('0001-01-01'), dayOf('9999-12-31')];
export const wall = (ms: number): Date => new Date(ms + zone);
/** null: outside the years 1 to 9999. */
export function addMonths(day: number, count: number): number | null {
  const at = new Date(day * dayMs);
  const year = at.getUTCFullYear() + Math.floor((at.getUTCMonth() + count) / 12);
  if (!(year >= 1 && year <= 9999)) return null;
  const month = (((at.getUTCMonth() + count) % 12) + 12) % 12;
  const end = new Date(0);
  end.setUTCFullYear(year, month + 1, 0);
  const found = new Date(0);
  found.setUTCFullYear(year, month, Math.min(at.getUTCDate(), end.getUTCDate()));
  return found.getTime() / dayMs;
}
const inYears = (day: number | null): number | null => (day !== null && day >= firstDay && day <= lastDay ? day : null);
export const addDays = (day: number, count: bigint): number | null => (count > 10n ** 8n || count < -(10n ** 8n) ? null : inYears(day + Number(count)));

export const both =
  <A, B, R>(left: FormulaCase<A | null>, right: FormulaCase<B | null>, work: (a: A, b: B) => R | null) =>
  (row: OracleRow, now: number): R | null => {
    const [a, b] = [left.value(row, now), right.value(row, now)];
    return a === null || b === null ? null : work(a, b);
  };
export const num = (source: string, value: Num['value']): Num => ({ source, value: (row, now) => held(value(row, now)) });
export const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
export const ops: Record<string, (sign: number) => boolean> = {
  '=': (n) => n === 0,
  '!=': (n) => n !== 0,
  '<': (n) => n < 0,
  '<=': (n) => n <= 0,
  '>': (n) => n > 0,
  '>=': (n) => n >= 0,
};
export function compared<T>(op: string, a: T | null, b: T | null, compare: (a: T, b: T) => number): boolean {
  if (a === null || b === null) return op === '=' ? a === b : op === '!=' ? a !== b : false;
  return ops[op]?.(compare(a, b)) ?? false;
}
export const order = <T extends bigint | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
export const counted = (n: bigint | null, least: number, most: number): number => {
  const whole = n === null ? BigInt(least) : trunc(n);
  return Number(whole < BigInt(least) ? BigInt(least) : whole > BigInt(most) ? BigInt(most) : whole);
};
export const literal = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
export const digits = (n: bigint | null): string => (n === null ? '' : plain(n));
export const dateText = (day: number | null): string => (day === null ? '' : dayText(day));
