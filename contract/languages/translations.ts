import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeText } from '../text';
import { translationCalls } from './translationCalls';
import {
  engineKinds,
  exchangeFormats,
  importReasons,
  importResults,
  markedStates,
  runKinds,
  serviceKinds,
  textFormats,
  translatedEntities,
  translationLimits,
  translationStates,
} from './translationTerms';

/** What has texts: a record, a menu, the settings, the titles of single pages, settings of the theme, the theme. */
export const TextPlace = z.strictObject({
  entity: z.enum(translatedEntities),
  /** Table of a record, key of a menu; empty where there is only one. */
  group: z.string().max(100).default(''),
  /** Id of the record; empty where there is only one. */
  id: z.string().max(60).default(''),
});
export type TextPlace = z.output<typeof TextPlace>;
/** One text that can be translated. `field`: id of a field or menu item, path of a page, key of a setting or text. */
export const TextKey = TextPlace.extend({ field: z.string().min(1).max(500) });
export type TextKey = z.output<typeof TextKey>;

const State = z.enum(translationStates);
const Counts = z.object({ missing: z.int(), outdated: z.int(), machine: z.int(), draft: z.int(), reviewed: z.int() });
export const Completeness = Counts.extend({
  tag: LocaleTag,
  total: z.int(),
  /** Share of texts that are reviewed, each place weighed by its visitors of 30 days, 0…1; null: there were none, or the caller may not see them. */
  weighed: z.number().nullable(),
});
export const TranslationOverview = z.object({
  /** The default language first. */
  languages: z.array(Completeness),
  /** Languages of browsers of 30 days, by visitors; `tag`: the language of the site that they read, null: it has none for them. */
  browsers: z.array(z.object({ language: z.string(), tag: LocaleTag.nullable(), visitors: z.int(), share: z.number() })),
  /** Tables and menus with texts. `lacks`: languages of the site that the table does not have. `capped`: only the latest records are counted. */
  groups: z.array(
    z.object({ entity: z.enum(translatedEntities), group: z.string(), name: z.string(), rows: z.int(), lacks: z.array(LocaleTag), capped: z.boolean() }),
  ),
});
export type TranslationOverview = z.infer<typeof TranslationOverview>;

export const MatrixRow = z.object({
  place: TextPlace,
  title: z.string(),
  /** The table, if it is a record. */
  groupName: z.string(),
  /** Address of its page; null: it has none. */
  path: z.string().nullable(),
  /** Visitors of 30 days who met it; null: unknown. */
  visitors: z.int().nullable(),
  /** By language; one that it is written in is absent. */
  states: z.record(LocaleTag, Counts),
});
export type MatrixRow = z.infer<typeof MatrixRow>;

export const TranslationText = z.object({
  key: TextKey,
  /** Title of the record or menu, and label of the field. */
  title: z.string(),
  label: z.string(),
  format: z.enum(textFormats),
  source: z.object({ tag: LocaleTag, text: z.string() }),
  /** The source text when the translation was marked, if it has changed since. */
  previousSource: z.string().nullable(),
  text: z.string().nullable(),
  state: State,
  /** Whether the caller may change it, and why not. */
  locked: z.enum(['rights', 'table_language']).nullable(),
});
export type TranslationText = z.infer<typeof TranslationText>;

const P = z.object({ siteId: SiteId });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
/** Records are changed by the rules of their tables besides. */
const translating = { access: { site: 'site.publish' }, token: 'publishing:write' } as const;
const e = translationCalls;

const selection = {
  entity: z.enum(translatedEntities).optional(),
  group: z.string().max(100).optional(),
  /** Rows with texts in one of these states. `open`: missing or outdated; needs `tag`. */
  state: z.enum([...translationStates, 'open']).optional(),
};

