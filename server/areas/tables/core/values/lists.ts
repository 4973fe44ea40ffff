import { resourceLimits } from '../../../../../contract/resources/terms';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import { tableLimits } from '../../../../../contract/tables/terms';
import { LocaleTag } from '../../../../../contract/text';
import { inPart, refuse } from './valueErrors';
import { fileAddressOf, isKeepable, lengthOf, limitedText } from './texts';
import { isUuid } from '../../../../../contract/uuid';

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Forbidden keys, because values become objects here and in browsers. */
const hostile = new Set(['__proto__', 'constructor', 'prototype']);
/** Maximum nesting of a JSON value; PostgreSQL and browsers process it recursively. */
const deepest = 60;

export const idOf = (raw: unknown): string => (isUuid(raw) ? raw.toLowerCase() : refuse('wrong_type'));

export function listOf(raw: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(raw)) return refuse('wrong_type');
  return raw.length > most ? refuse('too_long', { max: most }) : (raw as readonly unknown[]);
}
export const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
export const listLimit = ({ most }: FieldOptions): number => Math.min(most ?? tableLimits.list, tableLimits.list);

/** Ids of records in order, without duplicates. */
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

function refuseOthers(raw: Json, keys: readonly string[]): void {
  for (const key of Object.keys(raw)) if (!keys.includes(key)) inPart(key, () => refuse('unknown_field'));
}
/** A file known by its address only. */
function linkOf(raw: unknown): Json {
  if (!isObject(raw)) return refuse('wrong_type');
  refuseOthers(raw, ['url', 'name', 'alt']);
  const text = (key: 'name' | 'alt', most: number): Json => {
    const value = raw[key];
    if (value === undefined || value === null || value === '') return {};
    return inPart(key, () => {
      const limited = limitedText(value);
      return lengthOf(limited) > most ? refuse('too_long', { max: most }) : { [key]: limited };
    });
  };
  const url = inPart('url', () => (typeof raw.url === 'string' ? fileAddressOf(raw.url.trim()) : refuse(raw.url === undefined ? 'required' : 'wrong_type')));
  return { url, ...text('name', 255), ...text('alt', 1000) };
}
/** Texts by language, without empty ones. */
function textsOf(raw: unknown, most: number): Json {
  if (!isObject(raw)) return refuse('wrong_type');
  const texts = Object.entries(raw).map(([key, value]): [string, string] =>
    inPart(key, () => {
      const locale = LocaleTag.safeParse(key);
      if (!locale.success) return refuse('unknown_field');
      const text = limitedText(value);
      return lengthOf(text) > most ? refuse('too_long', { max: most }) : [locale.data, text];
    }),
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}
/** A use of a resource. Whether it exists, and of which kind it is, is checked against the database (`fileChecks.ts`). */
function useOf(raw: Json): Json {
  refuseOthers(raw, ['resource', 'alt', 'caption']);
  const part = (key: 'alt' | 'caption', most: number): Json => {
    const value = raw[key];
    const texts = value === undefined || value === null ? {} : inPart(key, () => textsOf(value, most));
    return Object.keys(texts).length === 0 ? {} : { [key]: texts };
  };
  return { resource: inPart('resource', () => idOf(raw.resource)), ...part('alt', resourceLimits.text), ...part('caption', resourceLimits.caption) };
}
const fileOf = (raw: unknown): Json => (isObject(raw) && 'resource' in raw ? useOf(raw) : linkOf(raw));
export const filesOf = (options: FieldOptions, raw: unknown): readonly Json[] | null =>
  orNull(listOf(raw, listLimit(options)).map((one, at) => inPart(at, () => fileOf(one))));

/** Any JSON, except keys that are special in JavaScript, text that cannot be stored, and excessive nesting. */
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
