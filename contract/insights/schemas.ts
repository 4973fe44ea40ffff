import { z } from 'zod';
import { ReportQuery } from '../analytics/schemas';
import { limits } from '../collect/schemas';
import { insightCalls } from './calls';
import { endpoint } from '../endpoint';
import type { FieldCode } from '../errors';
import { SiteId } from '../sites/schemas';
import { normalizePath } from '../paths';
import { rowId, safeName, safeText } from '../text';

/**
 * Condition of a goal or of a funnel step. It is evaluated on reading, so a new one applies to the whole history.
 *
 * A page condition holds for a page view by its path (without host and query, with a `#/` or `#!` route), case-sensitively (RFC 3986 §6.2.2.1): `is` equal,
 * `starts` prefix, `contains` substring, `glob` with `*` for any characters but `/` and `**` for any characters at all, everything else literal, over the whole
 * path.
 *
 * An event condition holds for an event of exactly this name and, when `property` is given, with that property condition. A property's number is a JSON number,
 * or a string that is entirely a decimal number (`-?digits[.digits]`, at most 15 and 6 digits).
 *   is        a string equals `value`; a JSON number equals `value` parsed as such a decimal number; true and false equal these words
 *   not       the opposite of `is`; it also holds when the property is missing
 *   contains  a string contains `value`, case-insensitively
 *   atLeast, atMost   the property's number is ≥, ≤ `value` (which must be such a decimal number)
 */
export const pageMatches = ['is', 'starts', 'contains', 'glob'] as const;
export const propertyOps = ['is', 'not', 'contains', 'atLeast', 'atMost'] as const;
/** Strings that count as numbers, as defined for `Condition`. */
export const decimal = /^-?\d{1,15}(\.\d{1,6})?$/;

const EventName = safeName(limits.eventName);
const PropertyName = safeName(limits.propName);
const PropertyCondition = z
  .object({ name: PropertyName, op: z.enum(propertyOps), value: safeText(limits.propValue) })
  .refine(({ op, value }) => (op !== 'atLeast' && op !== 'atMost') || decimal.test(value), { path: ['value'], message: 'wrong_type' satisfies FieldCode })
  .refine(({ op, value }) => op !== 'contains' || value !== '', { path: ['value'], message: 'required' satisfies FieldCode });
/** A path in the form of paths.ts. It is not a `safeName`, because two addresses that look alike are two pages. */
const PagePath = z
  .string()
  .transform((text) => normalizePath(text.trim()))
  .pipe(z.string().min(1).max(500));
const PageCondition = z.object({ kind: z.literal('page'), match: z.enum(pageMatches), path: PagePath });
const EventCondition = z.object({ kind: z.literal('event'), event: EventName, property: PropertyCondition.nullable() });
export const Condition = z.discriminatedUnion('kind', [PageCondition, EventCondition]);
export type Condition = z.infer<typeof Condition>;

/**
 * Value of reaching a goal. `fixed`: `amount` once per visit that reaches it. `property`: the sum of the property's numbers (see `Condition`) over all matching
 * events of the visit; for event goals only.
 */
export const worthKinds = ['none', 'fixed', 'property'] as const;
export const Worth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('fixed'), amount: z.number().min(-1e9).max(1e9) }),
  z.object({ kind: z.literal('property'), property: PropertyName }),
]);
export type Worth = z.infer<typeof Worth>;

export const GoalInput = z
  .object({ name: safeName(60), condition: Condition, worth: Worth })
  .refine(({ condition, worth }) => worth.kind !== 'property' || condition.kind === 'event', { path: ['worth'], message: 'out_of_range' satisfies FieldCode });
export type GoalInput = z.input<typeof GoalInput>;
const definitionFields = { id: z.uuid(), createdAt: z.iso.datetime(), /** '' once the account is gone. */ author: z.string(), revision: z.int() };
export const Goal = z.object({ ...definitionFields, name: z.string(), condition: Condition, worth: Worth });
export type Goal = z.infer<typeof Goal>;

