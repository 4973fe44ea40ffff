import { resourceRoot } from '../../resources/alias';
import { isObject } from '../valueText';
import { uuidPattern } from '../../uuid';

type Texts = Readonly<Record<string, string>>;
/** Use of a resource in a record. The texts by language take precedence over those of the resource. */
export type ResourceUse = { readonly resource: string; readonly alt?: Texts; readonly caption?: Texts };
/** A file known only by its address: typed, imported, or from before files were stored. */
export type FileLink = { readonly url: string; readonly name?: string; readonly alt?: string };
export type FileItem = ResourceUse | FileLink;

export const isResourceUse = (item: unknown): item is ResourceUse => isObject(item) && typeof item.resource === 'string';
export const isFileLink = (item: unknown): item is FileLink => isObject(item) && typeof item.url === 'string';

/** The items of a value of a file field; parts that are none are omitted. */
export const fileItemsOf = (value: unknown): readonly FileItem[] =>
  Array.isArray(value) ? (value as readonly unknown[]).filter((item): item is FileItem => isResourceUse(item) || isFileLink(item)) : [];
/** Ids of the resources that a value uses. */
export const resourcesIn = (value: unknown): readonly string[] => fileItemsOf(value).flatMap((item) => (isResourceUse(item) ? [item.resource] : []));

const reference = new RegExp(String.raw`^(?:${resourceRoot}/)?(${uuidPattern})(?:$|/)`, 'i');
/** The id of a resource in a text that is this id, or an address of it within the site; null if the text is neither. */
export const resourceIdIn = (text: string): string | null => reference.exec(text)?.[1]?.toLowerCase() ?? null;

const addressInHtml = new RegExp(String.raw`="${resourceRoot}/(${uuidPattern})/`, 'gi');
/** Ids of the resources that stored HTML shows or links to. */
export const resourcesInHtml = (html: unknown): readonly string[] =>
  typeof html === 'string' ? [...html.matchAll(addressInHtml)].flatMap(([, id]) => id?.toLowerCase() ?? []) : [];

/** Stored HTML with other resources in its addresses. `by` receives an id in lower case. */
export const withResourcesInHtml = (html: string, by: (id: string) => string): string =>
  html.replaceAll(addressInHtml, (address, id: string) => address.replace(id, by(id.toLowerCase())));

/** A value of a repeater with its lists of files changed. */
export const withFilesInRows = (rows: unknown, change: (files: readonly FileItem[]) => unknown): unknown =>
  Array.isArray(rows)
    ? (rows as readonly unknown[]).map((row) =>
        isObject(row)
          ? Object.fromEntries(Object.entries(row).map(([key, part]) => [key, fileItemsOf(part).length > 0 ? change(fileItemsOf(part)) : part]))
          : row,
      )
    : rows;
/** Ids of the resources that the rows of a repeater use. */
export const resourcesInRows = (rows: unknown): readonly string[] =>
  Array.isArray(rows) ? (rows as readonly unknown[]).flatMap((row) => (isObject(row) ? Object.values(row).flatMap(resourcesIn) : [])) : [];

type Uses = 'items' | 'html' | 'rows';
/** A value with the resource `by` in place of `ids`, whose texts stay; null if it uses none of them. `uses`: how its type uses resources. */
export function withReplacedResources(uses: Uses, value: unknown, ids: readonly string[], by: string): unknown {
  const replace = (items: readonly FileItem[]): readonly FileItem[] =>
    items.map((item) => (isResourceUse(item) && ids.includes(item.resource) ? { ...item, resource: by } : item));
  const usesOne = (all: readonly string[]): boolean => all.some((id) => ids.includes(id));
  switch (uses) {
    case 'items':
      return usesOne(resourcesIn(value)) ? replace(fileItemsOf(value)) : null;
    case 'rows':
      return usesOne(resourcesInRows(value)) ? withFilesInRows(value, replace) : null;
    case 'html':
      return typeof value === 'string' && usesOne(resourcesInHtml(value)) ? withResourcesInHtml(value, (id) => (ids.includes(id) ? by : id)) : null;
  }
}

const base = (language: string): string | undefined => language.split('-')[0];
/** A text in a language, else in a variety of it (`zh-Hans` for `zh-CN`), else in any other. */
export const textIn = (texts: Texts, locale: string): string | undefined =>
  texts[locale] ?? Object.entries(texts).find(([language]) => base(language) === base(locale))?.[1] ?? Object.values(texts)[0];
