import { bigint, boolean, date, index, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { StoredMeasuring } from '../../../contract/measuring/schemas';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const site = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** How a site is measured, where somebody has changed it; the identity mode stands on the site's own row. */
export const measuringSettings = pgTable('measuring_settings', {
  siteId: site().primaryKey(),
  settings: jsonb().$type<StoredMeasuring>().notNull(),
  updatedAt: moment('updated_at').notNull(),
  revision: integer().notNull().default(1),
});

/**
 * What the collector counted, by site and day of reception in the site's zone: `received`, `aside` and the codes of refusals.
 * `site_id` is '' where a refused request named no site, so it refers to nothing.
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

/** The way in as each process last told of it. */
export const collectorStates = pgTable('collector_states', {
  process: text().primaryKey(),
  seenAt: moment('seen_at').notNull(),
  journalBytes: bigint('journal_bytes', { mode: 'number' }).notNull(),
  journalMaxBytes: bigint('journal_max_bytes', { mode: 'number' }).notNull(),
  stuckSince: moment('stuck_since'),
  /** Whether hits wait now. */
  waiting: boolean().notNull().default(false),
  /** Everything received up to here is in `hits`, and its visits are built or handed over. */
  drainedTo: moment('drained_to').notNull().default(new Date(0)),
});

/**
 * Work on the visits of a site that only the process that builds them may do: it forgets the site, then makes the visits again from the
 * hits that are left, or takes those of some visitors away. `visitors`: 16 hex digits each; null: all are made again.
 */
export const visitTasks = pgTable(
  'visit_tasks',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: site(),
    shard: smallint().notNull(),
    visitors: text().array(),
    askedAt: moment('asked_at').notNull(),
    doneAt: moment('done_at'),
  },
  (t) => [index('visit_tasks_shard_index').on(t.shard)],
);
