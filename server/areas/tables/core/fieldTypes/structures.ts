import { z } from 'zod';
import { PublicResource } from '../../../../../contract/resources/labels';
import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import { fileItemsOf, isResourceUse } from '../../../../../contract/tables/fieldTypes/fileValues';
import { decimalOf } from '../values/decimal';
import { refuse } from '../values/valueErrors';
import { filesOf, geoOf, jsonOf } from '../values/lists';
import { asText, webAddress } from './cells';
import { checkChoices, listSchema, repeated, titlesIn } from './choices';
import { defineFieldType } from './definition';
import type { Conversion, OptionErrors, ServerFieldType } from './definition';
import { repeaterOf } from './repeater';

const textsSchema = { type: 'object', additionalProperties: { type: 'string' } };
const linkSchema = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string' }, name: { type: 'string' }, alt: { type: 'string' } },
};
/** A use of a resource, or a file known by its address only, which the server fetches after it is written. */
const fileSchema = {
  anyOf: [
    { type: 'object', required: ['resource'], properties: { resource: { type: 'string', format: 'uuid' }, alt: textsSchema, caption: textsSchema } },
    linkSchema,
  ],
};
const { $schema: _dialect, ...publicResource } = z.toJSONSchema(PublicResource);
const lastPart = (url: string): string => url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
const files = (): ServerFieldType =>
  defineFieldType({
    check: (raw, options) => filesOf(options, raw),
    schema: ({ most }) => listSchema(fileSchema, most),
    publicSchema: ({ most }) => listSchema({ anyOf: [publicResource, linkSchema] }, most),
    convert: (value, { from }) => (fieldTypeOf(from.type).family === 'file' ? value : undefined),
    cell: (value, { labels }) => {
      const links: { href: string; title: string }[] = [];
      const titles = fileItemsOf(value).flatMap((item) => {
        if (isResourceUse(item)) return labels.resources?.[item.resource]?.name ?? [];
        const href = webAddress(item.url);
        if (href === null) return [];
        const title = [item.name, lastPart(item.url), href].find((name) => name) ?? href;
        links.push({ href, title });
        return title;
      });
      return { text: titles.join(', '), ...(links.length > 0 ? { links } : {}) };
    },
  });
export const file = files();
export const image = files();
export const svg = files();
export const video = files();

export const geo = defineFieldType({
  check: geoOf,
  schema: () => ({
    type: 'object',
    required: ['lat', 'lng'],
    properties: { lat: { type: 'number', minimum: -90, maximum: 90 }, lng: { type: 'number', minimum: -180, maximum: 180 } },
  }),
});

function jsonOfValue(value: unknown, { from, text }: Conversion): unknown {
  const { column, family } = fieldTypeOf(from.type);
  if (column === 'jsonb' || column === 'boolean') return value;
  if (family === 'number') {
    const number = Number(value);
    return decimalOf(String(number)) === decimalOf(asText(value)) ? number : value;
  }
  if (family === 'list') return column === 'text' ? titlesIn(from, value)[0] : titlesIn(from, value);
  const source = text(value);
  if (column !== 'text') return source;
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return refuse('wrong_type');
  }
}
export const json = defineFieldType({ check: jsonOf, convert: jsonOfValue });
export const repeater = defineFieldType({
  check: (raw, options) => repeaterOf(options, raw),
  schema: ({ items = [], most }) =>
    listSchema({ type: 'object', properties: Object.fromEntries(items.map((item) => [item.key, { title: item.title }])) }, most),
  convert: (value, { from }) => (from.type === 'json' ? value : undefined),
  resolveOptions: ({ items = [] }, _around, errors: OptionErrors) => {
    const key = repeated(items.map((item) => item.key));
    if (key >= 0) errors.add(`items.${key}.key`, 'duplicate');
    for (const [at, item] of items.entries()) {
      if (item.type === 'select' && !item.choices?.length) errors.add(`items.${at}.choices`, 'required');
      if (item.type !== 'select' && item.choices) errors.add(`items.${at}.choices`, 'unknown_field');
      if (item.choices) checkChoices(item.choices, `items.${at}.choices`, errors);
    }
    return {};
  },
});
