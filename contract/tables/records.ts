import { z } from 'zod';
import { FilterParam, RecordFilterSchema, SortParam } from './recordFilter';
import { batchDoors, recordStates, tableLimits } from './terms';
import { LocaleTag, rowId } from '../text';

/** Values by field: by key (and alias) unless `names=id` asks for ids. See `tableTerms.columnOf` for what a value looks like. */
export const Values = z.record(z.string().max(64), z.unknown());
export const ContentRecord = z.object({
  id: z.uuid(),
  /** Number in order of making, within its table. */
  n: z.int(),
  revision: z.int(),
  state: z.enum(recordStates),
  values: Values,
  /** Languages that have values of their own, besides the table's first. */
  locales: z.array(z.string()),
  createdAt: z.iso.datetime(),
  createdBy: z.uuid().nullable(),
  updatedAt: z.iso.datetime(),
  updatedBy: z.uuid().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  /** When it will be published, and taken back, by itself. */
  publishAt: z.iso.datetime().nullable(),
  unpublishAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});
export type ContentRecord = z.infer<typeof ContentRecord>;

/** Names of what rows point at: records by id (their primary field) and people by id. Only of what the reader may see. */
export const RecordLabels = z.object({ records: z.record(z.string(), z.string()), people: z.record(z.string(), z.string()) });
export type RecordLabels = z.infer<typeof RecordLabels>;
export const RecordPage = z.object({
  rows: z.array(ContentRecord),
  labels: RecordLabels,
  /** For the next page; null at the end. */
  next: z.string().nullable(),
  /** null unless asked for; `more`: there are more than `total`, which stops at 10 000 unless an exact count was asked for. */
  total: z.int().nullable(),
  more: z.boolean(),
  /** What the question took in the database, ms, and whether an index of fields could have helped. */
  cost: z.object({ ms: z.number(), slow: z.boolean() }),
});
export type RecordPage = z.infer<typeof RecordPage>;

/** Parts of questions that several calls share. */
export const namesParam = z.enum(['key', 'id']).default('key');
export const recordsAsked = {
  filter: FilterParam.optional(),
  /** Words, in every searchable field; two Chinese characters are enough. */
  q: z.string().trim().max(200).optional(),
  locale: LocaleTag.optional(),
  /** Records in the bin instead. */
  trash: z.stringbool().default(false),
};
export const RecordQuery = z.object({
  ...recordsAsked,
  /** Default: the order that people gave (`$n` order until then). */
  sort: SortParam.optional(),
  /** Ids, keys; default all that the reader may see. `-`: none but the systems'. */
  fields: z.string().max(20_000).optional(),
  ids: z.string().max(40_000).optional(),
  cursor: z.string().max(12_000).optional(),
  offset: z.coerce.number().int().min(0).max(100_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(tableLimits.page).default(50),
  count: z.enum(['none', 'capped', 'exact']).default('none'),
  names: namesParam,
});
export type RecordQuery = z.input<typeof RecordQuery>;

/** Aggregates of all records that a filter leaves, as text or number by the field's kind; groups with the same below them. */
export const AggregateQuery = z.object({
  ...recordsAsked,
  /** `f_abc:sum,price:avg`. */
  of: z
    .string()
    .max(4000)
    .regex(/^[$\w]+:[a-z]+(,[$\w]+:[a-z]+)*$/)
    .optional(),
  /** Up to three fields; dates are grouped by day, with `:month` or `:year` by these. */
  group: z
    .string()
    .max(300)
    .regex(/^[$\w]+(:(month|year))?(,[$\w]+(:(month|year))?)*$/)
    .optional(),
  names: namesParam,
});
export const AggregateAnswer = z.object({
  count: z.int(),
  /** By `field:aggregate`. */
  values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
  /** At most 1 000, by key; `more`: there are more. */
  groups: z.array(z.object({ keys: z.array(z.unknown()), count: z.int(), values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()) })),
  more: z.boolean(),
  labels: RecordLabels,
});
export type AggregateAnswer = z.infer<typeof AggregateAnswer>;

