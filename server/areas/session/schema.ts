import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { users } from '../account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Only SHA-256 of a token is kept: a copy of this table opens nothing. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text('token_hash').notNull(),
    /** The token before the last rotation, good for requests that were already on their way. */
    previousHash: text('previous_hash'),
    previousUntil: moment('previous_until'),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    remember: boolean().notNull(),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    idleUntil: moment('idle_until').notNull(),
    absoluteUntil: moment('absolute_until').notNull(),
    provenAt: moment('proven_at').notNull(),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
  },
  (t) => [
    uniqueIndex('sessions_token_hash_key').on(t.tokenHash),
    uniqueIndex('sessions_previous_hash_key').on(t.previousHash),
    index('sessions_user_index').on(t.userId, t.lastSeenAt),
  ],
);

/** Browsers from which a person has signed in: they pass the lock that others' wrong guesses put on an account. */
export const knownDevices = pgTable(
  'known_devices',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
  },
  (t) => [index('known_devices_user_index').on(t.userId)],
);

/** Facts about this installation, by name. */
export const instanceSettings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: moment('updated_at').notNull(),
});

/** The shape that rate-limiter-flexible asks for; `expire` is epoch milliseconds. */
export const rateLimits = pgTable(
  'rate_limits',
  { key: varchar({ length: 255 }).primaryKey(), points: integer().notNull().default(0), expire: bigint({ mode: 'number' }) },
  (t) => [index('rate_limits_expire_index').on(t.expire)],
);
