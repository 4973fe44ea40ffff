import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteId } from '../sites/schemas';
import { rowId, safeName, safeText } from '../text';
import { resourceKinds } from '../resources/kinds';
import { filingCalls } from './calls';
import { checklistItems } from './checklist';
import { numberErrors, numberKinds } from './numbers';
import { filingStates } from './states';
import { certificateKinds, contentTypes, deadlineKinds, filingKinds, filingLimits, filingWarnings, footerStates, subjectNatures } from './terms';

/** ISO 3166-2:CN without `CN-`. */
const Province = z.string().regex(/^[A-Z]{2}$/);
const Day = z.iso.date();
const Phone = z
  .string()
  .trim()
  .max(30)
  .regex(/^$|^\+?[\d\s()-]{5,30}$/);
const Email = z.union([z.email().max(254), z.literal('')]);

export const SubjectInput = z.strictObject({
  nature: z.enum(subjectNatures),
  name: safeName(100),
  certificateKind: z.enum(certificateKinds),
  /** Checked by its check digit where the kind has one. null: the stored one stays. */
  certificateNumber: z.string().trim().toUpperCase().max(40).nullable().default(null),
  certificateExpires: Day.nullable().default(null),
  province: Province,
  /** Number of the subject, without the suffix of a site; empty: none yet. */
  mainNumber: z.string().trim().max(40).default(''),
  provider: safeText(60).default(''),
  notes: safeText(2000).default(''),
});
export type SubjectInput = z.input<typeof SubjectInput>;
export const Subject = SubjectInput.omit({ certificateNumber: true }).extend({
  id: rowId,
  /** `9111********0X`; empty: none. */
  certificateMasked: z.string(),
  /** Filings of all sites, and those that are not cancelled. */
  filings: z.int(),
  active: z.int(),
  revision: z.int(),
});
export type Subject = z.infer<typeof Subject>;

export const FilingInput = z.strictObject({
  kind: z.enum(filingKinds),
  /** null: not recorded. */
  subject: rowId.nullable().default(null),
  /** Of the website or app, as it was filed. */
  serviceName: safeText(100).default(''),
  /** In any spelling; stored in its normalized form. Empty: not assigned yet. */
  number: z.string().trim().max(60).default(''),
  province: Province,
  /** Registrable domains, lower case, Punycode. */
  domains: z.array(z.string().trim().toLowerCase().min(3).max(253)).max(filingLimits.domains).default([]),
  homeUrl: z.union([z.url({ protocol: /^https?$/ }).max(500), z.literal('')]).default(''),
  contentTypes: z.array(z.enum(contentTypes)).max(filingLimits.contentTypes).default([]),
  /** Whether visitors can publish something, which public security asks. */
  interactive: z.boolean().default(false),
  openedOn: Day.nullable().default(null),
  approvedOn: Day.nullable().default(null),
  /** When somebody compared it with the register. */
  comparedOn: Day.nullable().default(null),
  nextReviewOn: Day.nullable().default(null),
  /** When the first of its domains expires. */
  domainExpires: Day.nullable().default(null),
  inFooter: z.boolean().default(true),
});
export type FilingInput = z.input<typeof FilingInput>;

const Footer = z.object({
  state: z.enum(footerStates),
  /** The page with the worst result, and what stood there instead; empty: nothing. */
  url: z.string(),
  detail: z.string(),
  checkedAt: z.iso.datetime().nullable(),
});
const Deadline = z.object({ kind: z.enum(deadlineKinds), on: Day, overdue: z.boolean() });
export const Filing = FilingInput.extend({
  id: rowId,
  /** As pages show it; empty: none. */
  displayed: z.string(),
  subjectName: z.string(),
  state: z.enum(filingStates),
  /** States that may follow. */
  next: z.array(z.enum(filingStates)),
  locked: z.boolean(),
  smsUntil: z.iso.datetime().nullable(),
  footer: Footer,
  deadlines: z.array(Deadline),
  warnings: z.array(z.enum(filingWarnings)),
  revision: z.int(),
});
export type Filing = z.infer<typeof Filing>;
/** What one domain of a site has; null: no filing of that kind. */
export const DomainStatus = z.object({
  domain: z.string(),
  /** The same as people write it. */
  unicode: z.string(),
  /** Whether the site is reached under it. */
  served: z.boolean(),
  icp: z.enum(filingStates).nullable(),
  license: z.enum(filingStates).nullable(),
  mps: z.enum(filingStates).nullable(),
});
export const FilingList = z.object({ rows: z.array(Filing), domains: z.array(DomainStatus) });
export type FilingList = z.infer<typeof FilingList>;

