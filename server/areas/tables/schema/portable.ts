import { z } from 'zod';
import { canonical } from '../../../kit/canonical';
import { FieldInput, FormLayout, LayoutSection, TablePages, layoutWidths } from '../../../../contract/tables/schemas';
import { rightsPart } from '../../../../contract/tables/schemas';
import type { FieldOptions, SchemaDifference, SchemaFile } from '../../../../contract/tables/schemas';
import { RuleInput } from '../../../../contract/tables/access';
import { keyPattern, recordActions, ruleRoles, tableKinds, tableLimits } from '../../../../contract/tables/terms';
import { LocaleTag, safeName, safeText } from '../../../../contract/text';
import { fail, fieldsOf } from '../../../http/failure';
import type { FieldModel, RuleRecord, SiteModel, TableModel } from '../core/model';
import { DefinitionErrors } from './definitionErrors';
import { checkLayout, renamedLayout } from './layout';
import { differingRights } from './rights';
import { isUuid } from '../../../../contract/uuid';

const Key = z.string().regex(keyPattern);
const FileField = FieldInput.omit({ inverseTitle: true }).extend({ key: Key });
/** A table in a file, with keys instead of ids. */
const FileTable = z.strictObject({
  key: Key,
  title: safeName(tableLimits.nameLength),
  icon: z.string().max(40).default(''),
  note: safeText(1000).default(''),
  kind: z.enum(tableKinds).default('collection'),
  drafts: z.boolean().default(false),
  /** Files from before language names were normalized may name a language twice. */
  locales: z
    .array(LocaleTag)
    .min(1)
    .max(20)
    .overwrite((tags) => [...new Set(tags)]),
  trashDays: z.int().min(1).max(365).default(30),
  primaryField: Key.nullable().default(null),
  pages: TablePages.extend({ titleField: Key.nullable().default(null) })
    .nullable()
    .default(null),
  /** Missing in files from before layouts existed. */
  layout: FormLayout.extend({
    sections: z
      .array(LayoutSection.extend({ fields: z.array(z.strictObject({ field: Key, width: z.enum(layoutWidths).default('full') })).max(tableLimits.fields) }))
      .min(1)
      .max(tableLimits.sections),
    hidden: z.array(Key).max(tableLimits.fields).default([]),
  })
    .nullable()
    .optional(),
  fields: z.array(FileField).max(tableLimits.fields),
  /** Access rules; omitted ones are the defaults. Missing: the file does not specify any. */
  rights: z
    .array(RuleInput)
    .max(ruleRoles.length * recordActions.length)
    .optional(),
});
export type FileField = z.output<typeof FileField>;
export type FileTable = z.output<typeof FileTable>;

/** Validates the tables of a file. Throws `invalid_fields` with the path in the file. */
export function readSchemaFile(file: z.output<typeof SchemaFile>): FileTable[] {
  const parsed = z.object({ file: z.object({ tables: z.array(FileTable) }) }).safeParse({ file });
  if (!parsed.success) return fail('invalid_fields', { fields: fieldsOf(parsed.error, { file }) });
  const { tables } = parsed.data.file;
  for (const [i, table] of tables.entries()) {
    if (tables.findIndex((other) => other.key === table.key) !== i) fail('invalid_fields', { fields: { [`file.tables.${i}.key`]: { code: 'duplicate' } } });
    for (const [j, field] of table.fields.entries())
      if (table.fields.findIndex((other) => other.key === field.key) !== j)
        fail('invalid_fields', { fields: { [`file.tables.${i}.fields.${j}.key`]: { code: 'duplicate' } } });
    if (table.layout) {
      const errors = new DefinitionErrors(`file.tables.${i}.layout.`);
      checkLayout(table.layout, new Set(table.fields.map((field) => field.key)), errors);
      errors.throwIfAny();
    }
  }
  return tables;
}

/** Definitions of a site by key, without ids, so that they apply to another site. */
export const exportedTables = (model: SiteModel): FileTable[] => model.tables.map((table) => exportedTable(model, table));

function exportedTable(model: SiteModel, table: TableModel): FileTable {
  const keyOf = (id: string | null): string | null => table.fields.find((field) => field.id === id)?.key ?? null;
  return {
    key: table.key,
    title: table.title,
    icon: table.icon,
    note: table.note,
    kind: table.kind,
    drafts: table.drafts,
    locales: table.locales,
    trashDays: table.trashDays,
    primaryField: keyOf(table.primaryField),
    pages: table.pages && { pattern: table.pages.pattern, titleField: keyOf(table.pages.titleField) },
    layout: table.layout && renamedLayout(table.layout, keyOf),
    fields: table.fields.map((field) => exportedField(model, field)),
    rights: table.rules.map((rule) => exportedRule(model, table, rule)).sort((a, b) => (`${a.role}.${a.action}` < `${b.role}.${b.action}` ? -1 : 1)),
  };
}

type FileRule = z.output<typeof RuleInput>;
/** Ids of people, records and files of this site in a filter, which mean nothing elsewhere. `$user`, the reader, does. */
const boundIn = (part: unknown): string[] =>
  typeof part === 'string' ? (isUuid(part) ? [part] : []) : typeof part === 'object' && part !== null ? Object.values(part).flatMap(boundIn) : [];
