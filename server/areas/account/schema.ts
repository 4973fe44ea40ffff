import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { contactTitles, contactTopics } from '../../../contract/account';
import type { InstanceRole } from '../../../contract/permissions';
import type { colorSchemes, primaries, uiLocales } from '../../../contract/session';

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
    passwordHash: text('password_hash').notNull(),
    role: text().$type<InstanceRole>().notNull(),
    locale: text().$type<(typeof uiLocales)[number]>().notNull().default('zh-CN'),
    timeZone: text('time_zone').notNull().default('Asia/Shanghai'),
    colorScheme: text('color_scheme').$type<(typeof colorSchemes)[number]>().notNull().default('system'),
    primary: text().$type<(typeof primaries)[number]>().notNull().default('grey'),
    disabled: boolean().notNull().default(false),
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

export const contacts = pgTable(
  'contacts',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    company: text().notNull(),
    title: text().$type<(typeof contactTitles)[number]>().notNull(),
    email: text(),
    emailVerifiedAt: moment('email_verified_at'),
    phone: text(),
    locale: text().$type<(typeof uiLocales)[number]>().notNull(),
    topics: text().array().$type<(typeof contactTopics)[number][]>().notNull(),
    note: text().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [uniqueIndex('contacts_email_key').on(sql`lower(${t.email})`), index('contacts_created_at_index').on(t.createdAt)],
);
