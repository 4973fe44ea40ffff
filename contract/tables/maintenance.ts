import { z } from 'zod';
import { tableMaintenanceCalls } from './calls';
import { endpoint } from '../endpoint';
import { RecordFilterSchema } from './recordFilter';
import { SiteId } from '../sites/schemas';
import { recordActions, ruleRoles } from './terms';
import { FieldId, T, TableId, TableRef } from './schemas';
import { LocaleTag, rowId, safeName } from '../text';

/** Size, growth and health of a site's tables; clean-up, and backups of one table. */

/** `backupFileBytes`: of all files of records in a backup; `lineBytes`: per line of a backup; `records`: per backup; `files`: concurrent restores per site. */
export const maintenanceLimits = {
  fileBytes: 2 ** 30,
  backupFileBytes: 512 * 2 ** 20,
  unpackedBytes: 8 * 2 ** 30,
  lineBytes: 8 * 2 ** 20,
  records: 1_000_000,
  files: 20,
  growthDays: 30,
} as const;

/**
 * What a check counts: drafts unchanged for 30 days, texts without a translation, missing required values, choices that no longer exist, links to
 * records in the bin, fields that are always empty and unused, and fields whose index would speed up slow queries.
 */
export const findingKinds = ['staleDrafts', 'untranslated', 'requiredEmpty', 'unknownChoice', 'brokenLink', 'unusedField', 'slowField'] as const;
export const MaintenanceFinding = z.object({
  kind: z.enum(findingKinds),
  /** The field concerned; null: the whole table. */
  fieldId: FieldId.nullable(),
  /** The missing language. */
  locale: LocaleTag.nullable(),
  /** Number of records; of queries for a slow field, 0 for an unused one. */
  count: z.int(),
  /** Selects exactly these records; null: the finding is not about records. */
  filter: RecordFilterSchema.nullable(),
});
export type MaintenanceFinding = z.infer<typeof MaintenanceFinding>;

export const TableFacts = z.object({
  tableId: TableId,
  /** Records outside the bin, and in it. */
  rows: z.int(),
  binned: z.int(),
  /** Counted; otherwise PostgreSQL's last estimate. */
  exact: z.boolean(),
  /** Bytes on disk: records with published state and links; their indexes; their share of the history. */
  dataBytes: z.int(),
  indexBytes: z.int(),
  historyBytes: z.int(),
  /** Dead rows that take up space, and their share from 0 to 1. */
  deadRows: z.int(),
  deadShare: z.number(),
  lastWriteAt: z.iso.datetime().nullable(),
  /** Days of the last 30, in the site's zone, on which records were added (new, copied, restored, imported) or deleted, in order. */
  growth: z.array(z.object({ day: z.iso.date(), created: z.int(), removed: z.int() })),
  /** The last completed check with its findings; null: none yet. */
  check: z.object({ at: z.iso.datetime(), records: z.int(), findings: z.array(MaintenanceFinding) }).nullable(),
  /** The last completed clean-up. */
  compacted: z.object({ at: z.iso.datetime(), deadBefore: z.int(), deadAfter: z.int(), bytesBefore: z.int(), bytesAfter: z.int() }).nullable(),
  /** Running jobs; null: none of the kind. */
  jobs: z.object({ check: z.uuid().nullable(), compact: z.uuid().nullable(), search: z.uuid().nullable() }),
});
export type TableFacts = z.infer<typeof TableFacts>;

/** `uploading` until the file is complete, then `ready`; the others as for an import of records (`transferStates`). */
export const restoreStates = ['uploading', 'ready', 'checking', 'checked', 'running', 'failed', 'cancelled', 'done'] as const;
/**
 * An access rule that is restored in a different form. `people`: denied, because it refers to people or records of the backup's site; `fields`: denied,
 * because its filter uses fields that are not restored; `fewer`: restored without those fields. `names`: the people or fields concerned.
 */
export const RestoredRule = z.object({
  role: z.enum(ruleRoles),
  action: z.enum(recordActions),
  why: z.enum(['people', 'fields', 'fewer']),
  names: z.array(z.string()),
});
export type RestoredRule = z.infer<typeof RestoredRule>;
/** Result of the dry run, and of the restore. */
export const RestoreReport = z.object({
  title: z.string(),
  /** API key of the new table; differs from the file's if that is taken. */
  key: z.string(),
  keyTaken: z.boolean(),
  madeAt: z.iso.datetime(),
  /** Whether the file comes from this site. */
  own: z.boolean(),
  records: z.int(),
  binned: z.int(),
  published: z.int(),
  fields: z.int(),
  /** Titles of fields that cannot be created here, because they mirror or lead to tables that do not exist. */
  leftOut: z.array(z.string()),
  rights: z.array(RestoredRule),
  /** Links to records of other tables: found by id, found by name, and lost. `names` of the first lost ones. */
  links: z.object({ byId: z.int(), byName: z.int(), lost: z.int(), names: z.array(z.string()) }),
  /** Creators and editors who have no access to this site. */
  strangers: z.int(),
  /** Values that their fields cannot hold, left empty. `places` of the first, as “line, field”. */
  emptied: z.int(),
  places: z.array(z.object({ line: z.int(), field: z.string() })),
  /** Files of the records: those that come with the backup and their bytes, and those that it only names. Absent in reports of earlier releases. */
  files: z.object({ brought: z.int(), bytes: z.int(), named: z.int() }).optional(),
});
export type RestoreReport = z.infer<typeof RestoreReport>;

