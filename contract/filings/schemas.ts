import { z } from 'zod';
import { endpoint } from '../endpoint';
import { Page, pageQuery } from '../page';
import { SiteId } from '../sites/schemas';
import { rowId, safeName, safeText } from '../text';
import { filingCalls } from './calls';
import { numberErrors, numberKinds } from './numbers';
import { filingStates } from './states';
import {
  approvalKinds,
  certificateKinds,
  contentTypes,
  deadlineKinds,
  fileKinds,
  filingKinds,
  filingLimits,
  filingWarnings,
  footerStates,
  subjectNatures,
} from './terms';

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
  /** Filings of all sites. */
  filings: z.int(),
  revision: z.int(),
});

const Approval = z.strictObject({ kind: z.enum(approvalKinds), number: safeText(60) });
export const FilingInput = z.strictObject({
  kind: z.enum(filingKinds),
  subject: rowId,
  /** Of the website or app, as it was filed. */
  serviceName: safeText(100).default(''),
  /** In any spelling; stored in its normalized form. Empty: not assigned yet. */
  number: z.string().trim().max(60).default(''),
  province: Province,
  /** Registrable domains, lower case, Punycode. */
  domains: z.array(z.string().trim().toLowerCase().min(3).max(253)).max(filingLimits.domains).default([]),
  homeUrl: z.union([z.url({ protocol: /^https?$/ }).max(500), z.literal('')]).default(''),
  contentTypes: z.array(z.enum(contentTypes)).max(filingLimits.contentTypes).default([]),
  approvals: z.array(Approval).max(10).default([]),
  /** Whether visitors can publish something, which public security asks. */
  interactive: z.boolean().default(false),
  accessAddresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .max(20)
    .default([]),
  openedOn: Day.nullable().default(null),
  approvedOn: Day.nullable().default(null),
  /** When somebody compared it with the register. */
  comparedOn: Day.nullable().default(null),
  nextReviewOn: Day.nullable().default(null),
  inFooter: z.boolean().default(true),
});
export type FilingInput = z.input<typeof FilingInput>;

const Footer = z.object({ state: z.enum(footerStates), url: z.string().nullable(), detail: z.string(), checkedAt: z.iso.datetime().nullable() });
const Deadline = z.object({ kind: z.enum(deadlineKinds), on: Day, overdue: z.boolean(), subject: z.string() });
export const Filing = FilingInput.extend({
  id: rowId,
  /** As pages show it; empty: none. */
  displayed: z.string(),
  state: z.enum(filingStates),
  /** States that may follow. */
  next: z.array(z.enum(filingStates)),
  locked: z.boolean(),
  smsUntil: z.iso.datetime().nullable(),
  footer: Footer,
  deadlines: z.array(Deadline),
  warnings: z.array(z.enum(filingWarnings)),
  files: z.int(),
  revision: z.int(),
});
export type Filing = z.infer<typeof Filing>;

const Person = z.strictObject({
  name: safeText(60).default(''),
  phone: Phone.default(''),
  emergencyPhone: Phone.default(''),
  email: Email.default(''),
  certificateExpires: Day.nullable().default(null),
});
/** People who are responsible: of the subject, and of the service. Stored sealed; reading is audited. */
export const FilingPeople = z.strictObject({ subject: Person, service: Person });

export const FilingEvent = z.object({
  id: rowId,
  from: z.enum(filingStates).nullable(),
  to: z.enum(filingStates),
  note: z.string(),
  reasons: z.array(z.string()),
  at: z.iso.datetime(),
  by: z.string().nullable(),
});
export const FilingFile = z.object({
  id: rowId,
  kind: z.enum(fileKinds),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  addedAt: z.iso.datetime(),
  addedBy: z.string().nullable(),
  purgeOn: Day.nullable(),
});

export const ChecklistItem = z.object({
  key: z.string(),
  /** From the data, not ticked by hand; null: only people can tell. */
  done: z.boolean().nullable(),
  /** Reasons of refusal that it prevents. */
  prevents: z.array(z.string()),
});
export const DomainStatus = z.object({
  domain: z.string(),
  icp: z.enum(filingStates).nullable(),
  mps: z.enum(filingStates).nullable(),
  license: z.enum(filingStates).nullable(),
  footer: z.enum(footerStates),
  accessMatches: z.boolean().nullable(),
});

const P = z.object({ siteId: SiteId });
const R = P.extend({ id: rowId });
const FileParams = R.extend({ fileId: rowId });
const read = { access: { site: 'site.read' }, token: 'site:read' } as const;
const write = { access: { site: 'site.compose' }, token: 'site:write' } as const;
/** People, certificates and files: never for tokens. */
const sealed = { access: { site: 'site.compose' }, proven: true } as const;
const e = filingCalls;

