import { bigserial, date, index, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core';
import type { Migration } from '../../stores/clickhouse/migrate';
import { storedPathsMigration } from '../../stores/clickhouse/storedPaths';

/** Numeric columns whose values are small for their type: T64 stores them in as few bits as a block needs, about a third of the size. */
const packed = [
  'view_at',
  'view_engaged',
  'view_scroll',
  'view_events',
  'event_at',
  'event_view',
  'pv',
  'upv',
  'events',
  'engaged_ms',
  'visit_no',
  'screen_w',
  'screen_h',
  'last',
  'received_at',
] as const;
const squeezed = ['view_host', 'source_name', 'ref_host', 'city', 'province', 'event_name'] as const;

/**
 * Raw hits are append-only. A hit is identified by (site, visitor, view, seq); of several copies the first received is kept when parts merge (`copy_rank`), and
 * every reader of `hits` removes copies itself (`FINAL`, or `ORDER BY received_at LIMIT 1 BY` those four columns), so a repeated hit never counts twice.
 *
 * `visits` has one row per visit, written completely by the visit builder and replaced by a higher `version`; a visit whose key changed (an earlier hit arrived
 * late) leaves a tombstone with `deleted = 1`. Readers use FINAL. Page views are arrays of equal length inside the visit, so that one pass over `visits` serves
 * every report and screens cannot disagree. Times are UTC; `view_at` and `event_at` are milliseconds since `start`. Events are arrays too (`event_view`: the
 * number of the page view they happened on, from 1; 0 if it was opened in an earlier visit), so that goals and funnels are evaluated in the same pass. Visits
 * built before 0002 have no events and an empty `view_search` until they are rebuilt.
 *
 * `origin` is the source of a hit: `script`, `server` (POST …/als/hits), `log` and `import` (imports that count), and `audit`: an access log that is only
 * compared with the script's own figures and is in no report. All hits of a visitor have the same origin.
 *
 * `visitors` is the state of the visit builder: one row per visitor with the keys of the visits written in the last days (server/collect/visitor.ts describes
 * the columns). Its granules are small because it is only read by key.
 */
export const analyticsMigrations: readonly Migration[] = [
  {
    id: '0001_hits_and_visits',
    statements: [
      `CREATE TABLE hits (
        site_id LowCardinality(String),
        visitor_id UInt64,
        visitor_alt UInt64,
        view_id UInt64,
        seq UInt16,
        kind Enum8('view' = 1, 'event' = 2, 'engage' = 3),
        at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        received_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        host LowCardinality(String),
        path String CODEC(ZSTD(1)),
        query String CODEC(ZSTD(1)),
        title String CODEC(ZSTD(1)),
        engaged_ms UInt32,
        scroll UInt8,
        name LowCardinality(String),
        props String CODEC(ZSTD(1)),
        source_type LowCardinality(String),
        source_name LowCardinality(String),
        keyword String CODEC(ZSTD(1)),
        keyword_from LowCardinality(String),
        ref_host LowCardinality(String),
        ref_path String CODEC(ZSTD(1)),
        ref_url String CODEC(ZSTD(1)),
        utm_source LowCardinality(String),
        utm_medium LowCardinality(String),
        utm_campaign LowCardinality(String),
        utm_term String CODEC(ZSTD(1)),
        utm_content String CODEC(ZSTD(1)),
        click_id LowCardinality(String),
        device_type LowCardinality(String),
        os LowCardinality(String),
        os_version LowCardinality(String),
        browser LowCardinality(String),
        browser_version LowCardinality(String),
        screen_w UInt16,
        screen_h UInt16,
        lang LowCardinality(String),
        country LowCardinality(String),
        province LowCardinality(String),
        city LowCardinality(String),
        isp LowCardinality(String),
        ip_key UInt64,
        ip_masked LowCardinality(String),
        bot_score UInt8,
        bot_reasons Array(LowCardinality(String)),
        copy_rank UInt64 MATERIALIZED toUInt64(9223372036854775807 - toUnixTimestamp64Milli(received_at)),
        INDEX view_id_index view_id TYPE bloom_filter(0.01) GRANULARITY 1
      ) ENGINE = ReplacingMergeTree(copy_rank)
      PARTITION BY toYYYYMM(at)
      ORDER BY (site_id, visitor_id, view_id, seq)
      SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 2048`,
      `CREATE TABLE visits (
        site_id LowCardinality(String),
        visit_id UInt64,
        version UInt64,
        deleted UInt8,
        visitor_id UInt64,
        start DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        last DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        received_at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
        pv UInt16,
        upv UInt16,
        events UInt16,
        engaged_ms UInt32,
        bounce UInt8,
        is_new UInt8,
        visit_no UInt32,
        prev_start DateTime64(3, 'UTC'),
        host LowCardinality(String),
        entry_path String CODEC(ZSTD(1)),
        exit_path String CODEC(ZSTD(1)),
        source_type LowCardinality(String),
        source_name LowCardinality(String),
        keyword String CODEC(ZSTD(1)),
        keyword_from LowCardinality(String),
        ref_host LowCardinality(String),
        ref_path String CODEC(ZSTD(1)),
        ref_url String CODEC(ZSTD(1)),
        utm_source LowCardinality(String),
        utm_medium LowCardinality(String),
        utm_campaign LowCardinality(String),
        utm_term String CODEC(ZSTD(1)),
        utm_content String CODEC(ZSTD(1)),
        click_id LowCardinality(String),
        device_type LowCardinality(String),
        os LowCardinality(String),
        os_version LowCardinality(String),
        browser LowCardinality(String),
        browser_version LowCardinality(String),
        screen_w UInt16,
        screen_h UInt16,
        lang LowCardinality(String),
        country LowCardinality(String),
        province LowCardinality(String),
        city LowCardinality(String),
        isp LowCardinality(String),
        ip_key UInt64,
        ip_masked LowCardinality(String),
        bot_score UInt8,
        bot_reasons Array(LowCardinality(String)),
        view_id Array(UInt64),
        view_at Array(UInt32),
        view_host Array(LowCardinality(String)),
        view_path Array(String) CODEC(ZSTD(1)),
        view_title Array(String) CODEC(ZSTD(1)),
        view_engaged Array(UInt32),
        view_scroll Array(UInt8),
        view_events Array(UInt16),
        INDEX last_index last TYPE minmax GRANULARITY 4,
        INDEX visitor_index visitor_id TYPE bloom_filter(0.01) GRANULARITY 1,
        INDEX view_index view_id TYPE bloom_filter(0.01) GRANULARITY 1
      ) ENGINE = ReplacingMergeTree(version, deleted)
      PARTITION BY toYYYYMM(start)
      ORDER BY (site_id, start, visit_id)
      SETTINGS non_replicated_deduplication_window = 1000, index_granularity = 2048`,
      `CREATE TABLE visitors (
        site_id LowCardinality(String),
        visitor_id UInt64,
        version UInt64,
        same_as UInt64,
        members Array(UInt64),
        heirs Array(UInt64),
        alt_id UInt64,
        alt_at DateTime64(3, 'UTC'),
        last_at DateTime64(3, 'UTC'),
        base_count UInt32,
        base_start DateTime64(3, 'UTC'),
        visit_id Array(UInt64),
        visit_start Array(DateTime64(3, 'UTC')),
        visit_last Array(DateTime64(3, 'UTC')),
        visit_gone Array(UInt8)
      ) ENGINE = ReplacingMergeTree(version)
      ORDER BY (site_id, visitor_id)
      SETTINGS index_granularity = 128`,
    ],
  },
  {
    id: '0002_events_in_visits',
    statements: [
      `ALTER TABLE hits
        ADD COLUMN origin LowCardinality(String) DEFAULT 'script',
        ADD COLUMN search_term String CODEC(ZSTD(1))`,
      `ALTER TABLE visits
        ADD COLUMN origin LowCardinality(String) DEFAULT 'script',
        ADD COLUMN view_search Array(String) CODEC(ZSTD(1)),
        ADD COLUMN event_at Array(UInt32),
        ADD COLUMN event_name Array(LowCardinality(String)),
        ADD COLUMN event_props Array(String) CODEC(ZSTD(1)),
        ADD COLUMN event_view Array(UInt16)`,
    ],
  },
  {
    // Applies to parts written from now on.
    id: '0005_packed_visits',
    statements: [
      `ALTER TABLE visits ${[...packed.map((column) => `MODIFY COLUMN ${column} CODEC(T64, ZSTD(1))`), ...squeezed.map((column) => `MODIFY COLUMN ${column} CODEC(ZSTD(1))`)].join(', ')}`,
    ],
  },
  storedPathsMigration,
  {
    // Hits above the daily limit of one visitor (server/collect/flood.ts): stored, but not part of any visit.
    id: '0008_hits_set_aside',
    statements: ['ALTER TABLE hits ADD COLUMN set_aside UInt8 DEFAULT 0'],
  },
  {
    // Sites whose visits are being built from past hits (server/collect/visitBuilds.ts).
    id: '0009_visit_builds',
    statements: [
      `CREATE TABLE visit_builds (
        site_id LowCardinality(String),
        name String,
        open UInt8,
        changed DateTime64(6, 'UTC') DEFAULT now64(6, 'UTC')
      ) ENGINE = ReplacingMergeTree(changed)
      ORDER BY (site_id, name)
      SETTINGS index_granularity = 128`,
    ],
  },
];

/**
 * Daily keys for the hashes that identify visitors without an id, by the calendar day of the site. Shared by all processes and deleted one day after the day
 * has ended in the last time zone: from then on a visitor's hash cannot be traced back to an address. `salt`: 32 random bytes, base64.
 */
export const collectSalts = pgTable('collect_salts', { day: date({ mode: 'string' }).primaryKey(), salt: text().notNull() });

/**
 * Stored hits whose visits another process must build, because it holds the lease of their shard. `hits`: `{columns, hits}` as JSON, see server/collect/row.ts.
 */
export const visitQueue = pgTable(
  'visit_queue',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    shard: smallint().notNull(),
    hits: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('visit_queue_shard_index').on(t.shard, t.id)],
);
