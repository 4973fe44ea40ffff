import { z } from 'zod';
import { importCalls } from './calls';
import { endpoint } from '../endpoint';
import { importFormats } from './terms';
import { KeywordOptions, KeywordPeriod, KeywordPreview } from './keywords';
import { SiteId } from '../sites/schemas';
import { rowId, safeName } from '../text';

export * from './terms';

/** `count`: the page views are in every report; `compare`: they are only compared with those of the tracker. */
export const importModes = ['count', 'compare'] as const;
export type ImportMode = (typeof importModes)[number];

/**
 * `uploading` until it is started; `queued`, `running`, `failed`, `cancelled` and `done` follow its job; `removing` while its data is being deleted. A
 * cancelled or failed import resumes where it stopped when it is started again.
 */
export const importStates = ['uploading', 'queued', 'running', 'failed', 'cancelled', 'done', 'removing'] as const;
export type ImportState = (typeof importStates)[number];

/** Why a line did not become a page view. The first group are not errors: a log contains more than page views. */
export const ordinaryReasons = ['method', 'status', 'asset', 'own_path', 'other_host', 'event_data'] as const;
export const errorReasons = ['not_a_line', 'too_long', 'bad_time', 'future', 'bad_address', 'bad_row', 'bad_number', 'no_keyword', 'truncated'] as const;
export const importReasons = [...ordinaryReasons, ...errorReasons] as const;
export type ImportReason = (typeof importReasons)[number];

/** Files per import, and samples per reason. */
export const importLimits = { files: 100, samples: 5 } as const;

/** Fields of a JSON log line; dots address nested objects. Absent ones are detected. */
export const jsonFields = ['time', 'address', 'method', 'uri', 'host', 'status', 'referrer', 'agent'] as const;
const FieldNames = z.partialRecord(z.enum(jsonFields), z.string().trim().min(1).max(100));

export const ImportOptions = z.strictObject({
  /** Absent: the detected format. */
  format: z.enum(importFormats).optional(),
  fields: FieldNames.optional(),
  keywords: KeywordOptions.optional(),
});
export type ImportOptions = z.infer<typeof ImportOptions>;

export const ImportReport = z.object({
  lines: z.int(),
  /** Page views stored by this import; `bots`: those of them by bots (score ≥ 90). */
  accepted: z.int(),
  bots: z.int(),
  /** Already stored, by this or another import. */
  repeated: z.int(),
  refused: z.array(
    z.object({
      reason: z.enum(importReasons),
      count: z.int(),
      /** The first few lines, with addresses masked, cut to 300 characters. */
      samples: z.array(z.object({ file: z.string(), line: z.int(), text: z.string() })),
    }),
  ),
  /** Time of the first and last accepted or repeated line, epoch ms; null when there is none. */
  firstAt: z.number().nullable(),
  lastAt: z.number().nullable(),
});
export type ImportReport = z.infer<typeof ImportReport>;

