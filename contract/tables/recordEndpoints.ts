import { z } from 'zod';
import { recordCalls } from './calls';
import { endpoint } from '../endpoint';
import { recordCommentEndpoints } from './comments';
import { SortParam } from './recordFilter';
import {
  AggregateResult,
  AggregateQuery,
  Batch,
  Blocked,
  Conflict,
  ContentRecord,
  PasteResult,
  RecordChange,
  RecordIds,
  RecordLabels,
  RecordPage,
  RecordQuery,
  RestoreResult,
  Target,
  UndoResult,
  Values,
  Written,
  WrittenOrJob,
  namesParam,
  recordsQuery,
} from './records';
import { SiteId } from '../sites/schemas';
import { tableLimits } from './terms';
import { FieldId, T, TableRef } from './schemas';
import { LocaleTag, rowId } from '../text';

const locale = LocaleTag.optional();
const { batch } = tableLimits;
/** PostgreSQL's `int` range. */
const Revision = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const R = z.object({ siteId: SiteId, table: TableRef, id: rowId });
const B = z.object({ siteId: SiteId, batch: rowId });
const read = { access: { site: 'tables.use' }, token: 'tables:read', ratePerMinute: 3000 } as const;
const write = { access: { site: 'tables.use' }, token: 'tables:write', ratePerMinute: 3000 } as const;
const bad = ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'stale_revision', 'too_large'] as const;
const large = 32 * 2 ** 20;

export const PasteInput = z.strictObject({
  fields: z.array(FieldId).min(1).max(tableLimits.fields),
  rows: z
    /** A null or missing cell leaves its value unchanged. */
    .array(z.strictObject({ id: rowId.nullable(), cells: z.array(z.string().nullable()).max(tableLimits.fields) }))
    .min(1)
    .max(10_000),
  /** Adds missing choices of a selection. */ addChoices: z.boolean().default(false),
  locale,
  /** Skips rows with errors; otherwise one of them prevents the whole write (`batchId: null`, `failed`). */
  leaveOut: z.boolean().default(false),
  dryRun: z.boolean().default(false),
});

