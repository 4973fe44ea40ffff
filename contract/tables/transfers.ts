import { z } from 'zod';
import { tableTransferCalls } from './calls';
import { endpoint } from '../endpoint';
import { FilterParam, SortParam } from './recordFilter';
import { RowPlan, rowOutcomes } from './records';
import { SiteId } from '../sites/schemas';
import { fieldTypes, recordStates, tableLimits } from './terms';
import { T, TableRef } from './schemas';
import { LocaleTag, rowId, safeName } from '../text';

/** Imports of files into a table (or a new one), previewed and checked before anything is written, and exports. */

export const transferFormats = ['csv', 'xlsx', 'json'] as const;
export type TransferFormat = (typeof transferFormats)[number];
/** `zip`: a CSV file, and the files that its records use. */
export const exportFormats = [...transferFormats, 'zip'] as const;
export type ExportFormat = (typeof exportFormats)[number];
/**
 * `fileBytes`: of a CSV, JSON or ZIP file; `xlsxBytes`: of a workbook, which is read completely. `archivedFiles` and `archivedBytes`: files of records in a
 * ZIP, and all of it when unpacked. `rows` per import; `shown` rows of a preview and of a page of results. `own` and `files`: unfinished imports, per person and
 * per site.
 */
export const transferLimits = {
  fileBytes: 2 ** 30,
  xlsxBytes: 50 * 2 ** 20,
  archivedFiles: 50_000,
  archivedBytes: 4 * 2 ** 30,
  rows: 1_000_000,
  pageRows: 50,
  own: 20,
  files: 400,
} as const;
export const textEncodings = ['utf-8', 'gb18030', 'utf-16le', 'utf-16be'] as const;
export const delimiters = [',', ';', '\t', '|'] as const;

/**
 * `uploading` until the file is complete, then `ready`. `checking` and `running`: a job reads it (a dry run, or the import); `checked`: the dry run has
 * ended. `failed` and `cancelled` continue where they stopped when restarted. `done` can be undone as one batch.
 */
export const transferStates = ['uploading', 'ready', 'checking', 'checked', 'running', 'failed', 'cancelled', 'done'] as const;
export type TransferState = (typeof transferStates)[number];

/** How the file is read. Omitted options are detected from its beginning. */
export const ReadOptions = z.strictObject({
  format: z.enum(transferFormats).optional(),
  encoding: z.enum(textEncodings).optional(),
  delimiter: z.enum(delimiters).optional(),
  /** Sheet of a workbook, by name. */
  // oxlint-disable-next-line no-control-regex
  sheet: z
    .string()
    .max(100)
    .regex(/^[^\u0000\p{Surrogate}]*$/u)
    .optional(),
  /** Line of the column names, from 1; 0: there is none. Ignored for JSON. */
  header: z.int().min(0).max(1000).optional(),
});
export type ReadOptions = z.infer<typeof ReadOptions>;

/** Target of a column: an existing field (id or key), a new one, or none (null). */
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
  /** A row updates an existing record if these fields are equal (exactly, as an index compares them). Empty: every row is new. */
  key: z.array(TableRef).max(3).default([]),
  onMatch: z.enum(['update', 'skip']).default('update'),
  onNew: z.enum(['insert', 'skip']).default('insert'),
  /** What an empty cell does to an existing record. */
  emptyCells: z.enum(['keep', 'clear']).default('keep'),
  /** Adds missing choices of a selection; only if the caller may change the table. */
  addChoices: z.boolean().default(false),
  /** Publishes new and changed records; only in tables with drafts, and if the caller may publish. */
  publish: z.boolean().default(false),
  /** Skips rows with errors; otherwise one of them prevents the import. */
  leaveOut: z.boolean().default(false),
});
export type ImportPlan = z.infer<typeof ImportPlan>;
export type ImportPlanInput = z.input<typeof ImportPlan>;

