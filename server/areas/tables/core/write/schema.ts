import { index, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { sites } from '../../../sites/schema';

/** Slugs that published records have had, by record: addresses of pages that have moved. The newest owner of a slug has it. */
export const contentFormerSlugs = pgTable(
  'content_former_slugs',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id').notNull(),
    fieldId: text('field_id').notNull(),
    slug: text().notNull(),
    recordId: uuid('record_id').notNull(),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.tableId, t.fieldId, t.slug] }), index('content_former_slugs_record_index').on(t.tableId, t.recordId)],
);
