import { sql } from 'drizzle-orm';
import { bigserial, boolean, integer, jsonb, pgTable, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertRule } from '../../../contract/digests/schemas';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const siteId = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Digests and alerts of one site. `…_since`: when each was enabled; digests due earlier are not sent. */
export const digestSettings = pgTable('digest_settings', {
  siteId: siteId().primaryKey(),
  weeklySince: moment('weekly_since'),
  monthlySince: moment('monthly_since'),
  hour: smallint().notNull(),
  rules: jsonb().$type<AlertRule[]>().notNull(),
  revision: integer().notNull().default(1),
});

/** Sent digests and alerts. The unique key (site, kind, period) ensures that a scheduled message is sent once by any number of processes. */
export const digestsSent = pgTable(
  'digests_sent',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    siteId: siteId(),
    kind: text().$type<'weekly' | 'monthly' | 'alert'>().notNull(),
    /** Days `2026-11-09_2026-11-15`, or `views.drop.hour 2026-11-20T08:00`. */
    period: text().notNull(),
    at: moment('at').notNull(),
    sent: integer().notNull(),
    rule: jsonb().$type<AlertRule>(),
    value: integer(),
    usual: integer(),
    /** Sent manually by a person, in addition to the schedule. */
    byHand: boolean('by_hand').notNull().default(false),
  },
  (t) => [
    uniqueIndex('digests_sent_key')
      .on(t.siteId, t.kind, t.period)
      .where(sql`not ${t.byHand}`),
  ],
);
