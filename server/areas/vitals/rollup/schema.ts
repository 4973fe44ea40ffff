import type { Migration } from '../../../stores/clickhouse/migrate';

/** States from which percentiles are read with a relative error of less than 0.5 %. */
const states = (of: '' | 'State' | 'Merge'): string => `quantilesDD${of}(0.004, 0.5, 0.75, 0.9, 0.95, 0.99)`;
/** ClickHouse is three times less accurate below 1, where scores of layout shifts are. */
const scale = 10_000;
export const ranksStateSql = `${states('State')}(value * ${scale})`;
export const ranksSql = `arrayMap(rank -> rank / ${scale}, ${states('Merge')}(c.ranks))`;

/**
 * Rollups of large sites, in whole days of the site's zone. A cell is never updated: a day is computed from `web_vitals FINAL` under a new generation, which becomes current
 * when its row in `vital_days`, written last, names it.
 *
 * `vital_changes`: when values of an hour (UTC) were last written; hour 0 (1970) means the whole site. The view keeps the latest time instead of adding up, so that a
 * repeated insert is harmless.
 * `vital_cells`: a day by the keys of a dimension ('': all values). `bins`: counts by `binEnds`, the last one open, of all values only. `ranks`: states that merge, because
 * percentiles of days cannot be averaged.
 */
export const vitalRollupMigrations: readonly Migration[] = [
  {
    id: 'vitals_0002_rollups',
    statements: [
      `CREATE TABLE IF NOT EXISTS vital_changes (
        site_id LowCardinality(String),
        hour DateTime('UTC'),
        changed SimpleAggregateFunction(max, DateTime64(6, 'UTC'))
      ) ENGINE = AggregatingMergeTree ORDER BY (site_id, hour)`,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS vital_changes_view TO vital_changes AS
        SELECT site_id, toStartOfHour(toDateTime(at, 'UTC')) AS hour, now64(6, 'UTC') AS changed FROM web_vitals GROUP BY site_id, hour`,
      `CREATE TABLE IF NOT EXISTS vital_days (
        site_id LowCardinality(String),
        zone LowCardinality(String),
        day Date,
        generation UInt64
      ) ENGINE = MergeTree ORDER BY (site_id, zone, day, generation)`,
      `CREATE TABLE IF NOT EXISTS vital_cells (
        site_id LowCardinality(String),
        dimension LowCardinality(String),
        metric LowCardinality(String),
        day Date,
        generation UInt64 CODEC(ZSTD(1)),
        start Int64,
        cell_key String CODEC(ZSTD(1)),
        n UInt64,
        good UInt64,
        poor UInt64,
        views UInt64,
        bins Array(UInt64),
        ranks AggregateFunction(${states('')}, Float64)
      ) ENGINE = MergeTree PARTITION BY toYYYYMM(day) ORDER BY (site_id, dimension, metric, cell_key, day, generation)
      SETTINGS index_granularity = 256`,
    ],
  },
];
