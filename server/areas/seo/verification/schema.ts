import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { VerificationMethod, VerificationService } from '../../../../contract/seo/terms';
import { users } from '../../account/schema';
import { sites } from '../../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Files and meta elements by which services recognise who controls a site. They act at once and belong to no release. */
export const seoVerifications = pgTable(
  'seo_verifications',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    service: text().$type<VerificationService>().notNull(),
    method: text().$type<VerificationMethod>().notNull(),
    /** Name of the file, or of the meta element. */
    name: text().notNull(),
    content: text().notNull(),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    /** What the last request of the program found; null: none was sent. */
    delivered: boolean(),
    checkedAt: moment('checked_at'),
  },
  (t) => [
    // A file has one content; several people may have a meta element of the same service.
    uniqueIndex('seo_verifications_file_key')
      .on(t.siteId, t.name)
      .where(sql`${t.method} = 'file'`),
    uniqueIndex('seo_verifications_meta_key')
      .on(t.siteId, t.name, t.content)
      .where(sql`${t.method} = 'meta'`),
    check('seo_verifications_method_known', sql`${t.method} in ('file', 'meta')`),
  ],
);
