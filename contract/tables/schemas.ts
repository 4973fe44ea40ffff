import { z } from 'zod';
import { RecordFilterSchema } from './recordFilter';
import { SiteId } from '../sites/schemas';
import { LocaleTag, safeName, safeText } from '../text';
import { aggregates, fieldIdPattern, fieldTypes, keyPattern, tableIdPattern, tableKinds, tableLimits, valueKinds } from './terms';

export const TableId = z.string().regex(tableIdPattern);
export const FieldId = z.string().regex(fieldIdPattern);
/** A field or table as input names it: by id, key or old key. It is kept by id, so that names stay free to change. */
const Ref = z.string().min(1).max(64).regex(/^\w+$/);
/** A name in the API: free to change; the one before stays an alias until it is taken away. */
export const ApiKey = z.string().trim().regex(keyPattern);
/** In addresses and questions: id, key or alias. */
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

/** Simple types that an item of a `repeater` is made of. */
export const itemTypes = ['text', 'longText', 'url', 'integer', 'number', 'switch', 'date', 'select', 'image'] as const;
export const RepeaterItem = z.strictObject({
  key: ApiKey,
  title: safeName(tableLimits.nameLength),
  type: z.enum(itemTypes),
  required: z.boolean().default(false),
  choices: z.array(Choice).max(tableLimits.choices).optional(),
});
export type RepeaterItem = z.output<typeof RepeaterItem>;

/** `clear`: the relation becomes empty; `block`: what is pointed at cannot be thrown away; `cascade`: the record goes with it. */
export const onDeletes = ['clear', 'block', 'cascade'] as const;

/** Options of every type in one shape; `optionsOf` says which belong to which type, everything else is refused. */
export const FieldOptions = z.strictObject({
  /** Lengths of texts, in characters; `pattern` is a regular expression for the whole text with `patternMessage` for who breaks it. */
  minLength: z.int().min(0).max(tableLimits.textBytes).optional(),
  maxLength: z.int().min(1).max(tableLimits.textBytes).optional(),
  pattern: z.string().min(1).max(500).optional(),
  patternMessage: safeName(200).optional(),
  placeholder: safeName(200).optional(),
  /** Of a slug: the field whose text it is made of when it is left empty. */
  from: Ref.optional(),
  /** Numbers and dates: least and most (dates as `YYYY-MM-DD`). */
  min: z.union([z.number(), z.iso.date()]).optional(),
  max: z.union([z.number(), z.iso.date()]).optional(),
  /** Digits after the point, 0 to 10; what has more is refused. */
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
  /** Most values of a list. */
  most: z.int().min(1).max(tableLimits.list).optional(),
  items: z.array(RepeaterItem).min(1).max(30).optional(),
  /** Relations: the other table, and what happens here when a record there is thrown away. */
  to: Ref.optional(),
  onDelete: z.enum(onDeletes).optional(),
  /** Inverse: the relation field (of another table or this one) that it mirrors; input may also say `table.field`. */
  of: z
    .string()
    .max(130)
    .regex(/^\w{1,64}(\.\w{1,64})?$/)
    .optional(),
  /** Lookup and rollup: a relation field (or inverse) of this table, and a field of the table it leads to. */
  relation: Ref.optional(),
  target: Ref.optional(),
  how: z.enum(aggregates).optional(),
  /** Formula: other fields as `{f_…}`. Input may name them by key or title; it is kept by id. */
  formula: z.string().min(1).max(10_000).optional(),
  /** Button: `{f_…}` in both is replaced by the record's value. */
  label: safeName(60).optional(),
  url: z.string().min(1).max(2000).optional(),
});
export type FieldOptions = z.output<typeof FieldOptions>;

/** What holds for a record to be good, with the words for who breaks it. */
export const FieldRule = z.strictObject({ filter: RecordFilterSchema, message: safeName(200) });
/** While the filter holds for what is being edited, the field is hidden, required or read-only. */
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
  /** Not shown to the content API nor to webhooks, and only to administrators and editors. */
  sensitive: z.boolean(),
  options: FieldOptions,
  rules: z.array(FieldRule).max(20),
  conditions: z.array(FieldCondition).max(20),
  default: FieldDefault.nullable(),
};
export const TableField = z.object({
  id: FieldId,
  key: z.string(),
  /** Names that the API still understands, oldest first. */
  aliases: z.array(z.string()),
  type: z.enum(fieldTypes),
  ...fieldParts,
  /** What a computed field yields; of others what its type keeps. */
  yields: z.enum(valueKinds),
  /** Why a computed field cannot be read (`missing_field`, `wrong_type`, `cycle`), else null. */
  problem: z.string().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});
export type TableField = z.infer<typeof TableField>;

/** A table whose published records are pages of the site: the delivery uses it. `{slug}` and other fields by key. */
export const TablePages = z.strictObject({
  pattern: z
    .string()
    .max(300)
    .regex(/^\/([\w.~%-]|\{[a-z]\w*\}|\/)*$/),
  titleField: FieldId.nullable().default(null),
});

