import { useEffect, useEffectEvent } from 'react';
import type { Job } from '@contract/jobs/schemas';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useCancelJobMutation } from './jobsApi';
import { isRunning, selectJobs } from './jobsSlice';

/**
 * A job, as the live list has it, and a way to stop it. `id` is null while there is none, and `job` is undefined until the list has it. `onEnd` is
 * called when the job has ended, in whatever state.
 */
export function useJob(id: string | null, onEnd?: (job: Job) => void) {
  const dispatch = useAppDispatch();
  const job = useAppSelector(selectJobs).find((one) => one.id === id);
  const [cancel, { isLoading, data }] = useCancelJobMutation();
  const ended = useEffectEvent(() => {
    if (job !== undefined) onEnd?.(job);
  });
  const hasEnded = job !== undefined && !isRunning(job);
  useEffect(() => {
    if (hasEnded) ended();
  }, [hasEnded, id]);
  const stop = async (): Promise<void> => {
    if (id === null) return;
    const { error } = await cancel({ id });
    notifyFailure(dispatch, error);
  };
  return {
    job,
    /** A stop was requested; the job ends at its next step. */
    stopping: isLoading || (data !== undefined && data.id === id),
    stop,
  };
}
