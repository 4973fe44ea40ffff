import type { ImportCollection } from '../../../contract/siteImport/schemas';
import type { Route } from '../../../contract/publishing/parts';
import type { FieldType } from '../../../contract/tables/fieldTypes';
import type { Context } from '../../context';
import { changeTheme } from '../publishing';
import { carriedTables, installTable } from '../tables';
import type { TableContent } from '../tables';
import { mappedFields } from './mapping';
import { messageOf } from './messages';
import * as queries from './queries';
import type { ImportRow } from './queries';
import type { FieldTargets, Written } from './schema';
import type { Receiver } from './target';
import { importedTheme } from './theme';

type Field = NonNullable<TableContent['table']['fields']>[number];
const linked: Readonly<Record<string, string>> = { author: 'authors', topics: 'topics' };
const icons: Readonly<Record<string, string>> = { posts: 'article', pages: 'description', authors: 'person', topics: 'label', front: 'home' };

export const emptyWritten: Written = { createdSite: false, tables: {}, fields: {}, redirects: [], overrides: [], parts: {} };

/** A collection with the fields that its table gets, and where those of the source go. */
export type ChosenCollection = ImportCollection & { readonly targets: FieldTargets };
/** Collections that a person chose, with their titles. */
export function chosenCollections({ plan, mapping, by }: ImportRow): ChosenCollection[] {
  const choices = new Map(mapping?.collections.map((one) => [one.key, one]));
  return (plan?.collections ?? [])
    .filter(({ key }) => choices.get(key)?.include ?? true)
    .map((one) => {
      const fields = one.fields.map((field) => ({ ...field, title: messageOf(by.locale, `field.${field.key}`) ?? field.title }));
      return { ...one, title: choices.get(one.key)?.title ?? titleOf(one, by.locale), ...mappedFields({ fields }, choices.get(one.key)?.fields) };
    });
}
export const titleOf = ({ key, title }: Pick<ImportCollection, 'key' | 'title'>, locale: Receiver['locale']): string =>
  title === '' ? (messageOf(locale, `collection.${key}`) ?? key.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())) : title;

function tableFields({ key, fields, path }: ImportCollection, tables: Readonly<Record<string, string>>, locale: Receiver['locale']): Field[] {
  const say = (name: string, otherwise: string): string => messageOf(locale, `field.${name}`) ?? otherwise;
  const field = ({ key: name, title, type }: ImportCollection['fields'][number]): Field[] => {
    const target = linked[name];
    if (target !== undefined) return tables[target] === undefined ? [] : [{ key: name, title, type: type as FieldType, options: { to: tables[target] } }];
    return [{ key: name, title, type: type as FieldType }];
  };
  return [
    { key: 'title', title: say('title', 'Title'), type: 'text', required: true },
    ...(path === null || key === 'front' ? [] : [{ key: 'slug', title: say('slug', 'Slug'), type: 'slug' as const, unique: true, options: { from: 'title' } }]),
    ...fields.filter((one) => one.key !== 'title' && one.key !== 'slug').flatMap(field),
  ];
}

/** Creates the tables and the theme that an import needs and the site lacks. Tables of an earlier import of the same kind of content are used again. */
export async function installStructure(ctx: Context, row: ImportRow, by: Receiver): Promise<Written> {
  const { db } = ctx.postgres;
  let written = row.written ?? emptyWritten;
  const earlier = await queries.earlierTables(db, by.site.id, row.id);
  const known = new Map((await carriedTables(ctx, by.site.id)).keys);
  const owned = (key: string): { table: string; fields: Readonly<Record<string, string>> } | null => {
    for (const one of [{ written }, ...earlier]) {
      const table = one.written?.tables[key];
      if (table !== undefined && known.has(table)) return { table, fields: one.written?.fields[key] ?? {} };
    }
    return null;
  };
  const collections = chosenCollections(row);
  const tables: Record<string, string> = {};
  for (const one of collections) {
    const present = owned(one.key);
    if (present && (one.key in written.tables || Object.keys(present.fields).length > 0)) {
      tables[one.key] = present.table;
      written = { ...written, fields: { ...written.fields, [one.key]: present.fields } };
      continue;
    }
    const used = new Set((await carriedTables(ctx, by.site.id)).tables.map(({ key }) => key));
    // One with the key of this import was created just before an interruption.
    const key = `${one.key}${used.has(one.key) && !used.has(`${one.key}_${row.id.slice(0, 4)}`) && !row.written?.createdSite ? `_${row.id.slice(0, 4)}` : ''}`;
    const icon = icons[one.key] ?? 'table';
    const installed = await installTable(
      ctx,
      { ...by, role: by.role },
      { table: { key, title: one.title, icon, drafts: true, fields: tableFields(one, tables, by.locale) }, open: true, records: [], views: [] },
      { resumes: true },
    );
    tables[one.key] = installed.table;
    written = {
      ...written,
      tables: { ...written.tables, [one.key]: installed.table },
      fields: { ...written.fields, [one.key]: installed.fields },
      targets: { ...written.targets, [one.key]: one.targets },
    };
    await queries.changeImport(db, row.id, { written });
  }
  const files = importedTheme(collections);
  await changeTheme(ctx, by, (current) => ({ kind: 'install', base: null, files: current.last ? new Map() : files }));
  await queries.changeImport(db, row.id, { written });
  return written;
}

/** A table, the ids of its fields by key, and what becomes of the fields of the source. */
export type ImportTable = { readonly table: string; readonly fields: Readonly<Record<string, string>>; readonly targets: FieldTargets };
export type ImportTables = ReadonlyMap<string, ImportTable>;
/** The tables of an import by collection, those of earlier imports included. These receive fields as they did before. */
export async function tablesOf(ctx: Context, row: ImportRow, siteId: string): Promise<ImportTables> {
  const earlier = await queries.earlierTables(ctx.postgres.db, siteId, row.id);
  const keys = new Map((await carriedTables(ctx, siteId)).keys);
  const planned = new Map(row.plan?.collections.map((one) => [one.key, one]));
  const found = new Map<string, ImportTable>();
  for (const { written } of [{ written: row.written }, ...earlier])
    for (const [key, table] of Object.entries(written?.tables ?? {})) {
      const fields = written?.fields[key];
      const targets = written?.targets?.[key] ?? mappedFields(planned.get(key) ?? { fields: [] }, undefined).targets;
      if (!found.has(key) && keys.has(table) && fields) found.set(key, { table, fields, targets });
    }
  return found;
}

/** Addresses of the collections. A list whose address a page has stays without one. */
export function routesFor(
  collections: readonly ImportCollection[],
  tables: ImportTables,
  pages: ReadonlySet<string>,
  title: Readonly<Record<string, string>>,
): Route[] {
  const routes: Route[] = [{ kind: 'template', path: '/', template: 'home', title: { ...title } }];
  for (const { key, path } of collections) {
    const found = tables.get(key);
    if (!found) continue;
    const folder = path?.slice(0, path.indexOf('/{slug}')) ?? '';
    const listPath = key === 'pages' || key === 'front' || folder === '' || pages.has(folder) ? null : folder;
    const { slug, ...fields } = found.fields;
    const hasDate = fields['date'] !== undefined;
    routes.push({
      kind: 'collection',
      collection: key,
      table: found.table,
      fields: { ...fields },
      listPath,
      recordPath: path,
      slug: slug ?? null,
      perPage: 10,
      sort: hasDate ? '-date' : '-$publishedAt',
      feed: hasDate && listPath !== null,
      sitemap: true,
    });
  }
  return routes;
}
