import { boolean, index, integer, jsonb, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { FormOptions } from '../../../../contract/tables/forms';
import { linkColumns } from '../../publicLinks/schema';
import { contentViews } from '../core/schema';

/**
 * Links to saved views. The secret is looked up by its SHA-256 and stored encrypted, so that its address can be copied again. Removing a view removes
 * its links.
 */
export const contentPublicLinks = pgTable(
  'content_view_shares',
  {
    ...linkColumns(),
    viewId: uuid('view_id')
      .notNull()
      .references(() => contentViews.id, { onDelete: 'cascade' }),
    drafts: boolean().notNull(),
    download: boolean().notNull(),
    /** How a form link takes answers; null: it shows records. */
    form: jsonb().$type<FormOptions>(),
    /** Accepted answers, and those rejected as bots. */
    answers: integer().notNull().default(0),
    refused: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex('content_view_shares_token_hash_key').on(t.tokenHash),
    index('content_view_shares_site_index').on(t.siteId),
    index('content_view_shares_view_index').on(t.viewId),
  ],
);
