import { index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { TokenScope } from '../../../contract/permissions';
import { users } from '../account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** API tokens. Only the SHA-256 of the value is stored. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text('token_hash').notNull(),
    ending: text().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    scopes: text().array().$type<TokenScope[]>().notNull(),
    /** null: all sites of the owner. */
    siteIds: text('site_ids').array(),
    addresses: text().array().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    lastAddress: text('last_address'),
  },
  (t) => [uniqueIndex('api_tokens_token_hash_key').on(t.tokenHash), index('api_tokens_user_index').on(t.userId)],
);
