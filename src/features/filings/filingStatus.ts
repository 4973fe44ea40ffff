import type { FilingState } from '@contract/filings/states';
import type { FilingKind, FooterState } from '@contract/filings/terms';

type Tone = 'good' | 'warning' | 'bad' | 'info';

export const stateTones: Readonly<Record<FilingState, Tone>> = {
  incomplete: 'info',
  provider_review: 'info',
  returned: 'warning',
  sms_check: 'warning',
  provider_accepted: 'info',
  bureau_review: 'info',
  refused: 'bad',
  approved: 'good',
  changing: 'good',
  cancelling: 'warning',
  cancelled: 'info',
};

export const footerTones: Readonly<Record<FooterState, Tone>> = {
  ok: 'good',
  missing: 'bad',
  wrong_number: 'bad',
  wrong_link: 'warning',
  hidden: 'bad',
  unreachable: 'info',
  unchecked: 'info',
};

/** Names the message of a state: public security examines its own filings, the bureau all others. */
export const stateName = (state: FilingState, kind: FilingKind): FilingState | 'police_review' =>
  state === 'bureau_review' && kind === 'mps' ? 'police_review' : state;

/** Names of filings that no number names yet: the service, else the kind. */
export const nameOf = ({ displayed, serviceName }: { readonly displayed: string; readonly serviceName: string }, kind: string): string =>
  displayed === '' ? (serviceName === '' ? kind : serviceName) : displayed;

/** Public pages on which anybody compares a number with the register. */
export const registerPages = { icp: 'https://beian.miit.gov.cn/#/Integrated/recordQuery', mps: 'https://beian.mps.gov.cn/#/query/webSearch' } as const;