export const recordEndpoints = {
  records: endpoint(recordCalls.records, {
    ...read,
    summary: 'Records: filtered, sorted, by page',
    params: T,
    query: RecordQuery,
    response: RecordPage,
    exact: true,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_slow'],
  }),
  record: endpoint(recordCalls.record, {
    ...read,
    summary: 'One record',
    params: R,
    query: z.object({ names: namesParam, locale, trash: z.stringbool().default(false) }),
    response: ContentRecord.extend({ labels: RecordLabels }),
    exact: true,
    errors: ['not_found', 'forbidden'],
  }),
  recordPosition: endpoint(recordCalls.recordPosition, {
    ...read,
    summary: 'How many records come before this one under a filter and sort',
    params: R,
    query: z.object({ ...recordsQuery, sort: SortParam.optional() }),
    response: z.object({ before: z.int().nullable() }),
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_slow'],
  }),
  aggregate: endpoint(recordCalls.aggregate, {
    ...read,
    summary: 'Sums, averages and counts; by group',
    params: T,
    query: AggregateQuery,
    response: AggregateResult,
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_slow'],
  }),
  recordLinks: endpoint(recordCalls.recordLinks, {
    ...read,
    summary: 'Records of any table that point at this one',
    params: R,
    response: z.array(
      z.object({ tableId: z.string(), tableTitle: z.string(), fieldId: z.string(), fieldTitle: z.string(), recordId: z.uuid(), label: z.string() }),
    ),
    errors: ['not_found', 'forbidden'],
  }),

  addRecords: endpoint(recordCalls.addRecords, {
    ...write,
    summary: 'Make up to 1 000 records at once, or change those that have the same value in `upsertOn`',
    params: T,
    body: z.strictObject({ records: z.array(Values).min(1).max(batch), locale, upsertOn: z.string().max(64).optional(), publish: z.boolean().default(false) }),
    response: Written,
    errors: bad,
    bodyLimit: large,
  }),
  changeRecords: endpoint(recordCalls.changeRecords, {
    ...write,
    summary: 'Change up to 1 000 records, each its own way; with `revision`, fields that others changed since are refused',
    params: T,
    body: z.strictObject({
      changes: z
        .array(z.strictObject({ id: rowId, revision: Revision.optional(), values: Values }))
        .min(1)
        .max(batch),
      locale,
      origin: z.enum(['console', 'paste', 'bulk']).optional(),
    }),
    response: Written,
    conflict: z.array(Conflict),
    errors: bad,
    bodyLimit: large,
  }),
  changeRecord: endpoint(recordCalls.changeRecord, {
    ...write,
    ifMatch: 'required',
    summary: 'Change one record (If-Match: revision); fields that nobody else changed are merged, others answer 409 with both sides',
    params: R,
    query: z.object({ names: namesParam }),
    body: z.strictObject({ values: Values, locale }),
    response: ContentRecord,
    conflict: Conflict,
    errors: bad,
    bodyLimit: 2 * 2 ** 20,
  }),
  bulkChange: endpoint(recordCalls.bulkChange, {
    ...write,
    summary: 'The same change to all records of a filter; `dryRun` shows what it would do, and its `state` keeps what others change since',
    params: T,
    body: z.strictObject({
      target: Target,
      values: Values,
      locale,
      dryRun: z.boolean().default(false),
      /** `state` from the response to a dry run: if records have changed since, nothing is written (`stale_revision`). */
      state: z
        .string()
        .regex(/^\d{1,15}\.\d{1,10}\.-?\d{1,40}$/)
        .optional(),
    }),
    /** Number of records changed since the dry run. */ conflict: z.object({ changed: z.int() }),
    response: WrittenOrJob.extend({
      /** In a dry run: the state of the records, to be sent with the change. */ state: z.string().nullable(),
      /** All records concerned, also if a job changes them, and what the first 20 would become (by field as the caller wrote it). */ matched: z.int(),
      samples: z.array(z.object({ id: z.uuid(), label: z.string(), before: Values, after: Values, error: z.string().nullable() })),
    }),
    errors: [...bad, 'too_slow'],
  }),
  trashRecords: endpoint(recordCalls.trashRecords, {
    ...write,
    summary: 'Move records to the bin; they can be restored for as many days as the table sets',
    params: T,
    body: z.strictObject({ target: Target }),
    response: WrittenOrJob,
    /** For `referenced`. */ conflict: Blocked,
    errors: [...bad, 'referenced'],
  }),
  restoreRecords: endpoint(recordCalls.restoreRecords, {
    ...write,
    summary: 'Restore records from the bin, with the links and records that went with them; what was changed since stays and is named',
    params: T,
    body: z.strictObject({ ids: RecordIds }),
    response: RestoreResult,
    errors: bad,
  }),
  purgeRecords: endpoint(recordCalls.purgeRecords, {
    ...write,
    summary: 'Delete records of the bin for good',
    params: T,
    body: z.strictObject({ ids: RecordIds }),
    response: z.object({ purged: z.int() }),
    errors: bad,
  }),
  publishRecords: endpoint(recordCalls.publishRecords, {
    ...write,
    summary: 'Publish records, now or at a time; or cancel the times',
    params: T,
    body: z.strictObject({
      target: Target,
      /** null or a time in the past: now. */ at: z.iso.datetime().nullable().default(null),
      /** Omitted: unchanged. */ unpublishAt: z.iso.datetime().nullable().optional(),
      /** Publishes nothing: cancels the scheduled publication, and keeps only `unpublishAt`. */ cancel: z.boolean().default(false),
    }),
    response: WrittenOrJob,
    errors: bad,
  }),
  unpublishRecords: endpoint(recordCalls.unpublishRecords, {
    ...write,
    summary: 'Take records off the site',
    params: T,
    body: z.strictObject({ target: Target }),
    response: WrittenOrJob,
    errors: bad,
  }),
  moveRecords: endpoint(recordCalls.moveRecords, {
    ...write,
    summary: 'Put records before another in the order of people; `before: null` at the end',
    params: T,
    body: z.strictObject({ ids: RecordIds, before: rowId.nullable() }),
    response: Written,
    errors: bad,
  }),
  duplicateRecords: endpoint(recordCalls.duplicateRecords, {
    ...write,
    summary: 'Copy records',
    params: T,
    body: z.strictObject({ ids: RecordIds }),
    response: Written,
    errors: bad,
  }),
  pasteRecords: endpoint(recordCalls.pasteRecords, {
    ...write,
    summary: 'Write texts into cells, as copied from a spreadsheet: into the records named, and into new ones for null',
    params: T,
    body: PasteInput,
    response: PasteResult,
    errors: bad,
    bodyLimit: large,
  }),

  recordHistory: endpoint(recordCalls.recordHistory, {
    ...read,
    summary: 'Changes of a record, newest first',
    params: R,
    query: z.object({ before: z.coerce.number().pipe(Revision).optional() }),
    response: z.array(RecordChange),
    errors: ['not_found', 'forbidden'],
  }),
  revertRecord: endpoint(recordCalls.revertRecord, {
    ...write,
    summary: 'Give fields the values that they had after a revision',
    params: R,
    query: z.object({ names: namesParam }),
    body: z.strictObject({ revision: Revision.min(1), fields: z.array(z.string().max(100)).min(1).max(tableLimits.fields) }),
    response: ContentRecord,
    errors: bad,
  }),
  batches: endpoint(recordCalls.batches, {
    ...read,
    summary: 'The latest changes, each of which can be undone; newest first',
    params: z.object({ siteId: SiteId }),
    query: z.object({ table: TableRef.optional(), own: z.stringbool().default(false) }),
    response: z.array(Batch),
    errors: ['too_slow'],
  }),
  undoBatch: endpoint(recordCalls.undoBatch, {
    ...write,
    summary: 'Undo one batch, but for what others changed since',
    params: B,
    response: UndoResult,
    errors: [...bad, 'bad_transition'],
  }),
  redoBatch: endpoint(recordCalls.redoBatch, {
    ...write,
    summary: 'Do an undone batch again',
    params: B,
    response: UndoResult,
    errors: [...bad, 'bad_transition'],
  }),

  ...recordCommentEndpoints,
  tablePeople: endpoint(recordCalls.tablePeople, {
    ...read,
    summary: 'People that fields may name: who has a role on the site, and those who see every site; by name',
    params: z.object({ siteId: SiteId }),
    query: z.object({ q: z.string().max(200).optional(), limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(50) }),
    response: z.array(z.object({ id: z.uuid(), name: z.string() })),
    errors: ['not_found'],
  }),
  /** Sent over the live stream to others who view the table; expires after half a minute. */
  present: endpoint(recordCalls.present, {
    ...read,
    summary: 'Say which record and field one is at',
    params: T,
    body: z.strictObject({ recordId: rowId.nullable(), fieldId: FieldId.nullable() }),
    errors: ['not_found', 'forbidden'],
  }),
} as const;
