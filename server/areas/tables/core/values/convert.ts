import { randomBytes } from 'node:crypto';
import { momentText, readDuration, readMoment, readText, splitList, textOf } from '../../../../../contract/tables/fieldText';
import type { ReadText, TextLookup, TextNames } from '../../../../../contract/tables/fieldText';
import { choiceColors } from '../../../../../contract/tables/schemas';
import type { Choice, FieldOptions } from '../../../../../contract/tables/schemas';
import { columnOf, tableLimits } from '../../../../../contract/tables/terms';
import type { FieldType } from '../../../../../contract/tables/terms';
import type { FieldFault } from '../../../../http/failure';
import { titleFault } from './choiceTitle';
import { isEmpty, sameValue, valueOf } from './check';
import { compareDecimals, decimalOf } from './decimal';
import { ValueFault, refuse } from './faults';
import { slugOf } from './slug';
import { plainOf, richOf } from './html';

export type Side = { readonly type: FieldType; readonly options: FieldOptions };
/** What values are told and found by. */
export type Names = {
  /** Zone of the site: days and times of day are told in it. */
  readonly timeZone: string;
  /** Names of records and people that values hold the ids of. */
  readonly names: TextNames;
  /** Ids of records or people by name, of what the new type leads to. */
  readonly find: TextLookup;
};
/** Choices that a selection has, and those that values have asked for besides; `add`: whether more may be made. */
export class Choices {
  readonly #known: Choice[];
  readonly made: Choice[] = [];
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
    this.made.push(choice);
  }
}
export type LossNote = 'rounded' | 'time' | 'first' | 'format' | 'changed';
export type Converted =
  | { readonly kind: 'empty' | 'convertible'; readonly value: unknown }
  | { readonly kind: 'lossy'; readonly value: unknown; readonly note: LossNote }
  | { readonly kind: 'failing'; readonly fault: FieldFault };

const numbers: readonly FieldType[] = ['integer', 'rating', 'number', 'currency', 'percent', 'autonumber', 'duration'];
const files: readonly FieldType[] = ['file', 'image', 'svg', 'video'];
const lists: readonly FieldType[] = ['select', 'multiSelect', 'tags'];
const links: readonly FieldType[] = ['relation', 'relations'];
const selections: readonly FieldType[] = ['select', 'multiSelect'];
const isOne = (type: FieldType, of: readonly FieldType[]): boolean => of.includes(type);

/** A value as people read it. */
export function shown(side: Side, value: unknown, names: TextNames): string {
  if (side.type === 'richText' && typeof value === 'string') return plainOf(value);
  if (side.type === 'autonumber' && typeof value === 'number') return `${side.options.prefix ?? ''}${String(value).padStart(side.options.pad ?? 0, '0')}`;
  return textOf(side, value, names);
}

/** A decimal number with at most `places` digits after the point, half away from zero. */
export function rounded(decimal: string, places: number): string {
  const negative = decimal.startsWith('-');
  const [whole = '0', part = ''] = decimal.replace('-', '').split('.');
  if (part.length <= places) return decimal;
  const up = Number(part[places] ?? '0') >= 5 ? 1n : 0n;
  const digits = String(BigInt(whole + part.slice(0, places)) + up).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const titlesIn = (from: Side, value: unknown): readonly string[] => {
  const ids = Array.isArray(value) ? (value as readonly string[]) : [asText(value)];
  return from.type === 'tags' ? ids : ids.map((id) => from.options.choices?.find((choice) => choice.id === id)?.title ?? id);
};

/** Reads a text as the new type; titles that no choice has become choices, as far as that is allowed. */
function readAs(to: Side, text: string, { timeZone, find }: Names, choices: Choices | null): unknown {
  const field: Side = choices ? { ...to, options: { ...to.options, choices: choices.all } } : to;
  const read = (): ReadText => readText(field, text, { timeZone, find });
  let answer = read();
  if (!answer.ok && answer.code === 'unknown' && choices?.add) {
    makeAll(choices, answer.missing);
    answer = read();
  }
  return answer.ok ? answer.value : refuse(answer.code);
}
function makeAll(choices: Choices, titles: readonly string[]): void {
  for (const title of new Set(titles.map((one) => one.trim()))) {
    const fault = titleFault(title);
    if (fault) throw new ValueFault(fault);
    if (choices.all.some((choice) => choice.title.normalize('NFKC').toLowerCase() === title.normalize('NFKC').toLowerCase())) continue;
    if (choices.all.length >= tableLimits.choices) refuse('too_long', { max: tableLimits.choices });
    choices.make(title, `c_${randomBytes(6).toString('hex')}`);
  }
}

const jsonOf = (from: Side, value: unknown, names: Names): unknown => {
  if (isOne(from.type, [...files, 'json', 'repeater', 'geo', 'switch', 'tags'])) return value;
  if (isOne(from.type, numbers)) {
    const number = Number(value);
    return decimalOf(String(number)) === decimalOf(asText(value)) ? number : value;
  }
  if (isOne(from.type, lists)) return from.type === 'select' ? titlesIn(from, value)[0] : titlesIn(from, value);
  const text = shown(from, value, names.names);
  if (columnOf[from.type] !== 'text') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuse('wrong_type');
  }
};

