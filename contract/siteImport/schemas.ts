import { z } from 'zod';
import { endpoint } from '../endpoint';
import { SiteId, SiteInput, SiteUrl } from '../sites/schemas';
import { fieldTypes } from '../tables/fieldTypes';
import { rowId, safeName } from '../text';
import { siteImportCalls } from './calls';
import { importOutcomes, importSources, importStatuses, importSteps, mediaChoices, siteImportLimits, siteImportStates } from './terms';

/** A kind of content that the source contains, such as its posts. */
export const ImportCollection = z.object({
  key: z.string(),
  title: z.string(),
  count: z.int(),
  drafts: z.int(),
  /** The table in which its records will be. */
  table: z.string(),
  /** Address of a record, such as `/posts/{slug}`; null if its records have no page. */
  path: z.string().nullable(),
  /** Addresses that change, so that redirects are written. */
  moved: z.int(),
  fields: z.array(z.object({ key: z.string(), title: z.string(), type: z.string() })),
  /** Titles of the first records. */
  examples: z.array(z.string()),
});
export type ImportCollection = z.infer<typeof ImportCollection>;

/** What was found in the source, and what a run would do. */
export const ImportPlan = z.object({
  site: z.object({ title: z.string(), description: z.string(), language: z.string().nullable(), url: z.string().nullable(), timeZone: z.string().optional() }),
  collections: z.array(ImportCollection),
  media: z.int(),
  redirects: z.int(),
  /** Shortcodes and the like that stay as text, with the number of their uses. */
  unsupported: z.array(z.object({ name: z.string(), count: z.int() })),
  /** What could not be read, the first of them. */
  problems: z.array(z.object({ place: z.string(), code: z.string() })),
  problemCount: z.int(),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

/** What becomes of a field of the source. */
const FieldChoice = z.strictObject({
  key: z.string().max(40),
  include: z.boolean(),
  title: safeName(60),
  /** Key of the field in the table: its own, or that of a place of the theme (`importPlaces`), whose type it then has. */
  to: z.string().max(40),
  type: z.enum(fieldTypes),
});
export type ImportFieldChoice = z.infer<typeof FieldChoice>;
const Choice = z.strictObject({
  key: z.string().max(40),
  include: z.boolean(),
  title: safeName(60),
  /** Fields that are not listed come along as the plan has them. */
  fields: z.array(FieldChoice).max(siteImportLimits.fields).optional(),
});
/** What a person decides about the plan. */
export const ImportMapping = z.strictObject({
  collections: z.array(Choice).max(siteImportLimits.collections + 1),
  status: z.enum(importStatuses).default('as_is'),
  media: z.enum(mediaChoices).default('copy'),
  redirects: z.boolean().default(true),
});
export type ImportMapping = z.infer<typeof ImportMapping>;

/** The site that receives the content: a new one, or one that exists. */
const Target = z.union([z.strictObject({ siteId: SiteId }), SiteInput.pick({ name: true, slug: true, defaultLang: true, timeZone: true })]);
export const ImportTarget = Target;
export type ImportTarget = z.infer<typeof Target>;

const Counts = z.object({ created: z.int(), updated: z.int(), unchanged: z.int(), skipped: z.int(), failed: z.int(), pending: z.int() });

/** What an archive has brought. `files`: of so many in the archive. */
export const ArchiveCounts = z.object({
  tables: z.int(),
  records: z.int(),
  files: z.int(),
  archivedFiles: z.int(),
  pages: z.int(),
  redirects: z.int(),
  menus: z.int(),
  languages: z.int(),
  themeFiles: z.int(),
  terms: z.int(),
  robots: z.boolean(),
});
export type ArchiveCounts = z.infer<typeof ArchiveCounts>;

export const SiteImport = z.object({
  id: z.uuid(),
  source: z.enum(importSources).nullable(),
  /** Name of the file, or the address. */
  name: z.string(),
  size: z.int(),
  stored: z.int(),
  state: z.enum(siteImportStates),
  step: z.enum(importSteps).nullable(),
  jobId: z.uuid().nullable(),
  done: z.int().nullable(),
  total: z.int().nullable(),
  plan: ImportPlan.nullable(),
  mapping: ImportMapping.nullable(),
  target: Target.nullable(),
  siteId: SiteId.nullable(),
  records: Counts,
  media: Counts,
  redirects: z.int(),
  /** Null before the end of a run, and for other sources. */
  archive: ArchiveCounts.nullable(),
  /** Addresses of the source that were requested from the site that was made, and those that neither answer nor redirect. */
  check: z.object({ requested: z.int(), answered: z.int(), redirected: z.int(), broken: z.array(z.string()), brokenCount: z.int() }).nullable(),
  /** Places that the undo has left, because somebody changed them since. */
  left: z.int().nullable(),
  /** In the language of the reader. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type SiteImport = z.infer<typeof SiteImport>;

export const ImportItem = z.object({
  kind: z.enum(['record', 'media']),
  source: z.string(),
  title: z.string(),
  collection: z.string(),
  outcome: z.enum(importOutcomes),
  /** In the language of the reader. */
  reason: z.string().nullable(),
});
export type ImportItem = z.infer<typeof ImportItem>;

export const SiteExport = z.object({
  id: z.uuid(),
  jobId: z.uuid().nullable(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  size: z.int().nullable(),
  /** Why it failed: an error code, such as `disk_full`. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type SiteExport = z.infer<typeof SiteExport>;

const P = z.object({ id: rowId });
const S = z.object({ siteId: SiteId });
const reads = { access: { instance: 'site.create' }, token: 'site:read' } as const;
const writes = { access: { instance: 'site.create' }, token: 'site:write' } as const;

export const siteImportEndpoints = {
  siteImports: endpoint(siteImportCalls.siteImports, { ...reads, summary: 'Imports of websites that the caller started', response: z.array(SiteImport) }),
  createSiteImport: endpoint(siteImportCalls.createSiteImport, {
    ...writes,
    summary: 'Begin the import of a website: of a file that is uploaded next, or from an address whose owner has agreed',
    body: z.union([
      z.strictObject({ name: safeName(200), size: z.int().min(1).max(siteImportLimits.fileBytes) }),
      z.strictObject({ address: SiteUrl, mayCopy: z.literal(true), pages: z.int().min(1).max(siteImportLimits.pages).default(500) }),
    ]),
    response: SiteImport,
    errors: ['too_large', 'invalid_fields'],
  }),
  siteImport: endpoint(siteImportCalls.siteImport, { ...reads, summary: 'One import', params: P, response: SiteImport, errors: ['not_found'] }),
  siteImportUpload: endpoint(siteImportCalls.siteImportUpload, {
    ...writes,
    summary: 'How much of the file has arrived (tus)',
    params: P,
    kind: 'file',
    errors: ['not_found'],
  }),
  siteImportData: endpoint(siteImportCalls.siteImportData, {
    ...writes,
    summary: 'A chunk of the file (tus)',
    params: P,
    kind: 'file',
    errors: ['not_found', 'bad_transition', 'too_large'],
  }),
  detectSiteImport: endpoint(siteImportCalls.detectSiteImport, {
    ...writes,
    summary: 'Find out what the source is and what it contains, as a job',
    params: P,
    response: SiteImport,
    errors: ['not_found', 'bad_transition'],
  }),
  mapSiteImport: endpoint(siteImportCalls.mapSiteImport, {
    ...writes,
    summary: 'Decide which collections and fields are imported, as what, and into which site',
    params: P,
    body: z.strictObject({ mapping: ImportMapping, target: ImportTarget }),
    response: SiteImport,
    errors: ['not_found', 'bad_transition', 'forbidden', 'slug_taken', 'invalid_fields'],
  }),
  runSiteImport: endpoint(siteImportCalls.runSiteImport, {
    ...writes,
    summary: 'Run the import as a job, continue a paused one, or retry what failed',
    params: P,
    response: SiteImport,
    errors: ['not_found', 'bad_transition', 'forbidden'],
  }),
  stopSiteImport: endpoint(siteImportCalls.stopSiteImport, {
    ...writes,
    summary: 'Pause a running import, or cancel it; what is written stays until the import is undone',
    params: P,
    body: z.strictObject({ how: z.enum(['pause', 'cancel']) }),
    response: SiteImport,
    errors: ['not_found', 'bad_transition'],
  }),
  undoSiteImport: endpoint(siteImportCalls.undoSiteImport, {
    ...writes,
    summary: 'Undo an import: remove, as a job, everything that it has written and nobody has changed since',
    params: P,
    response: SiteImport,
    errors: ['not_found', 'bad_transition', 'forbidden'],
  }),
  checkSiteImport: endpoint(siteImportCalls.checkSiteImport, {
    ...writes,
    summary: 'Request every imported address from the site once more, as a job',
    params: P,
    response: SiteImport,
    errors: ['not_found', 'bad_transition'],
  }),
  siteImportItems: endpoint(siteImportCalls.siteImportItems, {
    ...reads,
    summary: 'Pages and files of an import by outcome',
    params: P,
    query: z.object({ outcome: z.enum(importOutcomes).optional(), skip: z.coerce.number().int().min(0).max(1_000_000).default(0) }),
    response: z.object({ rows: z.array(ImportItem), total: z.int() }),
    errors: ['not_found'],
  }),
  siteImportReport: endpoint(siteImportCalls.siteImportReport, {
    ...reads,
    summary: 'The report of an import as CSV',
    params: P,
    kind: 'file',
    errors: ['not_found'],
  }),
  removeSiteImport: endpoint(siteImportCalls.removeSiteImport, {
    ...writes,
    summary: 'Forget an import that is not running; what it wrote stays',
    params: P,
    errors: ['not_found', 'bad_transition'],
  }),
  siteExports: endpoint(siteImportCalls.siteExports, {
    access: { site: 'site.compose' },
    token: 'publishing:read',
    summary: 'Archives of a site',
    params: S,
    response: z.array(SiteExport),
  }),
  // No token scope covers everything that an archive contains.
  createSiteExport: endpoint(siteImportCalls.createSiteExport, {
    access: { site: 'site.compose' },
    summary: 'Export a site as an archive: tables, records, files, theme, settings, redirects and translations, as a job',
    params: S,
    response: SiteExport,
    errors: ['bad_transition', 'forbidden', 'disk_full'],
  }),
  siteExportFile: endpoint(siteImportCalls.siteExportFile, {
    access: { site: 'site.compose' },
    summary: 'Download an archive of a site',
    params: S.extend({ id: rowId }),
    kind: 'file',
    errors: ['not_found', 'forbidden'],
  }),
  removeSiteExport: endpoint(siteImportCalls.removeSiteExport, {
    access: { site: 'site.compose' },
    token: 'publishing:write',
    summary: 'Delete an archive of a site',
    params: S.extend({ id: rowId }),
    errors: ['not_found'],
  }),
} as const;
