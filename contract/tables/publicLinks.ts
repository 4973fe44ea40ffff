import { z } from 'zod';
import { openViewCalls, tablePublicLinkCalls } from './calls';
import { endpoint } from '../endpoint';
import { linkChangeFields, linkFacts, newLinkFields } from '../links';
import { FormFacts, FormOptions } from './forms';
import { openViewLimits } from './publicLinkTerms';
import { viewKinds, valueKinds } from './terms';
import { P, T } from './schemas';
import { rowId, safeName } from '../text';

/** A link to one saved view of a content table, for people without an account: read-only, or a form to fill in. It shows what the view currently shows. */
export const PublicLink = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The address to share. */
  url: z.string(),
  tableId: z.string(),
  tableTitle: z.string(),
  viewId: z.uuid(),
  viewTitle: z.string(),
  kind: z.enum(viewKinds),
  /** Shows current records; otherwise, in tables with drafts, published states. */
  drafts: z.boolean(),
  /** Visitors may download the records as a CSV file. */
  download: z.boolean(),
  /** For a form link; null: it shows records. */
  form: FormFacts.nullable(),
  ...linkFacts,
});
export type PublicLink = z.infer<typeof PublicLink>;

const fields = { name: safeName(60), drafts: z.boolean(), download: z.boolean() };
export const NewPublicLink = z.strictObject({
  name: fields.name,
  drafts: fields.drafts.default(false),
  download: fields.download.default(false),
  /** Only for views of kind `form`. */
  form: FormOptions.optional(),
  ...newLinkFields,
});
export type NewPublicLink = z.input<typeof NewPublicLink>;
export const PublicLinkChange = z
  .strictObject(fields)
  .partial()
  .extend({ form: FormOptions.optional(), ...linkChangeFields });
export type PublicLinkChange = z.input<typeof PublicLinkChange>;

/** `grid`: a table; `cards`: the gallery; `board`: columns of cards; `days`: cards by day. */
export const openLayouts = ['grid', 'cards', 'board', 'days'] as const;
export const OpenColumn = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(valueKinds),
  sortable: z.boolean(),
  /** Aligned to the right. */ number: z.boolean(),
});
/** The first response to a visitor. Nothing but `needsPassword` until the password is given. */
export const OpenView = z.object({
  needsPassword: z.boolean(),
  title: z.string(),
  tableTitle: z.string(),
  layout: z.enum(openLayouts),
  /** Visible fields, in order. */
  columns: z.array(OpenColumn),
  /** Grouping columns, in order; `board` and `days` have one. */
  groups: z.array(z.object({ title: z.string() })),
  searchable: z.boolean(),
  download: z.boolean(),
  drafts: z.boolean(),
  /** IANA zone for showing moments. */
  timeZone: z.string(),
  expiresAt: z.iso.datetime().nullable(),
});
export type OpenView = z.infer<typeof OpenView>;

/** A displayed value: its text and appearance. Ids of records, people and choices are not exposed. */
export const OpenCell = z.object({
  text: z.string(),
  chips: z.array(z.object({ title: z.string(), color: z.string() })).optional(),
  links: z.array(z.object({ href: z.string(), title: z.string() })).optional(),
  checked: z.boolean().optional(),
});
export type OpenCell = z.infer<typeof OpenCell>;
export const OpenRows = z.object({
  rows: z.array(z.object({ /** By column, in order. */ cells: z.array(OpenCell), /** By group, in order; '' for none. */ group: z.array(z.string()) })),
  /** `more`: there are more than `total`; null: counting timed out. */
  total: z.int().nullable(),
  more: z.boolean(),
  /** Start of the next page; null at the end, and at the row limit. */
  next: z.int().nullable(),
});
export type OpenRows = z.infer<typeof OpenRows>;

const design = { access: { site: 'tables.design' }, token: 'tables:design' } as const;
const open = { access: 'public' } as const;
const S = P.extend({ id: rowId });
const linkQuery = {
  q: z.string().trim().max(200).optional(),
  /** A column of the link, prefixed with `-` for descending; replaces the view's order. */
  sort: z
    .string()
    .max(70)
    .regex(/^-?[$\w]+$/)
    .optional(),
};
export const tablePublicLinkEndpoints = {
  viewPublicLinks: endpoint(tablePublicLinkCalls.viewPublicLinks, {
    ...design,
    summary: 'Links to saved views of the tables of this site, newest first',
    params: P,
    response: z.array(PublicLink),
  }),
  addViewPublicLink: endpoint(tablePublicLinkCalls.addViewPublicLink, {
    access: { site: 'tables.design' },
    summary: 'Make a link to a saved view: read-only, or of a form to be filled in',
    params: T.extend({ view: rowId }),
    body: NewPublicLink,
    response: PublicLink,
    errors: ['not_found', 'conflict', 'invalid_fields'],
  }),
  changeViewPublicLink: endpoint(tablePublicLinkCalls.changeViewPublicLink, {
    access: { site: 'tables.design' },
    ifMatch: 'required',
    summary: 'Change a link (If-Match: revision); its address stays',
    params: S,
    body: PublicLinkChange,
    response: PublicLink,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  removeViewPublicLink: endpoint(tablePublicLinkCalls.removeViewPublicLink, {
    access: { site: 'tables.design' },
    summary: 'End a link at once; it can be restored for an hour',
    params: S,
    errors: ['not_found'],
  }),
  restoreViewPublicLink: endpoint(tablePublicLinkCalls.restoreViewPublicLink, {
    access: { site: 'tables.design' },
    summary: 'Restore an ended link; it works again at the same address',
    params: S,
    response: PublicLink,
    errors: ['not_found', 'conflict', 'parent_gone'],
  }),
  takeOverViewPublicLink: endpoint(tablePublicLinkCalls.takeOverViewPublicLink, {
    access: { site: 'tables.design' },
    summary: 'Take over a link that has stopped with the rights of its maker; its address stays',
    params: S,
    response: PublicLink,
    errors: ['not_found', 'conflict'],
  }),
  openView: endpoint(openViewCalls.openView, {
    ...open,
    summary: 'What a link to a view shows; its secret comes in the header `X-Share`',
    response: OpenView,
    errors: ['not_found', 'link_ended'],
    ratePerMinute: 120,
  }),
  openViewRows: endpoint(openViewCalls.openViewRows, {
    ...open,
    summary: 'Records that a link shows, a page at a time',
    query: z.object({
      ...linkQuery,
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .max(openViewLimits.rows - 1)
        .default(0),
      limit: z.coerce.number().int().min(1).max(openViewLimits.page).default(50),
    }),
    response: OpenRows,
    errors: ['not_found', 'link_ended', 'unauthorized', 'invalid_fields', 'conflict', 'too_slow'],
    ratePerMinute: 240,
  }),
  openViewFile: endpoint(openViewCalls.openViewFile, {
    ...open,
    summary: 'The records that a link shows, as CSV, where it allows that',
    query: z.object(linkQuery),
    kind: 'file',
    errors: ['not_found', 'link_ended', 'unauthorized', 'forbidden', 'invalid_fields', 'conflict', 'too_slow', 'unavailable'],
    ratePerMinute: 10,
  }),
  unlockView: endpoint(openViewCalls.unlockView, {
    ...open,
    summary: 'Give the password of a link; the pass goes behind the secret in `X-Share`, a full stop between, for twelve hours',
    body: z.strictObject({ password: z.string().max(200) }),
    response: z.object({ pass: z.string() }),
    errors: ['not_found', 'link_ended', 'bad_credentials', 'too_many_requests'],
    ratePerMinute: 60,
  }),
} as const;
