import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { NoticeKind } from '../../../contract/notices/schemas';
import type { Locale } from '../../http/access';
import { users } from '../account/schema';
import { sites } from '../sites/schema';
import { contentComments } from '../tables/records/schema';

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
    /** Who caused the notice, which names them; null: the program. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The comment that mentions the person; its notices go with it. */
    commentId: uuid('comment_id').references(() => contentComments.id, { onDelete: 'cascade' }),
  },
  (t) => [
    index('notices_of_person').on(t.userId, sql`${t.at} desc`),
    index('notices_of_site').on(t.siteId),
    index('notices_of_comment').on(t.commentId),
    index('notices_of_actor').on(t.actorId),
  ],
);
