import { hasChoices, usesOf } from '../../../../contract/tables/fieldTypes';
import type { FileLink } from '../../../../contract/tables/fieldTypes/fileValues';
import type { PublicResource, ResourceLabel } from '../../../../contract/resources/labels';
import type { RecordFilter, RecordSort } from '../../../../contract/tables/recordFilter';
import type { ContentRecord, RecordLabels } from '../../../../contract/tables/records';
import { textOf } from '../../../../contract/tables/fieldText';
import { tableLimits } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { resourceLabels } from '../../resources';
import { grantOf } from '../core/access';
import { serverFieldTypeOf } from '../core/fieldTypes';
import { siteModel } from '../core/model';
import type { FieldModel, SiteModel, TableModel } from '../core/model';
import { asking, inContext, linkEnds, listRecords } from '../core/read';
import type { TableContext } from '../core/tableContext';
import { formerOwner } from '../core/write/formerSlugs';
import { richOf } from '../core/values/html';
import { cleanHtml } from '../core/values/richText';
import { anybody, localeOf, openFields, visibleValue } from './content';
import { publicHtml } from './publicHtml';

/** A record that another one links to: its table and its name. */
export type PageLink = { readonly id: string; readonly table: string; readonly name: string };
/** A value as the pages of a site use it: choices by title, numbers as numbers. */
export type PageValue =
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null; readonly currency?: string; readonly decimals?: number }
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  | { readonly kind: 'files'; readonly files: readonly (PublicResource | FileLink)[] }
  | { readonly kind: 'links'; readonly links: readonly PageLink[] };

export type PageRecord = {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  /** Languages in which it exists. */
  readonly locales: readonly string[];
  /** By the keys of the request. Those of fields that do not exist or are not public are missing. */
  readonly values: Readonly<Record<string, PageValue>>;
  /** The value of a field as sanitised HTML. */
  readonly html: (key: string) => string | null;
  /** As stored, for conditions on other records. */
  readonly stored: Readonly<Record<string, unknown>>;
};

/** A condition on a field, by name: the records that have one of the values. */
export type HasOneOf = { readonly field: string; readonly values: readonly unknown[] };
export type PageRequest = {
  /** By id, key or alias. */
  readonly table: string;
  /** Fields of the table by key of the values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly locale: string;
  readonly ids?: readonly string[];
  readonly conditions?: readonly HasOneOf[];
  readonly except?: string;
  /** Only records that exist in this language. */
  readonly existsIn?: string;
  readonly q?: string;
  /** A field, `$publishedAt` or `$updatedAt`, with a minus for the opposite order. Absent or unknown: the newest first. */
  readonly sort?: string;
  readonly offset?: number;
  readonly limit: number;
  /** Whether the number of all records is requested; a capped one stops at 10,000. */
  readonly count?: 'capped' | 'exact';
};
export type PageRecords = { readonly rows: readonly PageRecord[]; readonly total: number; readonly more: boolean };

/** The content of a site for its pages, as of one moment of its definitions. */
export type SiteContent = {
  /** Records that the public may read. None if the table does not exist, or is not open to the public. */
  readonly records: (request: PageRequest) => Promise<PageRecords>;
  /** The id of the record that had a slug before; null if none did. It may have no page any more. */
  readonly formerOwner: (table: string, slugField: string, slug: string) => Promise<string | null>;
  /** The id of a table; null if it does not exist or is not public. */
  readonly tableId: (table: string) => string | null;
  /** The id of a field, by its id, key or alias; null if it does not exist or is not public. */
  readonly fieldId: (table: string, field: string) => string | null;
  /** Whether a field has a value in each language. */
  readonly isLocalized: (table: string, field: string) => boolean;
  /** Public resources by id. */
  readonly resources: (ids: readonly string[]) => Promise<Readonly<Record<string, ResourceLabel>>>;
};

/** `working`: current records instead of published ones, for previews. */
type Site = { readonly id: string; readonly timeZone: string; readonly working: boolean };

const empty: PageRecords = { rows: [], total: 0, more: false };