/** What the new type makes of a value, not checked yet. */
function raw(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): unknown {
  const [a, b] = [from.type, to.type];
  if (isOne(a, numbers) && isOne(b, numbers)) {
    const decimal = decimalOf(asText(value)) ?? refuse('wrong_type');
    const places = columnOf[b] === 'bigint' ? 0 : to.options.decimals;
    return places === undefined ? decimal : rounded(decimal, places);
  }
  if (a === 'switch' && isOne(b, numbers)) return value === true ? '1' : '0';
  if (b === 'switch' && isOne(a, numbers)) return Number(value) !== 0;
  if (isOne(a, files) && isOne(b, files)) return value;
  if (isOne(a, links) && isOne(b, links) && from.options.to === to.options.to) {
    const ids = Array.isArray(value) ? (value as readonly string[]) : [asText(value)];
    return b === 'relation' ? ids[0] : ids;
  }
  if (isOne(a, lists) && isOne(b, lists)) {
    const titles = titlesIn(from, value);
    if (b === 'tags') return titles;
    if (b === 'select') return readAs(to, titles[0] ?? '', names, choices);
    return [...new Set(titles.map((title) => idOf(to, title, choices)))];
  }
  if (a === 'date' && b === 'datetime') return readMoment(asText(value), names.timeZone);
  if (a === 'datetime' && (b === 'date' || b === 'time')) {
    const local = momentText(asText(value), names.timeZone);
    return b === 'date' ? local.slice(0, 10) : local.slice(11);
  }
  if (a === 'time' && b === 'duration') return readDuration(asText(value));
  if (b === 'json') return jsonOf(from, value, names);
  if (a === 'json' && b === 'repeater') return value;
  if (a === 'json' && b === 'switch' && typeof value === 'boolean') return value;
  if (isOne(a, files) && b === 'url') return (value as readonly { readonly url: string }[])[0]?.url;
  // Several names in one cell, for a type that holds one: the first.
  if (a === 'relations' && !isOne(b, links) && (b === 'select' || b === 'user')) {
    const [first = ''] = Array.isArray(value) ? (value as readonly string[]) : [];
    return readAs(to, shown({ ...from, type: 'relation' }, first, names.names), names, choices);
  }
  const text = shown(from, value, names.names);
  if (b === 'richText') return richOf(text);
  if (b === 'slug') return isSlug(to, text) ? text : slugOf(text, Math.min(to.options.maxLength ?? 80, 80)) || refuse('pattern');
  if (columnOf[b] === 'numeric' || columnOf[b] === 'bigint') {
    const read = b === 'integer' || b === 'rating' || b === 'duration' ? asNumber(to, text, names) : readAs(to, text, names, choices);
    return typeof read === 'string' && to.options.decimals !== undefined ? rounded(read, to.options.decimals) : read;
  }
  return readAs(to, text, names, choices);
}
/** Whole numbers out of texts; what has digits after the point is rounded as between kinds of numbers. */
function asNumber(to: Side, text: string, names: Names): unknown {
  const whole = readText(to, text, names);
  if (whole.ok) return whole.value;
  const read = to.type === 'duration' ? null : readText({ type: 'number', options: {} }, text);
  return read?.ok && typeof read.value === 'string' ? rounded(read.value, 0) : refuse('wrong_type');
}
function isSlug(to: Side, text: string): boolean {
  try {
    return valueOf(to, text) === text;
  } catch {
    return false;
  }
}
function idOf(to: Side, title: string, choices: Choices | null): string {
  const read = readAs({ ...to, type: 'select' }, title, { timeZone: 'UTC', names: {}, find: () => null }, choices);
  return typeof read === 'string' ? read : refuse('unknown');
}

