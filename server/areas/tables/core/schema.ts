import { sql } from 'drizzle-orm';
import { bigserial, boolean, index, integer, jsonb, pgTable, primaryKey, real, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { PublicationFailure } from '../../../../contract/tables/publications';
import type { ViewQuery } from '../../../../contract/tables/views';
import type { Choice, FieldDefault, FieldOptions, FormLayout, SchemaChange } from '../../../../contract/tables/schemas';
import type { BatchOrigin, FieldType, RecordAction, RuleRole, ViewKind } from '../../../../contract/tables/terms';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });
const byPerson = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });

/**
 * Definitions of content tables. Each site has its own schema for records (`ddl.ts`), with ids as physical names, so renaming never touches a record. A
 * site's `revision` increases with every change of a definition, rule or alias, so that a process can tell whether its copy is current.
 */
export const contentSites = pgTable('content_sites', {
  siteId: text('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  revision: integer().notNull().default(1),
});

export type PendingWork = {
  /** Revision of the site as of which the search index of all records is rebuilt. */ readonly search?: number | undefined;
  /** Autonumber fields to fill. */ readonly numbers?: readonly string[] | undefined;
  /** Records still to copy, with target fields by source field. */
  readonly copy?: { readonly from: string; readonly fields: Readonly<Record<string, string>> } | undefined;
};

export const contentTables = pgTable(
  'content_tables',
  {
    id: text().primaryKey(),
    siteId: ofSite(),
    key: text().notNull(),
    aliases: text().array().notNull().default([]),
    title: text().notNull(),
    icon: text().notNull().default(''),
    note: text().notNull().default(''),
    kind: text().$type<'collection' | 'singleton'>().notNull(),
    primaryField: text('primary_field'),
    drafts: boolean().notNull(),
    locales: text().array().notNull(),
    pages: jsonb().$type<{ pattern: string; titleField: string | null }>(),
    trashDays: integer('trash_days').notNull().default(30),
    /** Form layout; null: all fields in order. May name fields in the bin. */
    layout: jsonb().$type<FormLayout>(),
    position: integer().notNull(),
    revision: integer().notNull().default(1),
    createdBy: byPerson('created_by'),
    createdAt: moment('created_at').notNull(),
    deletedAt: moment('deleted_at'),
    /** Earliest scheduled publication or unpublication of its records; null: none. */
    dueAt: moment('due_at'),
    /** Work on the records that a change of definition leaves to the job `tables.rebuild`; null: none. */
    pending: jsonb().$type<PendingWork>(),
  },
  (t) => [
    uniqueIndex('content_tables_key_key')
      .on(t.siteId, t.key)
      .where(sql`${t.deletedAt} is null`),
    index('content_tables_site_index').on(t.siteId),
    index('content_tables_due_index')
      .on(t.dueAt)
      .where(sql`${t.dueAt} is not null`),
  ],
);

export const contentFields = pgTable(
  'content_fields',
  {
    id: text().primaryKey(),
    tableId: text('table_id')
      .notNull()
      .references(() => contentTables.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    aliases: text().array().notNull().default([]),
    title: text().notNull(),
    type: text().$type<FieldType>().notNull(),
    help: text().notNull().default(''),
    required: boolean().notNull().default(false),
    isUnique: boolean('is_unique').notNull().default(false),
    indexed: boolean().notNull().default(false),
    localized: boolean().notNull().default(false),
    searchable: boolean().notNull().default(false),
    hidden: boolean().notNull().default(false),
    readonly: boolean().notNull().default(false),
    sensitive: boolean().notNull().default(false),
    options: jsonb().$type<FieldOptions>().notNull(),
    rules: jsonb().$type<{ filter: RecordFilter; message: string }[]>().notNull().default([]),
    conditions: jsonb().$type<{ filter: RecordFilter; then: 'hidden' | 'required' | 'readonly' }[]>().notNull().default([]),
    default: jsonb().$type<FieldDefault>(),
    position: integer().notNull(),
    deletedAt: moment('deleted_at'),
    /** The running conversion (`conversion/`): its job, the new type and the column being filled. */
    converting: jsonb().$type<{ jobId: string; to: FieldType; column: string }>(),
  },
  (t) => [
    uniqueIndex('content_fields_key_key')
      .on(t.tableId, t.key)
      .where(sql`${t.deletedAt} is null`),
    index('content_fields_table_index').on(t.tableId),
  ],
);

/** The properties of a field that a conversion changes. */
export type ConvertedPart = {
  readonly type: FieldType;
  readonly options: FieldOptions;
  readonly isUnique: boolean;
  readonly indexed: boolean;
  readonly localized: boolean;
  readonly searchable: boolean;
  readonly default: FieldDefault | null;
  readonly rules: { filter: RecordFilter; message: string }[];
  readonly conditions: { filter: RecordFilter; then: 'hidden' | 'required' | 'readonly' }[];
};
/** `fresh`: id of the column being filled and of the revisions beside it; `kept`: id under which the old column is kept. */
export type ConversionSpec = {
  readonly fresh: string;
  readonly kept: string;
  readonly from: ConvertedPart;
  readonly to: ConvertedPart;
  readonly misfits: 'refuse' | 'empty';
  readonly addChoices: boolean;
  readonly keepUnique: boolean;
  /** Whether translations are converted too, in a column of their own. */
  readonly translated: boolean;
  /** Whether it undoes another conversion; redoing does not count. */
  readonly undoing: boolean;
  /** Inverses that go into the bin with the relation, and rules of other fields that no longer apply, as they were. */
  readonly mirrors: readonly string[];
  readonly others: Readonly<Record<string, Pick<ConvertedPart, 'rules' | 'conditions'>>>;
};
export type ConversionProgress = {
  readonly stage: 'records' | 'published' | 'rest';
  readonly after: string | null;
  readonly done: number;
  readonly total: number;
  /**
   * Counts of values that changed on reading back, of values that did not fit and were cleared, and, for an undo, of values edited since and converted
   * back.
   */
  readonly lossy: number;
  readonly emptied: number;
  readonly edited: number;
};

/** Field conversions: while they run, and afterwards for as long as they can be undone. */
export const contentConversions = pgTable(
  'content_conversions',
  {
    id: uuid().primaryKey(),
    siteId: ofSite(),
    tableId: text('table_id').notNull(),
    fieldId: text('field_id').notNull(),
    jobId: uuid('job_id').notNull(),
    /** `undone`: undone by another conversion. `purged`: its old column has been removed. */
    state: text().$type<'running' | 'done' | 'failed' | 'cancelled' | 'undone' | 'purged'>().notNull(),
    /** The conversion that this one undoes. */
    of: uuid(),
    spec: jsonb().$type<ConversionSpec>().notNull(),
    progress: jsonb().$type<ConversionProgress>().notNull(),
    /** Code of the error that stopped it. */
    error: text(),
    by: byPerson('by'),
    at: moment('at').notNull(),
    doneAt: moment('done_at'),
    /** When the old column is removed; null: there is none. */
    keepUntil: moment('keep_until'),
  },
  (t) => [
    index('content_conversions_field_index').on(t.fieldId, t.at),
    index('content_conversions_site_index').on(t.siteId),
    uniqueIndex('content_conversions_running_key')
      .on(t.fieldId)
      .where(sql`${t.state} = 'running'`),
  ],
);

/** Every change of a definition with the previous state; `data`: additional state for undoing it. */
export const contentChanges = pgTable(
  'content_changes',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    siteId: ofSite(),
    tableId: text('table_id').notNull(),
    fieldId: text('field_id'),
    revision: integer().notNull(),
    op: text().$type<SchemaChange['op']>().notNull(),
    name: text().notNull(),
    before: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    after: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    by: byPerson('by'),
    at: moment('at').notNull(),
    revertedBy: integer('reverted_by'),
  },
  (t) => [index('content_changes_table_index').on(t.tableId, t.id)],
);

/** `after`: for a removed choice, the ids of the choices that preceded it. */
export type NotedChoice = Choice & { readonly after?: readonly string[] };

/** One row per write of records, whatever its origin; the changes to each record are in `h` of the site's schema. */
export const contentBatches = pgTable(
  'content_batches',
  {
    id: uuid().primaryKey(),
    siteId: ofSite(),
    tableId: text('table_id').notNull(),
    origin: text('door').$type<BatchOrigin>().notNull(),
    actor: byPerson('actor'),
    /** Source of an anonymous write: the form link's name at the time. */
    source: text(),
    at: moment('at').notNull(),
    created: integer().notNull().default(0),
    updated: integer().notNull().default(0),
    removed: integer().notNull().default(0),
    /** Subset of the changed records: those restored from the bin. */
    restored: integer().notNull().default(0),
    /** The batch that undid this one, as long as that is in effect. */
    undoneBy: uuid('undone_by'),
    /** For an undo or redo: the batch that it reverts. */
    of: uuid(),
    /** Choices that the batch added (undo removes them), by field id; choices that it removed, by field id prefixed with a minus sign. */
    choices: jsonb().$type<Record<string, NotedChoice[]>>(),
  },
  (t) => [index('content_batches_site_index').on(t.siteId, t.at), index('content_batches_table_index').on(t.tableId, t.at)],
);

/** What each role may do with the records of a table; without a row, the defaults apply (`allowedByDefault`). */
export const contentRules = pgTable(
  'content_rules',
  {
    siteId: ofSite(),
    tableId: text('table_id')
      .notNull()
      .references(() => contentTables.id, { onDelete: 'cascade' }),
    role: text().$type<RuleRole>().notNull(),
    action: text().$type<RecordAction>().notNull(),
    allowed: boolean().notNull(),
    /** Ids; null: all, except sensitive ones for roles that may not design. */
    fields: text().array(),
    filter: jsonb().$type<RecordFilter>(),
  },
  (t) => [primaryKey({ columns: [t.tableId, t.role, t.action] })],
);

export const contentViews = pgTable(
  'content_views',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: ofSite(),
    tableId: text('table_id')
      .notNull()
      .references(() => contentTables.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    kind: text().$type<ViewKind>().notNull(),
    scope: text().$type<'personal' | 'shared' | 'locked'>().notNull(),
    owner: uuid().references(() => users.id, { onDelete: 'cascade' }),
    position: integer().notNull().default(0),
    query: jsonb().$type<ViewQuery>().notNull(),
    revision: integer().notNull().default(1),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('content_views_table_index').on(t.tableId)],
);

/** Failed scheduled publications, one per record, until retried or discarded; they remain when their table is deleted. */
export const contentPublicationFailures = pgTable(
  'content_publication_failures',
  {
    id: uuid().primaryKey(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id').notNull(),
    recordId: uuid('record_id').notNull(),
    tableTitle: text('table_title').notNull(),
    dueAt: moment('due_at').notNull(),
    failedAt: moment('failed_at').notNull(),
    scheduledBy: uuid('scheduled_by').references(() => users.id, { onDelete: 'set null' }),
    reason: text().$type<PublicationFailure['reason']>().notNull(),
    errors: jsonb().$type<PublicationFailure['errors']>().notNull().default([]),
  },
  (t) => [
    uniqueIndex('content_publication_failures_record_key').on(t.tableId, t.recordId),
    index('content_publication_failures_site_index').on(t.siteId, t.failedAt),
  ],
);

/** Responses to writes with an `Idempotency-Key`, kept for a day: a repeated call gets the same response and has no effect. */
export const contentCalls = pgTable(
  'content_calls',
  {
    siteId: ofSite(),
    caller: text().notNull(),
    key: text().notNull(),
    /** Hash of method, path and body; another call with the same key is refused. */
    hash: text().notNull(),
    response: jsonb('answer').$type<unknown>(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.caller, t.key] }), index('content_calls_at_index').on(t.at)],
);

