import { z } from 'zod';
import { tableConvertCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { ContentTable, FieldOptions, TableRef } from './schemas';
import { fieldTypes } from './terms';

/**
 * Converts a field in a separate column: first previewed (`planConversion`), then filled by a job in chunks without blocking writers, and swapped with
 * the old column in one short transaction. The old column is kept for 30 days, for undo.
 */
const F = z.object({ siteId: SiteId, table: TableRef, field: TableRef });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;

const target = {
  type: z.enum(fieldTypes),
  /** Options of the new type; missing choices of a selection are added as values need them, unless `addChoices` is false. */
  options: FieldOptions.default({}),
  addChoices: z.boolean().default(true),
};
export const ConversionPlanInput = z.strictObject(target);
export const ConversionInput = z.strictObject({
  ...target,
  /** What happens to values that the new type cannot hold: `refuse` stops the conversion at the first one. */
  misfits: z.enum(['refuse', 'empty']).default('refuse'),
  /** A unique field stays unique if its new type can be; values that become equal then stop the conversion. */
  keepUnique: z.boolean().default(true),
});
export type ConversionInput = z.input<typeof ConversionInput>;

/** `lossy`: converted back, the value would differ. */
const sampleKinds = ['convertible', 'lossy', 'failing'] as const;
export const ConversionSample = z.object({
  kind: z.enum(sampleKinds),
  recordId: z.uuid(),
  label: z.string(),
  /** Language of a translation; null: the main value. */
  locale: z.string().nullable(),
  /** As text, at most 300 characters. */
  before: z.string(),
  /** null: it would be cleared. */
  after: z.string().nullable(),
  /** Why it changes or does not fit, in the reader's language. */
  reason: z.string().nullable(),
});
export type ConversionSample = z.infer<typeof ConversionSample>;

/**
 * Effect of a conversion on something that uses the field. `keeps`: none; `changes`: it still works but should be reviewed; `lost`: it is removed until
 * the conversion is undone; `breaks`: it can no longer be read.
 */
const useEffects = ['keeps', 'changes', 'lost', 'breaks'] as const;
const useKinds = [
  ...(['view', 'formula', 'lookup', 'relation', 'webhook', 'rule', 'right', 'pages', 'slug'] as const),
  ...(['unique', 'index', 'default', 'validation', 'translations', 'search'] as const),
] as const;
export const ConversionUse = z.object({ kind: z.enum(useKinds), id: z.string(), name: z.string(), tableId: z.string().nullable(), effect: z.enum(useEffects) });
export type ConversionUse = z.infer<typeof ConversionUse>;

/** Why a conversion is impossible: the field is the primary field, or access rules depend on it. */
const conversionBlocks = ['primary', 'rights'] as const;
export const ConversionPlan = z.object({
  /** Values checked (including translations), and existing records; if `exact` is false, only the first ones were checked. */
  examined: z.int(),
  records: z.int(),
  exact: z.boolean(),
  counts: z.object({ empty: z.int(), convertible: z.int(), lossy: z.int(), failing: z.int() }),
  /** Up to twenty of each kind. */
  samples: z.array(ConversionSample),
  /** Titles of choices that would be added: the first fifty, and the total. */
  choices: z.array(z.string()),
  choiceCount: z.int(),
  /** Values of a unique field that would no longer be unique. */
  duplicates: z.int(),
  /** Estimated duration. */
  seconds: z.int(),
  uses: z.array(ConversionUse),
  blocked: z.array(z.enum(conversionBlocks)),
});
export type ConversionPlan = z.infer<typeof ConversionPlan>;

const conversionStates = ['running', 'done', 'failed', 'cancelled', 'undone', 'purged'] as const;
export const Conversion = z.object({
  id: z.uuid(),
  jobId: z.uuid(),
  state: z.enum(conversionStates),
  from: z.enum(fieldTypes),
  to: z.enum(fieldTypes),
  /** Whether it undoes another conversion. */
  undoes: z.boolean(),
  at: z.iso.datetime(),
  by: z.string(),
  doneAt: z.iso.datetime().nullable(),
  /** Values written so far, and an estimate of the total. */
  done: z.int(),
  total: z.int(),
  lossy: z.int(),
  /** Values that did not fit and were cleared; for an undo, those edited since that could not be converted back and have their earlier value. */
  emptied: z.int(),
  /** For an undo: values edited since the conversion. */
  edited: z.int(),
  /** Code of the error that stopped it. */
  error: z.string().nullable(),
  /** How long it can be undone; null: it cannot (any more). */
  undoUntil: z.iso.datetime().nullable(),
});
export type Conversion = z.infer<typeof Conversion>;
export const ConversionResult = z.object({
  /** The last conversion of the field. */
  conversion: Conversion.nullable(),
  /** The conversion that can be undone: the last completed one that was not undone. */
  undoable: Conversion.nullable(),
});
export type ConversionResult = z.infer<typeof ConversionResult>;

/** The second of two requests gets the job of the first. */
const ConversionConflict = z.union([ContentTable, z.object({ jobId: z.uuid().nullable() })]);
const errors = ['not_found', 'invalid_fields', 'stale_revision', 'conflict', 'bad_transition', 'unavailable'] as const;

export const tableConvertEndpoints = {
  fieldConversion: endpoint(tableConvertCalls.fieldConversion, {
    ...design,
    summary: 'The last change of a field’s type: how far it is, and whether it can be undone',
    params: F,
    response: ConversionResult,
    errors: ['not_found'],
    ratePerMinute: 1200,
  }),
  planConversion: endpoint(tableConvertCalls.planConversion, {
    ...design,
    summary: 'Try what another type would make of the values of a field, and of what uses it; nothing is written',
    params: F,
    body: ConversionPlanInput,
    response: ConversionPlan,
    errors: ['not_found', 'invalid_fields', 'too_slow'],
    bodyLimit: 256 * 1024,
    ratePerMinute: 60,
  }),
  startConversion: endpoint(tableConvertCalls.startConversion, {
    ...design,
    ifMatch: 'required',
    summary: 'Change the type of a field (If-Match: revision of the table); a job does it, and writing goes on meanwhile',
    params: F,
    body: ConversionInput,
    response: Conversion,
    conflict: ConversionConflict,
    errors,
    bodyLimit: 256 * 1024,
  }),
  undoConversion: endpoint(tableConvertCalls.undoConversion, {
    ...design,
    summary: 'Undo the last change of a field’s type, within 30 days; what was edited since is converted back',
    params: F,
    response: Conversion,
    conflict: ConversionConflict,
    errors,
  }),
} as const;
