import type { FieldOptions, RepeaterItem } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { inPart, refuse } from './faults';
import { dateOf, integerOf, numberOf } from './quantities';
import { addressOf, fileAddressOf, isKeepable, lengthOf, limitedText } from './texts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Names that a value may not have, as it goes on living as an object here and in browsers. */
const hostile = new Set(['__proto__', 'constructor', 'prototype']);
/** Levels of a JSON value; PostgreSQL and browsers walk it by calling themselves. */
const deepest = 60;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
export const idOf = (raw: unknown): string => (typeof raw === 'string' && uuid.test(raw) ? raw.toLowerCase() : refuse('wrong_type'));

function listOf(raw: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(raw)) return refuse('wrong_type');
  return raw.length > most ? refuse('too_long', { max: most }) : (raw as readonly unknown[]);
}
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
export const listLimit = ({ most }: FieldOptions): number => Math.min(most ?? tableLimits.list, tableLimits.list);

/** Ids of records, each once, in their order. */
export const idsOf = ({ most }: FieldOptions, raw: unknown): readonly string[] => [
  ...new Set(listOf(raw, Math.min(most ?? tableLimits.links, tableLimits.links)).map((one, at) => inPart(at, () => idOf(one)))),
];

export const choiceOf = ({ choices = [] }: FieldOptions, raw: unknown): string | null => {
  if (typeof raw !== 'string') return refuse('wrong_type');
  if (raw === '') return null;
  return choices.some((choice) => choice.id === raw) ? raw : refuse('unknown');
};
export const choicesOf = (options: FieldOptions, raw: unknown): readonly string[] | null =>
  orNull([...new Set(listOf(raw, listLimit(options)).map((one, at) => inPart(at, () => choiceOf(options, one) ?? refuse('unknown'))))]);

const tagLength = 100;
export const tagsOf = (options: FieldOptions, raw: unknown): readonly string[] | null => {
  const tags = listOf(raw, listLimit(options)).map((one, at) =>
    inPart(at, () => {
      const tag = limitedText(one).trim().normalize('NFC');
      if (/[\n\r\t]/.test(tag)) return refuse('forbidden_characters');
      return lengthOf(tag) > tagLength ? refuse('too_long', { max: tagLength }) : tag;
    }),
  );
  return orNull([...new Set(tags.filter((tag) => tag !== ''))]);
};

/** `{ lat, lng }` in degrees. */
export function geoOf(raw: unknown): Json {
  if (!isObject(raw)) return refuse('wrong_type');
  for (const key of Object.keys(raw)) if (key !== 'lat' && key !== 'lng') inPart(key, () => refuse('unknown_field'));
  const degrees = (key: 'lat' | 'lng', most: number): number =>
    inPart(key, () => {
      const value = raw[key];
      if (typeof value !== 'number' || !Number.isFinite(value)) return refuse('wrong_type');
      return Math.abs(value) > most ? refuse('out_of_range', { min: -most, max: most }) : value;
    });
  return { lat: degrees('lat', 90), lng: degrees('lng', 180) };
}

const fileKeys = ['url', 'name', 'alt'] as const;
function fileOf(raw: unknown): Json {
  if (!isObject(raw)) return refuse('wrong_type');
  for (const key of Object.keys(raw)) if (!(fileKeys as readonly string[]).includes(key)) inPart(key, () => refuse('unknown_field'));
  const text = (key: 'name' | 'alt', most: number): Json => {
    const value = raw[key];
    if (value === undefined || value === null || value === '') return {};
    return inPart(key, () => {
      const given = limitedText(value);
      return lengthOf(given) > most ? refuse('too_long', { max: most }) : { [key]: given };
    });
  };
  const url = inPart('url', () => (typeof raw.url === 'string' ? fileAddressOf(raw.url.trim()) : refuse(raw.url === undefined ? 'required' : 'wrong_type')));
  return { url, ...text('name', 255), ...text('alt', 1000) };
}
export const filesOf = (options: FieldOptions, raw: unknown): readonly Json[] | null =>
  orNull(listOf(raw, listLimit(options)).map((one, at) => inPart(at, () => fileOf(one))));

/** Any JSON; refused are keys that mean something to JavaScript itself, what cannot be kept, and nesting without end. */
export function jsonOf(raw: unknown): unknown {
  walk(raw, 1);
  if (Buffer.byteLength(JSON.stringify(raw)) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
  return raw;
}
function walk(value: unknown, depth: number): void {
  if (depth > deepest) refuse('too_long', { max: deepest });
  if (typeof value === 'string' && !isKeepable(value)) refuse('forbidden_characters');
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('out_of_range');
  if (Array.isArray(value)) for (const one of value as readonly unknown[]) walk(one, depth + 1);
  else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      if (hostile.has(key) || !isKeepable(key)) refuse('forbidden_characters');
      walk(one, depth + 1);
    }
  }
}

function itemValue({ type, choices }: RepeaterItem, raw: unknown): unknown {
  switch (type) {
    case 'text':
    case 'longText': {
      const text = limitedText(raw);
      return type === 'text' && /[\n\r]/.test(text) ? refuse('forbidden_characters') : text;
    }
    case 'url':
      return typeof raw === 'string' ? addressOf(raw.trim()) : refuse('wrong_type');
    case 'integer':
      return integerOf({}, raw);
    case 'number':
      return numberOf({}, raw);
    case 'switch':
      return typeof raw === 'boolean' ? raw : refuse('wrong_type');
    case 'date':
      return dateOf({}, raw);
    case 'select':
      return choiceOf({ choices: choices ?? [] }, raw);
    case 'image':
      return filesOf({}, raw);
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** A list of objects, each with the parts that `options.items` describes and no others. */
export function repeaterOf(options: FieldOptions, raw: unknown): readonly Json[] | null {
  const items = options.items ?? [];
  const rows = listOf(raw, listLimit(options)).map((row, at) =>
    inPart(at, () => {
      if (!isObject(row)) return refuse('wrong_type');
      for (const key of Object.keys(row)) if (!items.some((item) => item.key === key)) inPart(key, () => refuse('unknown_field'));
      return Object.fromEntries(
        items.flatMap((item) => {
          const value = Object.hasOwn(row, item.key) ? row[item.key] : null;
          if (isNothing(value)) return item.required ? inPart(item.key, () => refuse('required')) : [];
          return [[item.key, inPart(item.key, () => itemValue(item, value))]];
        }),
      );
    }),
  );
  if (rows.length > 0 && Buffer.byteLength(JSON.stringify(rows)) > tableLimits.textBytes) return refuse('too_long', { max: tableLimits.textBytes });
  return orNull(rows);
}