export const TableRestore = z.object({
  id: z.uuid(),
  file: z.object({ name: z.string(), size: z.int(), /** Bytes uploaded. */ stored: z.int() }),
  state: z.enum(restoreStates),
  jobId: z.uuid().nullable(),
  /** Progress towards `total`; null before the start. */
  done: z.int().nullable(),
  total: z.int().nullable(),
  report: RestoreReport.nullable(),
  /** The table that it created; null: none (any more). */
  tableId: TableId.nullable(),
  /** In the reader's language. */
  error: z.string().nullable(),
  by: z.string(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type TableRestore = z.infer<typeof TableRestore>;

const P = z.object({ siteId: SiteId });
const R = P.extend({ id: rowId });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;
const Started = z.object({ jobId: z.uuid() });

export const tableMaintenanceEndpoints = {
  tableFacts: endpoint(tableMaintenanceCalls.tableFacts, {
    ...design,
    summary: 'Rows, bytes, growth and health of all tables; large tables are estimated',
    params: P,
    response: z.array(TableFacts),
    ratePerMinute: 120,
  }),
  checkTables: endpoint(tableMaintenanceCalls.checkTables, {
    ...design,
    summary: 'Check the health of one table or of all, as a job; its findings stand in the facts of the table',
    params: P,
    body: z.strictObject({ table: TableRef.nullable() }),
    response: Started,
    errors: ['not_found'],
  }),
  storeLinkedFiles: endpoint(tableMaintenanceCalls.storeLinkedFiles, {
    ...design,
    summary: 'Store the files behind addresses in records as resources, as a job; an address that cannot be reached stays',
    params: P,
    body: z.strictObject({ table: TableRef.nullable() }),
    response: Started,
    errors: ['not_found'],
  }),
  compactTable: endpoint(tableMaintenanceCalls.compactTable, {
    ...design,
    summary: 'Free the room of old versions and bring the planner’s figures up to date, as a job. `conflict` while a field is being converted',
    params: T,
    response: Started,
    errors: ['not_found', 'conflict'],
  }),
  reindexSearch: endpoint(tableMaintenanceCalls.reindexSearch, {
    ...design,
    summary: 'Make the words of all records anew for the search, as a job. `conflict` while a field is being converted',
    params: T,
    response: Started,
    errors: ['not_found', 'conflict'],
  }),
  emptyBin: endpoint(tableMaintenanceCalls.emptyBin, {
    access: { site: 'tables.use' },
    token: 'tables:write',
    summary: 'Delete for good what lies in the bin now and the caller may delete, as a job',
    params: T,
    response: Started,
    errors: ['not_found', 'forbidden'],
  }),
  backupTable: endpoint(tableMaintenanceCalls.backupTable, {
    ...design,
    summary:
      'The whole table as one file: definition, records, drafts, published state, translations, links, and the files that records use. With hashes of passwords',
    params: T,
    query: z.object({ trash: z.stringbool().default(true), files: z.stringbool().default(true) }),
    errors: ['not_found', 'unavailable'],
    kind: 'file',
    ratePerMinute: 30,
  }),
  tableRestores: endpoint(tableMaintenanceCalls.tableRestores, {
    ...design,
    summary: 'Restorings of tables from files, newest first',
    params: P,
    response: z.array(TableRestore),
  }),
  createTableRestore: endpoint(tableMaintenanceCalls.createTableRestore, {
    ...design,
    summary: 'Begin to restore a table: name the file and its size, then send its data',
    params: P,
    body: z.strictObject({ name: safeName(200), size: z.int().min(1).max(maintenanceLimits.fileBytes) }),
    response: TableRestore,
    errors: ['too_large', 'invalid_fields'],
  }),
  tableRestore: endpoint(tableMaintenanceCalls.tableRestore, {
    ...design,
    summary: 'One restoring: how far it is, what it will make or has made',
    params: R,
    response: TableRestore,
    errors: ['not_found'],
  }),
  tableRestoreUpload: endpoint(tableMaintenanceCalls.tableRestoreUpload, {
    ...design,
    kind: 'file',
    summary: 'How much of the file has arrived (tus 1.0, HEAD)',
    params: R,
    errors: ['not_found'],
  }),
  tableRestoreData: endpoint(tableMaintenanceCalls.tableRestoreData, {
    ...design,
    kind: 'file',
    summary: 'The next chunk of the file (tus 1.0)',
    params: R,
    errors: ['not_found', 'conflict', 'too_large', 'bad_transition', 'unsupported_media_type'],
    ratePerMinute: 6000,
  }),
  startTableRestore: endpoint(tableMaintenanceCalls.startTableRestore, {
    ...design,
    summary: 'Say what would be made (`dryRun`), or make it, as a new table beside all others; nothing is ever overwritten',
    params: R,
    body: z.strictObject({ dryRun: z.boolean(), title: safeName(100).optional(), trash: z.boolean().default(true) }),
    response: TableRestore,
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  cancelTableRestore: endpoint(tableMaintenanceCalls.cancelTableRestore, {
    ...design,
    summary: 'Stop; a table that was being made goes into the bin',
    params: R,
    response: TableRestore,
    errors: ['not_found', 'bad_transition'],
  }),
  removeTableRestore: endpoint(tableMaintenanceCalls.removeTableRestore, {
    ...design,
    summary: 'Forget a restoring and its file; the table stays',
    params: R,
    errors: ['not_found', 'bad_transition'],
  }),
} as const;
