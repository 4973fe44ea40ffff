import { momentText, readMoment } from '../../../../../contract/tables/fieldText';
import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import { refuse } from '../values/valueErrors';
import { dateOf, datetimeOf, timeOf } from '../values/quantities';
import { asText } from './cells';
import { defineFieldType } from './definition';
import type { Conversion } from './definition';

const day = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** A moment in the site's time zone, `2026-11-20 17:05`. */
const clockOf = (value: unknown, { from, timeZone }: Conversion): string | null => (from.type === 'datetime' ? momentText(asText(value), timeZone) : null);

export const date = defineFieldType({
  check: (raw, options) => dateOf(options, raw),
  salvage: (raw) => (typeof raw === 'string' && day.test(raw) && !Number.isNaN(Date.parse(raw)) ? raw : undefined),
  convert: (value, conversion) => clockOf(value, conversion)?.slice(0, 10),
});
export const time = defineFieldType({
  check: timeOf,
  convert: (value, conversion) => clockOf(value, conversion)?.slice(11),
});
export const datetime = defineFieldType({
  check: (raw, options) => datetimeOf(options, raw),
  salvage: (raw) => (typeof raw === 'string' && !Number.isNaN(Date.parse(raw)) ? new Date(raw).toISOString() : undefined),
  convert: (value, { from, timeZone }) => (from.type === 'date' ? readMoment(asText(value), timeZone) : undefined),
  loss: 'time',
});

const switchType = defineFieldType({
  check: (raw) => (typeof raw === 'boolean' ? raw : refuse('wrong_type')),
  convert: (value, { from }) => {
    if (fieldTypeOf(from.type).family === 'number') return Number(value) !== 0;
    return from.type === 'json' && typeof value === 'boolean' ? value : undefined;
  },
});
export { switchType as switch };
