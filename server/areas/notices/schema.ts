import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { NoticeKind } from '../../../contract/notices/schemas';
import type { Locale } from '../../http/access';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Notices behind the bell, one row per person. `message`: title and text in each language, so that they follow a change of the reader's language. */
export const notices = pgTable(
  'notices',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    kind: text().$type<NoticeKind>().notNull(),
    message: jsonb().$type<Readonly<Record<Locale, { readonly title: string; readonly text: string }>>>().notNull(),
    path: text().notNull(),
    at: moment('at').notNull(),
    readAt: moment('read_at'),
  },
  (t) => [index('notices_of_person').on(t.userId, sql`${t.at} desc`), index('notices_of_site').on(t.siteId)],
);