/** What a write did; `batchId` is undone with one call. null: nothing was changed. */
export const Written = z.object({
  batchId: z.uuid().nullable(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  records: z.array(z.object({ id: z.uuid(), n: z.int(), revision: z.int() })),
});
export type Written = z.infer<typeof Written>;
/** Of more than 1 000 records a job does it, in one batch that is undone as a whole; then the answer says only which job. */
export const WrittenOrJob = Written.extend({ jobId: z.uuid().nullable() });
export type WrittenOrJob = z.infer<typeof WrittenOrJob>;

/** Both sides of a refused change, by field: what it was when the writer read it, what others made of it, what the writer wants. */
export const Conflict = z.object({
  revision: z.int(),
  record: ContentRecord,
  fields: z.record(z.string(), z.object({ base: z.unknown(), theirs: z.unknown(), yours: z.unknown() })),
  by: z.string().nullable(),
});
export type Conflict = z.infer<typeof Conflict>;

export const RecordIds = z.array(rowId).min(1).max(tableLimits.batch);
/** Which records: named, or all that a filter leaves. */
export const Target = z.union([
  z.strictObject({ ids: RecordIds }),
  z.strictObject({ filter: RecordFilterSchema.nullable(), q: z.string().trim().max(200).optional() }),
]);
/** What keeps records from being thrown away: a field that leads to them, and records in it. Only what the reader may see is named. */
export const BlockedBy = z.object({
  tableId: z.string(),
  tableTitle: z.string(),
  fieldId: z.string(),
  fieldTitle: z.string(),
  records: z.array(z.object({ id: z.uuid(), label: z.string() })),
  /** There are others besides. */ more: z.boolean(),
});
export type BlockedBy = z.infer<typeof BlockedBy>;
export const Blocked = z.object({ blockedBy: z.array(BlockedBy) });
export const UndoAnswer = z.object({
  batchId: z.uuid().nullable(),
  undone: z.int(),
  /** Changed by somebody since, or gone: left as they are. At most 100 are named; of records and fields that the reader may see. */
  skipped: z.array(z.object({ recordId: z.uuid(), field: z.string().nullable() })),
  skippedCount: z.int(),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;
/** What restoring did; what went with the records comes back with them. */
export const RestoreAnswer = Written.extend({
  /** Links, and records that were thrown away along with them, which were changed since or are not the caller's to change. At most 100 are named. */
  skipped: z.array(z.object({ tableId: z.string(), recordId: z.uuid(), field: z.string().nullable() })),
  skippedCount: z.int(),
});
export type RestoreAnswer = z.infer<typeof RestoreAnswer>;
export const Batch = z.object({
  id: z.uuid(),
  tableId: z.string(),
  door: z.enum(batchDoors),
  at: z.iso.datetime(),
  by: z.string(),
  /** Records, of those that the reader may see. */
  created: z.int(),
  updated: z.int(),
  removed: z.int(),
  undone: z.boolean(),
});
export type Batch = z.infer<typeof Batch>;

export const RecordChange = z.object({
  revision: z.int(),
  at: z.iso.datetime(),
  by: z.string(),
  door: z.enum(batchDoors),
  kind: z.enum(['create', 'update', 'trash', 'restore', 'publish', 'unpublish', 'schedule', 'move']),
  batchId: z.uuid().nullable(),
  /** By field id (`<id>@<locale>` of a translation). Nothing of fields that the reader may not see. */
  fields: z.record(
    z.string(),
    z.object({
      before: z.unknown(),
      after: z.unknown(),
      /** Sides that are told as texts, because the field became another type since that cannot hold them. */
      texts: z.array(z.enum(['before', 'after'])).optional(),
    }),
  ),
});
export type RecordChange = z.infer<typeof RecordChange>;
export const RecordComment = z.object({
  id: z.uuid(),
  text: z.string(),
  /** Of the text. */ revision: z.int(),
  by: z.string(),
  own: z.boolean(),
  at: z.iso.datetime(),
  resolvedAt: z.iso.datetime().nullable(),
});
export type RecordComment = z.infer<typeof RecordComment>;

/** How a paste or import would treat, or treated, one row. */
export const rowOutcomes = ['insert', 'update', 'skip', 'fail'] as const;
export const RowPlan = z.object({
  row: z.int(),
  outcome: z.enum(rowOutcomes),
  id: z.uuid().nullable(),
  faults: z.array(z.object({ field: z.string().nullable(), code: z.string(), text: z.string() })),
});
export type RowPlan = z.infer<typeof RowPlan>;

export const PasteAnswer = z.object({
  batchId: z.uuid().nullable(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Rows (counted from 0) that fail or change; at most 200 of them, faults first. */ rows: z.array(RowPlan),
  failed: z.int(),
  /** Titles that name no choice yet, by field, for who may make them: made with `addChoices`, faults without. */
  newChoices: z.record(z.string(), z.array(z.string())),
  /** Of the records that were made, in their order. */ ids: z.array(z.uuid()),
});
