import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SiteRole } from '../../../contract/permissions';
import type { Site, SiteTag } from '../../../contract/sites/schemas';
import { baseLimits } from '../../../contract/sites/terms';
import type { Maintenance, OpenState, SiteState, Visibility } from '../../../contract/sites/terms';
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
    state: text().$type<SiteState>().notNull().default('draft'),
    /** The last open state: `state` itself while the site is open, else where it returns to. */
    openState: text('open_state').$type<OpenState>().notNull().default('draft'),
    visibility: text().$type<Visibility>().notNull().default('public'),
    /** Argon2id hash of the password that visitors need; kept while the site has another visibility. */
    passwordHash: text('password_hash'),
    maintenance: jsonb().$type<Maintenance>().notNull().default({ message: {}, retryAfter: baseLimits.retryAfter.usual }),
    /** Number of the link that leads past the maintenance message; links with earlier numbers no longer work. */
    bypassNumber: integer('bypass_number').notNull().default(1),
    /** Number of the addresses of previews; those with earlier numbers no longer work. */
    previewNumber: integer('preview_number').notNull().default(1),
    defaultLang: text('default_lang').notNull(),
    timeZone: text('time_zone').notNull(),
    identity: text().$type<Site['identity']>().notNull(),
    tags: jsonb().$type<readonly SiteTag[]>().notNull().default([]),
    demo: boolean().notNull().default(false),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    archivedAt: moment('archived_at'),
    /** A site deleted while suspended is suspended again when it is restored. */
    suspendedAt: moment('suspended_at'),
    /** For the administrators of the site; null for suspensions from before there were reasons. */
    suspendedReason: text('suspended_reason'),
    deletedAt: moment('deleted_at'),
    revision: integer().notNull().default(1),
  },
  // A slug stays reserved while its site is in the bin, so that a restore never conflicts.
  (t) => [
    uniqueIndex('sites_slug_key').on(t.slug),
    index('sites_deleted_at_index').on(t.deletedAt),
    check('sites_state_known', sql`${t.state} in ('draft', 'published', 'maintenance', 'suspended', 'archived', 'deleted')`),
    check('sites_open_state_known', sql`${t.openState} in ('draft', 'published', 'maintenance')`),
    check('sites_visibility_known', sql`${t.visibility} in ('public', 'password', 'private')`),
  ],
);

/** Earlier slugs, whose addresses lead to the current one for a while. */
export const formerSlugs = pgTable(
  'former_slugs',
  {
    slug: text().primaryKey(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    until: moment('until').notNull(),
  },
  (t) => [index('former_slugs_site_index').on(t.siteId)],
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
