import { z } from 'zod';
import { tableFormCalls } from './calls';
import { endpoint } from '../endpoint';
import { isSiteOrigin, openFormLimits } from './formTerms';
import { RecordFilterSchema } from './recordFilter';
import { Choice, layoutWidths } from './schemas';
import { fieldTypes, valueKinds } from './terms';
import { safeText } from '../text';

/** A form that anybody with its link fills in (`tableShares.ts` makes the link): each answer becomes a record. */

/** `https://example.com`: a site, without anything behind it. */
const SiteOrigin = z
  .string()
  .trim()
  .max(300)
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (
      url &&
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.pathname === '/' &&
      url.search === '' &&
      url.hash === '' &&
      isSiteOrigin(url.origin)
    )
      return url.origin;
    context.addIssue({ code: 'custom', message: 'not_a_url' });
    return z.NEVER;
  });
const RedirectAddress = z.url({ protocol: /^https?$/, hostname: /./ }).max(2000);

/** How a form takes answers. */
export const FormOptions = z.strictObject({
  /** It closes after so many answers; null: never. */
  limit: z.int().min(1).max(openFormLimits.answers).nullable().default(null),
  /** What visitors read when it has closed; '': the page's own words. */
  closedText: safeText(500).default(''),
  /** A browser that has sent it is asked to leave it at that. A courtesy: another browser knows nothing of it. */
  once: z.boolean().default(false),
  /** Where visitors are led after sending; null: they read the view's thanks. */
  redirect: RedirectAddress.nullable().default(null),
  /** Of tables with drafts: answers are published at once. */
  publish: z.boolean().default(false),
  /** Sites that may show it in a frame. */
  embeds: z.array(SiteOrigin).max(openFormLimits.embeds).default([]),
});
export type FormOptions = z.output<typeof FormOptions>;

/** `full`: as many answers as it takes; `stopped`: whoever made the link may not make it any more; `unfit`: a required field cannot be filled in. */
export const formStandings = ['open', 'full', 'stopped', 'unfit'] as const;
export type FormStanding = (typeof formStandings)[number];
/** Of a link to a form, for those who design the table. */
export const FormFacts = FormOptions.extend({
  embeds: z.array(z.string()),
  /** Answers that were taken, whatever became of their records. */
  answers: z.int(),
  /** Answers of programs that were thrown away. */
  refused: z.int(),
  standing: z.enum(formStandings),
});

/** A field as a visitor fills it in. Conditions ask about fields of the form only; what they ask of others has been decided. */
export const OpenField = z.object({
  id: z.string(),
  /** Names that it has in the form's address, the present one first. */
  names: z.array(z.string()),
  type: z.enum(fieldTypes),
  yields: z.enum(valueKinds),
  title: z.string(),
  help: z.string(),
  required: z.boolean(),
  /** Its default; null for none. */
  start: z.unknown(),
  /** Gets a value by itself where it is left empty. */
  fills: z.boolean(),
  options: z.object({
    minLength: z.int().optional(),
    maxLength: z.int().optional(),
    placeholder: z.string().optional(),
    min: z.union([z.number(), z.string()]).optional(),
    max: z.union([z.number(), z.string()]).optional(),
    decimals: z.int().optional(),
    currency: z.string().optional(),
    unit: z.string().optional(),
    choices: z.array(Choice).optional(),
    most: z.int().optional(),
  }),
  conditions: z.array(z.object({ filter: RecordFilterSchema, then: z.enum(['hidden', 'required', 'readonly']) })),
});
export type OpenField = z.infer<typeof OpenField>;
/** What a visitor gets first. Nothing but `needsPassword` until the password has been given, and no fields of a form that takes no answers. */
export const OpenForm = z.object({
  needsPassword: z.boolean(),
  standing: z.enum(['open', 'full', 'unfit']),
  title: z.string(),
  note: z.string(),
  closedText: z.string(),
  once: z.boolean(),
  /** IANA; moments are typed and told in it. */
  timeZone: z.string(),
  style: z.enum(['groups', 'tabs']),
  sections: z.array(
    z.object({
      title: z.string().nullable(),
      note: z.string(),
      collapsed: z.boolean(),
      fields: z.array(z.object({ field: OpenField, width: z.enum(layoutWidths) })),
    }),
  ),
  /** Goes along with what is sent: tells when the form was opened. */
  stamp: z.string(),
});
export type OpenForm = z.infer<typeof OpenForm>;

export const FormAnswer = z.strictObject({
  /** By id, key or old key of a field of the form. */
  values: z.record(z.string().max(64), z.unknown()),
  stamp: z.string().max(200),
  /** People do not see this field, programs fill it in. */
  trap: z.string().max(2000).default(''),
});
export const FormTaken = z.object({ /** '': the page's own words. */ thanks: z.string(), redirect: z.string().nullable() });
export type FormTaken = z.infer<typeof FormTaken>;

export const tableFormEndpoints = {
  sharedForm: endpoint(tableFormCalls.sharedForm, {
    access: 'public',
    summary: 'A form that anybody with its link fills in; its secret comes in the header `X-Share`',
    answer: OpenForm,
    errors: ['not_found', 'link_ended'],
    ratePerMinute: 120,
  }),
  sendForm: endpoint(tableFormCalls.sendForm, {
    access: 'public',
    summary: 'Send a form: makes a record. The same `Idempotency-Key` again gets the same answer and makes none',
    body: FormAnswer,
    answer: FormTaken,
    errors: ['not_found', 'link_ended', 'unauthorized', 'conflict', 'forbidden', 'too_large', 'invalid_fields', 'too_many_requests'],
    bodyLimit: openFormLimits.body,
    ratePerMinute: 120,
  }),
} as const;
