import type { FieldType } from '../../../../contract/tables/terms';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ImportCounts, ImportLook, ImportPlan } from '../../../../contract/tables/transfers';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import type { StartedBy } from '../core/starter';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What ended the reading of a file, with the line where it happened; words for it are made where it is shown. */
export type ReadFault = { readonly code: string; readonly line?: number; readonly max?: number; readonly row?: number; readonly text?: string };

/** The file as rows of texts, one JSON line a row, in a file beside it. `pieces`: row and byte at which each of them begins, and behind the last. */
export type Spool = {
  readonly read: ImportLook['read'];
  readonly names: readonly string[];
  readonly rows: number;
  readonly pieces: readonly (readonly [row: number, byte: number])[];
  /** Stretches of pieces (from, up to but without) that are written in one transaction, for their rows hand on unique values; as the trial found. */
  readonly joins?: readonly (readonly [from: number, to: number])[];
};

/** How far the work on an import is, in rows once the file has been read and in bytes before; `runAt` and `runFrom`: when this run began, and where. */
export type Pace = { readonly done: number; readonly total: number; readonly runAt: number; readonly runFrom: number; readonly inBytes: boolean };

/**
 * Imports of records. `asked` is what was asked for last; whether it goes on, has failed or was cancelled is told from the job. `position` counts the pieces
 * (a thousand rows) that are written, in the transaction that writes them; it is what makes that each happens once. `checked` names plan and file that
 * the dry run has gone through; `checkedParts` how far it is.
 */
export const tableImports = pgTable(
  'content_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id'),
    /** Name of the table that it makes. */
    title: text(),
    madeTable: boolean('made_table').notNull().default(false),
    /** Fields that it has made, by column of the file. */
    madeFields: jsonb('made_fields').$type<Record<string, string>>().notNull().default({}),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    asked: text().$type<'check' | 'run' | 'undo'>(),
    ended: text().$type<'checked' | 'done' | 'cancelled'>(),
    /** Who asked last and as what: the job acts as they. */
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
    /** Records and fields that undoing has left as somebody changed them since. */
    left: integer(),
    fault: jsonb().$type<ReadFault>(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    askedAt: moment('asked_at'),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('content_imports_site_index').on(t.siteId, t.createdAt), index('content_imports_table_index').on(t.tableId)],
);
/** Faults of a row of a piece: where it stands in the piece, and what is wrong with which field. */
export type StoredFault = {
  readonly field: string | null;
  readonly code: string;
  readonly min?: number;
  readonly max?: number;
  readonly message?: string;
  /** Of `wrong_type`: that of the field. */
  readonly type?: FieldType;
  /** Of `taken`: line of the row whose record has the value and gives it up too far away. */
  readonly line?: number;
  readonly missing?: readonly string[];
};
/** What becomes, or became, of a thousand rows: a letter a row (i u s f), the records that are changed, and what is wrong. */
export const tableImportParts = pgTable(
  'content_import_parts',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => tableImports.id, { onDelete: 'cascade' }),
    part: integer().notNull(),
    outcomes: text().notNull(),
    ids: jsonb().$type<Record<string, string>>().notNull().default({}),
    faults: jsonb().$type<Record<string, StoredFault[]>>().notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.importId, t.part] })],
);
