import type { MeasureId } from '@contract/analytics/schemas';
import type { Format } from './format';

/** How a value of a measure is formatted: a whole number, 0…1 as per cent, seconds as a duration, or a number with decimals. */
export type MeasureUnit = 'count' | 'ratio' | 'seconds' | 'decimal';

const others: Readonly<Partial<Record<MeasureId, MeasureUnit>>> = {
  newRatio: 'ratio',
  bounceRate: 'ratio',
  exitRate: 'ratio',
  avgScroll: 'ratio',
  conversionRate: 'ratio',
  avgDuration: 'seconds',
  avgEngaged: 'seconds',
  avgTimeOnPage: 'seconds',
  avgPages: 'decimal',
  conversionValue: 'decimal',
};
export const unitOf = (id: MeasureId): MeasureUnit => others[id] ?? 'count';

/** A measure in full, `–` if unknown. `lessThanSecond` is the text for a duration that would round to zero. */
export const writeMeasure = (format: Format, id: MeasureId, amount: number | null, lessThanSecond?: string): string => {
  if (amount === null) return '–';
  switch (unitOf(id)) {
    case 'count':
      return format.number(amount);
    case 'ratio':
      return format.percent(amount);
    case 'seconds':
      return lessThanSecond !== undefined && amount > 0 && amount < 1 ? lessThanSecond : format.duration(amount);
    case 'decimal':
      return format.decimal(amount);
  }
};

/** Abbreviated for large figures: 12.3 万 instead of 123,456. */
export const shortMeasure = (format: Format, id: MeasureId, amount: number | null, lessThanSecond?: string): string =>
  amount !== null && unitOf(id) === 'count' ? format.compact(amount) : writeMeasure(format, id, amount, lessThanSecond);
