import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { sites } from '../sites/schema';

export const guestbookEntries = pgTable(
  'guestbook_entries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [index('guestbook_entries_site_index').on(t.siteId, t.id)],
);
