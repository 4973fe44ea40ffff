import { notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { usePauseCrawlMutation, useResumeCrawlMutation, useStartCrawlMutation, useStopCrawlMutation } from './crawlerApi';

/** Starts, pauses, resumes and stops runs; failures become notices. `start` resolves to the id of the new run, null if it failed. */
export function useRunActions() {
  const dispatch = useAppDispatch();
  const [startRun, starting] = useStartCrawlMutation();
  const [pauseRun, pausing] = usePauseCrawlMutation();
  const [resumeRun, resuming] = useResumeCrawlMutation();
  const [stopRun, stopping] = useStopCrawlMutation();
  return {
    busy: starting.isLoading || pausing.isLoading || resuming.isLoading || stopping.isLoading,
    start: async (crawlerId: string): Promise<string | null> => {
      const { data, error } = await startRun({ crawlerId });
      notifyFailure(dispatch, error);
      return data?.id ?? null;
    },
    pause: async (crawlRunId: string): Promise<void> => notifyFailure(dispatch, (await pauseRun({ crawlRunId })).error),
    resume: async (crawlRunId: string): Promise<void> => notifyFailure(dispatch, (await resumeRun({ crawlRunId })).error),
    stop: async (crawlRunId: string): Promise<void> => notifyFailure(dispatch, (await stopRun({ crawlRunId })).error),
  };
}
