import { date, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { GlossaryEntry } from '../../../contract/languages/translations';
import type { ImportResult, MarkedState, RunKind, ServiceKind, TranslatedEntity } from '../../../contract/languages/translationTerms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });
const byPerson = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });

/**
 * States of translations, as people or machines set them. A mark belongs to one text, and no longer counts once the text was changed elsewhere. `source`: the source
 * text at that time, to show what has changed.
 */
export const translationMarks = pgTable(
  'translation_marks',
  {
    siteId: ofSite(),
    entity: text().$type<TranslatedEntity>().notNull(),
    group: text('place_group').notNull(),
    id: text('place_id').notNull(),
    field: text().notNull(),
    language: text().notNull(),
    state: text().$type<MarkedState>().notNull(),
    sourceHash: text('source_hash').notNull(),
    textHash: text('text_hash').notNull(),
    source: text().notNull(),
    by: byPerson('marked_by'),
    at: moment('marked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.entity, t.group, t.id, t.field, t.language] })],
);
export type MarkRow = typeof translationMarks.$inferSelect;
/** A mark before a run, so that undoing the run restores it. */
export type PastMark = Pick<MarkRow, 'state' | 'sourceHash' | 'textHash' | 'source'>;

/** Imports and machine translations, each undone as a whole. */
export const translationRuns = pgTable(
  'translation_runs',
  {
    id: uuid().primaryKey(),
    siteId: ofSite(),
    kind: text().$type<RunKind>().notNull(),
    language: text().notNull(),
    /** Engine or format. */
    label: text().notNull(),
    changed: integer().notNull().default(0),
    refused: integer().notNull().default(0),
    /** The batch of records that it writes, and the one that undoes it. */
    batchId: uuid('batch_id').notNull(),
    undoBatchId: uuid('undo_batch_id').notNull(),
    jobId: uuid('job_id'),
    by: byPerson('started_by'),
    at: moment('started_at').notNull(),
    undoneAt: moment('undone_at'),
  },
  (t) => [index('translation_runs_site_index').on(t.siteId, t.at)],
);
export type RunRow = typeof translationRuns.$inferSelect;

/** Texts of a run. Those of an import wait in state null until its job has written them. */
export const translationRunItems = pgTable(
  'translation_run_items',
  {
    runId: uuid('run_id').notNull(),
    n: integer().notNull(),
    entity: text().$type<TranslatedEntity>().notNull(),
    group: text('place_group').notNull(),
    id: text('place_id').notNull(),
    field: text().notNull(),
    before: text('text_before'),
    after: text('text_after').notNull(),
    /** `machine`, or what the importer says about the texts. */
    state: text().$type<MarkedState>().notNull(),
    mark: jsonb('mark_before').$type<PastMark>(),
    /** null: it waits. */
    result: text().$type<ImportResult>(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.n] }),
    foreignKey({ columns: [t.runId], foreignColumns: [translationRuns.id], name: 'translation_run_items_run_fk' }).onDelete('cascade'),
  ],
);
export type ItemRow = typeof translationRunItems.$inferSelect;

/** Services that translate, each with its key encrypted. */
export const translationEngines = pgTable(
  'translation_engines',
  {
    siteId: ofSite(),
    kind: text().$type<ServiceKind>().notNull(),
    url: text(),
    key: text('sealed_key'),
    dailyLimit: integer('daily_limit'),
    /** Characters sent on the day `used_on` (UTC). */
    usedOn: date('used_on', { mode: 'string' }).notNull(),
    used: integer().notNull().default(0),
    updatedBy: byPerson('updated_by'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind] })],
);
export type EngineRow = typeof translationEngines.$inferSelect;

export const siteGlossaries = pgTable('site_glossaries', {
  siteId: ofSite().primaryKey(),
  rows: jsonb().$type<readonly GlossaryEntry[]>().notNull(),
  revision: integer().notNull(),
  updatedBy: byPerson('updated_by'),
  updatedAt: moment('updated_at').notNull(),
});
