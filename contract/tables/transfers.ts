import { z } from 'zod';
import { tableTransferCalls } from './calls';
import { endpoint } from '../endpoint';
import { FilterParam, SortParam } from './recordFilter';
import { RowPlan, rowOutcomes } from './records';
import { SiteId } from '../sites/schemas';
import { fieldTypes, recordStates, tableLimits } from './terms';
import { T, TableRef } from './schemas';
import { LocaleTag, rowId, safeName } from '../text';

/** Files of records: into a table (or a new one), looked at and tried before anything is written, and out of it. */

export const transferFormats = ['csv', 'xlsx', 'json'] as const;
export type TransferFormat = (typeof transferFormats)[number];
/** `fileBytes`: of a CSV or JSON file; `xlsxBytes`: of a workbook, which is read whole. `rows` of one import; `shown` rows of a look and of a page of plans. `own` and `files`: imports that are not finished, of one person and of all on a site. */
export const transferLimits = {
  chunkBytes: 8 * 2 ** 20,
  fileBytes: 2 ** 30,
  xlsxBytes: 50 * 2 ** 20,
  rows: 1_000_000,
  shown: 50,
  own: 20,
  files: 400,
} as const;
export const textEncodings = ['utf-8', 'gb18030', 'utf-16le', 'utf-16be'] as const;
export const delimiters = [',', ';', '\t', '|'] as const;

/**
 * `uploading` until the file is whole, then `ready`. `checking` and `running`: a job reads it (a dry run, or for good); `checked`: the dry run
 * has ended. `failed` and `cancelled` go on from where they were when started again. `done` can be undone as the batch that it is.
 */
export const transferStates = ['uploading', 'ready', 'checking', 'checked', 'running', 'failed', 'cancelled', 'done'] as const;
export type TransferState = (typeof transferStates)[number];

