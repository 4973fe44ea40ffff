import { aliasAddress } from '../../resources/alias';
import { resourceKinds } from '../../resources/kinds';
import type { ResourceKind } from '../../resources/kinds';
import { defineFieldType, read } from './definition';
import type { FieldTypeDefinition } from './definition';
import { fileItemsOf, isResourceUse, resourceIdIn } from './fileValues';

/** A list of items as JSON; null if the text is something else. */
function itemsIn(text: string): readonly unknown[] | null {
  if (!text.startsWith('[')) return null;
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) ? items : null;
  } catch {
    return null;
  }
}

/**
 * A list of `{ resource, alt?, caption? }`; files known only by their address are `{ url, name?, alt? }`. As text: one address or id per line; JSON is read too.
 */
const files = (kinds: readonly ResourceKind[], near: readonly string[], importable: boolean): FieldTypeDefinition =>
  defineFieldType({
    column: 'jsonb',
    family: 'file',
    resourceKinds: kinds,
    uses: 'items',
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
        itemsIn(text) ??
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