export const ImportCounts = z.object({ rows: z.int(), insert: z.int(), update: z.int(), skip: z.int(), fail: z.int() });
export type ImportCounts = z.infer<typeof ImportCounts>;

export const TableImport = z.object({
  id: z.uuid(),
  /** null: a new table that does not exist yet. */
  tableId: z.string().nullable(),
  /** It created its table: undo deletes the table. */
  createdTable: z.boolean(),
  file: z.object({ name: z.string(), size: z.int(), /** Bytes uploaded. */ stored: z.int() }),
  state: z.enum(transferStates),
  /** The last requested plan. */
  plan: ImportPlan.nullable(),
  /** The current or last job. */
  jobId: z.uuid().nullable(),
  /** Progress towards `total`: bytes while the file is read, then rows (checked and written). null before the start. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  perSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  /** Of the dry run or the import, so far; null before. */
  counts: ImportCounts.nullable(),
  /** Unknown choice titles, by field (or title of a new field): at most 100 each. */
  newChoices: z.record(z.string(), z.array(z.string())),
  /** The batch with everything that it wrote, for undo; null: nothing. */
  batchId: z.uuid().nullable(),
  /** Still false while a job is undoing it; `jobId` is that job. */
  undone: z.boolean(),
  /** For an undo: places that were skipped because somebody changed them since; null before it. */
  undoSkipped: z.int().nullable(),
  /** In the reader's language, with the line where reading stopped. */
  error: z.string().nullable(),
  by: z.string(),
  /** The reader created it. */
  own: z.boolean(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type TableImport = z.infer<typeof TableImport>;

/** Analysis of the beginning of a file. */
export const ImportLook = z.object({
  read: ReadOptions.required(),
  sheets: z.array(z.string()),
  columns: z.array(
    z.object({
      column: z.int(),
      /** As in the file; generated (`A`, `B`) if there is no header. */
      name: z.string(),
      samples: z.array(z.string()),
      /** Best type of a new field for its values. */
      type: z.enum(fieldTypes),
      /** The field with this title, key or alias, or the target of the last import; null: none. */
      field: z.string().nullable(),
      locale: z.string().nullable(),
    }),
  ),
  rows: z.array(z.array(z.string())),
  /** Notes in the reader's language: merged cells, repeated names, invalid bytes. */
  notes: z.array(z.string()),
});
export type ImportLook = z.infer<typeof ImportLook>;

const P = z.object({ siteId: SiteId });
const I = P.extend({ id: rowId });
const write = { access: { site: 'tables.use' }, token: 'tables:write' } as const;
const read = { access: { site: 'tables.use' }, token: 'tables:read' } as const;

/**
 * Calls on an import return 404 to everybody except its creator and administrators of the site. Creating a table, fields and choices also requires
 * `tables.design`; permissions on fields and rows are those of `pasteRecords`.
 */
export const tableTransferEndpoints = {
  tableImports: endpoint(tableTransferCalls.tableImports, {
    ...read,
    summary: 'Imports of records, newest first',
    params: P,
    query: z.object({ table: TableRef.optional() }),
    response: z.array(TableImport),
  }),
  createTableImport: endpoint(tableTransferCalls.createTableImport, {
    ...write,
    summary: 'Begin an import into a table, or into a new one: name the file and its size, then send its data',
    params: P,
    body: z.strictObject({ table: TableRef.nullable(), name: safeName(200), size: z.int().min(1).max(transferLimits.fileBytes) }),
    response: TableImport,
    errors: ['not_found', 'forbidden', 'too_large', 'invalid_fields'],
  }),
  importResource: endpoint(tableTransferCalls.importResource, {
    access: write.access,
    summary: 'Begin an import of a CSV or XLSX file of the resources into a new table; nothing is sent again',
    params: P,
    body: z.strictObject({ resource: rowId }),
    response: TableImport,
    errors: ['not_found', 'forbidden', 'too_large', 'invalid_fields'],
  }),
  tableImport: endpoint(tableTransferCalls.tableImport, {
    ...read,
    summary: 'One import: how much has arrived, how far it is, what came of it',
    params: I,
    response: TableImport,
    errors: ['not_found'],
  }),
  tableImportUpload: endpoint(tableTransferCalls.tableImportUpload, {
    ...write,
    kind: 'file',
    summary: 'How much of the file has arrived (tus 1.0, HEAD)',
    params: I,
    errors: ['not_found'],
  }),
  tableImportData: endpoint(tableTransferCalls.tableImportData, {
    ...write,
    kind: 'file',
    summary: 'The next chunk of the file (tus 1.0)',
    params: I,
    errors: ['not_found', 'conflict', 'too_large', 'bad_transition', 'unsupported_media_type'],
    ratePerMinute: 6000,
  }),
  lookTableImport: endpoint(tableTransferCalls.lookTableImport, {
    ...write,
    summary: 'Columns and first rows of the file, with the fields that they seem to be',
    params: I,
    body: ReadOptions,
    response: ImportLook,
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  startTableImport: endpoint(tableTransferCalls.startTableImport, {
    ...write,
    summary: 'Try the import (`dryRun`: what every row would become), do it, or go on after a stop; one at a time for a table, the others wait',
    params: I,
    body: z.strictObject({
      plan: ImportPlan,
      /** Title of the new table. */
      title: safeName(tableLimits.nameLength).optional(),
      dryRun: z.boolean(),
    }),
    response: TableImport,
    errors: ['not_found', 'forbidden', 'bad_transition', 'invalid_fields', 'name_taken', 'conflict'],
    bodyLimit: 512 * 1024,
  }),
  cancelTableImport: endpoint(tableTransferCalls.cancelTableImport, {
    ...write,
    summary: 'Stop a dry run or an import; what was written stays until it goes on or is undone',
    params: I,
    response: TableImport,
    errors: ['not_found', 'bad_transition'],
  }),
  undoTableImport: endpoint(tableTransferCalls.undoTableImport, {
    ...write,
    summary: 'Undo an import; what somebody changed since stays. Of many rows a job does it',
    params: I,
    response: TableImport,
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
    response: z.object({
      rows: z.array(RowPlan.extend({ /** Line in the file, from 1. */ line: z.int(), cells: z.array(z.string()) })),
      /** Start of the next page; null at the end. */
      next: z.int().nullable(),
    }),
    errors: ['not_found'],
  }),
  tableImportErrors: endpoint(tableTransferCalls.tableImportErrors, {
    ...read,
    summary: 'Rows with errors as CSV, as in the file, with the reason in the last column: to be corrected and imported again',
    params: I,
    errors: ['not_found'],
    kind: 'file',
  }),
  exportRecords: endpoint(tableTransferCalls.exportRecords, {
    ...read,
    summary:
      'Records as a file, streamed: filtered, sorted, with the requested fields. Names of choices and records stand for their ids but in JSON; cells of CSV that a spreadsheet would take for a formula begin with an apostrophe. A ZIP also has the files of the records, in folders named by their ids',
    params: T,
    query: z.object({
      format: z.enum(exportFormats).default('csv'),
      filter: FilterParam.optional(),
      q: z.string().trim().max(200).optional(),
      sort: SortParam.optional(),
      fields: z.string().max(20_000).optional(),
      ids: z.string().max(40_000).optional(),
      state: z.enum(recordStates).optional(),
      trash: z.stringbool().default(false),
      locale: LocaleTag.optional(),
      /** Adds a first column with record ids. */
      withId: z.stringbool().default(false),
      delimiter: z.enum(delimiters).default(','),
    }),
    errors: ['not_found', 'forbidden', 'invalid_fields', 'conflict', 'too_slow', 'too_large', 'unavailable'],
    kind: 'file',
    ratePerMinute: 30,
  }),
} as const;
