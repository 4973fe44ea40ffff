import { sql } from 'drizzle-orm';
import { boolean, check, customType, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { InstanceRole } from '../../../contract/permissions';
import type { colorSchemes, primaries, uiLocales } from '../../../contract/session/schemas';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** People who may sign in. `login_name` is stored after NFKC and lower-casing, so equality is the whole comparison. */
export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    loginName: text('login_name').notNull(),
    displayName: text('display_name').notNull(),
    /** Lower case; signs in only once verified. */
    email: text(),
    emailVerifiedAt: moment('email_verified_at'),
    /** An address asked for and not confirmed yet. */
    pendingEmail: text('pending_email'),
    passwordHash: text('password_hash').notNull(),
    /** Whether the password is long enough to stand alone (15 characters; all were before there were second factors). */
    passwordLong: boolean('password_long').notNull().default(true),
    /** null: since the account was made. */
    passwordChangedAt: moment('password_changed_at'),
    loginNameChangedAt: moment('login_name_changed_at'),
    /** Whether an authenticator or a passkey protects the account; kept in step by whoever adds or removes one. */
    secondFactor: boolean('second_factor').notNull().default(false),
    notices: jsonb().$type<{ newDevice: boolean; access: boolean }>().notNull().default({ newDevice: true, access: true }),
    /** Changes with the picture; null: none. */
    avatarVersion: text('avatar_version'),
    role: text().$type<InstanceRole>().notNull(),
    locale: text().$type<(typeof uiLocales)[number]>().notNull().default('zh-CN'),
    timeZone: text('time_zone').notNull().default('Asia/Shanghai'),
    colorScheme: text('color_scheme').$type<(typeof colorSchemes)[number]>().notNull().default('system'),
    primary: text().$type<(typeof primaries)[number]>().notNull().default('grey'),
    disabled: boolean().notNull().default(false),
    /** A deleted person stays as a row without a name, so that what they made keeps a maker: “deleted user n”. */
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

/** Login names given up within the last 90 days: nobody but their former holder may take them. */
export const heldNames = pgTable('held_names', {
  loginName: text('login_name').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  until: moment('until').notNull(),
});

/** Pictures, already re-encoded: nothing of an uploaded file but its pixels is kept. */
export const avatars = pgTable('avatars', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  png: bytea().notNull(),
});