/** Maximum time window of a funnel in minutes: 90 days. */
export const longestFunnel = 90 * 24 * 60;
export const funnelScopes = ['visitor', 'visit'] as const;
export const FunnelInput = z.object({
  name: safeName(60),
  steps: z.array(Condition).min(2).max(8),
  /** Minutes. */
  within: z.int().min(1).max(longestFunnel),
  scope: z.enum(funnelScopes),
});
export type FunnelInput = z.input<typeof FunnelInput>;
export const Funnel = z.object({ ...definitionFields, name: z.string(), steps: z.array(Condition), within: z.int(), scope: z.enum(funnelScopes) });
export type Funnel = z.infer<typeof Funnel>;

/** A named set of filters, in the text form of `ReportQuery.filter`. Private segments are visible to their author only. */
export const SegmentInput = z.object({ name: safeName(60), filters: z.array(z.string().max(600)).min(1).max(20), shared: z.boolean() });
export type SegmentInput = z.input<typeof SegmentInput>;
export const Segment = z.object({ ...definitionFields, name: z.string(), filters: z.array(z.string()), shared: z.boolean(), own: z.boolean() });
export type Segment = z.infer<typeof Segment>;

/** Notes of users, and annotations that the program creates. `first_hit` is the earliest visit known when annotations are first requested after it. */
export const annotationKinds = [
  'note',
  'goal_added',
  'goal_changed',
  'goal_removed',
  'zone_changed',
  'url_changed',
  'identity_changed',
  'rules_changed',
  'release',
  'robots_changed',
  'redirects_changed',
  'hostname_added',
  'hostname_removed',
  'primary_changed',
  'country_block',
  'filing_shown',
  'filing_hidden',
  'visits_changed',
  'imported',
  'first_hit',
] as const;
export type AnnotationKind = (typeof annotationKinds)[number];
const WallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
export const AnnotationInput = z.object({
  /** Day in the site's zone; a note keeps its day when the zone changes. */
  day: z.iso.date(),
  /** null: the whole day. */
  time: WallTime.nullable(),
  text: safeText(300).pipe(z.string().min(1)),
});
export type AnnotationInput = z.input<typeof AnnotationInput>;
export const Annotation = z.object({
  ...definitionFields,
  kind: z.enum(annotationKinds),
  day: z.iso.date(),
  time: WallTime.nullable(),
  /** Text of a note; '' for other kinds. */
  text: z.string(),
  /** Values for the message of an annotation by the program, such as `name`, `before`, `after`. */
  values: z.record(z.string(), z.string()),
});
export type Annotation = z.infer<typeof Annotation>;

const Params = z.object({ siteId: SiteId });
const One = z.object({ siteId: SiteId, id: rowId });
const read = { access: { site: 'analytics.read' }, token: 'analytics:read', params: Params } as const;
const write = { access: { site: 'analytics.write' }, token: 'analytics:write' } as const;
const restore = { ...write, params: One, errors: ['not_found', 'conflict', 'place_taken'] } as const;

/** Maximum number of each per site; another one is refused with `conflict`. */
export const mostOf = { goals: 50, funnels: 50, segments: 200, annotations: 2000 } as const;

