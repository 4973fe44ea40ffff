import type { Migration } from '../../../stores/clickhouse/migrate';

/**
 * The sums of `measures.ts` that cells store. Those of goals are excluded, because a goal may change at any time. Events are stored in totals and in rows of
 * events only: a row of another dimension may have had only events on a day, and must not appear in reports that do not request events.
 */
export const storedSums = [
  'starts',
  'views',
  'fresh',
  'enters',
  'bounces',
  'span',
  'pages',
  'engaged',
  'entries',
  'exits',
  'viewEngaged',
  'viewScroll',
  'events',
] as const;
export type StoredSum = (typeof storedSums)[number];

/**
 * Sketches of the visitors of a row and of a whole day. Those of rows hash to 32 bits, which halves the size of the many small ones and loses nothing below
 * tens of millions of visitors; `error` is the relative standard error, 1.04 / √2^precision.
 */
export const rowSketch = { name: 'uniqCombined', precision: 13, error: 0.0115 } as const;
export const daySketch = { name: 'uniqCombined64', precision: 17, error: 0.0029 } as const;
export type Sketch = typeof rowSketch | typeof daySketch;

const sumColumns = storedSums
  .slice(0, -1)
  .map((id) => `s_${id} Int64 CODEC(T64, ZSTD(1))`)
  .join(',\n        ');

/**
 * Rollups of large sites, in whole days of the site's zone. A cell is never updated: a day is recomputed from `visits FINAL` under a new generation, which
 * becomes current when its row in `rollup_days`, written last, names it.
 *
 * `rollup_changes`: when visits that begin in an hour (UTC) were last written; hour 0 (1970) means the whole site. The view keeps the latest time instead of
 * adding up, so a repeated insert is harmless. Hours, because a site's day may end at any of them.
 * `rollup_days`: one row per computed day. `generation`: microseconds at which computing began × 1000 + a random number below 1000. `definition`: the meaning
 * of the cells (zone, bot rules, dimensions); rows with another one are ignored. The other columns are the coverage shown in reports.
 * `rollup_totals`: a day and its hours (`hourly`); `step` is the start, epoch ms.
 * `rollup_rows`: a day by the keys of a dimension; the days of a key are contiguous, so that only the sketches of the few rows of a page are read.
 * `rollup_visitors`: the visitors of a day. `rollup_links`: how many of them had their previous visit on the day `prev` (1970-01-01: none before), which makes
 * the distinct visitors of any range exact: sum those of its days whose `prev` is before the range. `basis`: a hash of the generations counted.
 */
export const rollupMigrations: readonly Migration[] = [
  {
    id: '0003_rollups',
    statements: [
      `CREATE TABLE rollup_changes (
        site_id LowCardinality(String),
        hour DateTime('UTC'),
        changed SimpleAggregateFunction(max, DateTime64(6, 'UTC'))
      ) ENGINE = AggregatingMergeTree ORDER BY (site_id, hour)`,
      `CREATE MATERIALIZED VIEW rollup_changes_view TO rollup_changes AS
        SELECT site_id, toStartOfHour(toDateTime(start, 'UTC')) AS hour, now64(6, 'UTC') AS changed FROM visits GROUP BY site_id, hour`,
      `CREATE TABLE rollup_days (
        site_id LowCardinality(String),
        day Date,
        definition UInt64,
        generation UInt64,
        newest DateTime64(3, 'UTC'),
        suspected UInt64,
        bots UInt64
      ) ENGINE = MergeTree ORDER BY (site_id, day, definition, generation)`,
      `CREATE TABLE rollup_totals (
        site_id LowCardinality(String),
        day Date,
        generation UInt64,
        hourly UInt8,
        step Int64,
        ${sumColumns},
        visitors UInt64,
        ips UInt64,
        visitor_state AggregateFunction(${daySketch.name}(${daySketch.precision}), UInt64)
      ) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (site_id, hourly, day, generation)
      SETTINGS index_granularity = 256`,
      `CREATE TABLE rollup_rows (
        site_id LowCardinality(String),
        dimension LowCardinality(String),
        day Date,
        generation UInt64 CODEC(ZSTD(1)),
        row_key String CODEC(ZSTD(1)),
        ${sumColumns},
        visitors UInt64 CODEC(T64, ZSTD(1)),
        ips UInt64 CODEC(T64, ZSTD(1)),
        visitor_state AggregateFunction(${rowSketch.name}(${rowSketch.precision}), UInt64) CODEC(ZSTD(1))
      ) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (site_id, dimension, row_key, day, generation)
      SETTINGS index_granularity = 256`,
      `CREATE TABLE rollup_visitors (
        site_id LowCardinality(String),
        day Date,
        generation UInt64 CODEC(ZSTD(1)),
        visitor_id UInt64
      ) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (site_id, day, generation, visitor_id)`,
      `CREATE TABLE rollup_links (
        site_id LowCardinality(String),
        day Date,
        basis UInt64,
        prev Date,
        visitors UInt64
      ) ENGINE = MergeTree ORDER BY (site_id, day, basis, prev)`,
    ],
  },
  {
    id: '0004_events_in_rollups',
    statements: ['rollup_totals', 'rollup_rows'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS s_events Int64 CODEC(T64, ZSTD(1)) AFTER s_viewScroll`,
    ),
  },
];
