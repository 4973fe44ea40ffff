import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteId } from '../sites/schemas';
import { LocaleTag, rowId, safeText } from '../text';
import { languageCalls } from './calls';
import { engineKinds, exchangeFormats, languageLimits, markedStates, textFormats, translatedEntities, translationStates } from './terms';

/** One text that can be translated: of a record, a menu, the settings, the theme and so on. */
export const TextKey = z.strictObject({
  entity: z.enum(translatedEntities),
  /** Table of a record, key of a menu, path of a page; empty where there is only one. */
  group: z.string().max(100).default(''),
  /** Id of the record or menu item; empty where there is only one. */
  id: z.string().max(60).default(''),
  /** Id of the field, key of the text. */
  field: z.string().max(100),
});
export type TextKey = z.output<typeof TextKey>;

export const Completeness = z.object({
  tag: LocaleTag,
  total: z.int(),
  reviewed: z.int(),
  draft: z.int(),
  machine: z.int(),
  outdated: z.int(),
  missing: z.int(),
  /** Share of the visits of 30 days to pages whose texts are all reviewed; null: no visits. */
  weighed: z.number().nullable(),
});
const State = z.enum(translationStates);
export const MatrixRow = z.object({
  key: TextKey.omit({ field: true }),
  title: z.string(),
  /** Visits of 30 days to its page; null: it has none. */
  visits: z.int().nullable(),
  states: z.record(LocaleTag, z.object({ state: State, texts: z.int(), translated: z.int() })),
});
export const TranslationText = z.object({
  key: TextKey,
  label: z.string(),
  format: z.enum([...textFormats, 'rich_text']),
  source: z.object({ tag: LocaleTag, text: z.string() }),
  /** The source text as it was when the translation was marked; null: it has not changed. */
  previousSource: z.string().nullable(),
  text: z.string().nullable(),
  state: State,
  revision: z.int(),
  /** Whether the caller may change it. */
  editable: z.boolean(),
});
export type TranslationText = z.infer<typeof TranslationText>;

export const ImportRow = z.object({
  key: TextKey.nullable(),
  /** As in the file. */
  id: z.string(),
  /** outdated: the source of the file is not the present one. refused: placeholders or tags differ, or it may not be changed. */
  result: z.enum(['changed', 'unchanged', 'unknown', 'outdated', 'refused']),
  before: z.string().nullable(),
  after: z.string(),
});
const fileBody = {
  format: z.enum(exchangeFormats),
  tag: LocaleTag,
  /** Base64, because the encoding is read from the file. */ content: z.base64().max(Math.ceil(languageLimits.importBytes / 3) * 4),
};
const bodyLimit = Math.ceil(languageLimits.importBytes / 3) * 4 + 4096;

export const TranslationEngine = z.object({
  kind: z.enum(engineKinds),
  /** Address of the service; null: its usual one. */
  url: z.string().nullable(),
  hasKey: z.boolean(),
  /** Characters per day. */
  dailyLimit: z.int().nullable(),
  usedToday: z.int(),
  pairs: z.array(z.object({ from: LocaleTag, to: LocaleTag })).nullable(),
});
export const EngineInput = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .nullable()
    .default(null),
  /** null: the stored one stays. */
  key: z.string().max(500).nullable().default(null),
  dailyLimit: z.int().min(1000).max(100_000_000).nullable().default(null),
});
export const GlossaryEntry = z.strictObject({ from: LocaleTag, to: LocaleTag, source: safeText(200), target: safeText(200) });

const TranslateInput = z.strictObject({
  engine: z.enum(engineKinds),
  from: LocaleTag,
  to: LocaleTag,
  /** Absent: everything that is missing or outdated. */
  keys: z.array(TextKey).max(1000).optional(),
  entities: z.array(z.enum(translatedEntities)).min(1).optional(),
});

const P = z.object({ siteId: SiteId });
const Kind = P.extend({ kind: z.enum(engineKinds) });
const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
/** Records are changed by the rules of their tables besides. */
const translating = { access: { site: 'site.publish' }, token: 'publishing:write' } as const;
const e = languageCalls;

