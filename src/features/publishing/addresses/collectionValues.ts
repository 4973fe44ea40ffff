import { z } from 'zod';
import { PathText, RecordPath } from '@contract/publishing/parts';
import type { ThemeManifest } from '@contract/publishing/theme';
import type { ContentTable } from '@contract/tables/schemas';
import { encodeFieldError } from '@/ui/form/fieldError';
import { slugFields, suggestFields } from './fitting';
import type { CollectionRoute } from './routeList';

type Collection = ThemeManifest['collections'][string];

/** The form of a collection. Empty paths: no such page. */
export const collectionSchema = (collection: Collection) =>
  z
    .strictObject({
      table: z.string().min(1),
      /** Fields of the table by field of the collection; empty: none. */
      fields: z.record(z.string(), z.string()),
      listPath: z.union([z.literal(''), PathText]),
      recordPath: z.union([z.literal(''), RecordPath]),
      slug: z.string(),
      perPage: z.coerce.number<string>().int().min(1).max(100),
      sort: z.string(),
      feed: z.boolean(),
      sitemap: z.boolean(),
    })
    .superRefine(({ fields }, { addIssue }) => {
      for (const [key, { required }] of Object.entries(collection.fields))
        if (required && (fields[key] ?? '') === '') addIssue({ code: 'custom', path: ['fields', key], message: encodeFieldError({ code: 'required' }) });
    });
export type CollectionInput = z.input<ReturnType<typeof collectionSchema>>;
export type CollectionValues = z.output<ReturnType<typeof collectionSchema>>;

/** Order by the moment of publication, as the API writes it. */
export const newestFirst = '-$publishedAt';

/** What the form shows of a route, or of a collection that has no addresses yet. */
export const inputOf = (key: string, collection: Collection, route: CollectionRoute | null): CollectionInput => ({
  table: route?.table ?? '',
  fields: Object.fromEntries(Object.keys(collection.fields).map((field) => [field, route?.fields[field] ?? ''])),
  listPath: route ? (route.listPath ?? '') : `/${key}`,
  recordPath: route ? (route.recordPath ?? '') : `/${key}/{slug}`,
  slug: route?.slug ?? '',
  perPage: String(route?.perPage ?? 10),
  sort: route?.sort ?? newestFirst,
  feed: route?.feed ?? true,
  sitemap: route?.sitemap ?? true,
});

/** What is suggested once a table has been chosen. */
export const suggestionsFor = (table: ContentTable, collection: Collection): Pick<CollectionInput, 'fields' | 'slug'> => ({
  fields: { ...Object.fromEntries(Object.keys(collection.fields).map((key) => [key, ''])), ...suggestFields(table, collection) },
  slug: slugFields(table)[0]?.id ?? '',
});

export const routeOf = (collection: string, { listPath, recordPath, slug, fields, ...values }: CollectionValues): CollectionRoute => ({
  kind: 'collection',
  collection,
  ...values,
  fields: Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== '')),
  listPath: listPath === '' ? null : listPath,
  recordPath: recordPath === '' ? null : recordPath,
  slug: slug === '' ? null : slug,
});
