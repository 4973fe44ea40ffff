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
    /** What the person may do has changed: the next request gets a new token. */
    rotateDue: boolean('rotate_due').notNull().default(false),
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

/** Authenticator apps. The secret is sealed with the installation's key. */
export const totps = pgTable('totps', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  createdAt: moment('created_at').notNull(),
  /** null: not turned on yet. */
  confirmedAt: moment('confirmed_at'),
  /** The last 30-second step whose code was used: each works once. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** base64url, as browsers send it. */
    credentialId: text('credential_id').notNull(),
    publicKey: text('public_key').notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    synced: boolean().notNull(),
    name: text().notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
  },
  (t) => [uniqueIndex('passkeys_credential_key').on(t.credentialId), index('passkeys_user_index').on(t.userId)],
);

/** Each works once. Keyed hashes: a copy of this table cannot be searched without the installation's key. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: text('code_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [uniqueIndex('recovery_codes_key').on(t.userId, t.codeHash)],
);

/** Between the password and the second step. */
export const signTickets = pgTable('sign_tickets', {
  tokenHash: text('token_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  remember: boolean().notNull(),
  redirect: text().notNull(),
  attempts: integer().notNull().default(0),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** Challenges of passkeys, each good once and for a few minutes. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  id: uuid().primaryKey().defaultRandom(),
  challenge: text().notNull(),
  purpose: text().$type<'sign_in' | 'second' | 'reauth' | 'add'>().notNull(),
  /** null: whoever the passkey belongs to. */
  userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: moment('expires_at').notNull(),
});

/** One-time links for people: to set a password, or to confirm an address. */
export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    kind: text().$type<'reset' | 'email'>().notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The address an `email` link confirms. */
    email: text(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [index('one_time_links_user_index').on(t.userId)],
);
