import { z } from 'zod';
import { tableIndexCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordLabels } from './records';
import { SiteId } from '../sites/schemas';
import { ContentTable, FieldId, T, TableRef } from './schemas';

const F = z.object({ siteId: SiteId, table: TableRef, field: TableRef });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;

/** What is left out stays as it is. */
export const IndexChange = z.strictObject({ unique: z.boolean().optional(), indexed: z.boolean().optional() });
export const IndexAnswer = z.object({
  /** The job that builds what was switched on; the field says so when it has ended. null: nothing is to be built. */
  jobId: z.uuid().nullable(),
  /** With what was switched off. */
  table: ContentTable,
});
/** Why indexes cannot be changed now. */
export const IndexConflict = z.object({
  /** How many values stand more than once: see `duplicates`. */
  values: z.int().nullable(),
  /** The job that changes the indexes of this field already. */
  jobId: z.uuid().nullable(),
});

export const Duplicates = z.object({
  /** How many values stand more than once, and in how many records altogether. */
  total: z.int(),
  records: z.int(),
  /** Those that stand most often first. */
  values: z.array(
    z.object({
      value: z.unknown(),
      count: z.int(),
      /** The first few records, in their order. */
      records: z.array(z.object({ id: z.uuid(), label: z.string() })),
    }),
  ),
  /** Names of the records or people that the values are. */
  labels: RecordLabels,
});
export type Duplicates = z.infer<typeof Duplicates>;

export const TableAdvice = z.object({
  /** About as many as there are. */
  rows: z.int(),
  /** Bytes on disk, of the records and their published state. */
  tableBytes: z.int(),
  indexBytes: z.int(),
  /** Indexes that fields have, being built or not, and how many a table may have. */
  used: z.int(),
  most: z.int(),
  /** Questions by the fields that they filter and sort by, those that took longest altogether first. */
  shapes: z.array(
    z.object({
      /** Ids of fields, or names of what every record has (`$createdAt`). */
      filter: z.array(z.string()),
      sort: z.array(z.string()),
      count: z.int(),
      meanMs: z.number(),
      worstMs: z.number(),
      lastAt: z.iso.datetime(),
      slow: z.boolean(),
      /** Fields of the question of which an index can help, and whether there is one. */
      helps: z.array(z.object({ fieldId: FieldId, exists: z.boolean() })),
    }),
  ),
  /** Fields whose index would help slow questions: how many of them were asked, and how long they took altogether. */
  wanted: z.array(z.object({ fieldId: FieldId, count: z.int(), totalMs: z.number() })),
  indexes: z.array(
    z.object({
      fieldId: FieldId,
      kind: z.enum(['unique', 'indexed']),
      bytes: z.int(),
      /** How often it was used, and since when that is counted. */
      scans: z.int(),
      since: z.iso.datetime().nullable(),
      /** Nobody used it for a week and more. A unique index is never: it keeps values apart. */
      unused: z.boolean(),
    }),
  ),
  /** Indexes that are being built. */
  building: z.array(z.object({ fieldId: FieldId, jobId: z.uuid() })),
});
export type TableAdvice = z.infer<typeof TableAdvice>;

export const tableIndexEndpoints = {
  setFieldIndexes: endpoint(tableIndexCalls.setFieldIndexes, {
    ...design,
    summary: 'Make a field unique or indexed, or no longer; building is a job, and writing goes on meanwhile',
    params: F,
    body: IndexChange,
    answer: IndexAnswer,
    conflict: IndexConflict,
    errors: ['not_found', 'invalid_fields', 'conflict'],
  }),
  duplicates: endpoint(tableIndexCalls.duplicates, {
    ...design,
    summary: 'Values of a field that stand more than once, with their records',
    params: F,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    answer: Duplicates,
    errors: ['not_found', 'invalid_fields', 'conflict', 'too_slow'],
    ratePerMinute: 60,
  }),
  tableAdvice: endpoint(tableIndexCalls.tableAdvice, {
    ...design,
    summary: 'Slow questions, indexes that would help, and indexes that nobody uses',
    params: T,
    answer: TableAdvice,
    errors: ['not_found'],
    ratePerMinute: 120,
  }),
} as const;