export const languageEndpoints = {
  translationMatrix: endpoint(e.translationMatrix, {
    ...read,
    summary: 'What is translated into which language, the most visited first',
    params: P,
    query: z.object({
      ...pageQuery,
      entity: z.enum(translatedEntities).optional(),
      group: z.string().max(100).optional(),
      tag: LocaleTag.optional(),
      state: State.optional(),
      q: z.string().max(100).optional(),
    }),
    response: Page(MatrixRow),
  }),
  translationTexts: endpoint(e.translationTexts, {
    ...read,
    summary: 'Texts of a row beside their source',
    params: P,
    query: z.object({ entity: z.enum(translatedEntities), group: z.string().max(100).default(''), id: z.string().max(60).default(''), tag: LocaleTag }),
    response: z.object({ rows: z.array(TranslationText) }),
    errors: ['not_found'],
  }),
  changeTranslations: endpoint(e.changeTranslations, {
    ...translating,
    summary: 'Write translations; each names the revision that it is based on',
    params: P,
    body: z.strictObject({
      tag: LocaleTag,
      texts: z
        .array(z.strictObject({ key: TextKey, text: z.string().max(100_000), state: z.enum(['draft', 'reviewed']), revision: z.int() }))
        .min(1)
        .max(100),
    }),
    bodyLimit: 2 * 1024 ** 2,
    response: z.object({ rows: z.array(TranslationText) }),
    errors: ['stale_revision', 'invalid_fields', 'forbidden'],
  }),
  markTranslations: endpoint(e.markTranslations, {
    ...translating,
    summary: 'Mark translations as reviewed or as drafts without changing them',
    params: P,
    body: z.strictObject({ tag: LocaleTag, state: z.enum(markedStates), keys: z.array(TextKey).min(1).max(1000) }),
    response: z.object({ marked: z.int() }),
    errors: ['invalid_fields'],
  }),
  translationCost: endpoint(e.translationCost, {
    ...translating,
    summary: 'How much a machine translation would translate',
    params: P,
    body: TranslateInput,
    response: z.object({ texts: z.int(), characters: z.int(), remaining: z.int().nullable() }),
    errors: ['invalid_fields'],
  }),
  translate: endpoint(e.translate, {
    ...translating,
    summary: 'Translate by machine, as a job; results are marked as such',
    params: P,
    body: TranslateInput,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'conflict'],
  }),
  exportTranslations: endpoint(e.exportTranslations, {
    ...translating,
    summary: 'Download texts with their translations (JSON, CSV, XLIFF 1.2, PO)',
    params: P,
    query: z.object({ format: z.enum(exchangeFormats), from: LocaleTag, to: LocaleTag, state: z.enum(['all', 'open']).default('all') }),
    kind: 'file',
  }),
  checkTranslations: endpoint(e.checkTranslations, {
    ...translating,
    summary: 'What importing a file of translations would change',
    params: P,
    body: z.strictObject(fileBody),
    bodyLimit,
    response: z.object({ rows: z.array(ImportRow), encoding: z.string() }),
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
  }),
  importTranslations: endpoint(e.importTranslations, {
    ...translating,
    summary: 'Import a file of translations; what is unknown or refused is reported',
    params: P,
    body: z.strictObject({ ...fileBody, state: z.enum(['draft', 'reviewed']).default('reviewed'), outdated: z.boolean().default(false) }),
    bodyLimit,
    response: z.object({ jobId: rowId }),
    errors: ['invalid_fields', 'too_large'],
    ratePerMinute: 20,
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
    body: EngineInput,
    response: TranslationEngine,
    errors: ['invalid_fields'],
  }),
  removeTranslationEngine: endpoint(e.removeTranslationEngine, {
    access: { site: 'site.compose' },
    summary: 'Disconnect a service and delete its key',
    params: Kind,
    errors: ['not_found'],
  }),
  glossary: endpoint(e.glossary, {
    ...read,
    summary: 'Terms with fixed translations',
    params: P,
    response: z.object({ rows: z.array(GlossaryEntry), revision: z.int() }),
  }),
  changeGlossary: endpoint(e.changeGlossary, {
    ...translating,
    ifMatch: 'required',
    summary: 'Replace the glossary (If-Match: revision)',
    params: P,
    body: z.strictObject({ rows: z.array(GlossaryEntry).max(languageLimits.glossary) }),
    bodyLimit: 2 * 1024 ** 2,
    response: z.object({ rows: z.array(GlossaryEntry), revision: z.int() }),
    errors: ['stale_revision', 'invalid_fields'],
  }),
} as const;