export const ImportRow = z.object({
  /** As in the file. */
  id: z.string(),
  result: z.enum(importResults),
  reason: z.enum(importReasons).nullable(),
  title: z.string(),
  format: z.enum(textFormats),
  before: z.string().nullable(),
  after: z.string(),
});
export type ImportRow = z.infer<typeof ImportRow>;
const importFile = {
  format: z.enum(exchangeFormats),
  tag: LocaleTag,
  /** Base64, because the encoding is read from the file. */
  content: z.base64().max(Math.ceil(translationLimits.importBytes / 3) * 4),
};
const importOptions = {
  state: z.enum(['draft', 'reviewed']).default('reviewed'),
  /** Whether texts whose source has changed since the export are imported too. */
  outdated: z.boolean().default(false),
};
const importLimit = Math.ceil(translationLimits.importBytes / 3) * 4 + 4096;
export const ImportCheck = z.object({
  encoding: z.string(),
  counts: z.record(z.enum(importResults), z.int()),
  /** The first 200, those that need attention first. */
  rows: z.array(ImportRow),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

const TranslateInput = z.strictObject({
  engine: z.enum(engineKinds),
  tag: LocaleTag,
  /** Absent: everything that is missing, and with `outdated` what is outdated. */
  places: z.array(TextPlace).min(1).max(100).optional(),
  entity: z.enum(translatedEntities).optional(),
  group: z.string().max(100).optional(),
  outdated: z.boolean().default(false),
});
export type TranslateInput = z.output<typeof TranslateInput>;

export const TranslationRun = z.object({
  id: rowId,
  kind: z.enum(runKinds),
  tag: LocaleTag,
  /** Name of the engine or format of the file. */
  label: z.string(),
  changed: z.int(),
  refused: z.int(),
  by: z.string().nullable(),
  at: z.iso.datetime(),
  undoneAt: z.iso.datetime().nullable(),
  /** The job that writes it, or that undoes it. */
  jobId: rowId.nullable(),
});
export type TranslationRun = z.infer<typeof TranslationRun>;

export const TranslationEngine = z.object({
  kind: z.enum(engineKinds),
  /** Address of the service; null: its usual one. */
  url: z.string().nullable(),
  hasKey: z.boolean(),
  /** Whether it can translate at present. */
  ready: z.boolean(),
  /** Characters per day. */
  dailyLimit: z.int().nullable(),
  usedToday: z.int(),
});
export type TranslationEngine = z.infer<typeof TranslationEngine>;
const Kind = P.extend({ kind: z.enum(serviceKinds) });
export const GlossaryEntry = z.strictObject({
  from: LocaleTag,
  to: LocaleTag,
  source: safeText(200).pipe(z.string().min(1)),
  target: safeText(200).pipe(z.string().min(1)),
});
export type GlossaryEntry = z.output<typeof GlossaryEntry>;
const Glossary = z.object({ rows: z.array(GlossaryEntry), revision: z.int() });

export const translationEndpoints = {
  translationOverview: endpoint(e.translationOverview, {
    ...read,
    summary: 'How complete the translations of a site are, weighed by visitors, and which languages visitors read',
    params: P,
    response: TranslationOverview,
  }),
  translationMatrix: endpoint(e.translationMatrix, {
    ...read,
    summary: 'What is translated into which language, the most visited first',
    params: P,
    query: z.object({ ...pageQuery, ...selection, tag: LocaleTag.optional() }),
    response: Page(MatrixRow),
  }),
  translationTexts: endpoint(e.translationTexts, {
    ...read,
    summary: 'Texts beside their source, by pages of what has them, the most visited first',
    params: P,
    query: z.object({ ...pageQuery, ...selection, id: z.string().max(60).optional(), tag: LocaleTag }),
    response: Page(TranslationText),
  }),
  changeTranslations: endpoint(e.changeTranslations, {
    ...translating,
    summary: 'Write translations; each names the text that it replaces',
    params: P,
    body: z.strictObject({
      tag: LocaleTag,
      texts: z
        .array(
          z.strictObject({
            key: TextKey,
            /** The translation that the writer has read; null: there was none. */
            before: z.string().nullable(),
            text: z.string().max(translationLimits.text),
            state: z.enum(['draft', 'reviewed']),
          }),
        )
        .min(1)
        .max(100),
    }),
    bodyLimit: 4 * 1024 ** 2,
    response: z.object({ rows: z.array(TranslationText) }),
    conflict: z.object({ rows: z.array(TranslationText) }),
    errors: ['stale_revision', 'invalid_fields', 'forbidden', 'not_found'],
  }),
  markTranslations: endpoint(e.markTranslations, {
    ...translating,
    summary: 'Mark present translations as reviewed or as drafts without changing them',
    params: P,
    body: z.strictObject({ tag: LocaleTag, state: z.enum(markedStates), keys: z.array(TextKey).min(1).max(1000) }),
    bodyLimit: 1024 ** 2,
    response: z.object({ marked: z.int() }),
  }),
  translationCost: endpoint(e.translationCost, {
    ...translating,
    summary: 'How much a machine translation would translate',
    params: P,
    body: TranslateInput,
    response: z.object({ texts: z.int(), characters: z.int(), remaining: z.int().nullable() }),
    errors: ['invalid_fields'],
  }),
  translateTexts: endpoint(e.translateTexts, {
    ...translating,
    summary: 'Translate by machine, as a job; results are marked as such',
    params: P,
    body: TranslateInput,
    response: TranslationRun,
    errors: ['invalid_fields'],
    ratePerMinute: 20,
  }),
  exportTranslations: endpoint(e.exportTranslations, {
    ...translating,
    summary: 'Download texts with their translations (JSON, CSV, XLIFF 1.2, PO)',
    params: P,
    query: z.object({ format: z.enum(exchangeFormats), tag: LocaleTag, ...selection }),
    kind: 'file',
    ratePerMinute: 20,
  }),
  checkTranslations: endpoint(e.checkTranslations, {
    ...translating,
    summary: 'What importing a file of translations would change',
    params: P,
    body: z.strictObject(importFile),
    bodyLimit: importLimit,
    response: ImportCheck,
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
  importTranslations: endpoint(e.importTranslations, {
    ...translating,
    summary: 'Import a file of translations as a job; what is unknown or refused is left out',
    params: P,
    body: z.strictObject({ ...importFile, ...importOptions }),
    bodyLimit: importLimit,
    response: TranslationRun,
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
  translationRuns: endpoint(e.translationRuns, {
    ...read,
    summary: 'Imports and machine translations, the latest first',
    params: P,
    response: z.object({ rows: z.array(TranslationRun) }),
  }),
  undoTranslationRun: endpoint(e.undoTranslationRun, {
    ...translating,
    summary: 'Undo an import or a machine translation, as a job; texts that others have changed since stay',
    params: P.extend({ runId: rowId }),
    response: TranslationRun,
    errors: ['not_found', 'bad_transition'],
  }),
  translationEngines: endpoint(e.translationEngines, {
    ...read,
    summary: 'Services that can translate',
    params: P,
    response: z.object({ rows: z.array(TranslationEngine) }),
  }),
  changeTranslationEngine: endpoint(e.changeTranslationEngine, {
    access: { site: 'site.compose' },
    summary: 'Connect a service for machine translation',
    params: Kind,
    body: z.strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .max(500)
        .nullable()
        .default(null),
      /** null: the stored one stays, unless the address changes. */
      key: z.string().trim().min(1).max(500).nullable().default(null),
      dailyLimit: z.int().min(1000).max(100_000_000).nullable().default(null),
    }),
    response: TranslationEngine,
    errors: ['invalid_fields'],
  }),
  removeTranslationEngine: endpoint(e.removeTranslationEngine, {
    access: { site: 'site.compose' },
    summary: 'Disconnect a service and delete its key',
    params: Kind,
    errors: ['not_found'],
  }),
  translationGlossary: endpoint(e.translationGlossary, {
    ...read,
    summary: 'Terms with fixed translations',
    params: P,
    response: Glossary,
  }),
  changeTranslationGlossary: endpoint(e.changeTranslationGlossary, {
    ...translating,
    ifMatch: 'required',
    summary: 'Replace the glossary (If-Match: revision)',
    params: P,
    body: z.strictObject({ rows: z.array(GlossaryEntry).max(translationLimits.glossary) }),
    bodyLimit: 2 * 1024 ** 2,
    response: Glossary,
    errors: ['stale_revision', 'invalid_fields'],
  }),
} as const;
