import { z } from 'zod';
import { ResourceLabel } from '../resources/labels';
import { FilterParam, RecordFilterSchema, SortParam } from './recordFilter';
import { batchOrigins, recordStates, tableLimits } from './terms';
import { LocaleTag, rowId } from '../text';

/** Values by field: by key (and alias), or by id with `names=id`. See `columnOf` of `fieldTypes/index.ts` for their form. */
export const Values = z.record(z.string().max(64), z.unknown());
export const ContentRecord = z.object({
  id: z.uuid(),
  /** Sequential number within the table, in order of creation. */
  n: z.int(),
  revision: z.int(),
  state: z.enum(recordStates),
  values: Values,
  /** Languages with translations, in addition to the table's first. */
  locales: z.array(z.string()),
  createdAt: z.iso.datetime(),
  createdBy: z.uuid().nullable(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.uuid().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  /** When it will be published and unpublished automatically. */
  publishAt: z.iso.datetime().nullable(),
  unpublishAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});
export type ContentRecord = z.infer<typeof ContentRecord>;

/**
 * Names of linked records (their primary field) and people by id, only those that the reader may see, and the resources that the records use; absent if they use
 * none.
 */
export const RecordLabels = z.object({
  records: z.record(z.string(), z.string()),
  people: z.record(z.string(), z.string()),
  resources: z.record(z.string(), ResourceLabel).optional(),
});
export type RecordLabels = z.infer<typeof RecordLabels>;
export const RecordPage = z.object({
  rows: z.array(ContentRecord),
  labels: RecordLabels,
  /** Cursor of the next page; null at the end. */
  next: z.string().nullable(),
  /** null unless requested; `more`: there are more than `total`, which stops at 10,000 unless an exact count was requested. */
  total: z.int().nullable(),
  more: z.boolean(),
  /** Duration in the database, ms, and whether an index of fields could have helped. */
  cost: z.object({ ms: z.number(), slow: z.boolean() }),
});
export type RecordPage = z.infer<typeof RecordPage>;

/** Query parameters shared by several calls. */
export const namesParam = z.enum(['key', 'id']).default('key');
export const recordsQuery = {
  filter: FilterParam.optional(),
  /** Search terms, in every searchable field; two Chinese characters are enough. */
  q: z.string().trim().max(200).optional(),
  locale: LocaleTag.optional(),
  /** Records in the bin instead. */
  trash: z.stringbool().default(false),
};
export const RecordQuery = z.object({
  ...recordsQuery,
  /** Default: manual order (initially by `$n`). */
  sort: SortParam.optional(),
  /** Ids or keys; default: all that the reader may see. `-`: system columns only. */
  fields: z.string().max(20_000).optional(),
  ids: z.string().max(40_000).optional(),
  cursor: z.string().max(12_000).optional(),
  offset: z.coerce.number().int().min(0).max(100_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(tableLimits.page).default(50),
  count: z.enum(['none', 'capped', 'exact']).default('none'),
  names: namesParam,
});
export type RecordQuery = z.input<typeof RecordQuery>;

/** Aggregates of all records that match a filter, as text or number depending on the field's kind; with groups. */
export const AggregateQuery = z.object({
  ...recordsQuery,
  /** `f_abc:sum,price:avg`. */
  of: z
    .string()
    .max(4000)
    .regex(/^[$\w]+:[a-z]+(,[$\w]+:[a-z]+)*$/)
    .optional(),
  /** Up to three fields; dates are grouped by day, or with `:month` or `:year`. */
  group: z
    .string()
    .max(300)
    .regex(/^[$\w]+(:(month|year))?(,[$\w]+(:(month|year))?)*$/)
    .optional(),
  names: namesParam,
});
export const AggregateResult = z.object({
  count: z.int(),
  /** By `field:aggregate`. */
  values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
  /** At most 1,000, by key; `more`: there are more. */
  groups: z.array(z.object({ keys: z.array(z.unknown()), count: z.int(), values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()) })),
  more: z.boolean(),
  labels: RecordLabels,
});
export type AggregateResult = z.infer<typeof AggregateResult>;

/** Result of a write; one call undoes `batchId`. null: nothing changed. */
export const Written = z.object({
  batchId: z.uuid().nullable(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  records: z.array(z.object({ id: z.uuid(), n: z.int(), revision: z.int() })),
});
export type Written = z.infer<typeof Written>;
/** More than 1,000 records are written by a job, in one batch that is undone as a whole; the response then only contains the job. */
export const WrittenOrJob = Written.extend({ jobId: z.uuid().nullable() });
export type WrittenOrJob = z.infer<typeof WrittenOrJob>;

/** Both versions of a refused change, by field: the value that the writer read, the other person's and the writer's. */
export const Conflict = z.object({
  revision: z.int(),
  record: ContentRecord,
  fields: z.record(z.string(), z.object({ base: z.unknown(), theirs: z.unknown(), yours: z.unknown() })),
  by: z.string().nullable(),
});
export type Conflict = z.infer<typeof Conflict>;

export const RecordIds = z.array(rowId).min(1).max(tableLimits.batch);
/** Target records: named, or all that match a filter. */
export const Target = z.union([
  z.strictObject({ ids: RecordIds }),
  z.strictObject({ filter: RecordFilterSchema.nullable(), q: z.string().trim().max(200).optional() }),
]);
/** What prevents records from being deleted: a field that links to them, and records in it. Only what the reader may see. */
export const BlockedBy = z.object({
  tableId: z.string(),
  tableTitle: z.string(),
  fieldId: z.string(),
  fieldTitle: z.string(),
  records: z.array(z.object({ id: z.uuid(), label: z.string() })),
  /** There are more. */ more: z.boolean(),
});
export type BlockedBy = z.infer<typeof BlockedBy>;
export const Blocked = z.object({ blockedBy: z.array(BlockedBy) });
export const UndoResult = z.object({
  batchId: z.uuid().nullable(),
  undone: z.int(),
  /** Skipped because changed since, or gone. At most 100; only records and fields that the reader may see. */
  skipped: z.array(z.object({ recordId: z.uuid(), field: z.string().nullable() })),
  skippedCount: z.int(),
});
export type UndoResult = z.infer<typeof UndoResult>;
/** Result of a restore; what was deleted with the records is restored too. */
export const RestoreResult = Written.extend({
  /** Links, and records deleted along with them, that were changed since or that the caller may not change. At most 100. */
  skipped: z.array(z.object({ tableId: z.string(), recordId: z.uuid(), field: z.string().nullable() })),
  skippedCount: z.int(),
});
export type RestoreResult = z.infer<typeof RestoreResult>;
export const Batch = z.object({
  id: z.uuid(),
  tableId: z.string(),
  origin: z.enum(batchOrigins),
  at: z.iso.datetime(),
  by: z.string(),
  /** Numbers of records, limited to those that the reader may see. */
  created: z.int(),
  updated: z.int(),
  removed: z.int(),
  undone: z.boolean(),
});
export type Batch = z.infer<typeof Batch>;

export const RecordChange = z.object({
  revision: z.int(),
  at: z.iso.datetime(),
  /** The name of the person, or of the form that was filled in; '' for the program and for deleted accounts. */
  by: z.string(),
  /** A person whose account was deleted; absent otherwise. */
  byDeleted: z.literal(true).optional(),
  origin: z.enum(batchOrigins),
  kind: z.enum(['create', 'update', 'trash', 'restore', 'publish', 'unpublish', 'schedule', 'move']),
  batchId: z.uuid().nullable(),
  /** The resources that its values use, by id, if the reader may see resources. */
  resources: z.record(z.string(), ResourceLabel).optional(),
  /** By field id (`<id>@<locale>` for a translation). Without fields that the reader may not see. */
  fields: z.record(
    z.string(),
    z.object({
      before: z.unknown(),
      after: z.unknown(),
      /** Versions given as text, because the field was converted since and can no longer hold them. */
      texts: z.array(z.enum(['before', 'after'])).optional(),
    }),
  ),
});
export type RecordChange = z.infer<typeof RecordChange>;
export const RecordComment = z.object({
  id: z.uuid(),
  /** Mentions people as `@[id]`. */
  text: z.string(),
  /** The mentioned people with their current names; '' if the account was deleted. */
  mentions: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Revision of the text. */ revision: z.int(),
  /** The author's current name; '' if the account was deleted. */
  by: z.string(),
  own: z.boolean(),
  at: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
});
export type RecordComment = z.infer<typeof RecordComment>;

/** Planned or actual result of one row of a paste or import. */
export const rowOutcomes = ['insert', 'update', 'skip', 'fail'] as const;
export const RowPlan = z.object({
  row: z.int(),
  outcome: z.enum(rowOutcomes),
  id: z.uuid().nullable(),
  errors: z.array(z.object({ field: z.string().nullable(), code: z.string(), text: z.string() })),
});
export type RowPlan = z.infer<typeof RowPlan>;

export const PasteResult = z.object({
  batchId: z.uuid().nullable(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Rows (from 0) that fail or change; at most 200, errors first. */ rows: z.array(RowPlan),
  failed: z.int(),
  /** Unknown choice titles by field, if the caller may add choices: added with `addChoices`, errors without. */
  newChoices: z.record(z.string(), z.array(z.string())),
  /** Ids of the new records, in order. */ ids: z.array(z.uuid()),
});
