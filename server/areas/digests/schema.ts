import { sql } from 'drizzle-orm';
import { bigserial, boolean, integer, jsonb, pgTable, smallint, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core';
import type { AlertRule } from '../../../contract/digests/schemas';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const siteId = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Reports by mail and alerts of one site. `…_since`: when they were switched on; what fell due earlier is not sent. */
export const digestSettings = pgTable('digest_settings', {
  siteId: siteId().primaryKey(),
  weeklySince: moment('weekly_since'),
  monthlySince: moment('monthly_since'),
  hour: smallint().notNull(),
  rules: jsonb().$type<AlertRule[]>().notNull(),
  revision: integer().notNull().default(1),
});

/** What was sent. The unique name (site, kind, period) makes what the schedule sends go out once, however many processes look. */
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
    /** Sent by a person, beside the schedule. */
    byHand: boolean('by_hand').notNull().default(false),
  },
  (t) => [
    uniqueIndex('digests_sent_key')
      .on(t.siteId, t.kind, t.period)
      .where(sql`not ${t.byHand}`),
  ],
);
