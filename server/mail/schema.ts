import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What is to be sent, by mail or to a webhook. Written in the transaction of what it tells of; taken by lease by any worker. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey().defaultRandom(),
    channel: text().$type<'mail' | 'webhook'>().notNull(),
    /** A mail address, or the address of the webhook. */
    recipient: text().notNull(),
    /** Sealed with the installation's key: letters hold one-time links. */
    message: text().notNull(),
    /** What is told (`reset`, `invite`, `contact.security`…), for the log and for counting. */
    kind: text().notNull(),
    contactId: uuid('contact_id'),
    createdAt: moment('created_at').notNull(),
    notBefore: moment('not_before').notNull(),
    attempts: integer().notNull().default(0),
    /** Nobody takes it before: it is being sent, or waits for its next try. */
    leaseUntil: moment('lease_until'),
    sentAt: moment('sent_at'),
    failedAt: moment('failed_at'),
    lastError: text('last_error'),
  },
  (t) => [
    index('outbox_due_index')
      .on(t.notBefore)
      .where(sql`${t.sentAt} is null and ${t.failedAt} is null`),
    index('outbox_contact_index').on(t.contactId),
  ],
);