/** Columns of the form that a field takes: all of them, a half or a third of them; one under the other where there is no room. */
export const layoutWidths = ['full', 'half', 'third'] as const;
export type LayoutWidth = (typeof layoutWidths)[number];
export const LayoutSection = z.strictObject({
  /** May be empty where there is nothing to press: not in tabs, and not of a group that is collapsed at first. */
  title: z.union([z.literal(''), safeName(tableLimits.nameLength)]),
  note: safeText(500).default(''),
  collapsed: z.boolean().default(false),
  fields: z.array(z.strictObject({ field: FieldId, width: z.enum(layoutWidths).default('full') })).max(tableLimits.fields),
});
/**
 * How the form of a record is arranged (`formLayout.ts` computes it): sections under each other or as tabs, with their fields in order, and the fields
 * that the form does not show at all. A field that is named nowhere comes last. No field stands twice.
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
  /** The field by which people know a record. */
  primaryField: FieldId.nullable(),
  /** Records are published; without drafts, what is written is public at once. */
  drafts: z.boolean(),
  /** The first is that of the values themselves; further ones translate localized fields. */
  locales: z.array(LocaleTag).min(1).max(20),
  pages: TablePages.nullable(),
  /** Days that thrown away records are kept. */
  trashDays: z.int().min(1).max(365),
  /** null: all fields under each other in their order. */
  layout: FormLayout.nullable(),
};
export const ContentTable = z.object({
  id: TableId,
  key: z.string(),
  aliases: z.array(z.string()),
  ...tableParts,
  /** Fields that are not deleted, in their order. */
  fields: z.array(TableField),
  /** Of the table's definition; grows with each change of it. */
  revision: z.int(),
  /** About as many records as there are (the planner's estimate). */
  approxRows: z.int(),
  createdAt: z.iso.datetime(),
  deletedAt: z.iso.datetime().nullable(),
  /** Actions on records that the reader may do at all. */
  may: z.array(z.string()),
});
export type ContentTable = z.infer<typeof ContentTable>;

/** A new field; what is left out is off, empty or the default of its type. */
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
  /** Makes the mirror of a relation in the other table, with this title. */
  inverseTitle: fieldParts.title.optional(),
});
export type FieldInput = z.input<typeof FieldInput>;

/** Only what is given changes. The type changes by converting (`contract/tables/conversion.ts`); unique and indexed are built there too. */
export const FieldChange = z.strictObject({
  key: ApiKey.optional(),
  /** Old names to forget. */
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
  /** Default: off, but for templates whose records are written for readers (articles, pages). */
  drafts: tableParts.drafts.optional(),
  locales: tableParts.locales.optional(),
  /** Ready-made fields instead of `fields`. */
  template: z.enum(tableTemplates).optional(),
  /** The first text-like one becomes the primary field. None at all: one text field called 名称/Name in the caller's language. */
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

/** One change of a definition, as history shows it: what it did, and whether (and how far) it can be taken back. */
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
  /** Title of the field or table then. */
  name: z.string(),
  fieldId: z.string().nullable(),
  /** Parts that changed, before and after. Of `rules_changed`: by `role.action`, the rule as it was given, null where none stood. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  revertible: z.boolean(),
  reverted: z.boolean(),
});
export type SchemaChange = z.infer<typeof SchemaChange>;

/** Definitions of a whole site, as a file: by keys, without ids. */
export const SchemaFile = z.object({
  format: z.literal('sitewright-tables'),
  version: z.literal(1),
  tables: z.array(z.record(z.string(), z.unknown())).max(tableLimits.tables),
});
/** In place of a field's key: who may do what with the table. Its parts are rules by `role.action`, fields by key. */
export const rightsPart = '$rights';
export const SchemaDifference = z.object({
  table: z.string(),
  /** null: the table itself; `$rights`: who may do what with it. */
  field: z.string().nullable(),
  change: z.enum(['add', 'change', 'missing', 'type']),
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
});
export type SchemaDifference = z.infer<typeof SchemaDifference>;

/** Where a field or table is used by something else. */
export const Usage = z.object({
  kind: z.enum(['view', 'formula', 'lookup', 'relation', 'webhook', 'rule', 'right', 'pages', 'slug']),
  id: z.string(),
  name: z.string(),
  tableId: z.string().nullable(),
});

/** Parameters of calls, and where they begin. */
export const P = z.object({ siteId: SiteId });
export const T = z.object({ siteId: SiteId, table: TableRef });

/** Which options belong to which type; `satisfies` keeps the list whole. */
const texts = ['minLength', 'maxLength', 'pattern', 'patternMessage', 'placeholder'] as const;
const numbers = ['min', 'max', 'unit', 'placeholder'] as const;
const files = ['most'] as const;
export const optionsOf = {
  text: texts,
  longText: texts,
  markdown: texts,
  richText: ['maxLength', 'placeholder'],
  email: ['placeholder'],
  url: ['placeholder'],
  phone: ['placeholder'],
  slug: ['from', 'maxLength', 'placeholder'],
  color: [],
  password: ['minLength', 'placeholder'],
  integer: numbers,
  rating: ['max'],
  duration: ['min', 'max'],
  autonumber: ['prefix', 'pad'],
  number: [...numbers, 'decimals'],
  currency: [...numbers, 'decimals', 'currency'],
  percent: [...numbers, 'decimals'],
  switch: [],
  date: ['min', 'max'],
  time: [],
  datetime: ['min', 'max'],
  select: ['choices'],
  multiSelect: ['choices', 'most'],
  tags: ['most'],
  geo: [],
  user: [],
  file: files,
  image: files,
  svg: files,
  video: files,
  json: [],
  repeater: ['items', 'most'],
  relation: ['to', 'onDelete'],
  relations: ['to', 'most'],
  inverse: ['of'],
  lookup: ['relation', 'target'],
  rollup: ['relation', 'target', 'how'],
  formula: ['formula', 'decimals', 'unit'],
  button: ['label', 'url'],
} as const satisfies Record<(typeof fieldTypes)[number], readonly (keyof FieldOptions)[]>;
/** Options without which a field of this type cannot be. */
export const neededOptions: Partial<Record<(typeof fieldTypes)[number], readonly (keyof FieldOptions)[]>> = {
  repeater: ['items'],
  relation: ['to'],
  relations: ['to'],
  inverse: ['of'],
  lookup: ['relation', 'target'],
  rollup: ['relation', 'how'],
  formula: ['formula'],
  button: ['label', 'url'],
};
