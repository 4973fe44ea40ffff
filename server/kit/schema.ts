import { index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { users } from '../areas/account/schema';
import { sites } from '../areas/sites/schema';

/** A row as PostgreSQL's `to_jsonb` returns it, by column name. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** What people removed, until the removal can no longer be undone (`removals.ts`). */
export const removals = pgTable(
  'removals',
  {
    kind: text().notNull(),
    id: uuid().notNull(),
    /** null: it belongs to no site, but to an account or the installation. */
    siteId: text('site_id').references(() => sites.id, { onDelete: 'cascade' }),
    removedBy: uuid('removed_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The row and its dependants, by table name. Secrets in them are encrypted or hashed, as in their own tables. */
    rows: jsonb().$type<Readonly<Record<string, readonly StoredRow[]>>>().notNull(),
    at: timestamp({ withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id] }),
    index('removals_site_index').on(t.siteId),
    index('removals_person_index').on(t.removedBy, t.at),
    index('removals_at_index').on(t.at),
  ],
);
