import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { GlossaryEntry } from '../../../contract/languages/translations';
import type { ArchiveCounts, ImportMapping, ImportPlan, ImportTarget } from '../../../contract/siteImport/schemas';
import type { FieldType } from '../../../contract/tables/fieldTypes';
import type { ImportOutcome, ImportSource, ImportStep, SiteImportState } from '../../../contract/siteImport/terms';
import { users } from '../account/schema';
import type { Actor } from '../audit';
import { sites } from '../sites/schema';

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Who started an import, as its job needs it. */
export type ImportBy = { readonly userId: string; readonly locale: 'zh-CN' | 'en'; readonly actor: Actor };
/** Where values of a field of the source go: a field of the table, and both types. */
export type FieldTarget = { readonly to: string; readonly from: FieldType; readonly type: FieldType };
/** By key of the field in the source. Fields that are not here were left out. */
export type FieldTargets = Readonly<Record<string, FieldTarget>>;
/** What an import has written beside records and files, so that it can be taken back. */
export type Written = {
  readonly createdSite: boolean;
  /** Tables that it created: ids by collection. */
  readonly tables: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How fields of the source became those of the tables, by collection; versions before 0.10 have not stored it. */
  readonly targets?: Readonly<Record<string, FieldTargets>>;
  readonly redirects: readonly string[];
  readonly overrides: readonly string[];
  /** Parts before the import and as it left them. */
  readonly parts: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  /** robots.txt and terms of an archive, null without them. Earlier versions have stored neither. */
  readonly texts?: { readonly robots: string | null; readonly terms: readonly GlossaryEntry[] | null };
  /** What an archive has brought; earlier versions have not stored it. */
  readonly archive?: ArchiveCounts;
};
export type CheckResult = {
  readonly requested: number;
  readonly answered: number;
  readonly redirected: number;
  readonly broken: readonly string[];
  readonly brokenCount: number;
};

/** Imports of websites. `requested`: the last request, whose job does it; null when it is done. */
export const siteImports = pgTable(
  'site_imports',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id').references(() => sites.id, { onDelete: 'cascade' }),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'cascade' }),
    state: text().$type<SiteImportState>().notNull(),
    source: text().$type<ImportSource>(),
    name: text().notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    /** Of a website that is read from its address. */
    address: text(),
    pages: integer().notNull().default(0),
    step: text().$type<ImportStep>(),
    jobId: uuid('job_id'),
    by: jsonb().$type<ImportBy>().notNull(),
    plan: jsonb().$type<ImportPlan>(),
    mapping: jsonb().$type<ImportMapping>(),
    target: jsonb().$type<ImportTarget>(),
    written: jsonb().$type<Written>(),
    check: jsonb('checked').$type<CheckResult>(),
    left: integer(),
    error: text('fault'),
    createdAt: moment('created_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('site_imports_person_index').on(t.createdBy, t.createdAt), index('site_imports_site_index').on(t.siteId)],
);

/** Content of one page or record, as its source has it. */
export type ItemData = {
  readonly slug: string | null;
  readonly published: boolean;
  readonly values: Readonly<Record<string, unknown>>;
  /** Sources of records that it links to, by field. */
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  readonly seo: { readonly title: string; readonly description: string };
  /** The address against which its links are resolved. */
  readonly base: string;
  /** Further addresses that lead to it. */
  readonly aliases: readonly string[];
  /** Of a file: texts for people who do not see it. */
  readonly alt?: string;
};

/** Pages, records and files of an import. `source`: what identifies it in the website that it comes from, so that a second import changes it. */
export const siteImportItems = pgTable(
  'site_import_items',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => siteImports.id, { onDelete: 'cascade' }),
    kind: text().$type<'record' | 'media'>().notNull(),
    source: text().notNull(),
    n: integer().notNull(),
    collection: text().notNull(),
    title: text().notNull(),
    /** Its address in the website that it comes from, and in the site. */
    oldPath: text('old_path'),
    newPath: text('new_path'),
    hash: text().notNull(),
    data: jsonb().$type<ItemData>().notNull(),
    outcome: text().$type<ImportOutcome>().notNull(),
    reason: text(),
    tableId: text('table_id'),
    recordId: uuid('record_id'),
    resourceId: uuid('resource_id'),
    batchId: uuid('batch_id'),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.kind, t.source] }),
    index('site_import_items_order_index').on(t.importId, t.kind, t.n),
    index('site_import_items_batch_index')
      .on(t.importId, t.batchId)
      .where(sql`${t.batchId} IS NOT NULL`),
  ],
);

/** Archives of sites, to be downloaded. Their files are in the file store. */
export const siteExports = pgTable(
  'site_exports',
  {
    id: uuid().primaryKey().defaultRandom(),
    siteId: text('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    jobId: uuid('job_id'),
    size: bigint({ mode: 'number' }),
    createdBy: uuid('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    finishedAt: moment('finished_at'),
  },
  (t) => [index('site_exports_site_index').on(t.siteId, t.createdAt)],
);
