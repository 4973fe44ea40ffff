import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { BudgetDevice, BudgetState, Percentile, VitalMetric } from '../../../contract/vitals/terms';
import type { Migration } from '../../stores/clickhouse/migrate';
import { sites } from '../sites/schema';
import { vitalRollupMigrations } from './rollup/schema';

/**
 * One row per measurement of a browser (`metric_id`): a later value of the same measurement has a higher `version` and replaces the earlier one. ClickHouse enforces
 * no uniqueness, so readers use FINAL, and nothing is precomputed from single inserts. No column identifies a person; `view_id` is the page view of `hits`.
 */
export const vitalMigrations: readonly Migration[] = [
  {
    id: 'vitals_0001_web_vitals',
    statements: [
      `CREATE TABLE IF NOT EXISTS web_vitals (
        site_id LowCardinality(String),
        metric LowCardinality(String),
        metric_id UInt64,
        version UInt64,
        view_id UInt64,
        at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        value Float64,
        host LowCardinality(String),
        path String CODEC(ZSTD(1)),
        family LowCardinality(String),
        device LowCardinality(String),
        os LowCardinality(String),
        browser LowCardinality(String),
        country LowCardinality(String),
        province LowCardinality(String),
        connection LowCardinality(String),
        navigation LowCardinality(String),
        attribution String CODEC(ZSTD(3)),
        INDEX view_index view_id TYPE bloom_filter(0.01) GRANULARITY 1
      ) ENGINE = ReplacingMergeTree(version)
      PARTITION BY toYYYYMM(at)
      ORDER BY (site_id, metric, metric_id)
      SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 2048`,
    ],
  },
  ...vitalRollupMigrations,
];

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Upper limits of percentiles. `state` changes only when a budget is evaluated; a change is announced once. */
export const vitalBudgets = pgTable(
  'vital_budgets',
  {
    id: uuid().primaryKey(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    metric: text().$type<VitalMetric>().notNull(),
    percentile: smallint().$type<Percentile>().notNull(),
    most: doublePrecision().notNull(),
    /** `*` matches any characters; '' matches all pages. */
    pathPattern: text('path_pattern').notNull(),
    device: text().$type<BudgetDevice>().notNull(),
    notify: boolean().notNull(),
    state: text().$type<BudgetState>().notNull().default('unknown'),
    value: doublePrecision(),
    count: integer().notNull().default(0),
    evaluatedAt: moment('evaluated_at'),
    changedAt: moment('changed_at'),
    createdAt: moment('created_at')
      .notNull()
      .default(sql`now()`),
    revision: integer().notNull().default(1),
  },
  (t) => [index('vital_budgets_site_index').on(t.siteId)],
);
