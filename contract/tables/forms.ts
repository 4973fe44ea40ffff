import { z } from 'zod';
import { tableFormCalls } from './calls';
import { endpoint } from '../endpoint';
import { formFileTypes, isSiteOrigin, openFormLimits } from './formTerms';
import { RecordFilterSchema } from './recordFilter';
import { Choice, layoutWidths } from './schemas';
import { fieldTypes, valueKinds } from './terms';
import { safeName, safeText } from '../text';
import { resourceLimits } from '../resources/terms';
import { parseUrl } from '../parseUrl';

/** A public form, opened through a link (`publicLinks.ts`): each submission becomes a record. */

/** `https://example.com`: an origin without a path. */
const SiteOrigin = z
  .string()
  .trim()
  .max(300)
  .transform((text, context) => {
    const url = parseUrl(text);
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

/** Which files a form takes. What fields take by their own type applies, too. */
export const FormFiles = z.strictObject({
  /** Of one file. */
  maxBytes: z.int().min(1024).max(openFormLimits.fileBytes),
  /** In one field. */
  most: z.int().min(1).max(openFormLimits.files),
  types: z.array(z.enum(formFileTypes)).min(1).max(formFileTypes.length),
});
export type FormFiles = z.output<typeof FormFiles>;

/** How a form accepts answers. */
export const FormOptions = z.strictObject({
  /** Closes after this many answers; null: never. */
  limit: z.int().min(1).max(openFormLimits.answers).nullable().default(null),
  /** Message of the closed form; '': the page's default. */
  closedText: safeText(500).default(''),
  /** Asks a browser that has submitted the form not to repeat it. Only a courtesy: it does not apply across browsers. */
  once: z.boolean().default(false),
  /** Where visitors are redirected after submitting; null: they see the view's thanks. */
  redirect: RedirectAddress.nullable().default(null),
  /** In tables with drafts: publishes answers immediately. */
  publish: z.boolean().default(false),
  /** Sites that may embed it. */
  embeds: z.array(SiteOrigin).max(openFormLimits.embeds).default([]),
  /** null: fields for files are left out. */
  files: FormFiles.nullable().default(null),
});
export type FormOptions = z.output<typeof FormOptions>;

/** `full`: the limit of answers is reached; `stopped`: its creator has lost the permission; `unfit`: a required field cannot be filled in. */
export const formStatuses = ['open', 'full', 'stopped', 'unfit'] as const;
export type FormStatus = (typeof formStatuses)[number];
/** State of a form link, for people who design the table. */
export const FormFacts = FormOptions.extend({
  embeds: z.array(z.string()),
  /** Accepted answers, whatever happened to their records. */
  answers: z.int(),
  /** Answers rejected as bots. */
  refused: z.int(),
  status: z.enum(formStatuses),
});

/** A field as a visitor fills it in. Conditions only use fields of the form; conditions on others are already evaluated. */
export const OpenField = z.object({
  id: z.string(),
  /** Names in the form's URL parameters, the current one first. */
  names: z.array(z.string()),
  type: z.enum(fieldTypes),
  yields: z.enum(valueKinds),
  title: z.string(),
  help: z.string(),
  required: z.boolean(),
  /** Default value; null for none. */
  start: z.unknown(),
  /** Gets a value automatically if left empty. */
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
  /** For files: which ones are taken. */
  files: FormFiles.optional(),
  conditions: z.array(z.object({ filter: RecordFilterSchema, then: z.enum(['hidden', 'required', 'readonly']) })),
});
export type OpenField = z.infer<typeof OpenField>;
/** The first response to a visitor. Nothing but `needsPassword` until the password is given, and no fields for a form that accepts no answers. */
export const OpenForm = z.object({
  needsPassword: z.boolean(),
  status: z.enum(['open', 'full', 'unfit']),
  title: z.string(),
  note: z.string(),
  closedText: z.string(),
  once: z.boolean(),
  /** IANA zone for entering and showing moments. */
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
  /** Signed opening time of the form, sent back with the submission. */
  stamp: z.string(),
});
export type OpenForm = z.infer<typeof OpenForm>;

export const FormAnswer = z.strictObject({
  /** By id, key or alias of a field of the form. */
  values: z.record(z.string().max(64), z.unknown()),
  stamp: z.string().max(200),
  /** Honeypot: invisible to people, filled in by bots. */
  trap: z.string().max(2000).default(''),
});
/** A file that was uploaded for a field of a form, as an item of its value: `file` proves that. */
export const FormFile = z.strictObject({ file: z.string().max(400) });
export const FormResult = z.object({ /** '': the page's default message. */ thanks: z.string(), redirect: z.string().nullable() });
export type FormResult = z.infer<typeof FormResult>;

export const tableFormEndpoints = {
  openForm: endpoint(tableFormCalls.openForm, {
    access: 'public',
    summary: 'A form that anybody with its link fills in; its secret comes in the header `X-Share`',
    response: OpenForm,
    errors: ['not_found', 'link_ended'],
    ratePerMinute: 120,
  }),
  sendForm: endpoint(tableFormCalls.sendForm, {
    access: 'public',
    summary: 'Send a form: makes a record. The same `Idempotency-Key` again gets the same answer and makes none',
    body: FormAnswer,
    response: FormResult,
    errors: ['not_found', 'link_ended', 'unauthorized', 'conflict', 'forbidden', 'too_large', 'invalid_fields', 'too_many_requests'],
    bodyLimit: openFormLimits.body,
    ratePerMinute: 120,
  }),
  addFormFile: endpoint(tableFormCalls.addFormFile, {
    access: 'public',
    summary: 'Upload a file for a field of a form: the body as `application/offset+octet-stream`. It is deleted unless the form is sent within a day',
    query: z.object({ /** Id of the field. */ field: z.string().max(64), name: safeName(resourceLimits.name), stamp: z.string().max(200) }),
    response: FormFile.extend({ bytes: z.int() }),
    errors: [
      'bad_request',
      'not_found',
      'link_ended',
      'unauthorized',
      'too_large',
      'unsupported_media_type',
      'invalid_fields',
      'too_many_requests',
      'unavailable',
    ],
    bodyLimit: openFormLimits.fileBytes,
    ratePerMinute: 120,
  }),
} as const;
