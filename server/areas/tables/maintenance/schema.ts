import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { MaintenanceFinding, RestoreReport, TableFacts } from '../../../../contract/tables/maintenance';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import type { StartedBy } from '../core/starter';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

export type CheckResult = { readonly records: number; readonly findings: readonly MaintenanceFinding[] };
export type CompactResult = Omit<NonNullable<TableFacts['compacted']>, 'at'>;

/** The last maintenance of a table, by kind, shown until the next one. */
export const tableMaintenance = pgTable(
  'content_care',
  {
    siteId: ofSite(),
    tableId: text('table_id').notNull(),
    kind: text().$type<'check' | 'compact'>().notNull(),
    at: moment('at').notNull(),
    result: jsonb().$type<CheckResult | CompactResult>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tableId, t.kind] }), index('content_care_site_index').on(t.siteId)],
);

/** Why reading a backup stopped, and at which line; its message is made when shown. */
export type RestoreError = { readonly code: string; readonly line?: number };

/**
 * Tables being restored from files. `requested` is the last request; whether it is running, failed or cancelled follows from the job. `position` counts the
 * lines of records written, updated in the transaction that writes them.
 */
export const tableRestores = pgTable(
  'content_restores',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: ofSite(),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    requested: text('asked').$type<'check' | 'run'>(),
    ended: text().$type<'checked' | 'done' | 'cancelled'>(),
    by: jsonb().$type<StartedBy>(),
    title: text(),
    /** Whether records in the bin are restored too, into the bin. */
    bin: text('trash').$type<'with' | 'without'>().notNull().default('with'),
    jobId: uuid('job_id'),
    report: jsonb().$type<Omit<RestoreReport, 'rights'> & Partial<Pick<RestoreReport, 'rights'>>>(),
    /** The table that it creates, and the lines of records written to it. */
    tableId: text('table_id'),
    position: integer().notNull().default(0),
    error: jsonb('fault').$type<RestoreError>(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('content_restores_site_index').on(t.siteId, t.createdAt)],
);
