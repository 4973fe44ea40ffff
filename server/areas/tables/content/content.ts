import { and, eq, inArray } from 'drizzle-orm';
import { contentLimits } from '../../../../contract/tables/access';
import type { ContentItem, ContentPage } from '../../../../contract/tables/access';
import type { PublicResource } from '../../../../contract/resources/labels';
import { usesOf } from '../../../../contract/tables/fieldTypes';
import { fileItemsOf, isResourceUse, textIn, withFilesInRows } from '../../../../contract/tables/fieldTypes/fileValues';
import type { FileLink } from '../../../../contract/tables/fieldTypes/fileValues';
import type { RecordFilter, RecordSort } from '../../../../contract/tables/recordFilter';
import type { ContentRecord, RecordLabels } from '../../../../contract/tables/records';
import { openStates } from '../../../../contract/sites/terms';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { sites } from '../../sites/schema';
import { grantOf, requireGrant } from '../core/access';
import type { Reader } from '../core/access';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { linkEnds, listRecords, onTable, recordsByIds } from '../core/read';
import type { TableContext } from '../core/tableContext';
import { publicHtml } from './publicHtml';
import { isUuid } from '../../../../contract/uuid';

/** An anonymous reader: sees published records that the rules for `public` allow. */
export const anybody: Reader = { role: 'public', userId: null };

