import { boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { DimensionId } from '../../../contract/analytics/schemas';
import type { PublicScreen, publicLinkPresets } from '../../../contract/publicLinks/schemas';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Columns common to all kinds of links. */
export const linkColumns = () => ({
  id: uuid().primaryKey().defaultRandom(),
  siteId: text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' }),
  name: text().notNull(),
  tokenHash: text('token_hash').notNull(),
  tokenSealed: text('token_sealed').notNull(),
  passwordHash: text('password_hash'),
  expiresAt: moment('expires_at'),
  createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
  createdAt: moment('created_at').notNull(),
  lastUsedAt: moment('last_used_at'),
  opened: integer().notNull().default(0),
  revision: integer().notNull().default(1),
});

/** Read-only links to reports. The secret is looked up by its SHA-256 and also stored encrypted, so that its URL can be copied again. */
export const publicLinks = pgTable(
  'shares',
  {
    ...linkColumns(),
    screens: text().array().$type<PublicScreen[]>().notNull(),
    /** What the screens showed when they were chosen: a later version of a screen does not open more. */
    dimensions: text().array().$type<DimensionId[]>().notNull(),
    filters: text().array().notNull(),
    preset: text().$type<(typeof publicLinkPresets)[number]>().notNull(),
    /** The query of the address that the link begins with. */
    view: text().notNull().default(''),
    card: boolean().notNull(),
  },
  (t) => [uniqueIndex('shares_token_hash_key').on(t.tokenHash), index('shares_site_index').on(t.siteId)],
);