/** The new value, checked as when somebody writes it. Throws `ValueFault`. */
function made(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): unknown {
  const given = raw(from, to, value, names, choices);
  if (to.type !== 'autonumber') return valueOf(choices ? { ...to, options: { ...to.options, choices: choices.all } } : to, given);
  const number = Number(given);
  return Number.isSafeInteger(number) ? number : refuse('wrong_type');
}

/** Whether a value that was read back is the one it was; numbers by what they are worth, links by their names. */
function isSame(from: Side, before: unknown, back: unknown): boolean {
  if (columnOf[from.type] !== 'numeric') return sameValue(before, back);
  const [a, b] = [decimalOf(asText(before)), typeof back === 'string' ? decimalOf(back) : null];
  return a !== null && b !== null && compareDecimals(a, b) === 0;
}
function noteOf(from: Side, to: Side, value: unknown): LossNote {
  if (isOne(to.type, numbers)) return isOne(from.type, numbers) || /\.\d*[1-9]/.test(asText(value)) ? 'rounded' : 'changed';
  if (from.type === 'datetime') return 'time';
  if (Array.isArray(value) && isOne(to.type, ['select', 'relation', 'user', 'url'])) return 'first';
  return from.type === 'richText' ? 'format' : 'changed';
}

/**
 * One value of a field as a value of another type: `lossy` where reading it back gives another one, `failing` where the new type cannot hold it.
 * `choices`: of a selection; those that are missing are made there. Pure but for that.
 */
export function convertValue(from: Side, to: Side, value: unknown, names: Names, choices: Choices | null): Converted {
  if (isEmpty(value)) return { kind: 'empty', value: null };
  if (names.names.timeZone === undefined) return convertValue(from, to, value, { ...names, names: { ...names.names, timeZone: names.timeZone } }, choices);
  try {
    const next = made(from, to, value, names, choices);
    if (isEmpty(next)) return { kind: 'lossy', value: null, note: noteOf(from, to, value) };
    return reads(from, to, value, next, names, choices) ? { kind: 'convertible', value: next } : { kind: 'lossy', value: next, note: noteOf(from, to, value) };
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    return { kind: 'failing', fault: error.fault };
  }
}
function reads(from: Side, to: Side, before: unknown, next: unknown, names: Names, choices: Choices | null): boolean {
  const full: Side = choices ? { ...to, options: { ...to.options, choices: choices.all } } : to;
  if (from.type === 'text' && to.type === 'markdown') return true;
  // Zeros that the new type writes at the end of a plain number change nothing.
  if (
    columnOf[to.type] === 'numeric' &&
    to.type !== 'percent' &&
    typeof before === 'string' &&
    typeof next === 'string' &&
    /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(before)
  )
    if (next.startsWith(before) && /^\.?0*$/.test(next.slice(before.length)) && (before.includes('.') || next[before.length] !== '0')) return true;
  // Ids by name go one way only: what counts is whether the names are the same.
  if (isOne(from.type, ['user', ...links]) || isOne(to.type, ['user', ...links])) {
    if (isOne(from.type, links) && isOne(to.type, links)) return !(Array.isArray(before) && before.length > 1 && to.type === 'relation');
    if (isOne(to.type, ['user', ...links])) {
      const count = (all: unknown): number => (Array.isArray(all) ? all.length : 1);
      return isOne(from.type, ['tags', 'multiSelect', 'relations']) ? count(before) === count(next) : shown(from, before, names.names).trim() !== '';
    }
    const [left, right] = [shown(from, before, names.names), shown(full, next, names.names)];
    return left === right || splitList(left).join('\n') === splitList(right).join('\n');
  }
  try {
    const known = isOne(from.type, selections) ? new Choices(from.options.choices ?? [], false) : null;
    // Limits of the old type say nothing about what can be read.
    const back = made(full, { type: from.type, options: from.options }, next, names, known);
    return isSame(from, before, back);
  } catch (error) {
    if (error instanceof ValueFault) return false;
    throw error;
  }
}