/** The currency of an amount, if its field names one, and its decimals. */
function moneyOptions({ options: { currency, decimals } }: FieldModel): { readonly currency?: string; readonly decimals?: number } {
  return { ...(currency !== undefined && { currency }), ...(decimals !== undefined && { decimals }) };
}

function valueOf(model: SiteModel, field: FieldModel, value: unknown, labels: RecordLabels, locale: string): PageValue | null {
  if (usesOf(field.type) === 'items')
    return { kind: 'files', files: (visibleValue(field, value, labels, locale) as (PublicResource | FileLink)[] | null) ?? [] };
  const linked = linkEnds({ model }, field)?.table;
  if (linked) {
    const visible = visibleValue(field, value, labels, locale);
    const ids = [visible].flat().filter((id): id is string => typeof id === 'string');
    return { kind: 'links', links: ids.map((id) => ({ id, table: linked.id, name: labels.records[id] ?? '' })) };
  }
  if (hasChoices(field.type)) {
    const titleOf = (id: unknown): string => field.options.choices?.find((choice) => choice.id === id)?.title ?? '';
    if (!Array.isArray(value)) return { kind: 'plain', value: value === null || value === undefined ? null : titleOf(value) };
    return { kind: 'texts', texts: value.map(titleOf).filter((title) => title !== '') };
  }
  if (Array.isArray(value)) return { kind: 'texts', texts: value.filter((text): text is string => typeof text === 'string') };
  if (field.yields === 'number') return { kind: 'plain', value: value === null || value === undefined ? null : Number(value), ...moneyOptions(field) };
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return { kind: 'plain', value };
  if (value === null || value === undefined) return { kind: 'plain', value: null };
  return { kind: 'plain', value: textOf(field, value, { timeZone: 'UTC' }) };
}

/** HTML of a text. Stored rich text was cleaned when it was written; other texts are cleaned here. */
function htmlOf(field: FieldModel, value: unknown, labels: RecordLabels, locale: string): string | null {
  if (typeof value !== 'string') return null;
  const { html } = serverFieldTypeOf(field.type);
  if (usesOf(field.type) === 'html') return publicHtml(value, labels, locale);
  return html ? publicHtml(cleanHtml(html(value)), labels, locale) : richOf(value);
}

type NamedField = readonly [key: string, field: FieldModel];

function recordOf({ model, table }: TableContext, row: ContentRecord, fields: readonly NamedField[], labels: RecordLabels, locale: string): PageRecord {
  const byKey = new Map(fields);
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    publishedAt: row.publishedAt,
    locales: [...table.locales.slice(0, 1), ...row.locales],
    values: Object.fromEntries(
      fields.flatMap(([key, field]) => {
        const value = valueOf(model, field, row.values[field.id], labels, locale);
        return value ? [[key, value] as const] : [];
      }),
    ),
    html(key) {
      const field = byKey.get(key);
      return field ? htmlOf(field, row.values[field.id], labels, locale) : null;
    },
    stored: Object.fromEntries(fields.map(([key, field]) => [key, row.values[field.id]])),
  };
}

/** A filter for one of several values; null: the field cannot have them, so that no record matches. */
function filterOf(table: TableModel, { field: name, values }: HasOneOf): RecordFilter | null {
  const field = openFields(table).find((one) => one.id === table.byName.get(name)?.id);
  if (!field || values.length === 0) return null;
  switch (field.yields) {
    case 'list':
    case 'records':
      return { field: field.id, op: 'hasAny', value: values };
    case 'record':
    case 'text':
      return { field: field.id, op: 'in', value: values };
    case 'number':
      return { or: values.map((value) => ({ field: field.id, op: 'eq', value: Number(value) })) };
    case 'boolean':
    case 'date':
      return { or: values.map((value) => ({ field: field.id, op: 'eq', value })) };
    default:
      return null;
  }
}

const systemSorts: ReadonlySet<string> = new Set(['$publishedAt', '$updatedAt']);
const unsortable: ReadonlySet<FieldModel['yields']> = new Set(['list', 'records', 'object']);

