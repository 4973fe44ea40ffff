import { z } from 'zod';
import { tableConvertCalls } from './calls';
import { endpoint } from '../endpoint';
import { SiteId } from '../sites/schemas';
import { ContentTable, FieldOptions, TableRef } from './schemas';
import { fieldTypes } from './terms';

/**
 * The type of a field is changed in a column beside: looked at first (`planConversion`), then filled by a job in pieces while everybody goes on to write, and put
 * in the old column's place in one short transaction. The old column is kept for 30 days, for undoing.
 */
const F = z.object({ siteId: SiteId, table: TableRef, field: TableRef });
const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;

const target = {
  type: z.enum(fieldTypes),
  /** Of the new type; choices of a selection are added to as values ask for them, unless `addChoices` says no. */
  options: FieldOptions.default({}),
  addChoices: z.boolean().default(true),
};
export const ConversionPlanInput = z.strictObject(target);
export const ConversionInput = z.strictObject({
  ...target,
  /** What becomes of values that the new type cannot hold: `refuse` leaves everything as it is as soon as there is one. */
  misfits: z.enum(['refuse', 'empty']).default('refuse'),
  /** A unique field stays unique where its new type can be; values that have become the same then stop the conversion. */
  keepUnique: z.boolean().default(true),
});
export type ConversionInput = z.input<typeof ConversionInput>;

/** `lossy`: read back, it would be another value than before. */
const sampleKinds = ['convertible', 'lossy', 'failing'] as const;
export const ConversionSample = z.object({
  kind: z.enum(sampleKinds),
  recordId: z.uuid(),
  /** Name of the record. */
  label: z.string(),
  /** Of a translation; null: the table's own value. */
  locale: z.string().nullable(),
  /** As text, at most 300 characters. */
  before: z.string(),
  /** null: it would be empty. */
  after: z.string().nullable(),
  /** Why it changes or does not fit, in the reader's language. */
  reason: z.string().nullable(),
});
export type ConversionSample = z.infer<typeof ConversionSample>;

/** `keeps`: goes on as it is; `changes`: goes on, with something to look at; `lost`: is taken away with the conversion (undoing brings it back); `breaks`: cannot be read afterwards. */
const useEffects = ['keeps', 'changes', 'lost', 'breaks'] as const;
const useKinds = [
  ...(['view', 'formula', 'lookup', 'relation', 'webhook', 'rule', 'right', 'pages', 'slug'] as const),
  ...(['unique', 'index', 'default', 'validation', 'translations', 'search'] as const),
] as const;
export const ConversionUse = z.object({ kind: z.enum(useKinds), id: z.string(), name: z.string(), tableId: z.string().nullable(), effect: z.enum(useEffects) });
export type ConversionUse = z.infer<typeof ConversionUse>;

/** Why there can be no conversion: the primary field names records; the rights of a role go by it. */
const conversionBlocks = ['primary', 'rights'] as const;
export const ConversionPlan = z.object({
  /** Values looked at (translations too), and records there are; where `exact` is false, only the first ones were. */
  examined: z.int(),
  records: z.int(),
  exact: z.boolean(),
  counts: z.object({ empty: z.int(), convertible: z.int(), lossy: z.int(), failing: z.int() }),
  /** Up to twenty of each kind. */
  samples: z.array(ConversionSample),
  /** Titles of choices that would be made, the first fifty, and how many there are. */
  choices: z.array(z.string()),
  choiceCount: z.int(),
  /** Values of a unique field that would stand more than once. */
  duplicates: z.int(),
  /** About how long it takes. */
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
  /** Whether it takes another one back. */
  undoes: z.boolean(),
  at: z.iso.datetime(),
  by: z.string(),
  doneAt: z.iso.datetime().nullable(),
  /** Values written so far, and about how many there are. */
  done: z.int(),
  total: z.int(),
  lossy: z.int(),
  /** Values that did not fit and are empty now; of undoing, those edited since that could not be converted back and are as they were before. */
  emptied: z.int(),
  /** Of undoing: values edited since the conversion. */
  edited: z.int(),
  /** Code of what stopped it. */
  error: z.string().nullable(),
  /** Until when it can be undone; null: it cannot (any more). */
  undoUntil: z.iso.datetime().nullable(),
});
export type Conversion = z.infer<typeof Conversion>;
export const ConversionAnswer = z.object({
  /** The last one of the field. */
  conversion: Conversion.nullable(),
  /** The one that can be undone: the last that ended well and was not undone. */
  undoable: Conversion.nullable(),
});
export type ConversionAnswer = z.infer<typeof ConversionAnswer>;

/** Who came second gets the job of who came first. */
const ConversionConflict = z.union([ContentTable, z.object({ jobId: z.uuid().nullable() })]);
const errors = ['not_found', 'invalid_fields', 'stale_revision', 'conflict', 'bad_transition', 'unavailable'] as const;

export const tableConvertEndpoints = {
  fieldConversion: endpoint(tableConvertCalls.fieldConversion, {
    ...design,
    summary: 'The last change of a field’s type: how far it is, and whether it can be undone',
    params: F,
    answer: ConversionAnswer,
    errors: ['not_found'],
    ratePerMinute: 1200,
  }),
  planConversion: endpoint(tableConvertCalls.planConversion, {
    ...design,
    summary: 'Try what another type would make of the values of a field, and of what uses it; nothing is written',
    params: F,
    body: ConversionPlanInput,
    answer: ConversionPlan,
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
    answer: Conversion,
    conflict: ConversionConflict,
    errors,
    bodyLimit: 256 * 1024,
  }),
  undoConversion: endpoint(tableConvertCalls.undoConversion, {
    ...design,
    summary: 'Take the last change of a field’s type back, within 30 days; what was edited since is converted back',
    params: F,
    answer: Conversion,
    conflict: ConversionConflict,
    errors,
  }),
} as const;
