import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isRunning } from '@/features/jobs/jobsSlice';
import { useJob } from '@/features/jobs/useJob';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { useAppDispatch } from '@/store/hooks';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { inventoryApi, useReauditCrawlMutation } from '../inventoryApi';

/** Evaluates the rules again over the stored pages of a run, without a request to the site. */
export function AuditAgain({ runId }: { readonly runId: string }): ReactElement {
  const { t } = useTranslation('inventory');
  const dispatch = useAppDispatch();
  const [start, { isLoading }] = useReauditCrawlMutation();
  const [jobId, setJobId] = useState<string | null>(null);
  const { job, stop, stopping } = useJob(jobId, ({ state }) => {
    setJobId(null);
    dispatch(inventoryApi.util.invalidateTags(['CrawlFound']));
    dispatch(
      noticeShown(state === 'done' ? { tone: 'good', message: { key: 'inventory:audit.done' } } : { tone: 'bad', message: { key: 'inventory:audit.failed' } }),
    );
  });
  const run = async (): Promise<void> => {
    const { data, error } = await start({ crawlRunId: runId });
    if (data) setJobId(data.jobId);
    else notifyFailure(dispatch, error);
  };
  if (job !== undefined && isRunning(job))
    return (
      <JobProgress
        title={t('audit.running')}
        share={shareDone(job.done, job.total)}
        stop={{ label: t('audit.stop'), busy: stopping, onStop: () => void stop() }}
      />
    );
  return (
    <Button variant="outlined" disabled={isLoading || jobId !== null} onClick={() => void run()} title={t('audit.hint')}>
      {t('audit.again')}
    </Button>
  );
}
