import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import { contentTables } from '../core/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const contentComments = pgTable(
  'content_comments',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id')
      .notNull()
      .references(() => contentTables.id, { onDelete: 'cascade' }),
    recordId: uuid('record_id').notNull(),
    text: text().notNull(),
    /** Of the text: resolving a comment does not change it. */
    revision: integer().notNull().default(1),
    author: uuid('author').references(() => users.id, { onDelete: 'set null' }),
    at: moment('at').notNull(),
    resolvedAt: moment('resolved_at'),
  },
  (t) => [index('content_comments_record_index').on(t.tableId, t.recordId, t.at)],
);
