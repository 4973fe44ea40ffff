import { fieldTypeOf } from '../../../../../contract/tables/fieldTypes';
import { decimalOf } from '../values/decimal';
import { refuse } from '../values/valueErrors';
import { filesOf, geoOf, jsonOf } from '../values/lists';
import { asText, isObject, webAddress } from './cells';
import { checkChoices, listSchema, repeated, titlesIn } from './choices';
import { defineFieldType } from './definition';
import type { Conversion, OptionErrors, ServerFieldType } from './definition';
import { repeaterOf } from './repeater';

const fileSchema = {
  type: 'object',
  required: ['url'],
  properties: { url: { type: 'string' }, name: { type: 'string' }, alt: { type: 'string' } },
};
const files = (): ServerFieldType =>
  defineFieldType({
    check: (raw, options) => filesOf(options, raw),
    schema: ({ most }) => listSchema(fileSchema, most),
    convert: (value, { from }) => (fieldTypeOf(from.type).family === 'file' ? value : undefined),
    cell: (value) => {
      const links = (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((one) => {
        if (!isObject(one) || typeof one['url'] !== 'string') return [];
        const href = webAddress(one['url']);
        const name = typeof one['name'] === 'string' && one['name'] !== '' ? one['name'] : (one['url'].split(/[?#]/)[0]?.split('/').at(-1) ?? '');
        return href === null ? [] : [{ href, title: name === '' ? href : name }];
      });
      return { text: links.map(({ title }) => title).join(', '), links };
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