type Shape = { readonly locale?: string | undefined; readonly fields?: string | undefined; readonly expand?: string | undefined };
type ContentRequest = Shape & {
  readonly filter?: RecordFilter | undefined;
  readonly q?: string | undefined;
  readonly slug?: string | undefined;
  readonly sort?: readonly RecordSort[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly count: 'none' | 'capped';
};

/** Runs `work` on a public table. Sites that are unknown, not in use or not open to everybody, and closed or unknown tables, get the same response. */
async function onOpenTable<T>(ctx: Context, siteId: string, table: string, work: (context: TableContext) => Promise<T>): Promise<T> {
  const [site] = await ctx.postgres.db
    .select({ timeZone: sites.timeZone })
    .from(sites)
    .where(and(eq(sites.id, siteId), inArray(sites.state, [...openStates]), eq(sites.visibility, 'public')));
  if (!site) return fail('not_found');
  return onTable(ctx, { id: siteId, timeZone: site.timeZone }, table, anybody, async (context) => {
    requireGrant(context.table, anybody, 'read');
    return work(context);
  });
}

/** Public fields of a table. Whether a password is set is not disclosed. */
export function openFields(table: TableModel): FieldModel[] {
  const { covers } = grantOf(table, anybody, 'read');
  return table.fields.filter((field) => field.problem === null && field.type !== 'password' && covers(field));
}

/** A field of a response, with the keys for its value. */
type ResponseField = { readonly field: FieldModel; readonly names: readonly string[] };

/** All public fields, by key and by aliases that are still unambiguous; or the requested ones, by the names in the request. */
function shownFields(table: TableModel, requestedNames: string | undefined): ResponseField[] {
  const open = openFields(table);
  if (requestedNames === undefined)
    return open.map((field) => ({ field, names: [field.key, ...field.aliases.filter((alias) => table.byName.get(alias)?.id === field.id)] }));
  const names = new Map<FieldModel, string[]>();
  for (const part of requestedNames.split(',')) {
    const name = part.trim();
    if (name === '' || name === '-') continue;
    const field = openField(table, open, name, 'fields');
    names.set(field, [...(names.get(field) ?? []), name]);
  }
  return [...names].map(([field, own]) => ({ field, names: own }));
}
function openField(table: TableModel, open: readonly FieldModel[], name: string, where: string): FieldModel {
  const field = table.byName.get(name);
  return field && open.includes(field) ? field : failField(where, 'unknown_field');
}

const openSystem: ReadonlySet<string> = new Set(['$id', '$n', '$createdAt', '$updatedAt', '$publishedAt']);
const isFilter = (value: unknown): value is RecordFilter => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Refuses conditions on hidden system values: who wrote a record, and when it will be published. Other fields are checked when the filter is compiled. */
function refuseClosed(model: SiteModel, table: TableModel, filter: RecordFilter): void {
  if ('and' in filter) return filter.and.forEach((one) => refuseClosed(model, table, one));
  if ('or' in filter) return filter.or.forEach((one) => refuseClosed(model, table, one));
  if ('not' in filter) return refuseClosed(model, table, filter.not);
  if (filter.field.startsWith('$')) {
    if (!openSystem.has(filter.field)) failField('filter', 'unknown_field');
    return;
  }
  const field = openField(table, openFields(table), filter.field, 'filter');
  const there = isFilter(filter.value) ? linkEnds({ model }, field)?.table : null;
  if (there && isFilter(filter.value)) refuseClosed(model, there, filter.value);
}
function refuseClosedSort(table: TableModel, sort: readonly RecordSort[]): void {
  const open = openFields(table);
  for (const { field } of sort) {
    if (!field.startsWith('$')) openField(table, open, field, 'sort');
    else if (!openSystem.has(field)) failField('sort', 'unknown_field');
  }
}

const links: ReadonlySet<FieldModel['type']> = new Set(['relation', 'relations', 'inverse']);
/** The files of a value as the public reads them, with texts in a language. Those in the bin, and those that are private, are omitted. */
function publicFiles(value: unknown, labels: RecordLabels, locale: string): readonly (PublicResource | FileLink)[] | null {
  const files = fileItemsOf(value).flatMap((item): (PublicResource | FileLink)[] => {
    if (!isResourceUse(item)) return [item];
    const label = labels.resources?.[item.resource];
    if (!label || label.deleted || label.blocked || label.visibility !== 'public') return [];
    const { id, name, kind, contentType, bytes, width, height, alt, thumbhash, color, url, srcset } = label;
    const texts = { alt: textIn({ ...alt, ...item.alt }, locale) ?? '', caption: textIn(item.caption ?? {}, locale) ?? '' };
    return [{ id, name, kind, contentType, bytes, width, height, thumbhash, color, url, srcset, ...texts }];
  });
  return files.length === 0 ? null : files;
}

/** A value in a response: only links to published, public records, which are those that have a name. */
export function visibleValue(field: FieldModel, value: unknown, labels: RecordLabels, locale: string): unknown {
  switch (usesOf(field.type)) {
    case 'items':
      return publicFiles(value, labels, locale);
    case 'rows':
      return withFilesInRows(value ?? null, (files) => publicFiles(files, labels, locale) ?? []);
    case 'html':
      return typeof value === 'string' ? publicHtml(value, labels, locale) : null;
    case null:
  }
  if (!links.has(field.type)) return value ?? null;
  const isOpen = (id: unknown): boolean => typeof id === 'string' && labels.records[id] !== undefined;
  return Array.isArray(value) ? value.filter(isOpen) : isOpen(value) ? value : null;
}

const itemOf = (record: ContentRecord, responseFields: readonly ResponseField[], labels: RecordLabels, locale: string): ContentItem => ({
  id: record.id,
  n: record.n,
  values: Object.fromEntries(
    responseFields.flatMap(({ field, names }) => {
      const value = visibleValue(field, record.values[field.id], labels, locale);
      return names.map((name) => [name, value] as const);
    }),
  ),
  locales: record.locales,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  publishedAt: record.publishedAt,
});

/** The requested language, or the first of the table. */
export const localeOf = ({ locales }: TableModel, locale: string | undefined): string => locale ?? locales[0] ?? '';

type Read = { readonly rows: readonly ContentRecord[]; readonly labels: RecordLabels };

/** Published, public records that fields of a page link to directly, by id. */
async function includedOf(
  ctx: Context,
  context: TableContext,
  expanded: readonly FieldModel[],
  read: Read,
  locale: string | undefined,
): Promise<Record<string, ContentItem>> {
  const expandedIds = new Map<TableModel, Set<string>>();
  for (const field of expanded) {
    const there = linkEnds(context, field)?.table;
    if (!there) continue;
    const ids = expandedIds.get(there) ?? new Set();
    expandedIds.set(there, ids);
    for (const row of read.rows)
      for (const id of [visibleValue(field, row.values[field.id], read.labels, localeOf(there, locale))].flat()) if (typeof id === 'string') ids.add(id);
  }
  if ([...expandedIds.values()].reduce((sum, ids) => sum + ids.size, 0) > contentLimits.included) return failField('expand', 'too_long');
  const found = await Promise.all(
    [...expandedIds]
      .filter(([, ids]) => ids.size > 0)
      .map(async ([table, ids]) => {
        const { rows, labels } = await recordsByIds(ctx, { ...context, table }, [...ids], { published: true, locale, names: 'id' });
        const responseFields = shownFields(table, undefined);
        return rows.map((row) => [row.id, itemOf(row, responseFields, labels, localeOf(table, locale))] as const);
      }),
  );
  return Object.fromEntries(found.flat());
}

async function pageOf(ctx: Context, context: TableContext, request: ContentRequest & { readonly ids?: readonly string[] }): Promise<ContentPage> {
  const { model, table } = context;
  const { filter, slug, sort, locale, q, cursor, limit, count, ids } = request;
  if (filter) refuseClosed(model, table, filter);
  if (sort) refuseClosedSort(table, sort);
  const responseFields = shownFields(table, request.fields);
  const open = openFields(table);
  const expanded = (request.expand ?? '')
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => openField(table, open, name.trim(), 'expand'));
  if (expanded.some((field) => !links.has(field.type))) return failField('expand', 'wrong_type');
  const page = await listRecords(ctx, context, {
    filter: slug === undefined ? filter : bothOf(slugIs(table, slug) ?? failField('slug', 'unknown_field'), filter),
    q,
    sort,
    ids,
    locale,
    cursor,
    limit,
    count,
    fields: [...new Set([...responseFields.map(({ field }) => field), ...expanded])].map((field) => field.id),
    names: 'id',
    published: true,
  });
  return {
    rows: page.rows.map((row) => itemOf(row, responseFields, page.labels, localeOf(table, locale))),
    included: await includedOf(ctx, context, expanded, page, locale),
    next: page.next,
    total: page.total,
    more: page.more,
  };
}

/** By the first public slug of the table; null if there is none. */
function slugIs(table: TableModel, value: string): RecordFilter | null {
  const field = openFields(table).find((one) => one.type === 'slug');
  return field ? { field: field.id, op: 'eq', value } : null;
}
const bothOf = (one: RecordFilter, other: RecordFilter | undefined): RecordFilter => (other ? { and: [one, other] } : one);

/** Published records of a public table, a page at a time. */
export const contentPage = (ctx: Context, siteId: string, table: string, request: ContentRequest): Promise<ContentPage> =>
  onOpenTable(ctx, siteId, table, (context) => pageOf(ctx, context, request));

/** One of them, by id or slug. */
export const contentItem = (ctx: Context, siteId: string, table: string, name: string, request: Shape): Promise<ContentItem & Pick<ContentPage, 'included'>> =>
  onOpenTable(ctx, siteId, table, async (context) => {
    const byId = isUuid(name);
    if (!byId && !slugIs(context.table, name)) return fail('not_found');
    const page = await pageOf(ctx, context, { ...request, limit: 1, count: 'none', ...(byId ? { ids: [name] } : { slug: name }) });
    const [row] = page.rows;
    return row ? { ...row, included: page.included } : fail('not_found');
  });
