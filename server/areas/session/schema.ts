import { bigint, boolean, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid, varchar } from 'drizzle-orm/pg-core';
import { users } from '../account/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Only the SHA-256 of a token is stored: a copy of this table grants no access. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey().defaultRandom(),
    tokenHash: text('token_hash').notNull(),
    /** The token before the last rotation, valid for requests that were already on their way. */
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
    /** The person's rights have changed: the next request gets a new token. */
    rotateDue: boolean('rotate_due').notNull().default(false),
  },
  (t) => [
    uniqueIndex('sessions_token_hash_key').on(t.tokenHash),
    uniqueIndex('sessions_previous_hash_key').on(t.previousHash),
    index('sessions_user_index').on(t.userId, t.lastSeenAt),
  ],
);

/** Browsers from which a person has signed in; they bypass the lock that other people's failed attempts put on an account. */
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

/** Settings of this installation, by name. */
export const instanceSettings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: moment('updated_at').notNull(),
});

/** The schema required by rate-limiter-flexible; `expire` is epoch milliseconds. */
export const rateLimits = pgTable(
  'rate_limits',
  { key: varchar({ length: 255 }).primaryKey(), points: integer().notNull().default(0), expire: bigint({ mode: 'number' }) },
  (t) => [index('rate_limits_expire_index').on(t.expire)],
);

/** Authenticator apps. The secret is encrypted with the installation's key. */
export const totps = pgTable('totps', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  secret: text().notNull(),
  createdAt: moment('created_at').notNull(),
  /** null: not activated yet. */
  confirmedAt: moment('confirmed_at'),
  /** The last 30-second step whose code was used: each code works once. */
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

/** Each code works once. Keyed hashes: codes in a copy of this table cannot be searched for without the installation's key. */
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

/** Tickets between the password step and the second factor. */
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

/** Passkey challenges, each valid once and for a few minutes. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  id: uuid().primaryKey().defaultRandom(),
  challenge: text().notNull(),
  purpose: text().$type<'sign_in' | 'second' | 'reauth' | 'add'>().notNull(),
  /** null: the owner of whichever passkey responds. */
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
