import { JobInterrupted } from '../../server/worker';
import type { RunningJob } from '../../server/worker';

/** A job for a handler that is called directly: held, never cancelled, and nothing of it is stored. */
export const fakeJob = (job: Pick<RunningJob, 'kind' | 'siteId' | 'input'> & Partial<RunningJob>): RunningJob => ({
  id: '00000000-0000-4000-8000-000000000000',
  saved: null,
  cancelled: false,
  signal: new AbortController().signal,
  progress: () => Promise.resolve(),
  save: () => Promise.resolve(),
  isHeld: () => Promise.resolve(true),
  isAdvancing: () => Promise.resolve(true),
  ...job,
});

/** `progress` of a job whose program ends after that many reports. */
export function endsAfter(reports: number): RunningJob['progress'] {
  let count = 0;
  return () => {
    count += 1;
    return count > reports ? Promise.reject(new JobInterrupted('stop')) : Promise.resolve();
  };
}
