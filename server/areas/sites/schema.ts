import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SiteRole } from '../../../contract/permissions';
import type { Site } from '../../../contract/sites/schemas';
import { users } from '../account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const sites = pgTable(
  'sites',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    slug: text().notNull(),
    purpose: text().$type<Site['purpose']>().notNull(),
    url: text(),
    state: text().$type<Site['state']>().notNull().default('active'),
    defaultLang: text('default_lang').notNull(),
    timeZone: text('time_zone').notNull(),
    identity: text().$type<Site['identity']>().notNull(),
    demo: boolean().notNull().default(false),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    archivedAt: moment('archived_at'),
    deletedAt: moment('deleted_at'),
    revision: integer().notNull().default(1),
  },
  // A slug stays reserved while its site is in the bin, so that a restore never conflicts.
  (t) => [
    uniqueIndex('sites_slug_key').on(t.slug),
    index('sites_deleted_at_index').on(t.deletedAt),
    check('sites_state_known', sql`${t.state} in ('active', 'archived', 'deleted')`),
  ],
);

/** Roles of people on sites. Instance roles with `site.seeAll` need no row: they are admin everywhere. */
export const siteGrants = pgTable(
  'site_grants',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text().$type<SiteRole>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] }), index('site_grants_user_index').on(t.userId)],
);

export const sitePins = pgTable(
  'site_pins',
  {
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] }), index('site_pins_user_index').on(t.userId)],
);