export const filingEndpoints = {
  filings: endpoint(e.filings, {
    ...read,
    summary: 'Filings of a site, and what each of its domains still lacks',
    params: P,
    response: z.object({ rows: z.array(Filing), domains: z.array(DomainStatus) }),
  }),
  addFiling: endpoint(e.addFiling, {
    ...write,
    summary: 'Add a filing',
    params: P,
    body: FilingInput,
    response: Filing,
    errors: ['invalid_fields', 'not_found'],
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
      reasons: z.array(z.string().max(60)).max(20).default([]),
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
    response: z.object({ warnings: z.array(z.enum(filingWarnings)) }),
    errors: ['not_found', 'bad_transition', 'invalid_fields'],
  }),
  filingEvents: endpoint(e.filingEvents, {
    ...read,
    summary: 'History of a filing, the newest first',
    params: R,
    query: z.object(pageQuery),
    response: Page(FilingEvent),
    errors: ['not_found'],
  }),
  filingFiles: endpoint(e.filingFiles, {
    access: { site: 'site.compose' },
    summary: 'Documents of a filing, without their contents',
    params: R,
    response: z.object({ rows: z.array(FilingFile) }),
    errors: ['not_found'],
  }),
  addFilingFile: endpoint(e.addFilingFile, {
    ...sealed,
    summary: 'Add a document (JPEG, PNG, PDF); it is sealed and deleted 30 days after the approval',
    params: R,
    body: z.strictObject({ kind: z.enum(fileKinds), name: safeName(120), content: z.base64().max(Math.ceil(filingLimits.fileBytes / 3) * 4) }),
    bodyLimit: Math.ceil(filingLimits.fileBytes / 3) * 4 + 4096,
    response: FilingFile,
    errors: ['not_found', 'too_large', 'unsupported_media_type', 'invalid_fields'],
  }),
  downloadFilingFile: endpoint(e.downloadFilingFile, {
    ...sealed,
    summary: 'Download a document; reading is audited',
    params: FileParams,
    kind: 'file',
    errors: ['not_found'],
  }),
  removeFilingFile: endpoint(e.removeFilingFile, {
    access: { site: 'site.compose' },
    summary: 'Delete a document for good',
    params: FileParams,
    errors: ['not_found'],
  }),
  findFilingNumbers: endpoint(e.findFilingNumbers, {
    ...read,
    summary: 'Find the numbers in a pasted footer',
    params: P,
    body: z.strictObject({ text: z.string().max(filingLimits.pasted) }),
    bodyLimit: 4 * filingLimits.pasted,
    response: z.object({
      rows: z.array(
        z.object({
          kind: z.enum(numberKinds),
          number: z.string(),
          province: Province.nullable(),
          error: z.enum(numberErrors).nullable(),
          warnings: z.array(z.enum(filingWarnings)),
          filing: rowId.nullable(),
        }),
      ),
    }),
  }),
  filingChecklist: endpoint(e.filingChecklist, {
    ...read,
    summary: 'What a filing of a kind needs',
    params: P,
    query: z.object({
      kind: z.enum(filingKinds),
      nature: z.enum(subjectNatures),
      province: Province,
      task: z.enum(['first', 'add', 'change']),
      interactive: z.enum(['true', 'false']).default('false'),
    }),
    response: z.object({ rows: z.array(ChecklistItem) }),
  }),
  filingSnippet: endpoint(e.filingSnippet, {
    ...read,
    summary: 'The footer for pages that are hosted elsewhere',
    params: P,
    query: z.object({ format: z.enum(['html', 'text']).default('html'), domain: z.string().max(253).optional() }),
    response: z.object({ text: z.string() }),
  }),
  checkFilingFooter: endpoint(e.checkFilingFooter, {
    ...write,
    summary: 'Check now whether the pages show the numbers',
    params: P,
    response: z.object({ rows: z.array(z.object({ filing: rowId, footer: Footer })) }),
    errors: ['too_many_requests'],
    ratePerMinute: 6,
  }),
  filingSubjects: endpoint(e.filingSubjects, {
    access: { instance: 'site.seeAll' },
    summary: 'Subjects of filings, shared by all sites',
    query: z.object(pageQuery),
    response: Page(Subject),
  }),
  addFilingSubject: endpoint(e.addFilingSubject, {
    access: { instance: 'site.seeAll' },
    proven: true,
    summary: 'Add a subject of filings',
    body: SubjectInput,
    response: Subject,
    errors: ['invalid_fields'],
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
    summary: 'Remove a subject without filings',
    params: z.object({ id: rowId }),
    errors: ['not_found', 'referenced'],
  }),
  filingDeadlines: endpoint(e.filingDeadlines, {
    access: 'session',
    summary: 'Deadlines of all sites that the caller may read, the nearest first',
    query: z.object(pageQuery),
    response: Page(Deadline.extend({ siteId: SiteId, filing: rowId })),
  }),
} as const;
