import { z } from 'zod';
import { ownOptions } from './fieldTypes/schemas';
import { RecordFilterSchema } from './recordFilter';
import { SiteId } from '../sites/schemas';
import { LocaleTag, safeName, safeText } from '../text';
import { aggregates, fieldIdPattern, fieldTypes, keyPattern, tableIdPattern, tableKinds, tableLimits, valueKinds } from './terms';

export const TableId = z.string().regex(tableIdPattern);
export const FieldId = z.string().regex(fieldIdPattern);
/** A field or table in input: by id, key or alias. Stored by id, so that names can change. */
const Ref = z.string().min(1).max(64).regex(/^\w+$/);
/** A name in the API: can change; the previous one stays an alias until removed. */
export const ApiKey = z.string().trim().regex(keyPattern);
/** In URLs and queries: id, key or alias. */
export const TableRef = z.string().min(1).max(64).regex(/^\w+$/);

export const choiceColors = ['grey', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'purple'] as const;
export const Choice = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w-]+$/),
  title: safeName(tableLimits.nameLength),
  color: z.enum(choiceColors).default('grey'),
});
export type Choice = z.output<typeof Choice>;

/** Simple types of `repeater` item parts. */
export const itemTypes = ['text', 'longText', 'url', 'integer', 'number', 'switch', 'date', 'select', 'image'] as const;
export const RepeaterItem = z.strictObject({
  key: ApiKey,
  title: safeName(tableLimits.nameLength),
  type: z.enum(itemTypes),
  required: z.boolean().default(false),
  choices: z.array(Choice).max(tableLimits.choices).optional(),
});
export type RepeaterItem = z.output<typeof RepeaterItem>;

/** `clear`: the relation is cleared; `block`: linked records cannot be deleted; `cascade`: the record is deleted too. */
export const onDeletes = ['clear', 'block', 'cascade'] as const;

/** Options of all types in one shape; `optionsOf` lists those of each type, all others are refused. */
export const FieldOptions = z.strictObject({
  /** Text lengths in characters; `pattern` is a regular expression for the whole text, with `patternMessage` as its error message. */
  minLength: z.int().min(0).max(tableLimits.textBytes).optional(),
  maxLength: z.int().min(1).max(tableLimits.textBytes).optional(),
  pattern: z.string().min(1).max(500).optional(),
  patternMessage: safeName(200).optional(),
  placeholder: safeName(200).optional(),
  /** Slug: the field that it is generated from if left empty. */
  from: Ref.optional(),
  /** Numbers and dates: minimum and maximum (dates as `YYYY-MM-DD`). */
  min: z.union([z.number(), z.iso.date()]).optional(),
  max: z.union([z.number(), z.iso.date()]).optional(),
  /** Number of decimals, 0 to 10; values with more are refused. */
  decimals: z.int().min(0).max(10).optional(),
  /** ISO 4217. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  unit: safeName(20).optional(),
  /** Autonumber: `INV-0001`. */
  prefix: safeName(20).optional(),
  pad: z.int().min(0).max(12).optional(),
  choices: z.array(Choice).max(tableLimits.choices).optional(),
  /** Maximum number of values in a list. */
  most: z.int().min(1).max(tableLimits.list).optional(),
  items: z.array(RepeaterItem).min(1).max(30).optional(),
  /** Relations: the other table, and what happens here when a record there is deleted. */
  to: Ref.optional(),
  onDelete: z.enum(onDeletes).optional(),
  /** Inverse: the relation field (of another table or this one) that it mirrors; input may also use `table.field`. */
  of: z
    .string()
    .max(130)
    .regex(/^\w{1,64}(\.\w{1,64})?$/)
    .optional(),
  /** Lookup and rollup: a relation (or inverse) field of this table, and a field of the table that it leads to. */
  relation: Ref.optional(),
  target: Ref.optional(),
  how: z.enum(aggregates).optional(),
  /** Formula: other fields as `{f_…}`. Input may name them by key or title; stored by id. */
  formula: z.string().min(1).max(10_000).optional(),
  /** Button: `{f_…}` in both is replaced by the record's value. */
  label: safeName(60).optional(),
  url: z.string().min(1).max(2000).optional(),
  ...ownOptions,
});
export type FieldOptions = z.output<typeof FieldOptions>;

/** A condition that every record must satisfy, with its error message. */
export const FieldRule = z.strictObject({ filter: RecordFilterSchema, message: safeName(200) });
/** While the filter matches the edited record, the field is hidden, required or read-only. */
export const FieldCondition = z.strictObject({ filter: RecordFilterSchema, then: z.enum(['hidden', 'required', 'readonly']) });
export const FieldDefault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('value'), value: z.unknown() }),
  z.strictObject({ kind: z.enum(['now', 'user', 'uuid']) }),
]);
export type FieldDefault = z.output<typeof FieldDefault>;

