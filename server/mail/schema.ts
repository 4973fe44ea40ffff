import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Messages to be sent by mail or webhook. Written in the transaction of the change that they report; leased by any worker. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey().defaultRandom(),
    channel: text().$type<'mail' | 'webhook'>().notNull(),
    /** A mail address, or the URL of the webhook. */
    recipient: text().notNull(),
    /** Encrypted with the installation's key, because mails contain one-time links. */
    message: text().notNull(),
    /** Kind of the message (`reset`, `invite`, `contact.security`…), for the log and for statistics. */
    kind: text().notNull(),
    contactId: uuid('contact_id'),
    createdAt: moment('created_at').notNull(),
    notBefore: moment('not_before').notNull(),
    attempts: integer().notNull().default(0),
    /** Not available before this time: it is being sent, or waits for its next attempt. */
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
