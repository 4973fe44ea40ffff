import { sql } from 'drizzle-orm';
import { boolean, check, customType, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { SiteLanguage } from '../../../contract/languages/part';
import type { PartName, ReleaseState, ThemeChangeKind } from '../../../contract/publishing/terms';
import { users } from '../account/schema';
import { sites } from '../sites/schema';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofSite = () =>
  text('site_id')
    .notNull()
    .references(() => sites.id, { onDelete: 'cascade' });
const byPerson = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' });

/** The working copy: parts of a site as people edit them. A part that was never edited has no row. */
export const siteParts = pgTable(
  'site_parts',
  {
    siteId: ofSite(),
    part: text().$type<Exclude<PartName, 'theme'>>().notNull(),
    content: jsonb().notNull(),
    revision: integer().notNull(),
    updatedBy: byPerson('updated_by'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.part] })],
);

/** Languages that were removed from the working copy of a site. Their texts are stored until `purge_at`. */
export const removedLanguages = pgTable(
  'removed_languages',
  {
    siteId: ofSite(),
    language: text().notNull(),
    /** As it was in the part `languages`. */
    settings: jsonb().$type<SiteLanguage>().notNull(),
    removedBy: byPerson('removed_by'),
    removedAt: moment('removed_at').notNull(),
    purgeAt: moment('purge_at').notNull(),
    /** Its texts are being deleted. */
    purging: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.language] }), index('removed_languages_due_index').on(t.purgeAt)],
);

/** Files of the theme in the working copy; their contents are in the file store. */
export const themeFiles = pgTable(
  'theme_files',
  {
    siteId: ofSite(),
    path: text().notNull(),
    sha256: text().notNull(),
    bytes: integer().notNull(),
    revision: integer().notNull(),
    updatedBy: byPerson('updated_by'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.path] })],
);

/** Every content that a file of the theme has had. `removed`: the file was deleted at this revision. */
export const themeFileVersions = pgTable(
  'theme_file_versions',
  {
    siteId: ofSite(),
    path: text().notNull(),
    revision: integer().notNull(),
    /** The change of the theme that made it. */
    change: integer().notNull(),
    sha256: text().notNull(),
    bytes: integer().notNull(),
    removed: boolean().notNull().default(false),
    updatedBy: byPerson('updated_by'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.path, t.revision] }), index('theme_file_versions_change_index').on(t.siteId, t.change)],
);

/** Changes of the theme, each of one file or many, counted from 1 in a site. The theme can go back to the state after any of them. */
export const themeChanges = pgTable(
  'theme_changes',
  {
    siteId: ofSite(),
    number: integer().notNull(),
    kind: text().$type<ThemeChangeKind>().notNull(),
    /** The shipped theme that the files come from; null for an imported one. */
    base: text(),
    /** Files that it changed. */
    files: integer().notNull(),
    /** The only file that it changed. */
    path: text(),
    updatedBy: byPerson('updated_by'),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.number] })],
);

/** Contents of released parts, each stored once per site. */
export const partContents = pgTable('part_contents', { siteId: ofSite(), sha256: text().notNull(), content: jsonb().notNull() }, (t) => [
  primaryKey({ columns: [t.siteId, t.sha256] }),
]);

/** Ids of records by table. */
export type ReleasedRecords = readonly { readonly table: string; readonly ids: readonly string[] }[];
export type ReleaseFailure = { readonly code: string; readonly records: number };

/** Releases never change, except that a scheduled one is published, fails or is cancelled. */
export const releases = pgTable(
  'releases',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: ofSite(),
    number: integer().notNull(),
    state: text().$type<ReleaseState>().notNull(),
    /** SHA-256 of each part; parts that did not exist at that time are absent. */
    parts: jsonb().$type<Readonly<Partial<Record<PartName, string>>>>().notNull(),
    note: text().notNull(),
    /** The batch that published its records; null if there were none. */
    batchId: uuid('batch_id'),
    records: integer().notNull().default(0),
    /** Records that a scheduled release will publish. */
    selected: jsonb().$type<ReleasedRecords>(),
    failure: jsonb().$type<ReleaseFailure>(),
    /** The release that this one goes back to. */
    rollsBackTo: uuid('rolls_back_to'),
    createdBy: byPerson('created_by'),
    createdAt: moment('created_at').notNull(),
    scheduledFor: moment('scheduled_for'),
    publishedAt: moment('published_at'),
  },
  (t) => [
    uniqueIndex('releases_number_key').on(t.siteId, t.number),
    index('releases_due_index')
      .on(t.scheduledFor)
      .where(sql`${t.state} = 'scheduled'`),
    check('releases_state_known', sql`${t.state} in ('scheduled', 'published', 'failed', 'cancelled')`),
  ],
);

/** The release that visitors get; no row before the first one. */
export const liveReleases = pgTable('live_releases', {
  siteId: ofSite().primaryKey(),
  releaseId: uuid('release_id')
    .notNull()
    .references(() => releases.id),
});

/** Templates that failed on pages of visitors, for people who edit the theme. `name`: of file, line and message. */
export const themeFailures = pgTable(
  'theme_failures',
  {
    siteId: ofSite(),
    name: text().notNull(),
    reason: text().$type<'template' | 'limit'>().notNull(),
    message: text().notNull(),
    file: text(),
    line: integer(),
    column: integer(),
    /** The latest page on which it failed. */
    page: text().notNull(),
    count: integer().notNull(),
    firstAt: moment('first_at').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.name] })],
);

/** Copies of delivered pages, for when their templates fail and no process has the page in memory. `name`: of host, path and language. */
export const pageCopies = pgTable(
  'page_copies',
  {
    siteId: ofSite(),
    name: text().notNull(),
    headers: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    /** Compressed by Brotli; `bytes` of it count for the limit of the site. */
    html: bytea().notNull(),
    bytes: integer().notNull(),
    /** Of the page: a page that has not changed is not written again. */
    etag: text().notNull(),
    storedAt: moment('stored_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.name] })],
);
