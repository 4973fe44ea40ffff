import { sql } from 'drizzle-orm';
import { bigserial, boolean, index, integer, pgTable, primaryKey, smallint, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { UptimeFailure, UptimeInput, UptimeStatus } from '../../../contract/uptime/schemas';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const siteId = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Settings of a site's monitor and the last result. A worker holds a row while `lease_until` is in the future and `lease_id` is its own. */
export const uptimeMonitors = pgTable(
  'uptime_monitors',
  {
    siteId: siteId().primaryKey(),
    enabled: boolean().notNull(),
    intervalMinutes: smallint('interval_minutes').$type<UptimeInput['intervalMinutes']>().notNull(),
    path: text().notNull(),
    expectedStatus: smallint('expected_status'),
    keyword: text().notNull(),
    revision: integer().notNull().default(1),
    state: text().$type<UptimeStatus['state']>().notNull().default('unknown'),
    since: moment('since'),
    checkedAt: moment('checked_at'),
    responseMs: integer('response_ms'),
    reason: text().$type<UptimeFailure | 'private_address'>(),
    detail: text().notNull().default(''),
    /** Time of a failed first check that a second one must confirm. */
    failingSince: moment('failing_since'),
    certificateExpiresAt: moment('certificate_expires_at'),
    nextAt: moment('next_at').notNull(),
    leaseId: uuid('lease_id'),
    leaseUntil: moment('lease_until'),
  },
  (t) => [
    index('uptime_monitors_due_index')
      .on(t.nextAt)
      .where(sql`${t.enabled}`),
  ],
);

/** Incidents; at most one per site is open. */
export const uptimeIncidents = pgTable(
  'uptime_incidents',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    siteId: siteId(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    reason: text().$type<UptimeFailure>().notNull(),
    detail: text().notNull(),
  },
  (t) => [
    uniqueIndex('uptime_incidents_open_key')
      .on(t.siteId)
      .where(sql`${t.endedAt} is null`),
    index('uptime_incidents_site_index').on(t.siteId, t.id),
  ],
);

/** Certificate warnings sent, by expiry of the certificate: each step once, also if several servers have their own certificates. */
export const uptimeWarnings = pgTable(
  'uptime_warnings',
  { siteId: siteId(), expiresAt: moment('expires_at').notNull(), days: smallint().notNull(), at: moment('at').notNull() },
  (t) => [primaryKey({ columns: [t.siteId, t.expiresAt, t.days] })],
);