/** Four kinds of definitions with the same calls: list, create, replace (If-Match: revision), delete and restore. */
export const insightEndpoints = {
  goals: endpoint(insightCalls.goals, { ...read, summary: 'Goals, oldest first', response: z.array(Goal) }),
  addGoal: endpoint(insightCalls.addGoal, {
    ...write,
    summary: 'Make a goal',
    params: Params,
    body: GoalInput,
    response: Goal,
    errors: ['conflict', 'name_taken', 'invalid_fields'],
  }),
  changeGoal: endpoint(insightCalls.changeGoal, {
    ...write,
    ifMatch: 'required',
    summary: 'Replace a goal (If-Match: revision)',
    params: One,
    body: GoalInput,
    response: Goal,
    errors: ['not_found', 'name_taken', 'stale_revision', 'invalid_fields'],
  }),
  removeGoal: endpoint(insightCalls.removeGoal, { ...write, summary: 'Remove a goal; it can be restored for an hour', params: One, errors: ['not_found'] }),
  restoreGoal: endpoint(insightCalls.restoreGoal, { ...restore, summary: 'Restore a removed goal, with its id', response: Goal }),
  funnels: endpoint(insightCalls.funnels, { ...read, summary: 'Funnels, oldest first', response: z.array(Funnel) }),
  addFunnel: endpoint(insightCalls.addFunnel, {
    ...write,
    summary: 'Make a funnel',
    params: Params,
    body: FunnelInput,
    response: Funnel,
    errors: ['conflict', 'name_taken', 'invalid_fields'],
  }),
  changeFunnel: endpoint(insightCalls.changeFunnel, {
    ...write,
    ifMatch: 'required',
    summary: 'Replace a funnel (If-Match: revision)',
    params: One,
    body: FunnelInput,
    response: Funnel,
    errors: ['not_found', 'name_taken', 'stale_revision', 'invalid_fields'],
  }),
  removeFunnel: endpoint(insightCalls.removeFunnel, {
    ...write,
    summary: 'Remove a funnel; it can be restored for an hour',
    params: One,
    errors: ['not_found'],
  }),
  restoreFunnel: endpoint(insightCalls.restoreFunnel, { ...restore, summary: 'Restore a removed funnel, with its id', response: Funnel }),
  segments: endpoint(insightCalls.segments, {
    ...read,
    summary: 'Saved segments: one’s own, and those shared with the site',
    response: z.array(Segment),
  }),
  addSegment: endpoint(insightCalls.addSegment, {
    ...write,
    summary: 'Save filters as a segment',
    params: Params,
    body: SegmentInput,
    response: Segment,
    errors: ['conflict', 'name_taken', 'invalid_fields'],
  }),
  changeSegment: endpoint(insightCalls.changeSegment, {
    ...write,
    ifMatch: 'required',
    summary: 'Replace a segment (If-Match: revision)',
    params: One,
    body: SegmentInput,
    response: Segment,
    errors: ['not_found', 'name_taken', 'stale_revision', 'invalid_fields'],
  }),
  removeSegment: endpoint(insightCalls.removeSegment, {
    ...write,
    summary: 'Remove a segment; it can be restored for an hour',
    params: One,
    errors: ['not_found'],
  }),
  restoreSegment: endpoint(insightCalls.restoreSegment, { ...restore, summary: 'Restore a removed segment, with its id', response: Segment }),
  annotations: endpoint(insightCalls.annotations, {
    ...read,
    summary: 'Annotations of a range of days, oldest first',
    query: ReportQuery.pick({ from: true, to: true }),
    response: z.array(Annotation),
    errors: ['range_not_allowed'],
  }),
  addAnnotation: endpoint(insightCalls.addAnnotation, {
    ...write,
    summary: 'Note something at a day or a time',
    params: Params,
    body: AnnotationInput,
    response: Annotation,
    errors: ['conflict', 'invalid_fields'],
  }),
  changeAnnotation: endpoint(insightCalls.changeAnnotation, {
    ...write,
    ifMatch: 'required',
    summary: 'Replace a note (If-Match: revision); what the program noted itself stays',
    params: One,
    body: AnnotationInput,
    response: Annotation,
    errors: ['not_found', 'immutable', 'stale_revision', 'invalid_fields'],
  }),
  removeAnnotation: endpoint(insightCalls.removeAnnotation, {
    ...write,
    summary: 'Remove a note; it can be restored for an hour',
    params: One,
    errors: ['not_found', 'immutable'],
  }),
  restoreAnnotation: endpoint(insightCalls.restoreAnnotation, {
    ...restore,
    summary: 'Restore a removed note, with its id',
    response: Annotation,
    errors: ['not_found', 'conflict'],
  }),
} as const;
