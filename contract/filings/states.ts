import type { FilingKind } from './terms';

/** States of filings and the steps between them, as the providers and registers name them. */

/**
 * incomplete        data are being collected
 * provider_review   the access provider examines them
 * returned          the provider wants changes
 * sms_check         a code was sent by short message; 24 hours
 * provider_accepted  waits until the provider passes it on
 * bureau_review     the bureau (for public security: the police) examines it; nothing can be edited
 * refused           the bureau refused it
 * approved          it has its number
 * changing          a change was requested; the number stays valid
 * cancelling        a cancellation was requested
 * cancelled
 */
export const filingStates = [
  'incomplete',
  'provider_review',
  'returned',
  'sms_check',
  'provider_accepted',
  'bureau_review',
  'refused',
  'approved',
  'changing',
  'cancelling',
  'cancelled',
] as const;
export type FilingState = (typeof filingStates)[number];

const icp: Readonly<Record<FilingState, readonly FilingState[]>> = {
  incomplete: ['provider_review', 'approved', 'cancelled'],
  provider_review: ['returned', 'sms_check', 'provider_accepted', 'incomplete'],
  returned: ['provider_review', 'cancelled'],
  sms_check: ['provider_accepted', 'returned'],
  provider_accepted: ['bureau_review', 'returned'],
  bureau_review: ['approved', 'refused'],
  refused: ['provider_review', 'incomplete', 'cancelled'],
  approved: ['changing', 'cancelling'],
  changing: ['approved', 'refused'],
  cancelling: ['cancelled', 'approved'],
  cancelled: ['incomplete'],
};
/** Public security has no access provider in between. */
const mps: Readonly<Record<FilingState, readonly FilingState[]>> = {
  incomplete: ['bureau_review', 'approved', 'cancelled'],
  provider_review: [],
  returned: ['bureau_review', 'cancelled'],
  sms_check: [],
  provider_accepted: [],
  bureau_review: ['approved', 'returned'],
  refused: [],
  approved: ['changing', 'cancelling'],
  changing: ['approved', 'returned'],
  cancelling: ['cancelled', 'approved'],
  cancelled: ['incomplete'],
};

/** States that may follow. A filing that exists already is entered as `incomplete → approved`. */
export const nextStates = (kind: FilingKind, state: FilingState): readonly FilingState[] => (kind === 'mps' ? mps : icp)[state];

/** While the authority examines a filing, its data cannot be changed, here neither: they would no longer be what was submitted. */
export const isLocked = (state: FilingState): boolean => state === 'bureau_review';

/** Whether its number is valid, so that pages show it. */
export const isNumbered = (state: FilingState): boolean => state === 'approved' || state === 'changing' || state === 'cancelling';

/** Whether a change of filed data has yet to be filed: the number is valid, and no change was requested. */
export const hasToFileChanges = (state: FilingState): boolean => isNumbered(state) && state !== 'changing';