const isBound = (part: unknown): boolean => boundIn(part).length > 0;
/** Rules that the file closes because they name people, records or files of this site: by their ids. */
export const boundRules = ({ rules }: Pick<TableModel, 'rules'>): (Pick<RuleRecord, 'role' | 'action'> & { readonly ids: string[] })[] =>
  rules.flatMap(({ role, action, filter }) => (isBound(filter) ? [{ role, action, ids: boundIn(filter) }] : []));
/** A rule by keys. A rule bound to this site is closed in the file; whoever imports it opens it for the right people, and nothing is exposed meanwhile. */
function exportedRule(model: SiteModel, table: TableModel, { role, action, allowed, fields, filter }: RuleRecord): FileRule {
  if (isBound(filter)) return { role, action, allowed: false, fields: null, filter: null };
  const named = fields && table.fields.flatMap(({ id, key }) => (fields.includes(id) ? [key] : []));
  return { role, action, allowed, fields: named, filter: byKeys(model, filter) };
}

/** Ids are unmistakable: each one is replaced by its key in options, formulas and filters. */
function byKeys<T>(model: SiteModel, part: T): T {
  const text = JSON.stringify(part).replaceAll(
    /[tf]_[a-z2-7]{12}/g,
    (id) => model.fieldById.get(id)?.field.key ?? model.tables.find((table) => table.id === id)?.key ?? id,
  );
  return JSON.parse(text) as T;
}

function exportedField(model: SiteModel, field: FieldModel): FileField {
  const mirrored = field.options.of === undefined ? undefined : model.fieldById.get(field.options.of);
  const options: FieldOptions = { ...byKeys(model, field.options), ...(mirrored ? { of: `${mirrored.table.key}.${mirrored.field.key}` } : {}) };
  return {
    key: field.key,
    type: field.type,
    title: field.title,
    help: field.help,
    required: field.required,
    unique: field.isUnique,
    indexed: field.indexed,
    localized: field.localized,
    searchable: field.searchable,
    hidden: field.hidden,
    readonly: field.readonly,
    sensitive: field.sensitive,
    options,
    rules: byKeys(model, field.rules),
    conditions: byKeys(model, field.conditions),
    default: field.default,
  };
}

const tableParts = ['title', 'icon', 'note', 'drafts', 'locales', 'trashDays', 'primaryField', 'pages', 'layout'] as const;
const fieldParts = [
  ...(['title', 'help', 'required', 'unique', 'indexed', 'localized', 'searchable', 'hidden', 'readonly', 'sensitive'] as const),
  ...(['options', 'rules', 'conditions', 'default'] as const),
] as const;

const pick = <T extends object>(from: T, names: readonly (keyof T & string)[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));
const differing = <T extends object>(a: T, b: T, names: readonly (keyof T & string)[]): (keyof T & string)[] =>
  names.filter((name) => b[name] !== undefined && canonical(a[name]) !== canonical(b[name]));

/** What the tables of a file add to this site or change, and references that they do not resolve (`missing`). */
export function differences(model: SiteModel, fileTables: readonly FileTable[]): SchemaDifference[] {
  const here = new Map(exportedTables(model).map((table) => [table.key, table]));
  const found: SchemaDifference[] = [];
  for (const table of fileTables) {
    const own = here.get(table.key);
    if (!own) {
      found.push({ table: table.key, field: null, change: 'add', before: {}, after: { title: table.title, fields: table.fields.length } });
      found.push(...rightsDifference(table, [], 'add'));
      continue;
    }
    if (own.kind !== table.kind) found.push({ table: table.key, field: null, change: 'type', before: { kind: own.kind }, after: { kind: table.kind } });
    const parts = differing(own, table, tableParts);
    if (parts.length > 0) found.push({ table: table.key, field: null, change: 'change', before: pick(own, parts), after: pick(table, parts) });
    found.push(...fieldDifferences(own, table), ...rightsDifference(table, own.rights ?? [], 'change'));
  }
  for (const [key, table] of here)
    if (!fileTables.some((one) => one.key === key)) found.push({ table: key, field: null, change: 'missing', before: { title: table.title }, after: {} });
  return found;
}

function rightsDifference({ key, rights }: FileTable, own: readonly FileRule[], change: 'add' | 'change'): SchemaDifference[] {
  const difference = rights && differingRights(own, rights);
  return difference ? [{ table: key, field: rightsPart, change, ...difference }] : [];
}

function fieldDifferences(own: FileTable, table: FileTable): SchemaDifference[] {
  const about = (field: string) => ({ table: table.key, field });
  const found = table.fields.flatMap((field): SchemaDifference[] => {
    const there = own.fields.find((one) => one.key === field.key);
    if (!there) return [{ ...about(field.key), change: 'add', before: {}, after: { type: field.type, title: field.title } }];
    // A relation with another target is another field, whatever its name.
    const leads = (one: FileField): string => `${one.type} ${one.options.to ?? ''} ${one.options.of ?? ''}`.trim();
    if (leads(there) !== leads(field)) return [{ ...about(field.key), change: 'type', before: { type: leads(there) }, after: { type: leads(field) } }];
    const parts = differing(there, field, fieldParts);
    return parts.length === 0 ? [] : [{ ...about(field.key), change: 'change', before: pick(there, parts), after: pick(field, parts) }];
  });
  const missing = own.fields.filter((field) => !table.fields.some((one) => one.key === field.key));
  return [
    ...found,
    ...missing.map((field): SchemaDifference => ({ ...about(field.key), change: 'missing', before: { type: field.type, title: field.title }, after: {} })),
  ];
}
