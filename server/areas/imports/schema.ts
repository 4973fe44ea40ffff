import { bigint, boolean, index, integer, jsonb, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { KeywordPeriod } from '../../../contract/imports/keywords';
import type { ImportFormat, ImportMode } from '../../../contract/imports/schemas';
import type { Migration } from '../../stores/clickhouse/migrate';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import type { Progress } from './progress';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export type ImportFile = { readonly name: string; readonly size: number };

/**
 * Files of other tools that are imported as hits or as daily figures. `number` marks the imported rows in ClickHouse. The state is derived from the job
 * (`job_id`); `progress` is the import's own record, so that an interrupted import continues in a new job.
 */
export const trafficImports = pgTable(
  'traffic_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    number: serial().notNull().unique(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    files: jsonb().$type<readonly ImportFile[]>().notNull(),
    format: text().$type<ImportFormat>(),
    mode: text().$type<ImportMode>(),
    fields: jsonb().$type<Readonly<Record<string, string>>>().notNull().default({}),
    /** For keywords: the engine and the period of the import; for a file with a date column, set after it has been read. */
    keywords: jsonb().$type<KeywordPeriod>(),
    started: boolean().notNull().default(false),
    removing: boolean().notNull().default(false),
    jobId: uuid('job_id'),
    progress: jsonb().$type<Progress>(),
    total: bigint({ mode: 'number' }).notNull(),
    runs: integer().notNull().default(0),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('traffic_imports_site_index').on(t.siteId, t.createdAt)],
);

/**
 * `hits.import_id`: the `number` of the first import that stored a hit, 0 for all other hits.
 *
 * `imported_days`: daily counts of another tool, one row per line of its file; never mixed into visits. `line` is part of the row's key, so that reading a file
 * again replaces its rows. `visitors` are those of one day and one key: sums over days count people more than once.
 *
 * `import_props`: properties of events that are in a separate file, stored until the events are read; `value` is JSON.
 */
export const importMigrations: readonly Migration[] = [
  {
    id: 'imports_0001_import_id',
    statements: [
      'ALTER TABLE hits ADD COLUMN IF NOT EXISTS import_id UInt32 DEFAULT 0',
      `CREATE TABLE imported_days (
        site_id LowCardinality(String),
        import_id UInt32,
        dimension LowCardinality(String),
        day Date,
        key String CODEC(ZSTD(1)),
        line UInt32,
        visitors UInt64,
        visits UInt64,
        views UInt64,
        bounces UInt64,
        seconds UInt64,
        events UInt64
      ) ENGINE = ReplacingMergeTree
      ORDER BY (site_id, import_id, dimension, day, line)
      SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 2048`,
      `CREATE TABLE import_props (
        site_id LowCardinality(String),
        import_id UInt32,
        event_id String,
        name String,
        value String
      ) ENGINE = ReplacingMergeTree
      ORDER BY (site_id, import_id, event_id, name)
      SETTINGS index_granularity = 1024`,
    ],
  },
  {
    // One row per keyword, page and day; for totals of a period, `day` is its first day. Reading the same row again replaces the first. `position` 0: unknown.
    id: 'imports_0002_keywords',
    statements: [
      `CREATE TABLE IF NOT EXISTS imported_keywords (
        site_id LowCardinality(String),
        import_id UInt32,
        day Date,
        query String CODEC(ZSTD(1)),
        page String CODEC(ZSTD(1)),
        clicks UInt64,
        impressions UInt64,
        position Float64
      ) ENGINE = ReplacingMergeTree
      ORDER BY (site_id, import_id, day, query, page)
      SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 2048`,
    ],
  },
];
