import { integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { CountryRule } from '../../../contract/countryBlock/schemas';
import type { Crawler, DatabaseProblem } from '../../../contract/countryBlock/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

/** Versions of country rules, which never change, except that messages in a removed language are deleted; the highest one of a site counts. */
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

/** Sites whose people were notified that their rule does nothing, so that this happens once for a problem. */
export const countryNotices = pgTable('country_notices', {
  siteId: text('site_id')
    .primaryKey()
    .references(() => sites.id, { onDelete: 'cascade' }),
  problem: text().$type<DatabaseProblem>().notNull(),
  at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
});

/** Networks that operators of crawlers publish, as each file or address of `CRAWLER_RANGES` last had them. */
export const crawlerRanges = pgTable('crawler_ranges', {
  source: text().primaryKey(),
  crawler: text().$type<Crawler>().notNull(),
  networks: text().array().notNull(),
  at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
});
