import type { NumberKind } from './numbers';

/** Filings of sites in mainland China. Terms without zod. */

export const filingKinds = ['icp', 'license', 'mps', 'app', 'mini'] as const;
export type FilingKind = (typeof filingKinds)[number];
/** Which form the number of a filing has: apps and mini programs are filed like websites. */
export const numberKindOf: Readonly<Record<FilingKind, NumberKind>> = { icp: 'icp', license: 'license', mps: 'mps', app: 'icp', mini: 'icp' };

export const subjectNatures = ['company', 'sole_trader', 'public_institution', 'government', 'association', 'person', 'other'] as const;
export type SubjectNature = (typeof subjectNatures)[number];
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
/** Approvals of other authorities that some contents need first. */
export const approvalKinds = ['news', 'publishing', 'education', 'medical', 'drugs', 'religion', 'audio_video', 'culture', 'finance', 'other'] as const;
export const fileKinds = [
  'commitment',
  'responsibility',
  'construction_plan',
  'rename_letter',
  'domain_certificate',
  'real_name',
  'license',
  'identity',
  'badge',
  'other',
] as const;

/** What a check of the footer found about one number. */
export const footerStates = ['ok', 'missing', 'wrong_number', 'wrong_link', 'hidden', 'unreachable', 'unchecked'] as const;
export type FooterState = (typeof footerStates)[number];

/** What has to be done until a day. */
export const deadlineKinds = [
  'sms_code',
  'mps_filing',
  'data_change',
  'certificate_expiry',
  'domain_expiry',
  'yearly_review',
  'access_changed',
  'hostname_removed',
  'footer_missing',
] as const;
export type DeadlineKind = (typeof deadlineKinds)[number];

export const filingWarnings = [
  'icp_suffix_in_guangdong',
  'license_format',
  'mps_province_mismatch',
  'number_used_by_other_site',
  'domain_not_of_site',
  'same_phone',
  'access_elsewhere',
  'empty_subject',
] as const;
export type FilingWarning = (typeof filingWarnings)[number];

export const filingLimits = {
  perSite: 50,
  subjects: 500,
  domains: 50,
  contentTypes: 5,
  files: 30,
  /** Bytes of a file. */
  fileBytes: 4 * 1024 ** 2,
  /** Days after approval until files are deleted. */
  fileDays: 30,
  /** Hours in which the code of the short message has to be entered. */
  smsHours: 24,
  /** Days after opening within which public security has to be told, and days of the reminders. */
  mpsDays: 30,
  mpsReminders: [20, 27],
  /** Days before an expiry at which people are reminded. */
  expiryReminders: [90, 30],
  /** Characters of pasted text. */
  pasted: 200_000,
} as const;
