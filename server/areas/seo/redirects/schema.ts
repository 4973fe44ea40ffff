import { boolean, date, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { sites } from '../../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });

/** Paths of delivered sites without a page, at most `seoLimits.notFound` of a site; the rarest leave. */
export const notFoundPaths = pgTable(
  'not_found_paths',
  {
    siteId: ofSite(),
    /** In the form of `normalizePath`. */
    path: text().notNull(),
    people: integer().notNull(),
    bots: integer().notNull(),
    firstAt: moment('first_at').notNull(),
    lastAt: moment('last_at').notNull(),
    /** The page that most people came from, found by majority vote; `referrer_hits` is its lead. */
    referrer: text().notNull().default(''),
    referrerHits: integer('referrer_hits').notNull().default(0),
    ignored: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.path] })],
);

/** How often each redirect was used, by day in the time zone of the site. */
export const redirectHits = pgTable(
  'redirect_hits',
  { siteId: ofSite(), from: text('from_path').notNull(), day: date({ mode: 'string' }).notNull(), hits: integer().notNull() },
  (t) => [primaryKey({ columns: [t.siteId, t.from, t.day] })],
);
