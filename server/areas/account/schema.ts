import { sql } from 'drizzle-orm';
import { boolean, check, customType, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { InstanceRole } from '../../../contract/permissions';
import type { colorSchemes, primaries, uiLocales } from '../../../contract/session/schemas';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** People who can sign in. `login_name` is stored after NFKC normalization and lower-casing, so names are compared by equality. */
export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    loginName: text('login_name').notNull(),
    displayName: text('display_name').notNull(),
    /** Lower case; usable for signing in only after verification. */
    email: text(),
    emailVerifiedAt: moment('email_verified_at'),
    /** The address requested but not yet confirmed. */
    pendingEmail: text('pending_email'),
    passwordHash: text('password_hash').notNull(),
    /** Whether the password is long enough to be used without a second factor (15 characters; true for all passwords set before second factors existed). */
    passwordLong: boolean('password_long').notNull().default(true),
    /** null: unchanged since the account was created. */
    passwordChangedAt: moment('password_changed_at'),
    loginNameChangedAt: moment('login_name_changed_at'),
    /** Whether an authenticator or a passkey protects the account; every writer that adds or removes a factor must update it. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** Optional mails. Absent: wanted. */
    notices: jsonb().$type<{ newDevice: boolean; access: boolean; mention?: boolean | undefined }>().notNull().default({ newDevice: true, access: true }),
    /** Changes with the picture; null: no picture. */
    avatarVersion: text('avatar_version'),
    role: text().$type<InstanceRole>().notNull(),
    locale: text().$type<(typeof uiLocales)[number]>().notNull().default('zh-CN'),
    timeZone: text('time_zone').notNull().default('Asia/Shanghai'),
    colorScheme: text('color_scheme').$type<(typeof colorSchemes)[number]>().notNull().default('system'),
    primary: text().$type<(typeof primaries)[number]>().notNull().default('grey'),
    disabled: boolean().notNull().default(false),
    /** A deleted person remains as a row without a name, so that existing content keeps a creator: “deleted user n”. */
    deletedAt: moment('deleted_at'),
    deletedNumber: integer('deleted_number'),
    createdAt: moment('created_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [
    uniqueIndex('users_login_name_key').on(t.loginName),
    uniqueIndex('users_email_key').on(t.email),
    check('users_role_known', sql`${t.role} in ('owner', 'manager', 'finance', 'member')`),
  ],
);

/** Login names given up within the last 90 days: only their former holder may use them. */
export const heldNames = pgTable('held_names', {
  loginName: text('login_name').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  until: moment('until').notNull(),
});

/** Re-encoded pictures: only the pixels of an uploaded file are stored. */
export const avatars = pgTable('avatars', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  png: bytea().notNull(),
});