const fieldParts = {
  title: safeName(tableLimits.nameLength),
  help: safeText(1000),
  required: z.boolean(),
  unique: z.boolean(),
  indexed: z.boolean(),
  localized: z.boolean(),
  searchable: z.boolean(),
  hidden: z.boolean(),
  readonly: z.boolean(),
  /** Hidden from the content API and webhooks; visible only to administrators and editors. */
  sensitive: z.boolean(),
  options: FieldOptions,
  rules: z.array(FieldRule).max(20),
  conditions: z.array(FieldCondition).max(20),
  default: FieldDefault.nullable(),
};
export const TableField = z.object({
  id: FieldId,
  key: z.string(),
  /** Former keys that the API still accepts, oldest first. */
  aliases: z.array(z.string()),
  type: z.enum(fieldTypes),
  ...fieldParts,
  /** Value kind of a computed field; for others, of their type. */
  yields: z.enum(valueKinds),
  /** Why a computed field cannot be read (`missing_field`, `wrong_type`, `cycle`), else null. */
  problem: z.string().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});
export type TableField = z.infer<typeof TableField>;

/** Publishes the table's records as pages of the site (delivered pages). `{slug}` and other fields by key. */
export const TablePages = z.strictObject({
  pattern: z
    .string()
    .max(300)
    .regex(/^\/([\w.~%-]|\{[a-z]\w*\}|\/)*$/),
  titleField: FieldId.nullable().default(null),
});

/** Width of a field in the form: full, half or a third; stacked on narrow screens. */
export const layoutWidths = ['full', 'half', 'third'] as const;
export type LayoutWidth = (typeof layoutWidths)[number];
export const LayoutSection = z.strictObject({
  /** May be empty if there is nothing to click: not for tabs, and not for initially collapsed groups. */
  title: z.union([z.literal(''), safeName(tableLimits.nameLength)]),
  note: safeText(500).default(''),
  collapsed: z.boolean().default(false),
  fields: z.array(z.strictObject({ field: FieldId, width: z.enum(layoutWidths).default('full') })).max(tableLimits.fields),
});
/**
 * Arrangement of a record's form (computed by `formLayout.ts`): sections, stacked or as tabs, with their fields in order, and hidden fields. Fields that
 * are not named come last. No field occurs twice.
 */
export const FormLayout = z.strictObject({
  style: z.enum(['groups', 'tabs']).default('groups'),
  sections: z.array(LayoutSection).min(1).max(tableLimits.sections),
  hidden: z.array(FieldId).max(tableLimits.fields).default([]),
});
export type FormLayout = z.output<typeof FormLayout>;

const tableParts = {
  title: safeName(tableLimits.nameLength),
  icon: z
    .string()
    .max(40)
    .regex(/^[a-z-]*$/),
  note: safeText(1000),
  kind: z.enum(tableKinds),
  /** The field whose value names a record. */
  primaryField: FieldId.nullable(),
  /** Records are published explicitly; without drafts, changes are public at once. */
  drafts: z.boolean(),
  /** The first is the language of the main values; the others translate localized fields. */
  locales: z.array(LocaleTag).min(1).max(20),
  pages: TablePages.nullable(),
  /** Days that deleted records are kept. */
  trashDays: z.int().min(1).max(365),
  /** null: all fields, stacked in their order. */
  layout: FormLayout.nullable(),
};
export const ContentTable = z.object({
  id: TableId,
  key: z.string(),
  aliases: z.array(z.string()),
  ...tableParts,
  /** Live fields, in order. */
  fields: z.array(TableField),
  /** Revision of the table's definition; increases with every change. */
  revision: z.int(),
  /** Approximate number of records (the planner's estimate). */
  approxRows: z.int(),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  /** Actions on records that the reader may perform. */
  may: z.array(z.string()),
});
export type ContentTable = z.infer<typeof ContentTable>;

/** A new field; omitted properties are off, empty or the type's default. */
export const FieldInput = z.strictObject({
  key: ApiKey.optional(),
  type: z.enum(fieldTypes),
  title: fieldParts.title,
  help: fieldParts.help.default(''),
  required: fieldParts.required.default(false),
  unique: fieldParts.unique.default(false),
  indexed: fieldParts.indexed.default(false),
  localized: fieldParts.localized.default(false),
  searchable: fieldParts.searchable.optional(),
  hidden: fieldParts.hidden.default(false),
  readonly: fieldParts.readonly.default(false),
  sensitive: fieldParts.sensitive.default(false),
  options: FieldOptions.default({}),
  rules: fieldParts.rules.default([]),
  conditions: fieldParts.conditions.default([]),
  default: fieldParts.default.default(null),
  /** Creates the inverse of a relation in the other table, with this title. */
  inverseTitle: fieldParts.title.optional(),
});
export type FieldInput = z.input<typeof FieldInput>;

