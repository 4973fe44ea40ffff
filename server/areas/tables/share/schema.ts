import { boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';
import { contentViews } from '../schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Read-only links to saved views. The secret is looked up by its SHA-256 and kept sealed, so that its address can be copied again. A view that is removed takes its links along. */
export const contentViewShares = pgTable(
  'content_view_shares',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    viewId: uuid('view_id')
      .notNull()
      .references(() => contentViews.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    tokenHash: text('token_hash').notNull(),
    tokenSealed: text('token_sealed').notNull(),
    passwordHash: text('password_hash'),
    drafts: boolean().notNull(),
    download: boolean().notNull(),
    expiresAt: moment('expires_at'),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    opened: integer().notNull().default(0),
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('content_view_shares_token_hash_key').on(t.tokenHash),
    index('content_view_shares_site_index').on(t.siteId),
    index('content_view_shares_view_index').on(t.viewId),
  ],
);