export const Import = z.object({
  id: z.uuid(),
  state: z.enum(importStates),
  mode: z.enum(importModes).nullable(),
  format: z.enum(importFormats).nullable(),
  /** Files in reading order. `stored`: bytes uploaded so far. */
  files: z.array(z.object({ name: z.string(), size: z.int(), stored: z.int() })),
  jobId: z.uuid().nullable(),
  /** Bytes read so far, of all files; null before the start. */
  done: z.int().nullable(),
  total: z.int(),
  /** Whether visits are being built from the stored hits. */
  building: z.boolean(),
  /** Lines per second since this run began, and the remaining seconds at that rate; null when not running. */
  perSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  report: ImportReport.nullable(),
  keywords: KeywordPeriod.extend({
    /** Whether later imports of the same engine cover the same days and are shown instead. */
    replaced: z.enum(['no', 'partly', 'wholly']),
  }).nullable(),
  /** Message in the reader's language. */
  error: z.string().nullable(),
  /** Name of the person who created the import; null: the account no longer exists. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
});
export type Import = z.infer<typeof Import>;

export const PreviewLine = z.object({
  line: z.int(),
  at: z.number().nullable(),
  address: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  status: z.int(),
  browser: z.string(),
  /** null: the line becomes a page view. */
  refused: z.enum(importReasons).nullable(),
});
export const ImportPreview = z.object({
  /** null: no known format matches. */
  detected: z.enum(importFormats).nullable(),
  format: z.enum(importFormats).nullable(),
  /** Field names found in JSON lines. */
  fields: FieldNames,
  /** UTC offset of the first line in minutes east; null when its times are absolute. */
  zoneOffset: z.int().nullable(),
  lines: z.array(PreviewLine),
  /** Result of reading the beginning of the first file. */
  sample: z.object({ lines: z.int(), accepted: z.int(), refused: z.array(z.object({ reason: z.enum(importReasons), count: z.int() })) }),
  firstAt: z.number().nullable(),
  /** Known only for uncompressed files. */
  lastAt: z.number().nullable(),
  suggested: z.enum(importModes),
  /** Page views that the tracker has already counted in that period; the reason to suggest `compare`. */
  overlap: z.int(),
  /** Time of another import that has a file of the same name and size. */
  sameAs: z.iso.datetime().nullable(),
  /** Mode of the latest such import. */
  sameMode: z.enum(importModes).nullable(),
  /** Only for keyword files, whose rows are here and not in `lines`. */
  keywords: KeywordPreview.nullable(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const importedDimensions = ['source', 'page', 'entryPage', 'exitPage', 'country', 'device', 'browser', 'os', 'event'] as const;
export type ImportedDimension = (typeof importedDimensions)[number];
const Sums = z.object({ visitors: z.int(), visits: z.int(), views: z.int(), bounces: z.int(), seconds: z.int(), events: z.int() });
export type ImportedSums = z.infer<typeof Sums>;
/** Days as counted by another program. `visitors` is the sum of daily visitors. */
export const ImportedHistory = z.object({
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  /** Day (of the site's zone) of the earliest visit measured here; earlier days come from the export alone. null: there is no visit. */
  measuredFrom: z.iso.date().nullable(),
  totals: Sums,
  days: z.array(Sums.extend({ day: z.iso.date() })),
  rows: z.array(Sums.extend({ key: z.string() })),
  rowCount: z.int(),
});
export type ImportedHistory = z.infer<typeof ImportedHistory>;

/** Human page views: in both, only in the log, only from the tracker. */
const Counts = z.object({ both: z.int(), logOnly: z.int(), scriptOnly: z.int() });
export type ReconciliationCounts = z.infer<typeof Counts>;
export const reconciliationDimensions = ['day', 'browser', 'country', 'path'] as const;
export type ReconciliationDimension = (typeof reconciliationDimensions)[number];
export const Reconciliation = z.object({
  /** First and last day within the requested range that both the log and the tracker cover; null: none. */
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  timeZone: z.string(),
  totals: Counts,
  /** logOnly ÷ (both + logOnly): the share of served page views that did not run the tracker; null when there are none. */
  hidden: z.number().nullable(),
  by: z.record(z.enum(reconciliationDimensions), z.array(Counts.extend({ key: z.string() }))),
  /** Maximum distance in seconds between a log line and a tracker hit that match. */
  tolerance: z.int(),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

const Params = z.object({ siteId: SiteId });
const OneParams = z.object({ siteId: SiteId, id: rowId });
const FileParams = z.object({
  siteId: SiteId,
  id: rowId,
  file: z.coerce
    .number()
    .int()
    .min(0)
    .max(importLimits.files - 1),
});
const configure = { site: 'analytics.configure' } as const;
const days = { from: z.iso.date(), to: z.iso.date() };

export const importEndpoints = {
  imports: endpoint(importCalls.imports, {
    access: configure,
    token: 'analytics:read',
    summary: 'Imports of a site, newest first',
    params: Params,
    response: z.array(Import),
  }),
  createImport: endpoint(importCalls.createImport, {
    access: configure,
    token: 'analytics:write',
    summary: 'Begin an import: name its files and their sizes, then send their data',
    params: Params,
    body: z.strictObject({
      files: z
        .array(z.strictObject({ name: safeName(200), size: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }))
        .min(1)
        .max(importLimits.files),
    }),
    response: Import,
    errors: ['too_large', 'invalid_fields'],
  }),
  import: endpoint(importCalls.import, {
    access: configure,
    token: 'analytics:read',
    summary: 'One import: how much has arrived, how far it is, what came of it',
    params: OneParams,
    response: Import,
    errors: ['not_found'],
  }),
  importUpload: endpoint(importCalls.importUpload, {
    access: configure,
    token: 'analytics:write',
    kind: 'file',
    summary: 'How much of a file has arrived (tus 1.0, HEAD); files are counted from 0',
    params: FileParams,
    errors: ['not_found'],
  }),
  importData: endpoint(importCalls.importData, {
    access: configure,
    token: 'analytics:write',
    kind: 'file',
    summary: 'The next chunk of a file (tus 1.0)',
    params: FileParams,
    errors: ['not_found', 'conflict', 'too_large', 'bad_transition', 'unsupported_media_type'],
    ratePerMinute: 6000,
  }),
  importPreview: endpoint(importCalls.importPreview, {
    access: configure,
    token: 'analytics:read',
    summary: 'What the beginning of the first file would become; it need not have arrived whole',
    params: OneParams,
    body: ImportOptions,
    response: ImportPreview,
    errors: ['not_found', 'bad_transition'],
  }),
  startImport: endpoint(importCalls.startImport, {
    access: configure,
    token: 'analytics:write',
    summary: 'Read the files once they have arrived whole, or go on after a stop; one import of a site at a time, the others wait',
    params: OneParams,
    body: ImportOptions.extend({ mode: z.enum(importModes) }),
    response: Import,
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  cancelImport: endpoint(importCalls.cancelImport, {
    access: configure,
    token: 'analytics:write',
    summary: 'Stop an import; what it has stored stays until it goes on or is removed',
    params: OneParams,
    response: Import,
    errors: ['not_found', 'bad_transition'],
  }),
  removeImport: endpoint(importCalls.removeImport, {
    access: configure,
    token: 'analytics:write',
    summary: 'Take out everything that an import brought. null: it is gone already',
    params: OneParams,
    response: Import.nullable(),
    errors: ['not_found', 'bad_transition'],
  }),
  importRefused: endpoint(importCalls.importRefused, {
    access: configure,
    token: 'analytics:read',
    summary: 'What was refused, by reason with examples, as CSV',
    params: OneParams,
    errors: ['not_found'],
    kind: 'file',
  }),
  importedHistory: endpoint(importCalls.importedHistory, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Daily figures that another program counted (a Plausible export), apart from everything measured here',
    params: Params,
    query: z.object({
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      id: rowId.optional(),
      by: z.enum(importedDimensions).optional(),
      size: z.coerce.number().int().min(1).max(500).default(50),
    }),
    response: ImportedHistory,
    errors: ['not_found'],
  }),
  reconciliation: endpoint(importCalls.reconciliation, {
    access: { site: 'analytics.read' },
    token: 'analytics:read',
    summary: 'Page views of people in imported access logs held against those that the script sent',
    params: Params,
    query: z.object(days),
    response: Reconciliation,
    errors: ['range_not_allowed'],
    ratePerMinute: 30,
  }),
} as const;
