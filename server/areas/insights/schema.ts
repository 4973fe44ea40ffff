import { sql } from 'drizzle-orm';
import { boolean, check, date, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { AnnotationKind, Condition, Worth, funnelScopes } from '../../../contract/insights/schemas';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Columns common to all definitions of a site; `author` is null after the account was deleted, and for automatic annotations. */
const owned = () => ({
  id: uuid().primaryKey().defaultRandom(),
  siteId: text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' }),
  author: uuid().references(() => users.id, { onDelete: 'set null' }),
  createdAt: moment('created_at').notNull(),
  revision: integer().notNull().default(1),
});

export const goals = pgTable(
  'goals',
  { ...owned(), name: text().notNull(), condition: jsonb().$type<Condition>().notNull(), worth: jsonb().$type<Worth>().notNull() },
  (t) => [uniqueIndex('goals_name_key').on(t.siteId, sql`lower(${t.name})`)],
);

export const funnels = pgTable(
  'funnels',
  {
    ...owned(),
    name: text().notNull(),
    steps: jsonb().$type<Condition[]>().notNull(),
    /** Minutes. */
    within: integer().notNull(),
    scope: text().$type<(typeof funnelScopes)[number]>().notNull(),
  },
  (t) => [uniqueIndex('funnels_name_key').on(t.siteId, sql`lower(${t.name})`)],
);

export const segments = pgTable('segments', { ...owned(), name: text().notNull(), filters: text().array().notNull(), shared: boolean().notNull() }, (t) => [
  uniqueIndex('segments_shared_name_key')
    .on(t.siteId, sql`lower(${t.name})`)
    .where(sql`${t.shared}`),
  uniqueIndex('segments_own_name_key')
    .on(t.siteId, t.author, sql`lower(${t.name})`)
    .where(sql`not ${t.shared}`),
]);

export const annotations = pgTable(
  'annotations',
  {
    ...owned(),
    kind: text().$type<AnnotationKind>().notNull(),
    /** In the site's time zone at the time of writing. */
    day: date({ mode: 'string' }).notNull(),
    /** `HH:MM`; null: the whole day. */
    time: text(),
    text: text().notNull().default(''),
    values: jsonb().$type<Record<string, string>>().notNull().default({}),
  },
  (t) => [
    index('annotations_day_index').on(t.siteId, t.day),
    uniqueIndex('annotations_first_hit_key')
      .on(t.siteId)
      .where(sql`${t.kind} = 'first_hit'`),
    check('annotations_time_known', sql`${t.time} is null or ${t.time} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
);
