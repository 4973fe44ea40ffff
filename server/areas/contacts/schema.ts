import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { QuietHours, Subscriptions, contactKinds, contactTitles } from '../../../contract/contacts/schemas';
import type { uiLocales } from '../../../contract/session/schemas';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

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
    wechat: text().notNull().default(''),
    address: text().notNull().default(''),
    kinds: text().array().$type<(typeof contactKinds)[number][]>().notNull().default([]),
    locale: text().$type<(typeof uiLocales)[number]>().notNull(),
    /** null: every site. */
    siteIds: text('site_ids').array(),
    subscriptions: jsonb().$type<Subscriptions>().notNull().default({}),
    webhook: text(),
    /** Sealed with the installation's key. */
    webhookSecret: text('webhook_secret'),
    quietHours: jsonb('quiet_hours').$type<QuietHours>(),
    note: text().notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    revision: integer().notNull().default(1),
  },
  (t) => [uniqueIndex('contacts_email_key').on(sql`lower(${t.email})`), index('contacts_created_at_index').on(t.createdAt)],
);

/** Links that confirm a contact's address. Only hashes are stored. (Unsubscribe links are signed and not stored.) */
export const contactLinks = pgTable(
  'contact_links',
  {
    tokenHash: text('token_hash').primaryKey(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id, { onDelete: 'cascade' }),
    /** The address the link was sent to; the link confirms only this address. */
    email: text().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('contact_links_contact_index').on(t.contactId)],
);