/**
 * Records of tables without drafts have no moment of publication: they are published when they are created. Those that were published together have their order of
 * creation.
 */
function sortOf(table: TableModel, sort: string | undefined): RecordSort[] {
  const published = table.drafts ? '$publishedAt' : '$createdAt';
  const newest: RecordSort[] = [published, '$n'].map((field) => ({ field, descending: true }));
  if (sort === undefined) return newest;
  const [name, descending] = sort.startsWith('-') ? [sort.slice(1), true] : [sort, false];
  if (systemSorts.has(name)) return [name === '$publishedAt' ? published : name, '$n'].map((field) => ({ field, descending }));
  const field = openFields(table).find((one) => one.id === table.byName.get(name)?.id);
  return field && !unsortable.has(field.yields) ? [{ field: field.id, descending }, ...newest] : newest;
}

function conditionsOf(table: TableModel, { conditions = [], except }: PageRequest): RecordFilter | 'none' | undefined {
  const filters = conditions.map((condition) => filterOf(table, condition));
  const all = filters.filter((filter) => filter !== null);
  if (all.length < filters.length) return 'none';
  if (except !== undefined) all.push({ field: '$id', op: 'nin', value: [except] });
  return all.length === 0 ? undefined : { and: all };
}

async function recordsOf(ctx: Context, context: TableContext, request: PageRequest, working: boolean): Promise<PageRecords> {
  const { table } = context;
  const open = new Map(openFields(table).map((field) => [field.id, field]));
  const fields = Object.entries(request.fields).flatMap(([key, name]): NamedField[] => {
    const field = open.get(table.byName.get(name)?.id ?? '');
    return field ? [[key, field]] : [];
  });
  const filter = conditionsOf(table, request);
  if (filter === 'none' || (request.existsIn !== undefined && !table.locales.includes(request.existsIn))) return empty;
  const page = await listRecords(ctx, context, {
    filter,
    q: request.q,
    ids: request.ids,
    existsIn: request.existsIn,
    sort: sortOf(table, request.sort),
    locale: table.locales.includes(request.locale) ? request.locale : undefined,
    offset: request.offset,
    limit: Math.min(request.limit, tableLimits.page),
    count: request.count ?? 'none',
    fields: [...new Set(fields.map(([, field]) => field.id))],
    names: 'id',
    published: !working,
  });
  const locale = localeOf(table, request.locale);
  return {
    rows: page.rows.map((row) => recordOf(context, row, fields, page.labels, locale)),
    total: page.total ?? page.rows.length,
    more: page.more,
  };
}

/** Opens the content of a site for one page. Throws `too_slow` when it reads records, as every query does. */
export async function openSiteContent(ctx: Context, site: Site): Promise<SiteContent> {
  const model = await siteModel(ctx, site.id);
  const tableNamed = (name: string): TableModel | null => {
    const table = model.byName.get(name);
    return table && grantOf(table, anybody, 'read').allowed ? table : null;
  };
  const fieldOf = (table: string, name: string): FieldModel | null => {
    const found = tableNamed(table);
    const field = found?.byName.get(name);
    return found && field && openFields(found).includes(field) ? field : null;
  };
  return {
    async records(request) {
      const table = tableNamed(request.table);
      if (!table) return empty;
      return inContext(ctx, { model, table, reader: anybody, timeZone: site.timeZone }, (context) => recordsOf(ctx, context, request, site.working));
    },
    async formerOwner(table, slugField, slug) {
      const field = fieldOf(table, slugField);
      return field ? formerOwner(ctx.postgres.db, site.id, tableNamed(table)?.id ?? '', field.id, slug) : null;
    },
    tableId: (table) => tableNamed(table)?.id ?? null,
    fieldId: (table, name) => fieldOf(table, name)?.id ?? null,
    isLocalized: (table, name) => fieldOf(table, name)?.localized === true,
    async resources(ids) {
      if (ids.length === 0) return {};
      const all = Object.entries(await resourceLabels(asking(ctx), site.id, ids));
      return Object.fromEntries(all.filter(([, label]) => label.visibility === 'public' && !label.deleted && !label.blocked));
    },
  };
}
