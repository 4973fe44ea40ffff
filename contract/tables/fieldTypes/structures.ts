import { isObject, narrow } from '../valueText';
import { defineFieldType, read, unreadable } from './definition';
import type { FieldTypeDefinition, ReadText } from './definition';

/** A list of `{ url, name?, alt? }`. As text: one address per line. */
const files = (near: readonly string[], importable: boolean): FieldTypeDefinition =>
  defineFieldType({
    column: 'jsonb',
    family: 'file',
    options: ['most'],
    importable,
    near,
    toText: (value) =>
      Array.isArray(value) ? (value as readonly unknown[]).flatMap((one) => (isObject(one) && typeof one.url === 'string' ? [one.url] : [])).join('\n') : '',
    fromText: (text) =>
      read(
        text
          .split(/[\s,，]+/)
          .filter((url) => url !== '')
          .map((url) => ({ url })),
      ),
  });
export const file = files(['image', 'video', 'svg', 'url', 'text'], true);
export const image = files(['file', 'url', 'text'], true);
export const svg = files(['image', 'file', 'url', 'text'], false);
export const video = files(['file', 'url', 'text'], true);

/** `{ lat, lng }` in degrees. */
export const geo = defineFieldType({
  column: 'jsonb',
  family: 'other',
  options: [],
  short: true,
  publicForm: true,
  importable: true,
  near: ['text', 'json'],
  toText: (value) => (isObject(value) ? `${String(value.lat)}, ${String(value.lng)}` : ''),
  fromText: (text) => {
    const match = /^\(?\s*(-?\d+(?:\.\d+)?)\s*[,，\s]\s*(-?\d+(?:\.\d+)?)\s*\)?$/.exec(narrow(text));
    return match ? read({ lat: Number(match[1]), lng: Number(match[2]) }) : unreadable;
  },
});

function readJson(text: string): ReadText {
  try {
    return read(JSON.parse(text) as unknown);
  } catch {
    return unreadable;
  }
}
export const json = defineFieldType({
  column: 'jsonb',
  family: 'other',
  options: [],
  importable: true,
  near: ['longText', 'text', 'repeater', 'tags'],
  fromText: readJson,
});
/** A list of objects described by `options.items`. */
export const repeater = defineFieldType({
  column: 'jsonb',
  family: 'other',
  options: ['items', 'most'],
  neededOptions: ['items'],
  near: ['json', 'longText'],
  fromText: readJson,
});
