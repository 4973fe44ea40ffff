import type { Route } from '../../../contract/publishing/parts';
import type { ThemeCollection, ThemeManifest } from '../../../contract/publishing/theme';
import type { z } from 'zod';
import type { HasOneOf, PageLink, PageRecord, PageRequest } from '../../areas/tables';
import { pseudoRichText } from '../../kit/templates/pseudo';
import { templateRichText } from '../../kit/templates/richText';
import type { PageContext } from '../edition';
import { pathIn } from '../paths';
import { recordPath } from '../router';
import { languageFor, isTranslatable, translatable, visibleIn } from './languages';
import { pseudoValue, simpleValue } from './values';
import { uuidPattern } from '../../../contract/uuid';

export type CollectionRoute = Extract<Route, { kind: 'collection' }>;
type Collection = z.infer<typeof ThemeCollection>;
type ThemeList = ThemeManifest['templates'][string]['data'][string];

/** A record as templates receive it. */
export type TemplateRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly url: string | null;
  readonly published_at: string;
  readonly updated_at: string;
};
/** A record of the site with its route. */
export type RouteRecord = {
  readonly route: CollectionRoute;
  readonly record: PageRecord;
  /** In which its values are, by the chain of fallbacks. */
  readonly language: string;
};
export type RouteRecords = { readonly rows: readonly RouteRecord[]; readonly total: number; readonly more: boolean };

/** Key of the field that addresses use; no field of a theme begins with a sign. */
const slugKey = '$slug';
const uuid = new RegExp(`^${uuidPattern}$`);

const routesOf = ({ release }: PageContext, collection: string): CollectionRoute[] =>
  release.routes.filter((route): route is CollectionRoute => route.kind === 'collection' && route.collection === collection);
/** The route of a collection; a theme can show only one. */
export const routeOf = (context: PageContext, collection: string): CollectionRoute | null => routesOf(context, collection)[0] ?? null;
export const collectionOf = ({ release }: Pick<PageContext, 'release'>, key: string): Collection | null => release.theme?.manifest.collections[key] ?? null;

/** Fields of the table that a request reads: those of the collection, and the slug. */
const fieldsOf = (route: CollectionRoute): Record<string, string> => ({ ...route.fields, ...(route.slug === null ? {} : { [slugKey]: route.slug }) });

/** A field of the table by the name of a field of the collection or of the table. */
const sortOf = (route: CollectionRoute, sort: string): string => {
  const [sign, name] = sort.startsWith('-') ? ['-', sort.slice(1)] : ['', sort];
  return `${sign}${route.fields[name] ?? name}`;
};

export type RecordsQuery = Pick<PageRequest, 'ids' | 'conditions' | 'except' | 'q' | 'offset' | 'limit' | 'count'> & { readonly sort?: string | undefined };

/**
 * The records with values of the language that each is shown in. Tables fall back to their own first language; a record that should be shown in another one is read
 * again, with one query for each language.
 */
async function alongChain(context: PageContext, route: CollectionRoute, rows: readonly PageRecord[]): Promise<RouteRecord[]> {
  const languages = rows.map((record) => languageFor(context, record));
  const again = new Map<string, string[]>();
  for (const [at, { id, locales }] of rows.entries()) {
    const language = languages[at] ?? context.language;
    if (language !== context.language && language !== locales[0] && locales.includes(language)) again.set(language, [...(again.get(language) ?? []), id]);
  }
  const read = await Promise.all(
    [...again].map(([locale, ids]) => context.content.records({ table: route.table, fields: fieldsOf(route), locale, ids, limit: ids.length })),
  );
  const byId = new Map(read.flatMap((page) => page.rows.map((record) => [record.id, record] as const)));
  return rows.map((record, at) => ({ route, record: byId.get(record.id) ?? record, language: languages[at] ?? context.language }));
}

/** Records of a route, by its own order unless the query has one. */
export async function readRecords(context: PageContext, route: CollectionRoute, { sort, ...query }: RecordsQuery): Promise<RouteRecords> {
  const { rows, total, more } = await context.content.records({
    ...query,
    table: route.table,
    fields: fieldsOf(route),
    locale: context.language,
    sort: sortOf(route, sort ?? route.sort),
    ...visibleIn(context),
  });
  return { rows: await alongChain(context, route, rows), total, more };
}

/** The record at an address; null if there is none that the public may read. */
export async function recordAt(context: PageContext, route: CollectionRoute, name: string): Promise<RouteRecord | null> {
  if (route.slug === null && !uuid.test(name)) return null;
  const query = route.slug === null ? { ids: [name] } : { conditions: [{ field: route.slug, values: [name] }] };
  const [found] = (await readRecords(context, route, { ...query, limit: 1 })).rows;
  if (found || route.slug === null || !context.content.isLocalized(route.table, route.slug)) return found ?? null;
  // The record may be addressed by its slug in a language that it falls back to.
  for (const locale of context.release.chains.get(context.language)?.slice(1) ?? []) {
    const { rows } = await context.content.records({ ...query, table: route.table, fields: {}, locale, limit: 1 });
    const ids = rows.map(({ id }) => id);
    const [one] = ids.length === 0 ? [] : (await readRecords(context, route, { ids, limit: 1 })).rows;
    if (one && one.language === locale) return one;
  }
  return null;
}

