import { aliasAddress } from '../../resources/addresses';
import { resourceKinds } from '../../resources/terms';
import type { ResourceKind } from '../../resources/terms';
import { isObject, narrow } from '../valueText';
import { defineFieldType, read, unreadable } from './definition';
import type { FieldTypeDefinition, ReadText } from './definition';
import { fileItemsOf, isResourceUse, resourceIdIn } from './fileValues';

/** A list of `{ resource, alt?, caption? }`; files whose address is known only are `{ url, name?, alt? }`. As text: one address or id per line. */
const files = (kinds: readonly ResourceKind[], near: readonly string[], importable: boolean): FieldTypeDefinition =>
  defineFieldType({
    column: 'jsonb',
    family: 'file',
    resourceKinds: kinds,
    options: ['most'],
    importable,
    near,
    toText: (value, _field, { resources = {} }) =>
      fileItemsOf(value)
        .map((item) => {
          if (!isResourceUse(item)) return item.url;
          const known = resources[item.resource];
          return known ? aliasAddress(known) : item.resource;
        })
        .join('\n'),
    fromText: (text) =>
      read(
        text
          .split(/[\s,，]+/)
          .filter((url) => url !== '')
          .map((part) => {
            const resource = resourceIdIn(part);
            return resource === null ? { url: part } : { resource };
          }),
      ),
  });
export const file = files(resourceKinds, ['image', 'video', 'svg', 'url', 'text'], true);
export const image = files(['image', 'svg'], ['file', 'url', 'text'], true);
export const svg = files(['svg'], ['image', 'file', 'url', 'text'], false);
export const video = files(['video'], ['file', 'url', 'text'], true);

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
