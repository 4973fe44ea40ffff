type Series = 'number' | 'date' | 'datetime' | undefined;

/** Decimals are added exactly, as integers of their smallest unit: values of number fields are texts such as `12.50`. */
const decimal = /^-?\d{1,30}(\.\d{1,20})?$/;
function scaledOf(values: readonly string[]): { readonly units: readonly bigint[]; readonly digits: number } {
  const digits = Math.max(...values.map((one) => one.split('.')[1]?.length ?? 0));
  const units = values.map((one) => {
    const [whole = '0', part = ''] = one.split('.');
    return BigInt(whole + part.padEnd(digits, '0'));
  });
  return { units, digits };
}
function written(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const sign = units < 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const dayMs = 86_400_000;
type Instant = { readonly ms: number; readonly write: (ms: number) => string };
function instantOf(value: unknown, series: 'date' | 'datetime'): Instant | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d/.test(value)) return null;
  const ms = Date.parse(series === 'date' ? `${value.slice(0, 10)}T00:00:00Z` : value);
  if (Number.isNaN(ms)) return null;
  return { ms, write: (at) => (series === 'date' ? new Date(at).toISOString().slice(0, 10) : new Date(at).toISOString()) };
}

/** The step common to all neighbours. */
function stepOf<T extends bigint | number>(units: readonly T[]): T | null {
  const [first, second] = units;
  if (first === undefined || second === undefined) return null;
  const step = (second - first) as T;
  return units.every((one, place) => place === 0 || one - (units[place - 1] as T) === step) ? step : null;
}

/** Months between dates on the same day of the month, so that series continue by calendar months of different lengths. */
function monthStep(times: readonly number[]): number | null {
  const days = times.map((ms) => new Date(ms));
  if (new Set(days.map((one) => one.getUTCDate())).size !== 1) return null;
  const step = stepOf(days.map((one) => one.getUTCFullYear() * 12 + one.getUTCMonth()));
  return step === null || step === 0 ? null : step;
}
function addMonths(ms: number, months: number): number {
  const from = new Date(ms);
  const last = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  const to = new Date(ms);
  to.setUTCDate(1);
  to.setUTCMonth(from.getUTCMonth() + months);
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to.getTime();
}

/**
 * The values that the fill handle writes after `values`: an even series of numbers or dates continues, a single date continues by days, everything else
 * repeats. For a fill upwards or to the left, reverse both input and result.
 */
export function fillSeries(values: readonly unknown[], series: Series, count: number): unknown[] {
  const repeat = (): unknown[] => Array.from({ length: count }, (_, place) => values[place % values.length]);
  if (values.length === 0 || count <= 0) return [];
  if (series === 'number') {
    const texts = values.map(String);
    if (values.length < 2 || values.some((one) => one === null) || !texts.every((one) => decimal.test(one))) return repeat();
    const { units, digits } = scaledOf(texts);
    const step = stepOf(units);
    const last = units.at(-1);
    if (step === null || last === undefined) return repeat();
    const asNumber = typeof values[0] === 'number';
    return Array.from({ length: count }, (_, place) => {
      const text = written(last + step * BigInt(place + 1), digits);
      return asNumber ? Number(text) : text;
    });
  }
  if (series === 'date' || series === 'datetime') {
    const times = values.flatMap((one) => instantOf(one, series) ?? []);
    const last = times.at(-1);
    if (times.length !== values.length || !last) return repeat();
    const months = monthStep(times.map((one) => one.ms));
    const step = times.length === 1 ? dayMs : stepOf(times.map((one) => one.ms));
    if (months === null && step === null) return repeat();
    const next = (place: number): number => (months === null ? last.ms + (step ?? 0) * place : addMonths(last.ms, months * place));
    // Dates after the year 9999 cannot be written.
    return Array.from({ length: count }, (_, place) => (next(place + 1) < 253_402_300_800_000 ? last.write(next(place + 1)) : null));
  }
  return repeat();
}
