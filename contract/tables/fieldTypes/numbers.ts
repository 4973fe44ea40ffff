import { symbolOf } from '../currencySymbol';
import { durationText, readDuration, readNumber } from '../valueText';
import { defineFieldType, read, readOrNot, unreadable } from './definition';
import type { FieldTypeDefinition, ReadText } from './definition';

const bounds = ['min', 'max', 'unit', 'placeholder'] as const;

function readWhole(text: string): ReadText {
  const decimal = readNumber(text.replace(/[★⭐☆]+$/u, (stars) => (text === stars ? String([...stars].filter((star) => star !== '☆').length) : stars)));
  const whole = decimal === null ? null : /^(-?\d+)(?:\.0*)?$/.exec(decimal);
  const number = whole ? Number(whole[1]) : Number.NaN;
  return Number.isSafeInteger(number) ? read(number) : unreadable;
}

const number = (definition: Omit<FieldTypeDefinition, 'family' | 'short' | 'publicForm' | 'importable'>): FieldTypeDefinition =>
  defineFieldType({ family: 'number', short: true, publicForm: true, importable: true, ...definition });
/** A whole number within ±(2⁵³ − 1). */
const whole = (definition: Omit<FieldTypeDefinition, 'family' | 'column'>): FieldTypeDefinition =>
  number({ column: 'bigint', fromText: readWhole, ...definition });
/** An exact decimal number as text (`"12.50"`; a JSON number is accepted too). */
const decimal = (definition: Omit<FieldTypeDefinition, 'family' | 'column'>): FieldTypeDefinition =>
  number({ column: 'numeric', fromText: (text) => readOrNot(readNumber(text)), ...definition });

export const integer = whole({
  options: bounds,
  unique: true,
  naming: 4,
  slugSource: true,
  near: ['number', 'currency', 'percent', 'rating', 'duration', 'text', 'switch'],
});
export const rating = whole({ options: ['max'], near: ['integer', 'number', 'text'] });
/** Whole seconds. */
export const duration = whole({
  options: ['min', 'max'],
  near: ['integer', 'number', 'text'],
  toText: (value) => (typeof value === 'number' ? durationText(value) : ''),
  fromText: (text) => readOrNot(readDuration(text)),
});
/** Assigned when a record is created; a conversion numbers existing records. */
export const autonumber = defineFieldType({
  column: 'bigint',
  family: 'number',
  options: ['prefix', 'pad'],
  computed: true,
  naming: 3,
  slugSource: true,
  near: ['integer', 'text'],
});
const plain = decimal({ options: [...bounds, 'decimals'], unique: true, naming: 5, near: ['integer', 'currency', 'percent', 'text'] });
export { plain as number };
export const currency = decimal({
  options: [...bounds, 'decimals', 'currency'],
  naming: Infinity,
  near: ['number', 'integer', 'text'],
  decimalText: (text, options, locale) => `${symbolOf(options.currency ?? 'CNY', locale)}${text}`.replace(/^(.+?)−/, '−$1'),
});
/** 12.5 is 12.5 %. */
export const percent = decimal({
  options: [...bounds, 'decimals'],
  naming: Infinity,
  near: ['number', 'integer', 'text'],
  toText: (value) => (typeof value === 'string' ? `${value}%` : ''),
  decimalText: (text) => `${text}%`,
});