export const contentWebhooks = pgTable(
  'content_hooks',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: ofSite(),
    name: text().notNull(),
    url: text().notNull(),
    /** Encrypted (`server/secrets.ts`); signs what is sent. */
    secret: text().notNull(),
    events: text().array().notNull(),
    /** null: every table. */
    tableIds: text('table_ids').array(),
    enabled: boolean().notNull().default(true),
    createdBy: byPerson('created_by'),
    createdAt: moment('created_at').notNull(),
    revision: integer().notNull().default(1),
    /** For a webhook of one table: only matching records; names fields by id. */
    filter: jsonb().$type<RecordFilter>(),
    /** The previous secret, encrypted; also signs until then. */
    oldSecret: text('old_secret'),
    oldSecretUntil: moment('old_secret_until'),
    /** Start of the current run of failures. */
    failingSince: moment('failing_since'),
    /** Why it was disabled automatically. */
    offReason: text('off_reason').$type<'gone' | 'failing'>(),
    offAt: moment('off_at'),
  },
  (t) => [index('content_hooks_site_index').on(t.siteId)],
);

/** Webhook deliveries, written in the transaction of the change; one row per delivery with its attempts, kept for 30 days. */
export const contentDeliveries = pgTable(
  'content_deliveries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    hookId: uuid('hook_id')
      .notNull()
      .references(() => contentWebhooks.id, { onDelete: 'cascade' }),
    siteId: ofSite(),
    tableId: text('table_id').notNull(),
    event: text().notNull(),
    batchId: uuid('batch_id'),
    recordIds: uuid('record_ids').array().notNull(),
    /** First and last revision that the event covers, for each of these records. */
    spans: jsonb().$type<(readonly [number, number])[]>().notNull().default([]),
    state: text().$type<'waiting' | 'sent' | 'failed'>().notNull(),
    attempts: integer().notNull().default(0),
    nextAt: moment('next_at'),
    leaseUntil: moment('lease_until'),
    status: integer(),
    error: text(),
    /** The body of the last attempt if it is short (else it is rebuilt), and the beginning of its response. */
    body: text(),
    reply: text(),
    at: moment('at').notNull(),
    sentAt: moment('sent_at'),
    ms: integer(),
  },
  (t) => [
    index('content_deliveries_due_index')
      .on(t.nextAt)
      .where(sql`${t.state} = 'waiting'`),
    index('content_deliveries_hook_index').on(t.hookId, t.id),
    index('content_deliveries_waiting_index')
      .on(t.hookId, t.id)
      .where(sql`${t.state} = 'waiting'`),
    index('content_deliveries_at_index').on(t.at),
  ],
);

/** Query costs by the fields that they filter and sort by: input of the index advisor. */
export const contentCosts = pgTable(
  'content_costs',
  {
    tableId: text('table_id')
      .notNull()
      .references(() => contentTables.id, { onDelete: 'cascade' }),
    /** `filter:f_…,f_…|sort:f_…`, sorted. */
    shape: text().notNull(),
    siteId: ofSite(),
    count: integer().notNull(),
    totalMs: real('total_ms').notNull(),
    worstMs: real('worst_ms').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tableId, t.shape] })],
);