/** Only given properties change. Types are changed by conversion (`contract/tables/conversion.ts`); unique and indexed by separate calls. */
export const FieldChange = z.strictObject({
  key: ApiKey.optional(),
  /** Aliases to remove. */
  dropAliases: z.array(z.string().max(64)).max(50).optional(),
  title: fieldParts.title.optional(),
  help: fieldParts.help.optional(),
  required: fieldParts.required.optional(),
  localized: fieldParts.localized.optional(),
  searchable: fieldParts.searchable.optional(),
  hidden: fieldParts.hidden.optional(),
  readonly: fieldParts.readonly.optional(),
  sensitive: fieldParts.sensitive.optional(),
  options: FieldOptions.optional(),
  rules: fieldParts.rules.optional(),
  conditions: fieldParts.conditions.optional(),
  default: fieldParts.default.optional(),
});
export type FieldChange = z.input<typeof FieldChange>;

export const tableTemplates = ['articles', 'products', 'pages', 'faq', 'team'] as const;
export const TableInput = z.strictObject({
  key: ApiKey.optional(),
  title: tableParts.title,
  icon: tableParts.icon.default(''),
  note: tableParts.note.default(''),
  kind: tableParts.kind.default('collection'),
  /** Default: off, except for templates of published content (articles, pages). */
  drafts: tableParts.drafts.optional(),
  locales: tableParts.locales.optional(),
  /** A template's fields instead of `fields`. */
  template: z.enum(tableTemplates).optional(),
  /** The first text-like field becomes the primary field. If empty: one text field named 名称/Name in the caller's language. */
  fields: z.array(FieldInput).max(100).default([]),
});
export type TableInput = z.input<typeof TableInput>;
export const TableChange = z.strictObject({
  key: ApiKey.optional(),
  dropAliases: z.array(z.string().max(64)).max(50).optional(),
  title: tableParts.title.optional(),
  icon: tableParts.icon.optional(),
  note: tableParts.note.optional(),
  primaryField: FieldId.optional(),
  drafts: tableParts.drafts.optional(),
  locales: tableParts.locales.optional(),
  pages: tableParts.pages.optional(),
  trashDays: tableParts.trashDays.optional(),
  layout: tableParts.layout.optional(),
});
export type TableChange = z.input<typeof TableChange>;

/** One change of a definition in the history, and whether (and how far) it can be reverted. */
export const schemaOps = [
  'table_added',
  'table_changed',
  'table_removed',
  'table_restored',
  'field_added',
  'field_changed',
  'field_removed',
  'field_restored',
  'field_converted',
  'fields_ordered',
  'rules_changed',
] as const;
export const SchemaChange = z.object({
  id: z.string(),
  revision: z.int(),
  op: z.enum(schemaOps),
  at: z.iso.datetime(),
  by: z.string(),
  /** Title of the field or table at that time. */
  name: z.string(),
  fieldId: z.string().nullable(),
  /** Changed properties, before and after. For `rules_changed`: by `role.action`, the explicit rule, null if there was none. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  revertible: z.boolean(),
  reverted: z.boolean(),
});
export type SchemaChange = z.infer<typeof SchemaChange>;

/** Definitions of a whole site as a file: by keys, without ids. */
export const SchemaFile = z.object({
  format: z.literal('sitewright-tables'),
  version: z.literal(1),
  tables: z.array(z.record(z.string(), z.unknown())).max(tableLimits.tables),
});
/** In place of a field's key: the access rules of the table. Its parts are rules by `role.action`, fields by key. */
export const rightsPart = '$rights';
export const SchemaDifference = z.object({
  table: z.string(),
  /** null: the table itself; `$rights`: its access rules. */
  field: z.string().nullable(),
  change: z.enum(['add', 'change', 'missing', 'type']),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
export type SchemaDifference = z.infer<typeof SchemaDifference>;

/** Uses of a field or table. */
export const Usage = z.object({
  kind: z.enum(['view', 'formula', 'lookup', 'relation', 'webhook', 'rule', 'right', 'pages', 'slug']),
  id: z.string(),
  name: z.string(),
  tableId: z.string().nullable(),
});

/** Path parameters of calls. */
export const P = z.object({ siteId: SiteId });
export const T = z.object({ siteId: SiteId, table: TableRef });

export { neededOptions, optionsOf } from './fieldTypes';
