import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { StoredMeasuring } from '../../../contract/measuring/schemas';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const site = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Measuring settings of sites that changed them; the identity mode is stored in the site's own row. */
export const measuringSettings = pgTable('measuring_settings', {
  siteId: site().primaryKey(),
  settings: jsonb().$type<StoredMeasuring>().notNull(),
  updatedAt: moment('updated_at').notNull(),
  revision: integer().notNull().default(1),
});

/**
 * Counts of the collector, by site and day of receipt in the site's zone: `received`, `aside` and the codes of refusals. `site_id` is '' if a refused request
 * named no site, so it is not a foreign key.
 */
export const collectCounts = pgTable(
  'collect_counts',
  {
    siteId: text('site_id').notNull(),
    day: date({ mode: 'string' }).notNull(),
    what: text().notNull(),
    count: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day, t.what] })],
);

/** The last reported state of the collector of each process. */
export const collectorStates = pgTable('collector_states', {
  process: text().primaryKey(),
  seenAt: moment('seen_at').notNull(),
  journalBytes: bigint('journal_bytes', { mode: 'number' }).notNull(),
  journalMaxBytes: bigint('journal_max_bytes', { mode: 'number' }).notNull(),
  stuckSince: moment('stuck_since'),
  /** Whether hits are currently waiting. */
  waiting: boolean().notNull().default(false),
  /** Everything received up to here is in `hits`, and its visits have been built or handed over. */
  drainedTo: moment('drained_to').notNull().default(new Date(0)),
});

/**
 * Tasks for the process that builds the visits of a site: it drops its state of the site, then rebuilds visits from the remaining hits, or removes those of
 * some visitors. `visitors`: 16 hex digits each; null: all visits are rebuilt.
 */
export const visitTasks = pgTable(
  'visit_tasks',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: site(),
    shard: smallint().notNull(),
    visitors: text().array(),
    requestedAt: moment('asked_at').notNull(),
    doneAt: moment('done_at'),
  },
  (t) => [index('visit_tasks_shard_index').on(t.shard)],
);
