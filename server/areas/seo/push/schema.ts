import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PushEngine, PushKind, PushReason, PushState } from '../../../../contract/seo/terms';
import { sites } from '../../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Which search engines a site tells about its pages, and when these were compared with what is known of them. */
export const seoPushSettings = pgTable('seo_push_settings', {
  siteId: ofSite().primaryKey(),
  indexnow: boolean().notNull(),
  /** Public, because the site delivers it; null until IndexNow was switched on. */
  indexnowKey: text('indexnow_key'),
  baidu: boolean().notNull(),
  baiduSite: text('baidu_site').notNull(),
  /** Sealed; null: none was entered. */
  baiduToken: text('baidu_token'),
  automatic: boolean().notNull(),
  /** When the first engine was switched on; null: none is. */
  enabledAt: moment('enabled_at'),
  /** Changes until then are in the hashes of the pages; null: the pages were never read. */
  scannedAt: moment('scanned_at'),
  /** When the last comparison was started. */
  scanQueuedAt: moment('scan_queued_at'),
});

/** What came of the last calls of an engine. A sender holds the row while `lease_until` is in the future and `lease_id` is its own, so that calls never overlap. */
export const seoPushEngines = pgTable(
  'seo_push_engines',
  {
    siteId: ofSite(),
    engine: text().$type<PushEngine>().notNull(),
    problem: text().$type<PushReason>(),
    /** Nothing is sent until the settings change. */
    stopped: boolean().notNull().default(false),
    pausedUntil: moment('paused_until'),
    /** Failed calls in a row. */
    failures: integer().notNull().default(0),
    /** Addresses that the engine still takes on a day of its own. */
    remaining: integer(),
    remainingOn: date('remaining_on', { mode: 'string' }),
    /** Most addresses of the next call, after one with more exceeded the quota; null: no limit. */
    batch: integer(),
    leaseId: uuid('lease_id'),
    leaseUntil: moment('lease_until'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.engine] })],
);

/** Hashes of the contents of pages by address, so that only pages that really changed are pushed. */
export const seoPageHashes = pgTable(
  'seo_page_hashes',
  { siteId: ofSite(), address: text().notNull(), hash: text().notNull(), changedAt: moment('changed_at').notNull() },
  (t) => [primaryKey({ columns: [t.siteId, t.address] })],
);

/** Outbox and history of addresses. An address waits at most once for each engine. */
export const seoPushLedger = pgTable(
  'seo_push_ledger',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    siteId: ofSite(),
    engine: text().$type<PushEngine>().notNull(),
    address: text().notNull(),
    /** Of the address: one call has addresses of one host. */
    host: text().notNull(),
    kind: text().$type<PushKind>().notNull(),
    state: text().$type<PushState>().notNull().default('waiting'),
    status: integer(),
    reason: text().$type<PushReason>(),
    attempts: integer().notNull().default(0),
    /** When it was put here, or put here again while it waited. */
    queuedAt: moment('queued_at').notNull(),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
  },
  (t) => [
    uniqueIndex('seo_push_ledger_waiting_key')
      .on(t.siteId, t.engine, t.address)
      .where(sql`${t.state} = 'waiting'`),
    index('seo_push_ledger_site_index').on(t.siteId, t.id),
    index('seo_push_ledger_created_at_index').on(t.createdAt),
    check('seo_push_ledger_state_known', sql`${t.state} in ('waiting', 'sent', 'refused', 'failed')`),
  ],
);
