import { z } from 'zod';
import { tableIndexCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordLabels } from './records';
import { SiteId } from '../sites/schemas';
import { ContentTable, FieldId, T, TableRef } from './schemas';

const F = z.object({ siteId: SiteId, table: TableRef, field: TableRef });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;

/** Omitted flags stay. */
export const IndexChange = z.strictObject({ unique: z.boolean().optional(), indexed: z.boolean().optional() });
export const IndexResult = z.object({
  /** The job that builds enabled indexes; the field is updated when it ends. null: nothing to build. */
  jobId: z.uuid().nullable(),
  /** With disabled indexes already removed. */
  table: ContentTable,
});
/** Why indexes cannot be changed now. */
export const IndexConflict = z.object({
  /** Number of values that are not unique: see `duplicates`. */
  values: z.int().nullable(),
  /** The job that is already changing the indexes of this field. */
  jobId: z.uuid().nullable(),
});

export const Duplicates = z.object({
  /** Number of values that are not unique, and of the records that have them. */
  total: z.int(),
  records: z.int(),
  /** Most frequent first. */
  values: z.array(
    z.object({
      value: z.unknown(),
      count: z.int(),
      /** The first few records, in order. */
      records: z.array(z.object({ id: z.uuid(), label: z.string() })),
    }),
  ),
  /** Names of records or people among the values. */
  labels: RecordLabels,
});
export type Duplicates = z.infer<typeof Duplicates>;

export const TableAdvice = z.object({
  /** Estimated. */
  rows: z.int(),
  /** Bytes on disk, of the records and their published state. */
  tableBytes: z.int(),
  indexBytes: z.int(),
  /** Indexes of fields, including those being built, and the limit per table. */
  used: z.int(),
  most: z.int(),
  /** Query shapes by the fields that they filter and sort by, highest total time first. */
  shapes: z.array(
    z.object({
      /** Field ids, or system columns (`$createdAt`). */
      filter: z.array(z.string()),
      sort: z.array(z.string()),
      count: z.int(),
      meanMs: z.number(),
      worstMs: z.number(),
      lastAt: z.iso.datetime(),
      slow: z.boolean(),
      /** Fields of the shape for which an index can help, and whether it exists. */
      helps: z.array(z.object({ fieldId: FieldId, exists: z.boolean() })),
    }),
  ),
  /** Fields whose index would speed up slow queries: number and total time of those queries. */
  suggested: z.array(z.object({ fieldId: FieldId, count: z.int(), totalMs: z.number() })),
  indexes: z.array(
    z.object({
      fieldId: FieldId,
      kind: z.enum(['unique', 'indexed']),
      bytes: z.int(),
      /** Number of uses, and since when they are counted. */
      scans: z.int(),
      since: z.iso.datetime().nullable(),
      /** Not used for at least a week. Never true for a unique index, which enforces uniqueness. */
      unused: z.boolean(),
    }),
  ),
  /** Indexes being built. */
  building: z.array(z.object({ fieldId: FieldId, jobId: z.uuid() })),
});
export type TableAdvice = z.infer<typeof TableAdvice>;

export const tableIndexEndpoints = {
  setFieldIndexes: endpoint(tableIndexCalls.setFieldIndexes, {
    ...design,
    summary: 'Make a field unique or indexed, or no longer; building is a job, and writing goes on meanwhile',
    params: F,
    body: IndexChange,
    response: IndexResult,
    conflict: IndexConflict,
    errors: ['not_found', 'invalid_fields', 'conflict'],
  }),
  duplicates: endpoint(tableIndexCalls.duplicates, {
    ...design,
    summary: 'Values of a field that stand more than once, with their records',
    params: F,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    response: Duplicates,
    errors: ['not_found', 'invalid_fields', 'conflict', 'too_slow'],
    ratePerMinute: 60,
  }),
  tableAdvice: endpoint(tableIndexCalls.tableAdvice, {
    ...design,
    summary: 'Slow questions, indexes that would help, and indexes that nobody uses',
    params: T,
    response: TableAdvice,
    errors: ['not_found'],
    ratePerMinute: 120,
  }),
} as const;
