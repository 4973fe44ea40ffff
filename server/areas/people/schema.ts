import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SiteGrant } from '../../../contract/people/schemas';
import type { InstanceRole } from '../../../contract/permissions';
import { users } from '../account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Invitations. Only the hash of the link's token is stored; a new link replaces it. */
export const invites = pgTable(
  'invites',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text('token_hash').notNull(),
    email: text(),
    role: text().$type<InstanceRole>().notNull(),
    grants: jsonb().$type<SiteGrant[]>().notNull(),
    message: text().notNull(),
    days: integer().notNull(),
    resent: integer().notNull().default(0),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    acceptedAt: moment('accepted_at'),
    acceptedBy: uuid('accepted_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [uniqueIndex('invites_token_hash_key').on(t.tokenHash), index('invites_created_at_index').on(t.createdAt)],
);
