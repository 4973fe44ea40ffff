import { isNumbered } from './states';
import type { FilingState } from './states';
import type { contentTypes, FilingKind, subjectNatures } from './terms';

/** What has to be prepared for a filing, as providers and authorities ask for it. Provinces differ; nothing here is complete. */

export const checklistItems = [
  'subject_certificate',
  'responsible_certificate',
  'certificates_valid',
  'face_check',
  'authorization',
  'residence',
  'commitment',
  'change_proof',
  'service_name',
  'domain_certificate',
  'domain_valid',
  'domain_offline',
  'access_provider',
  'pre_approval',
  'icp_number',
  'business_plan',
  'security_measures',
  'security_officer',
  'content_review',
] as const;
export type ChecklistItem = (typeof checklistItems)[number];

export type PreparedFiling = {
  readonly kind: FilingKind;
  readonly state: FilingState;
  /** Of the subject; null: not recorded. */
  readonly nature: (typeof subjectNatures)[number] | null;
  readonly contentTypes: readonly (typeof contentTypes)[number][];
  readonly interactive: boolean;
};

/** Contents that another authority approves first. */
const approvedFirst: ReadonlySet<string> = new Set(['news', 'education', 'medical', 'video', 'finance']);

/** The items of a filing, in the order in which they are prepared. */
export function checklistOf({ kind, state, nature, contentTypes: contents, interactive }: PreparedFiling): ChecklistItem[] {
  const isPerson = nature === 'person';
  const isPassed = kind === 'icp' || kind === 'app' || kind === 'mini';
  const applies: Readonly<Record<ChecklistItem, boolean>> = {
    subject_certificate: true,
    responsible_certificate: true,
    certificates_valid: isPassed,
    face_check: isPassed,
    authorization: !isPerson,
    residence: isPassed && isPerson,
    commitment: isPassed,
    change_proof: state === 'changing',
    service_name: isPassed,
    domain_certificate: kind !== 'mini',
    domain_valid: kind !== 'mini' && kind !== 'mps',
    // While a new filing is examined, its domain may not lead anywhere.
    domain_offline: kind === 'icp' && !isNumbered(state),
    access_provider: kind === 'icp' || kind === 'app' || kind === 'mps',
    pre_approval: isPassed && contents.some((one) => approvedFirst.has(one)),
    icp_number: kind === 'license' || kind === 'mps',
    business_plan: kind === 'license',
    security_measures: kind === 'license' || (kind === 'mps' && interactive),
    security_officer: kind === 'mps',
    content_review: kind === 'mps' && interactive,
  };
  return checklistItems.filter((item) => applies[item]);
}
