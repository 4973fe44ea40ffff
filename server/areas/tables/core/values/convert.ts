import { randomBytes } from 'node:crypto';
import { readText, splitList, textOf } from '../../../../../contract/tables/fieldText';
import type { ReadText, TextNames } from '../../../../../contract/tables/fieldText';
import { choiceColors } from '../../../../../contract/tables/schemas';
import type { Choice } from '../../../../../contract/tables/schemas';
import { columnOf, tableLimits } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import { fieldTypeOf, hasChoices } from '../../../../../contract/tables/fieldTypes';
import type { FieldError } from '../../../../http/failure';
import { serverFieldTypeOf } from '../fieldTypes';
import type { Conversion, LossNote, Names, Side } from '../fieldTypes/definition';
import { isLink } from '../fieldTypes/references';
import { titleError } from './choiceTitle';
import { isEmpty, sameValue, valueOf } from './check';
import { compareDecimals, decimalOf } from './decimal';
import { ValueError, refuse } from './valueErrors';

/** Choices of a selection, and new ones that values need; `add`: whether more may be added. */
export class Choices {
  readonly #known: Choice[];
  readonly added: Choice[] = [];
  readonly add: boolean;
  constructor(known: readonly Choice[], add: boolean) {
    this.#known = [...known];
    this.add = add;
  }
  get all(): Choice[] {
    return this.#known;
  }
  make(title: string, id: string): void {
    const choice: Choice = { id, title, color: choiceColors[this.#known.length % choiceColors.length] ?? 'grey' };
    this.#known.push(choice);
    this.added.push(choice);
  }
}
export type { LossNote, Names, Side } from '../fieldTypes/definition';
export type Converted =
  | { readonly kind: 'empty' | 'convertible'; readonly value: unknown }
  | { readonly kind: 'lossy'; readonly value: unknown; readonly note: LossNote }
  | { readonly kind: 'failing'; readonly error: FieldError };

/** Values of these types are ids that people know by name. */
const isNamed = (type: FieldType): boolean => columnOf[type] === 'uuid' || fieldTypeOf(type).family === 'link';
const isNumber = (type: FieldType): boolean => fieldTypeOf(type).family === 'number';

/** A value as readable text. */
export const displayText = (side: Side, value: unknown, names: TextNames): string =>
  serverFieldTypeOf(side.type).plainText?.(value, side.options) ?? textOf(side, value, names);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Parses a text as the new type; unknown titles become choices where that is allowed. */
function readAs(to: Side, text: string, { timeZone, find }: Names, choices: Choices | null): unknown {
  const field: Side = choices ? { ...to, options: { ...to.options, choices: choices.all } } : to;
  const read = (): ReadText => readText(field, text, { timeZone, find });
  let response = read();
  if (!response.ok && response.code === 'unknown' && choices?.add) {
    makeAll(choices, response.missing);
    response = read();
  }
  return response.ok ? response.value : refuse(response.code);
}
function makeAll(choices: Choices, titles: readonly string[]): void {
  for (const title of new Set(titles.map((one) => one.trim()))) {
    const error = titleError(title);
    if (error) throw new ValueError(error);
    if (choices.all.some((choice) => choice.title.normalize('NFKC').toLowerCase() === title.normalize('NFKC').toLowerCase())) continue;
    if (choices.all.length >= tableLimits.choices) refuse('too_long', { max: tableLimits.choices });
    choices.make(title, `c_${randomBytes(6).toString('hex')}`);
  }
}

/** The new type's conversion of a value, unchecked. */
function raw(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): unknown {
  const conversion: Conversion = {
    from,
    to,
    timeZone: names.timeZone,
    text: (one, as = from) => displayText(as, one, names.names),
    read: (text, as = to) => readAs(as, text, names, choices),
  };
  const { convert, fromText } = serverFieldTypeOf(to.type);
  const direct = convert?.(value, conversion);
  if (direct !== undefined) return direct;
  const text = conversion.text(value);
  return fromText ? fromText(text, conversion) : conversion.read(text);
}

/** The new value, validated like user input. Throws `ValueError`. */
function convertedValue(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): unknown {
  const rawValue = raw(from, to, value, names, choices);
  const { checkConverted } = serverFieldTypeOf(to.type);
  if (checkConverted) return checkConverted(rawValue);
  return valueOf(choices ? { ...to, options: { ...to.options, choices: choices.all } } : to, rawValue);
}

/** Whether a value survives the round trip; numbers are compared numerically, links by name. */
function isSame(from: Side, before: unknown, back: unknown): boolean {
  if (columnOf[from.type] !== 'numeric') return sameValue(before, back);
  const [a, b] = [decimalOf(asText(before)), typeof back === 'string' ? decimalOf(back) : null];
  return a !== null && b !== null && compareDecimals(a, b) === 0;
}
function noteOf(from: Side, to: Side, value: unknown): LossNote {
  if (isNumber(to.type)) return isNumber(from.type) || /\.\d*[1-9]/.test(asText(value)) ? 'rounded' : 'changed';
  if (Array.isArray(value) && serverFieldTypeOf(to.type).takesFirst === true) return 'first';
  return serverFieldTypeOf(from.type).loss ?? 'changed';
}

/**
 * Converts a value to another field type: `lossy` if the round trip gives another value, `failing` if the new type cannot hold it. Missing entries are
 * added to `choices` of a selection; otherwise pure.
 */
export function convertValue(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): Converted {
  if (isEmpty(value)) return { kind: 'empty', value: null };
  if (names.names.timeZone === undefined) return convertValue(from, to, value, { ...names, names: { ...names.names, timeZone: names.timeZone } }, choices);
  try {
    const next = convertedValue(from, to, value, names, choices);
    if (isEmpty(next)) return { kind: 'lossy', value: null, note: noteOf(from, to, value) };
    return reads(from, to, value, next, names, choices) ? { kind: 'convertible', value: next } : { kind: 'lossy', value: next, note: noteOf(from, to, value) };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return { kind: 'failing', error: error.error };
  }
}
function reads(from: Side, to: Side, before: unknown, next: unknown, names: Names, choices: Choices | null): boolean {
  const full: Side = choices ? { ...to, options: { ...to.options, choices: choices.all } } : to;
  if (serverFieldTypeOf(to.type).holdsAsWritten?.includes(from.type) === true) return true;
  // Trailing zeros that the new type adds to a plain number lose nothing.
  if (
    columnOf[to.type] === 'numeric' &&
    fieldTypeOf(to.type).toText === undefined &&
    typeof before === 'string' &&
    typeof next === 'string' &&
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(before)
  )
    if (next.startsWith(before) && /^\.?0*$/.test(next.slice(before.length)) && (before.includes('.') || next[before.length] !== '0')) return true;
  // Ids are converted to names, but not back, so the names are compared.
  if (isNamed(from.type) || isNamed(to.type)) {
    if (isLink(from.type) && isLink(to.type)) return !(Array.isArray(before) && before.length > 1 && serverFieldTypeOf(to.type).takesFirst === true);
    if (isNamed(to.type)) {
      const count = (all: unknown): number => (Array.isArray(all) ? all.length : 1);
      return Array.isArray(before) && columnOf[from.type] !== 'jsonb' ? count(before) === count(next) : displayText(from, before, names.names).trim() !== '';
    }
    const [left, right] = [displayText(from, before, names.names), displayText(full, next, names.names)];
    return left === right || splitList(left).join('\n') === splitList(right).join('\n');
  }
  try {
    const known = hasChoices(from.type) ? new Choices(from.options.choices ?? [], false) : null;
    // Limits of the old type are irrelevant for reading back.
    const back = convertedValue(full, { type: from.type, options: from.options }, next, names, known);
    return isSame(from, before, back);
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}
