import type { Migration } from '../../../stores/clickhouse/migrate';

/**
 * The sums of `measures.ts` that cells hold; those of goals are not among them, because a goal may change at any time. Events stand in totals and in
 * rows of events alone: a row of another dimension may have had nothing but events on a day, and must not be there for who does not ask for them.
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
 * Sketches of the visitors of a row and of a whole day. Those of rows hash to 32 bits, which halves what the many small ones take and costs nothing
 * below tens of millions of visitors; `error` is relative and standard, 1.04 / √2^precision.
 */
export const rowSketch = { name: 'uniqCombined', precision: 13, error: 0.0115 } as const;
export const daySketch = { name: 'uniqCombined64', precision: 17, error: 0.0029 } as const;
export type Sketch = typeof rowSketch | typeof daySketch;

const sumColumns = storedSums
  .slice(0, -1)
  .map((id) => `s_${id} Int64 CODEC(T64, ZSTD(1))`)
  .join(',\n        ');

/**
 * Roll-ups of large sites, in whole days of the site's zone. A cell is never changed: a day is computed anew from `visits FINAL` under
 * a new generation, and counts from the moment at which its row in `rollup_days`, written last, names that generation.
 *
 * `rollup_changes`: when visits that begin in an hour (UTC) were last written; the hour 0 (1970) stands for all of a site. The view only ever takes the
 * later of two times, so that an insert that is repeated does no harm; it adds nothing up. Hours, because days of the site end at any of them.
 * `rollup_days`: one row a computed day. `generation`: microseconds at which computing began × 1000 + a random number below 1000.
 * `definition`: what the cells mean (zone, bot rules, dimensions); those of another one are ignored. Beside it what reports say of coverage.
 * `rollup_totals`: a day and its hours (`hourly`), `step` is the beginning, epoch ms.
 * `rollup_rows`: a day by the keys of a dimension; days of a key lie together, so that the sketches of the few rows of a page are read alone.
 * `rollup_visitors`: who was there on a day. `rollup_links`: how many of them were there last on the day `prev` (1970-01-01: never before), which makes
 * distinct visitors of any range exact: those of its days whose `prev` lies before the range. `basis`: a hash of the generations counted.
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