const Person = z.strictObject({
  name: safeText(60).default(''),
  phone: Phone.default(''),
  emergencyPhone: Phone.default(''),
  email: Email.default(''),
  certificateExpires: Day.nullable().default(null),
});
/** People who are responsible: of the subject, and of the service. Stored sealed; reading is audited. */
export const FilingPeople = z.strictObject({ subject: Person, service: Person });
export type FilingPeople = z.output<typeof FilingPeople>;

export const FilingEvent = z.object({
  id: rowId,
  from: z.enum(filingStates).nullable(),
  to: z.enum(filingStates),
  note: z.string(),
  at: z.iso.datetime(),
  by: z.string().nullable(),
});
/** What has to be prepared, and the resources that are attached; `item`: what a document is for. */
export const FilingChecklist = z.object({
  items: z.array(z.object({ item: z.enum(checklistItems), done: z.boolean() })),
  documents: z.array(
    z.object({
      resource: rowId,
      item: z.enum(checklistItems).nullable(),
      name: z.string(),
      kind: z.enum(resourceKinds),
      contentType: z.string(),
      sha256: z.string(),
      bytes: z.int(),
      at: z.iso.datetime(),
      by: z.string().nullable(),
      /** When it is deleted; null: not before the filing is approved or cancelled. */
      purgeAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type FilingChecklist = z.infer<typeof FilingChecklist>;
/** A number in a pasted text. `filing`: of the site, which has it already. */
export const FoundNumber = z.object({
  kind: z.enum(numberKinds),
  number: z.string(),
  province: Province.nullable(),
  error: z.enum(numberErrors).nullable(),
  warnings: z.array(z.enum(filingWarnings)),
  filing: rowId.nullable(),
});
export type FoundNumber = z.infer<typeof FoundNumber>;

const P = z.object({ siteId: SiteId });
const R = P.extend({ id: rowId });
const read = { access: { site: 'site.read' }, token: 'site:read' } as const;
const write = { access: { site: 'site.compose' }, token: 'site:write' } as const;
/** People: never for tokens. */
const sealed = { access: { site: 'site.compose' }, proven: true } as const;
const e = filingCalls;

export const filingEndpoints = {
  filings: endpoint(e.filings, {
    ...read,
    summary: 'Filings of a site, and what each of its domains still lacks',
    params: P,
    response: FilingList,
  }),
  addFiling: endpoint(e.addFiling, {
    ...write,
    summary: 'Add a filing',
    params: P,
    body: FilingInput,
    response: Filing,
    errors: ['invalid_fields', 'conflict'],
  }),
  filing: endpoint(e.filing, { ...read, summary: 'One filing', params: R, response: Filing, errors: ['not_found'] }),
  changeFiling: endpoint(e.changeFiling, {
    ...write,
    ifMatch: 'required',
    summary: 'Change a filing; its number appears on pages at once (If-Match: revision)',
    params: R,
    body: FilingInput,
    response: Filing,
    errors: ['not_found', 'stale_revision', 'bad_transition', 'invalid_fields'],
  }),
  removeFiling: endpoint(e.removeFiling, { ...write, summary: 'Remove a filing; it can be restored for an hour', params: R, errors: ['not_found'] }),
  restoreFiling: endpoint(e.restoreFiling, {
    ...write,
    summary: 'Restore a removed filing',
    params: R,
    response: Filing,
    errors: ['not_found', 'parent_gone'],
  }),
  moveFiling: endpoint(e.moveFiling, {
    ...write,
    ifMatch: 'required',
    summary: 'Record the next state of a filing (If-Match: revision)',
    params: R,
    body: z.strictObject({
      to: z.enum(filingStates),
      note: safeText(1000).default(''),
      /** Assigned with the approval; absent: the number stays. */
      number: z.string().trim().max(60).optional(),
      /** Day of the approval. */
      on: Day.optional(),
    }),
    response: Filing,
    errors: ['not_found', 'stale_revision', 'bad_transition', 'invalid_fields'],
  }),
  filingPeople: endpoint(e.filingPeople, {
    ...sealed,
    summary: 'Who is responsible for a filing; reading is audited',
    params: R,
    response: FilingPeople,
    errors: ['not_found'],
  }),
  changeFilingPeople: endpoint(e.changeFilingPeople, {
    ...sealed,
    summary: 'Change who is responsible for a filing',
    params: R,
    body: FilingPeople,
    response: FilingPeople,
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  filingChecklist: endpoint(e.filingChecklist, {
    access: { site: 'site.compose' },
    summary: 'What has to be prepared for a filing, with its documents',
    params: R,
    response: FilingChecklist,
    errors: ['not_found'],
  }),
  changeFilingChecklist: endpoint(e.changeFilingChecklist, {
    access: { site: 'site.compose' },
    summary: 'Mark an item of the checklist as prepared, or not',
    params: R,
    body: z.strictObject({ item: z.enum(checklistItems), done: z.boolean() }),
    response: FilingChecklist,
    errors: ['not_found'],
  }),
  attachFilingDocument: endpoint(e.attachFilingDocument, {
    access: { site: 'site.compose' },
    summary: 'Attach a file or picture to a filing, which makes it confidential; it is deleted 30 days after the approval',
    params: R,
    body: z.strictObject({ resource: rowId, item: z.enum(checklistItems).nullable().default(null) }),
    response: FilingChecklist,
    errors: ['not_found', 'referenced', 'conflict', 'invalid_fields'],
  }),
  detachFilingDocument: endpoint(e.detachFilingDocument, {
    access: { site: 'site.compose' },
    summary: 'Detach a resource from a filing; it stays private',
    params: R.extend({ resource: rowId }),
    response: FilingChecklist,
    errors: ['not_found'],
  }),
  filingEvents: endpoint(e.filingEvents, {
    ...read,
    summary: 'History of a filing, the newest first',
    params: R,
    query: z.object(pageQuery),
    response: Page(FilingEvent),
    errors: ['not_found'],
  }),
  findFilingNumbers: endpoint(e.findFilingNumbers, {
    ...read,
    summary: 'Find the numbers in a pasted footer',
    params: P,
    body: z.strictObject({ text: z.string().max(filingLimits.pasted) }),
    bodyLimit: 4 * filingLimits.pasted,
    response: z.object({ rows: z.array(FoundNumber) }),
  }),
  filingSnippet: endpoint(e.filingSnippet, {
    ...read,
    summary: 'The footer for pages that are hosted elsewhere',
    params: P,
    query: z.object({ format: z.enum(['html', 'text']).default('html'), domain: z.string().trim().toLowerCase().max(253).default('') }),
    response: z.object({ text: z.string() }),
  }),
  checkFilingFooter: endpoint(e.checkFilingFooter, {
    ...write,
    summary: 'Check now whether the pages show the numbers',
    params: P,
    response: FilingList,
    errors: ['too_many_requests'],
    ratePerMinute: 6,
  }),
  filingSubjects: endpoint(e.filingSubjects, {
    access: { instance: 'site.seeAll' },
    summary: 'Subjects of filings, shared by all sites',
    query: z.object({ ...pageQuery, size: z.coerce.number().int().min(1).max(filingLimits.subjects).default(20) }),
    response: Page(Subject),
  }),
  addFilingSubject: endpoint(e.addFilingSubject, {
    access: { instance: 'site.seeAll' },
    proven: true,
    summary: 'Add a subject of filings',
    body: SubjectInput,
    response: Subject,
    errors: ['invalid_fields', 'conflict'],
  }),
  changeFilingSubject: endpoint(e.changeFilingSubject, {
    access: { instance: 'site.seeAll' },
    proven: true,
    ifMatch: 'required',
    summary: 'Change a subject of filings (If-Match: revision)',
    params: z.object({ id: rowId }),
    body: SubjectInput,
    response: Subject,
    errors: ['not_found', 'stale_revision', 'invalid_fields'],
  }),
  removeFilingSubject: endpoint(e.removeFilingSubject, {
    access: { instance: 'site.seeAll' },
    proven: true,
    summary: 'Remove a subject without filings',
    params: z.object({ id: rowId }),
    errors: ['not_found', 'referenced'],
  }),
  filingDeadlines: endpoint(e.filingDeadlines, {
    access: 'session',
    token: 'site:read',
    summary: 'Deadlines of all sites that the caller may read, the nearest first',
    query: z.object(pageQuery),
    response: Page(Deadline.extend({ siteId: SiteId, filing: rowId })),
  }),
} as const;
