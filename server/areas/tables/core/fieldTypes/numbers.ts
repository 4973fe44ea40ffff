import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import { readDuration } from '../../../../../contract/tables/fieldText';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { decimalOf } from '../values/decimal';
import { ValueError, refuse } from '../values/valueErrors';
import { integerOf, numberOf } from '../values/quantities';
import { asText } from './cells';
import { defineFieldType } from './definition';
import type { Conversion, OptionErrors, Schema, ServerFieldType } from './definition';

/** A decimal number rounded to at most `places` decimals, half away from zero. */
export function rounded(decimal: string, places: number): string {
  const negative = decimal.startsWith('-');
  const [whole = '0', part = ''] = decimal.replace('-', '').split('.');
  if (part.length <= places) return decimal;
  const up = Number(part[places] ?? '0') >= 5 ? 1n : 0n;
  const digits = String(BigInt(whole + part.slice(0, places)) + up).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

const ofNumber = (value: unknown, { from, to }: Conversion): unknown => {
  if (fieldTypeOf(from.type).family === 'number') {
    const decimal = decimalOf(asText(value)) ?? refuse('wrong_type');
    const places = fieldTypeOf(to.type).column === 'bigint' ? 0 : to.options.decimals;
    return places === undefined ? decimal : rounded(decimal, places);
  }
  if (from.type === 'switch') return value === true ? '1' : '0';
  return undefined;
};
/** Decimals are rounded as in conversions between number types. */
function wholeOfText(text: string, { read }: Conversion): unknown {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const decimal = read(text, { type: 'number', options: {} });
    return typeof decimal === 'string' ? rounded(decimal, 0) : refuse('wrong_type');
  }
}

const bounds = ({ min, max }: FieldOptions): Schema => ({
  ...(typeof min === 'number' ? { minimum: min } : {}),
  ...(typeof max === 'number' ? { maximum: max } : {}),
});
const wholeNumber: Schema = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const safeWhole = (raw: unknown): number | undefined => (typeof raw === 'number' && Number.isSafeInteger(raw) ? raw : undefined);

const whole = (more: Partial<ServerFieldType> = {}): ServerFieldType =>
  defineFieldType({
    check: (raw, options) => integerOf(options, raw),
    salvage: safeWhole,
    schema: (options) => ({ ...wholeNumber, ...bounds(options) }),
    convert: ofNumber,
    fromText: wholeOfText,
    ...more,
  });
export const integer = whole();
export const rating = whole({
  // A rating of zero stars is no rating.
  check: (raw, { max }) => integerOf({ min: 0, max: max ?? 5 }, raw) || null,
  resolveOptions: ({ max }, _around, errors: OptionErrors) => {
    if (typeof max === 'number' && (max < 1 || max > 10)) errors.add('max', 'out_of_range', { min: 1, max: 10 });
    return {};
  },
  cell: (_value, { exported }) => exported(),
});
export const duration = whole({
  check: (raw, options) => integerOf({ ...options, min: options.min ?? 0 }, raw),
  convert: (value, conversion) => (conversion.from.type === 'time' ? readDuration(asText(value)) : ofNumber(value, conversion)),
  fromText: (text, { read }) => read(text),
  cell: (_value, { exported }) => exported(),
  spreadsheet: 'duration',
});

const counted = (value: string, { prefix = '', pad = 0 }: FieldOptions): string => `${prefix}${value.padStart(pad, '0')}`;
export const autonumber = defineFieldType({
  restore: safeWhole,
  checkConverted: (raw) => (Number.isSafeInteger(Number(raw)) ? Number(raw) : refuse('wrong_type')),
  schema: () => wholeNumber,
  convert: ofNumber,
  plainText: (value, options) => (typeof value === 'number' ? counted(String(value), options) : null),
  label: (text, options) => (text === '' ? '' : counted(text, options)),
  cell: (_value, { exported }) => exported(),
});

export const decimalSchema: Schema = { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$`, description: 'Exact decimal number' };
const decimalText = /^-?\d{1,200}(?:\.\d{1,200})?$/;
const decimal = (more: Partial<ServerFieldType> = {}): ServerFieldType =>
  defineFieldType({
    check: (raw, options) => numberOf(options, raw),
    salvage: (raw) => (typeof raw === 'string' && decimalText.test(raw) ? raw : undefined),
    schema: (options, written) => (written ? { anyOf: [decimalSchema, { type: 'number', ...bounds(options) }] } : decimalSchema),
    convert: ofNumber,
    fromText: (text, { read, to: { options } }) => {
      const found = read(text);
      return typeof found === 'string' && options.decimals !== undefined ? rounded(found, options.decimals) : found;
    },
    ...more,
  });
const plain = decimal();
export { plain as number };
export const currency = decimal();
export const percent = decimal({ spreadsheet: 'text' });