/** Path of a record without its language; null if the site has no page for it. */
export function pathOf({ route, record }: RouteRecord): string | null {
  if (route.slug === null) return recordPath(route, record.id);
  const slug = record.values[slugKey];
  return slug?.kind === 'plain' && typeof slug.value === 'string' && slug.value !== '' ? recordPath(route, slug.value) : null;
}
export function urlOf(context: PageContext, one: RouteRecord): string | null {
  const path = pathOf(one);
  return path === null ? null : pathIn(context, path, context.language);
}

/** `all`: every field. `simple`: no rich text and no records. Otherwise the names of fields, or every field but rich text. */
type Extent = 'all' | 'simple' | { readonly fields: readonly string[] | undefined };

/** Prepares records for templates: values by the types that the theme declares, and the records that they link to. */
export class TemplateRecords {
  readonly #context: PageContext;
  /** Records that others link to, by table and id. */
  readonly #linked = new Map<string, TemplateRecord | null>();
  constructor(context: PageContext) {
    this.#context = context;
  }

  /** Reads the records that some records link to, one query for each of their collections. */
  async #readLinked(some: readonly RouteRecord[]): Promise<void> {
    const requested = new Map<string, { readonly route: CollectionRoute; readonly ids: Set<string> }>();
    for (const { route, record } of some)
      for (const [key, field] of Object.entries(collectionOf(this.#context, route.collection)?.fields ?? {})) {
        const value = record.values[key];
        const target = field.of === undefined ? null : routeOf(this.#context, field.of);
        if (value?.kind !== 'links' || !target) continue;
        const table = this.#context.content.tableId(target.table);
        const entry = requested.get(target.collection) ?? { route: target, ids: new Set() };
        for (const link of value.links) if (link.table === table && !this.#linked.has(link.id)) entry.ids.add(link.id);
        requested.set(target.collection, entry);
      }
    await Promise.all(
      [...requested.values()].map(async ({ route, ids }) => {
        if (ids.size === 0) return;
        const { rows } = await readRecords(this.#context, route, { ids: [...ids], limit: ids.size });
        for (const one of rows) this.#linked.set(one.record.id, this.#templateRecord(one, 'simple'));
      }),
    );
  }

  #linkOf = ({ id, name }: PageLink): TemplateRecord | { readonly id: string; readonly title: string } =>
    this.#linked.get(id) ?? { id, title: translatable(this.#context, name) };

  #valueOf(type: string, key: string, { route, record }: RouteRecord, extent: Extent): unknown {
    const isPseudo = this.#context.pseudo === true && isTranslatable(this.#context, route, key);
    const value = record.values[key];
    if (!value) return null;
    if (type === 'rich_text') {
      const html = record.html(key);
      const text = html === null ? null : templateRichText(html);
      return isPseudo && text ? pseudoRichText(text) : text;
    }
    if (type !== 'record' && type !== 'records') {
      const simple = simpleValue(type as Parameters<typeof simpleValue>[0], value);
      return isPseudo ? pseudoValue(type, simple) : simple;
    }
    if (extent === 'simple' || value.kind !== 'links') return null;
    const links = value.links.map(this.#linkOf);
    return type === 'records' ? links : (links[0] ?? null);
  }

  #templateRecord(one: RouteRecord, extent: Extent): TemplateRecord {
    const { route, record } = one;
    const only = typeof extent === 'object' ? extent.fields : undefined;
    const fields = Object.entries(collectionOf(this.#context, route.collection)?.fields ?? {}).filter(([key, { type }]) =>
      only ? only.includes(key) : extent === 'all' || type !== 'rich_text',
    );
    return {
      ...Object.fromEntries(fields.map(([key, { type }]) => [key, this.#valueOf(type, key, one, extent)])),
      id: record.id,
      url: urlOf(this.#context, one),
      published_at: record.publishedAt ?? record.createdAt,
      updated_at: record.updatedAt,
    };
  }

  async of(some: readonly RouteRecord[], extent: Extent): Promise<TemplateRecord[]> {
    await this.#readLinked(some);
    return some.map((one) => this.#templateRecord(one, extent));
  }

  /** Conditions of a list that depend on the record of the page; null: no record can match. */
  #conditionsOf(list: ThemeList, route: CollectionRoute, current: RouteRecord | null): HasOneOf[] | null {
    const conditions: HasOneOf[] = [];
    if (list.by !== undefined) {
      const field = route.fields[list.by];
      if (field === undefined || !current) return null;
      conditions.push({ field, values: [current.record.id] });
    }
    if (list.same !== undefined) {
      const field = route.fields[list.same];
      const values = [current?.record.stored[list.same] ?? []].flat().filter((value) => value !== '');
      if (field === undefined || values.length === 0) return null;
      conditions.push({ field, values });
    }
    return conditions;
  }

  /** A list as `data` of a template declares it. `current`: the record that the page shows. */
  async list(list: ThemeList, current: RouteRecord | null): Promise<TemplateRecord[]> {
    const route = routeOf(this.#context, list.collection);
    const conditions = route && this.#conditionsOf(list, route, current);
    if (!route || !conditions) return [];
    const { rows } = await readRecords(this.#context, route, {
      conditions,
      limit: list.limit,
      ...(list.except === 'record' && current ? { except: current.record.id } : {}),
      ...(list.sort === undefined ? {} : { sort: list.sort }),
    });
    return this.of(rows, { fields: list.fields });
  }
}
