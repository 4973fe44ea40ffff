import type { FieldType } from '../../../../contract/tables/terms';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ImportCounts, ImportLook, ImportPlan } from '../../../../contract/tables/transfers';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import type { StartedBy } from '../core/starter';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Why reading a file stopped, and at which line; its message is made when shown. */
export type ReadError = { readonly code: string; readonly line?: number; readonly max?: number; readonly row?: number; readonly text?: string };

/** The file as rows of texts, one JSON line per row, in a file beside it. `pieces`: row and byte offset of each chunk, and of the end. */
export type Spool = {
  readonly read: ImportLook['read'];
  readonly names: readonly string[];
  readonly rows: number;
  readonly pieces: readonly (readonly [row: number, byte: number])[];
  /** Ranges of chunks (end exclusive) that are written in one transaction because their rows hand over unique values, as the dry run found. */
  readonly joins?: readonly (readonly [from: number, to: number])[];
};

/** Progress of an import, in rows once the file is read and in bytes before; `runAt` and `runFrom`: when and where this run began. */
export type Pace = { readonly done: number; readonly total: number; readonly runAt: number; readonly runFrom: number; readonly inBytes: boolean };

/**
 * Imports of records. `requested` is the last request; whether it is running, failed or cancelled follows from the job. `position` counts the chunks (a
 * thousand rows) that are written, updated in the transaction that writes them, so that each is written once. `checked` identifies the plan and file
 * that the dry run has covered; `checkedParts` is its progress.
 */
export const tableImports = pgTable(
  'content_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id'),
    /** Title of the table that it creates. */
    title: text(),
    createdTable: boolean('made_table').notNull().default(false),
    /** Fields that it has created, by file column. */
    createdFields: jsonb('made_fields').$type<Record<string, string>>().notNull().default({}),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    requested: text('asked').$type<'check' | 'run' | 'undo'>(),
    ended: text().$type<'checked' | 'done' | 'cancelled'>(),
    /** Who made the last request: the job acts on their behalf. */
    by: jsonb().$type<StartedBy>(),
    plan: jsonb().$type<ImportPlan>(),
    spool: jsonb().$type<Spool>(),
    checked: text(),
    position: integer().notNull().default(0),
    jobId: uuid('job_id'),
    pace: jsonb().$type<Pace>(),
    counts: jsonb().$type<ImportCounts>(),
    newChoices: jsonb('new_choices').$type<Record<string, string[]>>().notNull().default({}),
    batchId: uuid('batch_id'),
    undone: boolean().notNull().default(false),
    /** Records and fields that undo has skipped because they were changed since. */
    left: integer(),
    error: jsonb('fault').$type<ReadError>(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    requestedAt: moment('asked_at'),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('content_imports_site_index').on(t.siteId, t.createdAt), index('content_imports_table_index').on(t.tableId)],
);
/** Errors of a row in a chunk: its index, the field and the reason. */
export type StoredError = {
  readonly field: string | null;
  readonly code: string;
  readonly min?: number;
  readonly max?: number;
  readonly message?: string;
  /** For `wrong_type`: the field's type. */
  readonly type?: FieldType;
  /** For `taken`: line of the row that gives the value up, but too far away. */
  readonly line?: number;
  readonly missing?: readonly string[];
};
/** Results of a thousand rows: a letter per row (i u s f), the updated records, and errors. */
export const tableImportParts = pgTable(
  'content_import_parts',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => tableImports.id, { onDelete: 'cascade' }),
    part: integer().notNull(),
    outcomes: text().notNull(),
    ids: jsonb().$type<Record<string, string>>().notNull().default({}),
    errors: jsonb('faults').$type<Record<string, StoredError[]>>().notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.importId, t.part] })],
);