/** How the file is read. What is left out is told from its beginning. */
export const ReadOptions = z.strictObject({
  format: z.enum(transferFormats).optional(),
  encoding: z.enum(textEncodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  /** Of a workbook, by name. */
  // oxlint-disable-next-line no-control-regex
  sheet: z
    .string()
    .max(100)
    .regex(/^[^\u0000\p{Surrogate}]*$/u)
    .optional(),
  /** Line of the names of the columns, from 1; 0: there is none. Of JSON it means nothing. */
  header: z.int().min(0).max(1000).optional(),
});
export type ReadOptions = z.infer<typeof ReadOptions>;

/** Where a column goes: a field that there is (id or key), a new one, or nowhere (null). */
export const ColumnTarget = z.strictObject({
  column: z
    .int()
    .min(0)
    .max(tableLimits.fields * 2),
  to: z
    .union([
      z.strictObject({ field: TableRef, /** A translation of a localized field. */ locale: LocaleTag.optional() }),
      z.strictObject({
        new: z.strictObject({ title: safeName(tableLimits.nameLength), type: z.enum(fieldTypes), options: z.record(z.string(), z.unknown()).optional() }),
      }),
    ])
    .nullable(),
});
export type ColumnTarget = z.infer<typeof ColumnTarget>;

export const ImportPlan = z.strictObject({
  read: ReadOptions.default({}),
  columns: z.array(ColumnTarget).min(1).max(tableLimits.fields),
  /** A row is an existing record when these fields are equal (as they are compared by an index: exact). Empty: every row is new. */
  key: z.array(TableRef).max(3).default([]),
  onMatch: z.enum(['update', 'skip']).default('update'),
  onNew: z.enum(['insert', 'skip']).default('insert'),
  /** What an empty cell does to a record that there is. */
  emptyCells: z.enum(['keep', 'clear']).default('keep'),
  /** Missing choices of a selection are made; only for who may change the table. */
  addChoices: z.boolean().default(false),
  /** New records are published, and changed ones again; only of tables with drafts and for who may publish. */
  publish: z.boolean().default(false),
  /** Rows with faults are left out knowingly; without it one of them is enough for nothing to be written. */
  leaveOut: z.boolean().default(false),
});
export type ImportPlan = z.infer<typeof ImportPlan>;
export type ImportPlanInput = z.input<typeof ImportPlan>;

export const ImportCounts = z.object({ rows: z.int(), insert: z.int(), update: z.int(), skip: z.int(), fail: z.int() });
export type ImportCounts = z.infer<typeof ImportCounts>;

export const TableImport = z.object({
  id: z.uuid(),
  /** null: it makes a new table, which is not there yet. */
  tableId: z.string().nullable(),
  /** It made its table itself: undoing throws the table away. */
  madeTable: z.boolean(),
  file: z.object({ name: z.string(), size: z.int(), /** Bytes that have arrived. */ stored: z.int() }),
  state: z.enum(transferStates),
  /** What was asked last. */
  plan: ImportPlan.nullable(),
  /** That works on it, or did last. */
  jobId: z.uuid().nullable(),
  /** How far the work is, of `total`: bytes while the file is being read, rows afterwards (those that are tried and those that are written). null before the start. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  perSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** Of the dry run or of the import, so far; null before. */
  counts: ImportCounts.nullable(),
  /** Titles that name no choice yet, by field (or title of a new field): at most 100 each. */
  newChoices: z.record(z.string(), z.array(z.string())),
  /** Everything that it wrote, for undoing; null: nothing. */
  batchId: z.uuid().nullable(),
  /** While a job takes it back this is still false, and `jobId` names that job. */
  undone: z.boolean(),
  /** Of undoing: places that somebody changed since and that stayed as they are; null before it. */
  undoSkipped: z.int().nullable(),
  /** In the reader's words, with the line where reading ended. */
  error: z.string().nullable(),
  by: z.string(),
  /** The reader began it. */
  own: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type TableImport = z.infer<typeof TableImport>;

/** What the beginning of a file says. */
export const ImportLook = z.object({
  read: ReadOptions.required(),
  sheets: z.array(z.string()),
  columns: z.array(
    z.object({
      column: z.int(),
      /** As the file names it; made up (`A`, `B`) where there is no header. */
      name: z.string(),
      samples: z.array(z.string()),
      /** Type that its values fit, for a new field. */
      type: z.enum(fieldTypes),
      /** The field whose title, key or old key it is, or to which it went the last time; null: none. */
      field: z.string().nullable(),
      locale: z.string().nullable(),
    }),
  ),
  /** The first rows as texts. */
  rows: z.array(z.array(z.string())),
  /** What a reader ought to know, in the reader's words: merged cells, names that stand twice, bytes that are no text. */
  notes: z.array(z.string()),
});
export type ImportLook = z.infer<typeof ImportLook>;

const P = z.object({ siteId: SiteId });
const I = P.extend({ id: rowId });
const write = { access: { site: 'tables.use' }, token: 'tables:write' } as const;
const read = { access: { site: 'tables.use' }, token: 'tables:read' } as const;

/**
 * Every call on an import answers 404 to all but who made it and administrators of the site. Making a table, new fields and choices need
 * `tables.design` besides; rights of fields and rows are those of `pasteRecords`.
 */
export const tableTransferEndpoints = {
  tableImports: endpoint(tableTransferCalls.tableImports, {
    ...read,
    summary: 'Imports of records, newest first',
    params: P,
    query: z.object({ table: TableRef.optional() }),
    answer: z.array(TableImport),
  }),
  createTableImport: endpoint(tableTransferCalls.createTableImport, {
    ...write,
    summary: 'Begin an import into a table, or into a new one: name the file and its size, then send its data',
    params: P,
    body: z.strictObject({ table: TableRef.nullable(), name: safeName(200), size: z.int().min(1).max(transferLimits.fileBytes) }),
    answer: TableImport,
    errors: ['not_found', 'forbidden', 'too_large', 'invalid_fields'],
  }),
  tableImport: endpoint(tableTransferCalls.tableImport, {
    ...read,
    summary: 'One import: how much has arrived, how far it is, what came of it',
    params: I,
    answer: TableImport,
    errors: ['not_found'],
  }),
  tableImportData: endpoint(tableTransferCalls.tableImportData, {
    ...write,
    summary:
      'A piece of the file (application/octet-stream, at most 8 MiB) at the place where it belongs. A place other than the end of what is stored answers `conflict`, with the import as it is in `current`',
    params: I,
    query: z.object({ offset: z.coerce.number().int().min(0) }),
    answer: TableImport,
    errors: ['not_found', 'conflict', 'too_large', 'bad_transition', 'unsupported_media_type'],
    bodyLimit: transferLimits.chunkBytes,
    ratePerMinute: 6000,
  }),
  lookTableImport: endpoint(tableTransferCalls.lookTableImport, {
    ...write,
    summary: 'Columns and first rows of the file, with the fields that they seem to be',
    params: I,
    body: ReadOptions,
    answer: ImportLook,
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  startTableImport: endpoint(tableTransferCalls.startTableImport, {
    ...write,
    summary: 'Try the import (`dryRun`: what every row would become), do it, or go on after a stop; one at a time for a table, the others wait',
    params: I,
    body: z.strictObject({
      plan: ImportPlan,
      /** Name of the new table. */
      title: safeName(tableLimits.nameLength).optional(),
      dryRun: z.boolean(),
    }),
    answer: TableImport,
    errors: ['not_found', 'forbidden', 'bad_transition', 'invalid_fields', 'name_taken', 'conflict'],
    bodyLimit: 512 * 1024,
  }),
  cancelTableImport: endpoint(tableTransferCalls.cancelTableImport, {
    ...write,
    summary: 'Stop a dry run or an import; what was written stays until it goes on or is undone',
    params: I,
    answer: TableImport,
    errors: ['not_found', 'bad_transition'],
  }),
  undoTableImport: endpoint(tableTransferCalls.undoTableImport, {
    ...write,
    summary: 'Take back everything that an import wrote; what somebody changed since stays. Of many rows a job does it',
    params: I,
    answer: TableImport,
    errors: ['not_found', 'forbidden', 'bad_transition', 'conflict'],
  }),
  removeTableImport: endpoint(tableTransferCalls.removeTableImport, {
    ...write,
    summary: 'Forget an import and its file; its records stay',
    params: I,
    errors: ['not_found', 'bad_transition'],
  }),
  tableImportRows: endpoint(tableTransferCalls.tableImportRows, {
    ...read,
    summary: 'What becomes, or became, of each row, in the order of the file; `row` counts data rows from 0',
    params: I,
    query: z.object({ outcome: z.enum(rowOutcomes).optional(), from: z.coerce.number().int().min(0).default(0) }),
    answer: z.object({
      rows: z.array(RowPlan.extend({ /** Of the file, from 1. */ line: z.int(), cells: z.array(z.string()) })),
      /** For the next page; null at the end. */
      next: z.int().nullable(),
    }),
    errors: ['not_found'],
  }),
  tableImportFaults: endpoint(tableTransferCalls.tableImportFaults, {
    ...read,
    summary: 'Rows with faults as CSV, as they stood in the file, with the reason at the end: to be mended and imported again',
    params: I,
    errors: ['not_found'],
    kind: 'file',
  }),
  exportRecords: endpoint(tableTransferCalls.exportRecords, {
    ...read,
    summary:
      'Records as a file, streamed: filtered, sorted, with the fields asked for. Names of choices and records stand for their ids but in JSON; cells of CSV that a spreadsheet would take for a formula begin with an apostrophe',
    params: T,
    query: z.object({
      format: z.enum(transferFormats).default('csv'),
      filter: FilterParam.optional(),
      q: z.string().trim().max(200).optional(),
      sort: SortParam.optional(),
      fields: z.string().max(20_000).optional(),
      ids: z.string().max(40_000).optional(),
      state: z.enum(recordStates).optional(),
      trash: z.stringbool().default(false),
      locale: LocaleTag.optional(),
      /** A first column with the id of each record. */
      withId: z.stringbool().default(false),
      delimiter: z.enum(delimiters).default(','),
    }),
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_slow', 'too_large', 'unavailable'],
    kind: 'file',
    ratePerMinute: 30,
  }),
} as const;
