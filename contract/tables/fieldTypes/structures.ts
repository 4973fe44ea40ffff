import { isObject, narrow } from '../valueText';
import { defineFieldType, read, unreadable } from './definition';
import type { ReadText } from './definition';

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
  uses: 'rows',
  family: 'other',
  options: ['items', 'most'],
  neededOptions: ['items'],
  near: ['json', 'longText'],
  fromText: readJson,
});
