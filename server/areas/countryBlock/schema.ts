import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CountryRule } from '../../../contract/countryBlock/schemas';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

/** Versions of country rules, which never change; the highest one of a site counts. */
export const countryRules = pgTable(
  'country_rules',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    rule: jsonb().$type<CountryRule>().notNull(),
    note: text().notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.version] })],
);
