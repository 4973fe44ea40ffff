import { index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PublicationFailure } from '../../../../contract/tables/publications';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Scheduled publications that failed, one a record, until they are tried again or discarded; they stay when their table goes. */
export const contentPublicationFailures = pgTable(
  'content_publication_failures',
  {
    id: uuid().primaryKey(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    tableId: text('table_id').notNull(),
    recordId: uuid('record_id').notNull(),
    tableTitle: text('table_title').notNull(),
    dueAt: moment('due_at').notNull(),
    failedAt: moment('failed_at').notNull(),
    scheduledBy: uuid('scheduled_by').references(() => users.id, { onDelete: 'set null' }),
    reason: text().$type<PublicationFailure['reason']>().notNull(),
    errors: jsonb().$type<PublicationFailure['errors']>().notNull().default([]),
  },
  (t) => [
    uniqueIndex('content_publication_failures_record_key').on(t.tableId, t.recordId),
    index('content_publication_failures_site_index').on(t.siteId, t.failedAt),
  ],
);
