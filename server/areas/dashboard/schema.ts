import { sql } from 'drizzle-orm';
import { index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What people have hidden from the dashboard of a site: matters that need attention until a time, and the list of steps (`setup`) for good. `user_id` null: hidden for all. */
export const dashboardSnoozes = pgTable(
  'dashboard_snoozes',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    until: moment('until').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('dashboard_snoozes_person_key')
      .on(t.siteId, t.userId, t.key)
      .where(sql`${t.userId} is not null`),
    uniqueIndex('dashboard_snoozes_site_key')
      .on(t.siteId, t.key)
      .where(sql`${t.userId} is null`),
    index('dashboard_snoozes_user_index').on(t.userId),
  ],
);
