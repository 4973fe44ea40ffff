import type { RootState } from '@/store';

/**
 * What the console shows before anything else: the four gate states of the specification, then the start-up load. `enrol`: a second factor has to be
 * set up first, and the server refuses everything else.
 */
export type GateState = 'loading' | 'leaving' | 'failed' | 'startUp' | 'startUpFailed' | 'enrol' | 'open';

export function selectGate({ session, sites }: Pick<RootState, 'session' | 'sites'>): GateState {
  if (session.status === 'loading') return 'loading';
  if (session.status === 'none') return 'leaving';
  if (session.status === 'failed') return 'failed';
  if (session.session?.enrolment === 'required') return 'enrol';
  if (sites.load.status === 'failed') return 'startUpFailed';
  return sites.load.status === 'ready' ? 'open' : 'startUp';
}
