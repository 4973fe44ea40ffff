import { integer, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';

/** Every robots.txt that a site has had; the newest acts at once, without a release. */
export const robotsVersions = pgTable(
  'robots_versions',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    /** Without the lines of the program. */
    text: text().notNull(),
    note: text().notNull(),
    /** Known addresses that it closed and opened; null: they could not be compared. */
    blocked: integer(),
    opened: integer(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.version] })],
);
