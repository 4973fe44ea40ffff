import type { ThemeFieldType, ThemeManifest } from '../../../contract/publishing/theme';
import type { Route } from '../../../contract/publishing/parts';
import { resourceRoot } from '../../../contract/resources/alias';
import type { FieldType } from '../../../contract/tables/fieldTypes';
import type { InstalledTable, TableContent } from '../tables';
import type { StarterCollection, StarterRecord } from './content/types';

type Field = NonNullable<TableContent['table']['fields']>[number];
type Collection = ThemeManifest['collections'][string];

/** The type of field that a collection of a theme gets in a new table. */
const typeOf: Readonly<Record<ThemeFieldType, FieldType>> = {
  text: 'text',
  rich_text: 'richText',
  image: 'image',
  date: 'date',
  number: 'number',
  money: 'currency',
  link: 'url',
  record: 'relation',
  records: 'relations',
  tags: 'tags',
  boolean: 'switch',
};
/** Texts of the shipped themes that may have several sentences. */
const longTexts: ReadonlySet<string> = new Set(['summary', 'quote']);

/** A label in the language of the texts; a theme may have only some languages. */
export type LabelOf = (label: Readonly<Record<string, string>>) => string;

function fieldOf(key: string, { type, label, required, of }: Collection['fields'][string], labelOf: LabelOf): Field {
  return {
    key,
    title: labelOf(label),
    type: type === 'text' && longTexts.has(key) ? 'longText' : typeOf[type],
    required,
    // Texts of a site that gets more languages can be translated at once.
    ...((type === 'text' || type === 'rich_text') && { localized: true }),
    // Lists by date put records without one last, so a new one would be the last of all.
    ...(type === 'date' && { default: { kind: 'now' } as const }),
    ...(of !== undefined && { options: { to: of } }),
  };
}

export type Placed = { readonly pictures: Readonly<Record<string, string>>; readonly tables: Readonly<Record<string, InstalledTable>> };

const pictureInHtml = /="picture:([^"]+)"/g;

function valuesOf({ slug, values, pictures = {}, links = {} }: StarterRecord, fields: Collection['fields'], placed: Placed): Readonly<Record<string, unknown>> {
  const idAt = (field: string, at: number): string => placed.tables[fields[field]?.of ?? '']?.records[at] ?? '';
  const embedded = (value: string): string =>
    value.replaceAll(pictureInHtml, (_all, name: string) => `="${resourceRoot}/${placed.pictures[name] ?? ''}/${name}"`);
  return {
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? embedded(value) : value])),
    ...(slug !== undefined && { slug }),
    ...Object.fromEntries(Object.entries(pictures).map(([field, name]) => [field, [{ resource: placed.pictures[name] }]])),
    ...Object.fromEntries(Object.entries(links).map(([field, at]) => [field, typeof at === 'number' ? idAt(field, at) : at.map((one) => idAt(field, one))])),
  };
}

/** A table with the fields that a collection of the theme needs, open to the public, with its records. Long texts are published explicitly. */
export function tableOf(
  starter: StarterCollection,
  collection: Collection,
  placed: Placed,
  labels: { readonly labelOf: LabelOf; readonly slug: string },
): TableContent {
  const fields = Object.entries(collection.fields).map(([key, field]) => fieldOf(key, field, labels.labelOf));
  const slug: readonly Field[] =
    starter.recordPath === null ? [] : [{ key: 'slug', type: 'slug', title: labels.slug, unique: true, options: { from: 'title' } }];
  const drafts = Object.values(collection.fields).some(({ type }) => type === 'rich_text');
  return {
    table: {
      key: starter.key,
      title: labels.labelOf(collection.title),
      icon: starter.icon,
      drafts,
      fields: [...fields, ...slug],
      ...(starter.locales && { locales: [...starter.locales] }),
    },
    open: true,
    records: starter.records.map((one) => ({
      values: valuesOf(one, collection.fields, placed),
      ...(one.translations && { translations: one.translations }),
      publish: drafts,
    })),
    views: [],
  };
}

/** The addresses of an installed collection. */
export function routeOf({ key, listPath, recordPath, sort }: StarterCollection, collection: Collection, { table, fields }: InstalledTable): Route {
  return {
    kind: 'collection',
    collection: key,
    table,
    fields: Object.fromEntries(Object.keys(collection.fields).flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
    listPath,
    recordPath,
    slug: fields['slug'] ?? null,
    perPage: 10,
    sort,
    feed: listPath !== null,
    sitemap: true,
  };
}
