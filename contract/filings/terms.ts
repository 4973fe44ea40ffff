import type { NumberKind } from './numbers';

/** Filings of sites in mainland China. Terms without zod. */

export const filingKinds = ['icp', 'license', 'mps', 'app', 'mini'] as const;
export type FilingKind = (typeof filingKinds)[number];
/** Which form the number of a filing has: apps and mini programs are filed like websites. */
export const numberKindOf: Readonly<Record<FilingKind, NumberKind>> = { icp: 'icp', license: 'license', mps: 'mps', app: 'icp', mini: 'icp' };
/** Kinds of which websites show the number; apps and mini programs show theirs elsewhere. */
export const isShownOnPages = (kind: FilingKind): boolean => kind !== 'app' && kind !== 'mini';

export const subjectNatures = ['company', 'sole_trader', 'public_institution', 'government', 'association', 'person', 'other'] as const;
export const certificateKinds = ['credit_code', 'identity_card', 'passport', 'other'] as const;

export const contentTypes = [
  'portal',
  'shop',
  'blog',
  'forum',
  'news',
  'education',
  'medical',
  'game',
  'video',
  'finance',
  'tools',
  'corporate',
  'other',
] as const;
/** What a check of the footer found about one number. */
export const footerStates = ['ok', 'missing', 'wrong_number', 'wrong_link', 'hidden', 'unreachable', 'unchecked'] as const;
export type FooterState = (typeof footerStates)[number];

/** What has to be done until a day. */
export const deadlineKinds = ['sms_code', 'mps_filing', 'certificate_expiry', 'domain_expiry', 'changed_data', 'yearly_review', 'footer_missing'] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];

export const filingWarnings = [
  'icp_suffix_in_guangdong',
  'license_format',
  'mps_province_mismatch',
  'number_used_by_other_site',
  'domain_not_of_site',
] as const;
export type FilingWarning = (typeof filingWarnings)[number];

export const filingLimits = {
  perSite: 50,
  subjects: 500,
  domains: 50,
  contentTypes: 5,
  /** Hours in which the code of the short message has to be entered. */
  smsHours: 24,
  /** Days after opening within which public security has to be told, and days of the reminders. */
  mpsDays: 30,
  mpsReminders: [20, 27],
  /** Days within which a change of filed data is filed. */
  changedDays: 30,
  /** Documents of one filing. */
  documents: 50,
  /** Days after its approval or end after which the documents of a filing are deleted, and those that were detached. */
  documentDays: 30,
  /** Days before an expiry at which people are reminded. */
  expiryReminders: [90, 30],
  /** Days between two checks of the pages. */
  checkDays: 7,
  /** Characters of pasted text. */
  pasted: 200_000,
} as const;
